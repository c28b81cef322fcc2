"""ROUGE-L of captions, from the longest common subsequence with references.

Source: Lin, ROUGE (ACL 2004); rouge.py of coco-caption, whose precision and recall may come from
different references.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray

BETA = 1.2  # rouge.py
BLOCK = 1000

Check = Callable[[], object]


@dataclass(frozen=True, slots=True, eq=False)
class RougeL:
    """ROUGE-L (n,) of n captions, with the references (n,) that gave precision and recall."""

    scores: FloatArray
    precision_reference: IntArray
    recall_reference: IntArray


def rouge_l(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    one_reference: bool = False,
    check: Check = lambda: None,
) -> RougeL:
    """Compute ROUGE-L of candidates against their references; words are separated by one blank.

    As in the original, an empty text is one empty word. With `one_reference`, the score is the
    best F of a single reference, and 0 for an empty candidate. `check` may raise to stop.
    """
    from rapidfuzz.distance import LCSseq

    common: list[int] = []
    for number, (candidate, texts) in enumerate(zip(candidates, references, strict=True)):
        if number % BLOCK == 0:
            check()
        words = candidate.split(" ")
        common += [LCSseq.similarity(words, text.split(" ")) for text in texts]
    starts = np.concatenate([[0], np.cumsum([len(texts) for texts in references])])
    owner = np.repeat(np.arange(len(candidates)), np.diff(starts))
    matched = np.array(common, np.float64)
    length = _lengths(candidates)[owner]
    lengths = _lengths([text for texts in references for text in texts])
    precision, recall = matched / length, matched / lengths
    if one_reference:
        empty = np.array([not candidate for candidate in candidates], bool)[owner]
        scores = np.where(empty, 0.0, _f_measure(precision, recall))
        best = _first_best(scores, starts)
        return RougeL(scores[starts[:-1] + best], best, best)
    by_precision, by_recall = _first_best(precision, starts), _first_best(recall, starts)
    scores = _f_measure(precision[starts[:-1] + by_precision], recall[starts[:-1] + by_recall])
    return RougeL(scores, by_precision, by_recall)


def _lengths(texts: Sequence[str]) -> FloatArray:
    return np.array([text.count(" ") + 1 for text in texts], np.float64)


def _f_measure(precision: FloatArray, recall: FloatArray) -> FloatArray:
    weight = BETA**2
    total = recall + weight * precision
    defined = (precision > 0) & (recall > 0)
    return np.divide(
        (1 + weight) * precision * recall, total, out=np.zeros_like(total), where=defined
    )


def _first_best(values: FloatArray, starts: IntArray) -> IntArray:
    """Return the index of the first maximum of each row."""
    greatest = np.maximum.reduceat(values, starts[:-1])
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    places = np.flatnonzero(values == greatest[owner])
    _, first = np.unique(owner[places], return_index=True)
    return np.asarray(places[first] - starts[:-1])
