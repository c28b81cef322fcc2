"""BLEU-1 to BLEU-4 as in pycocoevalcap, for single captions and for a corpus.

Source: Papineni et al., BLEU (ACL 2002); bleu_scorer.py of coco-caption with the closest
reference length and its smoothing constants, which all published scores include.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from jurydesk.core.metrics.captioning.caption_overlap import ReferenceOverlap, count_overlap
from jurydesk.core.metrics.captioning.ngrams import MAX_N
from jurydesk.core.metrics.elementary import by_value
from jurydesk.core.model.evaluation import CombinedSums, FloatArray, IntArray

TINY, SMALL = 1e-15, 1e-9  # bleu_scorer.py
STATISTICS = ("words", "reference_words", *(f"match_{n}" for n in range(1, MAX_N + 1)))
"""Sufficient statistics of a caption, which are summed for the corpus score."""


@dataclass(frozen=True, slots=True, eq=False)
class Bleu:
    """BLEU of n captions, from their counts (n, 6) in the order of `STATISTICS`."""

    rows: FloatArray
    reference: IntArray
    """Index (n,) of the reference with the closest length."""

    @property
    def scores(self) -> FloatArray:
        """BLEU-1 to BLEU-4 (n, 4) of each caption."""
        return sentence_bleu(self.rows)

    @property
    def corpus(self) -> FloatArray:
        """BLEU-1 to BLEU-4 (4,) of the corpus, from summed counts."""
        return corpus_bleu(self.rows)


def bleu(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> Bleu:
    """Return BLEU of candidates against their references; words are separated by white space."""
    return bleu_from_overlap(count_overlap(candidates, references))


def bleu_from_overlap(shared: ReferenceOverlap) -> Bleu:
    """Return BLEU from the overlap of captions with their references."""
    distance = np.abs(shared.reference_words - shared.words[shared.owner])
    # The closest length counts; ties go to the shorter one.
    order = np.lexsort((shared.reference_words, distance, shared.owner))
    firsts = order[np.searchsorted(shared.owner[order], np.arange(len(shared.words)))]
    starts = np.searchsorted(shared.owner, np.arange(len(shared.words)))
    lengths = shared.reference_words[firsts]
    rows = np.column_stack([shared.words, lengths, shared.matches]).astype(np.float64)
    return Bleu(rows, firsts - starts)


def corpus_bleu(rows: FloatArray) -> FloatArray:
    """Return BLEU-1 to BLEU-4 (4,) of the corpus with these counts (n, 6)."""
    scores: FloatArray = bleu_of_sums(summed_counts(rows).sum(axis=0)[np.newaxis])[0]
    return scores


def summed_counts(rows: FloatArray) -> FloatArray:
    """Return what is summed for a corpus (n, 10) of counts (n, 6): n-grams there may be, too."""
    return np.hstack([rows, _guesses(rows)])


def bleu_of_sums(sums: FloatArray) -> FloatArray:
    """Return BLEU-1 to BLEU-4 (n, 4) of n corpora with these sums (n, 10)."""
    return _bleu(sums[:, : len(STATISTICS)], sums[:, len(STATISTICS) :])


def corpus_bleu_of(n: int) -> CombinedSums:
    """Return corpus BLEU-n as a combination of counts (items, 6)."""
    return CombinedSums(summed_counts, partial(_column_of_sums, n))


def _column_of_sums(n: int, sums: FloatArray) -> FloatArray:
    return bleu_of_sums(sums)[:, n - 1]


def sentence_bleu(rows: FloatArray) -> FloatArray:
    """Return BLEU-1 to BLEU-4 (n, 4) of each caption, from counts (n, 6)."""
    return _bleu(rows, _guesses(rows))


def _guesses(rows: FloatArray) -> FloatArray:
    return np.maximum(0.0, rows[:, :1] - np.arange(MAX_N))


def _bleu(rows: FloatArray, guesses: FloatArray) -> FloatArray:
    precisions = (rows[:, 2:] + TINY) / (guesses + SMALL)
    products = np.cumprod(precisions, axis=1).T
    scores = [by_value(partial(_root, n), column) for n, column in enumerate(products, start=1)]
    ratio = (rows[:, 0] + TINY) / (rows[:, 1] + SMALL)
    penalty = np.where(ratio < 1, by_value(math.exp, 1 - 1 / np.minimum(ratio, 1)), 1.0)
    return np.asarray((np.array(scores) * penalty).T)


def _root(n: int, value: float) -> float:
    return float(value ** (1.0 / n))
