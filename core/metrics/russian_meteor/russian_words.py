"""Normalization of Russian words as in FusionBrain: lemmas, number words, punctuation, stems.

Lemmas come from pymorphy3 (the successor of the organisers' pymorphy2), stems from NLTK, whose
Snowball stemmer differs from the reference implementation for Latin letters within words. Results
are cached per process.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

KEPT_WORDS = 1 << 18

NUMBER_WORDS = MappingProxyType(
    {
        "ноль": "0",
        "нисколько": "0",
        "никакой": "0",
        "один": "1",
        "два": "2",
        "три": "3",
        "четыре": "4",
        "пять": "5",
        "шесть": "6",
        "семь": "7",
        "восемь": "8",
        "девять": "9",
        "десять": "10",
    }
)
"""Digits of number words by lemma (FusionBrain Challenge 2.0, evaluation code)."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_PUNCTUATION_BUT_HYPHEN = str.maketrans("", "", string.punctuation.replace("-", ""))


def without_punctuation(text: str, *, keep_hyphen: bool = False) -> str:
    """Return the text without ASCII punctuation; other characters («», dashes) stay."""
    return text.translate(_PUNCTUATION_BUT_HYPHEN if keep_hyphen else _PUNCTUATION)


def answer_words(text: str, *, keep_hyphen: bool = False) -> list[str]:
    """Return the lemmas of an answer's lower-cased words, with number words as digits."""
    plain = without_punctuation(text.lower(), keep_hyphen=keep_hyphen)
    # A lemma may contain a space, so that the joined text is split again.
    return " ".join(map(counted_lemma, plain.split())).split()


def counted_lemma(text: str) -> str:
    """Return the lemma of a text as a single word; number words up to ten become digits."""
    form = lemma(text)
    return NUMBER_WORDS.get(form, form)


@lru_cache(maxsize=KEPT_WORDS)
def lemma(text: str) -> str:
    """Return the most likely lemma of a text, which is parsed as a single word."""
    form: str = _morphology().parse(text)[0].normal_form
    return form


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """Return NLTK's stemmer: Snowball for `"russian"`, Porter for `"english"`."""
    from nltk.stem.porter import PorterStemmer
    from nltk.stem.snowball import RussianStemmer

    stem = {"russian": RussianStemmer, "english": PorterStemmer}[language]().stem
    return lru_cache(maxsize=KEPT_WORDS)(stem)


@cache
def _morphology() -> Any:
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")
