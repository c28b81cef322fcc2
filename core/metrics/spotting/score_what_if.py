"""What-if of the score threshold of a table: what its events above a score would give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoredEvents:
    """Listed events (n,) of a word: the score, and whether the word is there.

    `relevant` is the number of lines with the word, listed or not.
    """

    scores: FloatArray
    is_relevant: BoolArray
    relevant: int


@dataclass(frozen=True, slots=True)
class ScoreOutcome:
    """Events from a score on: how many, and how many of them and of all are relevant."""

    listed: int
    hits: int
    relevant: int

    @property
    def precision(self) -> float:
        """Share of the events that are relevant; NaN without any."""
        return self.hits / self.listed if self.listed else math.nan

    @property
    def recall(self) -> float:
        """Share of the relevant events that are listed; NaN without any."""
        return self.hits / self.relevant if self.relevant else math.nan

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; NaN without any event."""
        total = self.listed + self.relevant
        return 2 * self.hits / total if total else math.nan

    @property
    def missed(self) -> int:
        """Number of relevant events below the score, or not listed."""
        return self.relevant - self.hits

    @property
    def false_positives(self) -> int:
        """Number of events that are not relevant."""
        return self.listed - self.hits


class ScoreWhatIf:
    """Events of some words as one list, cut at any score."""

    def __init__(self, words: Sequence[ScoredEvents]) -> None:
        scores = np.concatenate([np.empty(0), *(one.scores for one in words)])
        relevant = np.concatenate([np.empty(0, np.bool_), *(one.is_relevant for one in words)])
        order = np.argsort(scores)
        self._scores = scores[order]
        self._hits = np.concatenate([[0], np.cumsum(relevant[order][::-1])])
        self._relevant = sum(one.relevant for one in words)

    @property
    def highest(self) -> float:
        """The highest score; 0 without events."""
        return float(self._scores[-1]) if len(self._scores) else 0.0

    def at(self, threshold: float) -> ScoreOutcome:
        """Return what the events with this score or a higher one give."""
        listed = len(self._scores) - int(np.searchsorted(self._scores, threshold))
        return ScoreOutcome(listed, int(self._hits[listed]), self._relevant)
