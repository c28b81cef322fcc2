"""Sentence vectors as means of word vectors, with numbers spelled out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText

if TYPE_CHECKING:
    from inflect import engine

LONGEST_NUMBER = 36
"""Digits of the largest number that inflect can spell."""
_DIGITS = re.compile(r"\d+")


def spell_out_numbers(text: str) -> str:
    """Return the text with every run of digits in words: `12 dogs` becomes `twelve dogs`."""
    return _DIGITS.sub(lambda digits: number_words(digits[0]), text)


@cache
def number_words(digits: str) -> str:
    """Return a whole number in words, without hyphens; leading zeros are dropped.

    Digits of any script are accepted, as by the published program's pattern. A number beyond the
    decillions is returned unchanged: the published program fails on it.
    """
    number = "".join(str(int(digit)) for digit in digits).lstrip("0") or "0"
    if len(number) > LONGEST_NUMBER:
        return digits
    return str(_inflect().number_to_words(number)).replace("-", " ")


@cache
def _inflect() -> engine:
    from inflect import engine

    return engine()


def sentence_vectors(texts: Sequence[str], model: FastText) -> FloatArray:
    """Return the mean word vector (texts, dim) of every text; NaN for a text without a word.

    Raises ResourceMissing if the model's vocabulary is damaged.
    """
    words = [spell_out_numbers(text).lower().split() for text in texts]
    vocabulary = dict.fromkeys(word for tokens in words for word in tokens)
    model.look_up(vocabulary)
    known = {word: model.vector(word).astype(np.float64) for word in vocabulary}
    vectors = np.full((len(texts), model.arguments.dim), np.nan)
    for row, tokens in enumerate(words):
        if tokens:
            vectors[row] = np.mean([known[word] for word in tokens], axis=0)
    return vectors
