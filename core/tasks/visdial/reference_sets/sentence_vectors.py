"""Word ids and mean word vectors of questions and answers.

A text loses its apostrophes and gets its numbers spelled out, in lower case; of its words the
first 15 count, with one more for its end. Words that the training dialogues hold fewer than five
times are all the same unknown one. Source: Massiceti et al., A Revised Generative Evaluation of
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

LONGEST = 16
"""Words of a text with its end."""
RAREST = 5
"""A word counts from so many occurrences in the training dialogues."""
PAD, END, UNKNOWN = range(3)
SPECIAL = ("<PAD>", "<EOS>", "<UNK>")
BLOCK = 2048
"""Texts whose words are looked up at once: 80 MB at 300 dimensions."""

WordIds = npt.NDArray[np.int32]


def words_of(text: str) -> list[str]:
    """Return the words of a text: no apostrophes, numbers spelled out, lower case."""
    return tokenise(spell_out_numbers(text.replace("'", "")).lower())


def split_words(texts: Sequence[str], run: Run, title: str) -> list[list[str]]:
    """Return the words of every text."""
    found = []
    for number, text in enumerate(texts):
        if number % BLOCK == 0:
            run.report(number, len(texts), title)
        found.append(words_of(text))
    return found


def frequent_words(counted: Iterable[tuple[Sequence[str], int]]) -> tuple[str, ...]:
    """Return the vocabulary of counted texts: special words, then frequent words.

    These stand in the order of the alphabet.
    """
    occurrences: Counter[str] = Counter()
    for words, times in counted:
        for word in words:
            occurrences[word] += times
    kept = sorted(word for word, times in occurrences.items() if times >= RAREST)
    return (*SPECIAL, *(word for word in kept if word not in SPECIAL))


@dataclass(frozen=True, slots=True, eq=False)
class WordEmbeddings:
    """A vocabulary with the vector of each word: `rows` (words, dim), zero for the padding."""

    numbers: Mapping[str, int]
    rows: FloatArray

    def encode(self, texts: Sequence[Sequence[str]]) -> WordIds:
        """Return the numbers (texts, 16) of the words of each text, with its end and padding."""
        ids = np.full((len(texts), LONGEST), PAD, np.int32)
        for row, words in enumerate(texts):
            kept = [self.numbers.get(word, UNKNOWN) for word in words[: LONGEST - 1]]
            ids[row, : len(kept)] = kept
            ids[row, len(kept)] = END
        return ids

    def vectors(self, ids: WordIds) -> FloatArray:
        """Return the mean vector (texts, dim) of the words of each text, its end among them."""
        lengths = (ids != PAD).sum(axis=1)
        return np.asarray(self.rows[ids].sum(axis=1) / lengths[:, None])

    def blocks(self, ids: WordIds) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the vectors of many texts, some at a time."""
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
