"""BERT and its word pieces as bert-as-service had them.

Texts have at most 16 word pieces with [CLS] and [SEP]; `x ||| y` is a pair of texts.
Source: bert-serving-server 1.8.1 (max_seq_len 16).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.model import ResourceMissing
from core.tasks.visdial.bert_network import encoder

LONGEST = 16
PAIR = " ||| "
MARKS = ("[UNK]", "[CLS]", "[SEP]")
LARGEST_VOCABULARY = 16 << 20
"""Bytes; the largest of BERT has one million."""

Pieces = tuple[tuple[int, ...], tuple[int, ...]]
"""The ids of a text's word pieces with their borders, and the part (0 or 1) each belongs to."""


@dataclass(frozen=True, slots=True, eq=False)
class Bert:
    """A loaded encoder with its tokenizer, on one device."""

    tokenizer: Any
    network: Any
    device: str
    folder: Path

    def pieces(self, text: str) -> Pieces:
        """The word pieces of a text, or of a pair of texts, cut to 16 with their borders."""
        first, second = _parts(text.strip())
        one, other = self._words(first), self._words(second)
        room = LONGEST - (3 if other else 2)
        while len(one) + len(other) > room:
            (one if len(one) > len(other) else other or one).pop()
        ids = ["[CLS]", *one, "[SEP]", *other, *(["[SEP]"] if other else [])]
        parts = [0] * (len(one) + 2) + [1] * (len(ids) - len(one) - 2)
        return tuple(self.tokenizer.convert_tokens_to_ids(ids)), tuple(parts)

    def _words(self, text: str) -> list[str]:
        """The word pieces of a text; `[SEP]` and the like are written by nobody but BERT itself."""
        found: list[str] = self.tokenizer.tokenize(text, split_special_tokens=True)
        return found


def _parts(text: str) -> tuple[str, str]:
    """The two texts of a pair, which the last bars part; a text of several lines is no pair."""
    first, bars, second = text.rpartition(PAIR)
    return (first, second) if bars and "\n" not in text else (text, "")


def _check_vocabulary(path: Path) -> None:
    """ResourceMissing where a file is no list of word pieces with BERT's own marks."""
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST_VOCABULARY + 1)
        found = set(content[:LARGEST_VOCABULARY].decode("utf-8").splitlines())
    except UnicodeDecodeError as fault:
        raise ResourceMissing(f"{path} is no text in UTF-8.") from fault
    except OSError as fault:
        raise ResourceMissing(f"{path}: {fault.strerror or fault}.") from fault
    if len(content) > LARGEST_VOCABULARY:
        raise ResourceMissing(f"{path} is larger than any vocabulary of BERT.")
    absent = [mark for mark in MARKS if mark not in found]
    if absent:
        raise ResourceMissing(f"{path} lacks {' and '.join(absent)}: it is no vocabulary of BERT.")


def load(folder: Path, device: str) -> Bert:
    """The encoder in a Hugging Face folder, or in the folder of a TensorFlow checkpoint.

    Raises ResourceMissing with the sentence that says what to do.
    """
    try:
        from transformers import BertTokenizer
    except ImportError as fault:
        raise ResourceMissing(
            "BERT needs PyTorch and transformers: install jurydesk with its extra `neural`."
        ) from fault
    vocabulary = folder / "vocab.txt"
    if not vocabulary.is_file():
        raise ResourceMissing(f"{folder} has no vocab.txt: name the folder of a BERT model.")
    _check_vocabulary(vocabulary)
    network = encoder(folder)
    tokenizer = BertTokenizer(str(vocabulary), do_lower_case=True)
    largest, rows = max(tokenizer.get_vocab().values()), network.config.vocab_size
    if largest >= rows:
        raise ResourceMissing(
            f"{vocabulary} has {largest + 1:,} word pieces, the model only {rows:,}: "
            "it is another model's."
        )
    return Bert(tokenizer, network.eval().to(device), device, folder)
