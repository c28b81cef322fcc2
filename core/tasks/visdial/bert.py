"""Sentence embeddings as bert-as-service gave them: the [CLS] row of BERT's last layer.

Texts have at most 16 word pieces with [CLS] and [SEP]; `x ||| y` is a pair of texts. Unpadded
batches of equal length give the original's vectors to some 3e-6.
Source: bert-serving-server 1.8.1 (max_seq_len 16, pooling CLS_TOKEN, layer -1).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model import FloatArray, ResourceMissing
from core.run.lanes import Lanes, device_ids, offer
from core.run.weights import search
from core.run.weights_there import weights_digest
from core.tasks.visdial.bert_network import encoder
from core.tasks.visdial.bert_work import (
    BATCH,
    WORK,
    BertSettings,
    WordPieces,
    batches,
    load_there,
)
from core.work import Request, pieces

if TYPE_CHECKING:
    from core.run.run import Run

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

    def embed(self, texts: Sequence[str], run: Run) -> FloatArray:
        """The embeddings (texts, width) of texts, each distinct one computed once."""
        distinct = list(dict.fromkeys(texts))
        by_length: dict[int, list[int]] = defaultdict(list)
        found = [self.pieces(text) for text in distinct]
        for number, (ids, _) in enumerate(found):
            by_length[len(ids)].append(number)
        groups = [part for numbers in by_length.values() for part in pieces(numbers, BATCH)]
        chunks = [WordPieces(np.array([found[i] for i in part], np.int64)) for part in groups]
        vectors = np.empty((len(distinct), self.network.config.hidden_size))
        settings = self._settings(run)
        wanted = device_ids(run.device)
        devices = wanted if self.device in wanted else (self.device,)
        lanes = Lanes(devices, partial(load_there, settings))
        lanes.put(self.device, batches(self))
        offer(settings.key, lanes)
        request = Request(WORK, settings, chunks, "BERT", "texts")
        for part, embeddings in zip(groups, run.each(request), strict=True):
            vectors[part] = embeddings.rows
        rows = {text: number for number, text in enumerate(distinct)}
        return vectors[[rows[text] for text in texts]]

    def _settings(self, run: Run) -> BertSettings:
        path = os.path.abspath(self.folder)  # noqa: PTH100 - keeps links
        found = search("bert", {"bert": self.folder}).found
        digest = path if found is None else weights_digest(found)
        return BertSettings(digest, path, run.device)

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
