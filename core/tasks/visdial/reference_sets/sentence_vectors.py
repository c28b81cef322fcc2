"""Word ids and mean word vectors of questions and answers.

Texts are stripped of apostrophes, lowercased and have their numbers spelled out; they are
truncated to 15 words and an end token. Words with fewer than five occurrences in the training
dialogues become the unknown token. Source: Massiceti et al., A Revised Generative Evaluation of
Visual Dialogue (2020), clusters/.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText
from jurydesk.core.tasks.visdial.embeddings.mean_vectors import spell_out_numbers
from jurydesk.core.tasks.visdial.tokenizer import tokenise

MAX_LENGTH = 16
"""Maximum number of tokens of a text, with its end token."""
MIN_COUNT = 5
"""Minimum number of occurrences of a vocabulary word in the training dialogues."""
PAD, END, UNKNOWN = range(3)
SPECIAL = ("<PAD>", "<EOS>", "<UNK>")
BLOCK = 2048
"""Texts per block of vectors: 80 MB at 300 dimensions."""

WordIds = npt.NDArray[np.int32]


def words_of(text: str) -> list[str]:
    """Return the words of a text: no apostrophes, numbers spelled out, lower case."""
    return tokenise(spell_out_numbers(text.replace("'", "")).lower())


def split_words(texts: Sequence[str], run: Run, title: str) -> list[list[str]]:
    """Return the words of every text."""
    split = []
    for number, text in enumerate(texts):
        if number % BLOCK == 0:
            run.report(number, len(texts), title)
        split.append(words_of(text))
    return split


def frequent_words(counted: Iterable[tuple[Sequence[str], int]]) -> tuple[str, ...]:
    """Return the vocabulary of counted texts: special tokens, then sorted frequent words."""
    occurrences: Counter[str] = Counter()
    for words, times in counted:
        for word in words:
            occurrences[word] += times
    kept = sorted(word for word, times in occurrences.items() if times >= MIN_COUNT)
    return (*SPECIAL, *(word for word in kept if word not in SPECIAL))


@dataclass(frozen=True, slots=True, eq=False)
class WordEmbeddings:
    """Vocabulary with word vectors: `rows` (words, dim), zero for padding."""

    numbers: Mapping[str, int]
    rows: FloatArray

    def encode(self, texts: Sequence[Sequence[str]]) -> WordIds:
        """Return the word ids (texts, 16) of each text, with end token and padding."""
        ids = np.full((len(texts), MAX_LENGTH), PAD, np.int32)
        for row, words in enumerate(texts):
            kept = [self.numbers.get(word, UNKNOWN) for word in words[: MAX_LENGTH - 1]]
            ids[row, : len(kept)] = kept
            ids[row, len(kept)] = END
        return ids

    def vectors(self, ids: WordIds) -> FloatArray:
        """Return the mean vector (texts, dim) of each text, including its end token."""
        lengths = (ids != PAD).sum(axis=1)
        return np.asarray(self.rows[ids].sum(axis=1) / lengths[:, None])

    def blocks(self, ids: WordIds) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the vectors of the texts in blocks, each with its slice."""
        for start in range(0, len(ids), BLOCK):
            rows = slice(start, start + BLOCK)
            yield rows, self.vectors(ids[rows])


def load_word_embeddings(vocabulary: Sequence[str], model: FastText, run: Run) -> WordEmbeddings:
    """Load a vocabulary's vectors from fastText. Raises ResourceMissing, Cancelled."""
    run.report(0, len(vocabulary), "Word vectors")
    run.call(model.look_up, vocabulary)
    rows = np.zeros((len(vocabulary), model.arguments.dim))
    for number, word in enumerate(vocabulary):
        if number % 64 == 0:
            run.report(number, len(vocabulary), "Word vectors")
        if number != PAD:
            rows[number] = model.vector(word)
    return WordEmbeddings({word: number for number, word in enumerate(vocabulary)}, rows)
