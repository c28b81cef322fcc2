"""Exact match and F1 of words, as for answers of SQuAD.

Source: Rajpurkar et al., SQuAD (EMNLP 2016), and its program evaluate-v1.1.py.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalized_words(text: str) -> list[str]:
    """Return the words of an answer without case, punctuation (of ASCII) and English articles."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def exact_match_of(truths: Sequence[str], given: str) -> float:
    """Return 1 if the words are those of a true text, else 0."""
    words = normalized_words(given)
    return float(any(words == normalized_words(one) for one in truths))


def token_f1_of(truths: Sequence[str], given: str) -> float:
    """Return the largest F1 of the words against a true text; 0 if none is shared."""
    words = Counter(normalized_words(given))
    return max(_f1(words, Counter(normalized_words(one))) for one in truths)


def _f1(given: Counter[str], truth: Counter[str]) -> float:
    shared = (given & truth).total()
    return 2 * shared / (given.total() + truth.total()) if shared else 0.0
