"""ANLS: average normalized Levenshtein similarity of answers (DocVQA, InfographicVQA).

Sources: the evaluation script of the Robust Reading Competition; `anls_metric` of
google-research/pix2struct.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

THRESHOLD = 0.5


def fold_case(text: str) -> str:
    """Return the text in lower case with single blanks."""
    return " ".join(text.strip().lower().split())


def similarity(
    answers: Sequence[str], given: str, threshold: float, *, corrected: bool = False
) -> float:
    """Return the similarity of an answer to the nearest of the true ones; 0 below the threshold.

    The published distance is divided by the length of the texts before they are cleaned, in upper
    case; the corrected one by that of the cleaned texts, after Unicode normalization.
    """
    best = 1.0 - min(_distance(one, given, corrected=corrected) for one in answers)
    return best if best >= threshold else 0.0


def plain_similarity(answers: Sequence[str], given: str, threshold: float) -> float:
    """Return the similarity of pix2struct, which ignores case alone and is 0 at the threshold."""
    return max(_plain(one.lower(), given.lower(), threshold) for one in answers)


def _plain(truth: str, given: str, threshold: float) -> float:
    from rapidfuzz.distance import Levenshtein

    length = max(len(truth), len(given))  # pix2struct cannot divide by that of two empty texts
    distance = Levenshtein.distance(truth, given) / length if length else 0.0
    return 1.0 - distance if distance < 1.0 - threshold else 0.0


def _distance(truth: str, given: str, *, corrected: bool) -> float:
    from rapidfuzz.distance import Levenshtein

    if corrected:
        truth, given = (fold_case(unicodedata.normalize("NFC", one)) for one in (truth, given))
        length = max(len(truth), len(given))
        return Levenshtein.distance(truth, given) / length if length else 0.0
    length = max(len(truth.upper()), len(given.upper()))
    return Levenshtein.distance(fold_case(truth), fold_case(given)) / length if length else 0.0
