"""Russian words as FusionBrain compares them: lemmas, number words, punctuation, stems.

Lemmas come from pymorphy3 (the successor of the pymorphy2 that the organisers used), stems from
NLTK, whose Snowball stemmer differs from the reference one on Latin letters inside of words.
Every distinct word is looked up once in a process.
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
"""Lemmas that count as their digits (FusionBrain Challenge 2.0, evaluation code)."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_PUNCTUATION_BUT_HYPHEN = str.maketrans("", "", string.punctuation.replace("-", ""))


def without_punctuation(text: str, *, keep_hyphen: bool = False) -> str:
    """The text without the 32 punctuation characters of ASCII; other ones («», dashes) stay."""
    return text.translate(_PUNCTUATION_BUT_HYPHEN if keep_hyphen else _PUNCTUATION)


def answer_words(text: str, *, keep_hyphen: bool = False) -> list[str]:
    """Return an answer as the lemmas of its lower-cased words, number words as digits."""
    plain = without_punctuation(text.lower(), keep_hyphen=keep_hyphen)
    # A lemma may hold a space again: the joined text is split once more.
    return " ".join(map(counted_lemma, plain.split())).split()


def counted_lemma(text: str) -> str:
    """Return the lemma of a text taken as one word; a number word up to ten becomes its digits."""
    found = lemma(text)
    return NUMBER_WORDS.get(found, found)


@lru_cache(maxsize=KEPT_WORDS)
def lemma(text: str) -> str:
    """The likeliest lemma of a text, which is taken as one word even where it holds several."""
    found: str = _morphology().parse(text)[0].normal_form
    return found


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """NLTK's stemmer: `"russian"` is Snowball, `"english"` Porter (it leaves Cyrillic alone)."""
    from nltk.stem.porter import PorterStemmer
    from nltk.stem.snowball import RussianStemmer

    stem = {"russian": RussianStemmer, "english": PorterStemmer}[language]().stem
    return lru_cache(maxsize=KEPT_WORDS)(stem)


@cache
def _morphology() -> Any:
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")
