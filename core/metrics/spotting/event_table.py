"""Measures of a table of events, each a line and a word that is there or not, with a score.

Source: kws-assessment of PRHLT (KwsEvalTool), with what it counts differently than it says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

NOT_FOUND = -1.0


@dataclass(frozen=True, slots=True, eq=False)
class EventTable:
    """Events (n,) of a table: the number of the word, whether it is there, and the score.

    `score` is `NOT_FOUND` for an event that the system did not list. `added` (words,) is the
    number of lines less the events of each word; where it is positive, so many pairs are not in the
    table and count as not relevant, with score 0.
    """

    word: IntArray
    relevant: BoolArray
    score: FloatArray
    added: IntArray

    @property
    def offset(self) -> int:
        """Number of pairs that are not in the table."""
        return max(int(self.added.sum()), 0)

    @property
    def has_missed(self) -> bool:
        """Whether an event was not listed; pairs that are not in the table then add nothing."""
        return bool((self.score < 0).any())


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Distinct scores (k,) of events, descending, with the events and relevant ones of each."""

    scores: FloatArray
    events: IntArray
    relevant: IntArray
    all_relevant: int
    interpolate: bool
    precision: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        found = np.cumsum(self.relevant) / np.cumsum(self.events)
        if self.interpolate:
            found = np.maximum.accumulate(found[::-1])[::-1]
        object.__setattr__(self, "precision", found)

    @property
    def recall(self) -> FloatArray:
        """Recall (k,) at each score."""
        found: FloatArray = np.cumsum(self.relevant) / max(self.all_relevant, 1)
        return found

    def average_precision(self, *, trapezoid: bool, forgets_first: bool) -> float:
        """Return the area; the original forgets the first trapezoid without interpolation."""
        if not len(self.scores) or not self.all_relevant:
            return 0.0
        weight = self.precision
        if trapezoid:
            weight = np.concatenate([weight[:1], (weight[1:] + weight[:-1]) / 2])
            if forgets_first and not self.interpolate:
                weight[0] = 0.0
        return float(weight @ self.relevant) / self.all_relevant


def levels(relevant: BoolArray, score: FloatArray, added: int, *, interpolate: bool) -> Levels:
    """Return the levels of the listed events, with `added` more at score 0."""
    listed = score >= 0
    scores, owner = np.unique(score[listed], return_inverse=True)
    events = np.bincount(owner, minlength=len(scores))
    hits = np.bincount(owner, relevant[listed], len(scores)).astype(np.int64)
    if added > 0:
        if len(scores) and scores[0] == 0:
            events[0] += added
        else:
            scores = np.concatenate([[0.0], scores])
            events = np.concatenate([[added], events])
            hits = np.concatenate([[0], hits])
    return Levels(scores[::-1], events[::-1], hits[::-1], int(relevant.sum()), interpolate)


def word_precisions(table: EventTable, rules: SpottingRules, *, corrected: bool) -> FloatArray:
    """Return the average precision (words,) of each word; NaN for one with nothing relevant."""
    count = len(table.added)
    values = np.full(count, math.nan)
    order = np.argsort(table.word, kind="stable")
    ends = np.searchsorted(table.word[order], np.arange(count + 1))
    added = np.zeros(count, np.int64) if table.has_missed else table.added
    for word, (start, stop) in enumerate(pairwise(ends.tolist())):
        rows = order[start:stop]
        if table.relevant[rows].any():
            found = levels(
                table.relevant[rows],
                table.score[rows],
                int(added[word]),
                interpolate=rules.interpolate,
            )
            values[word] = found.average_precision(
                trapezoid=rules.trapezoid, forgets_first=not corrected
            )
    return values


def table_scores(
    table: EventTable, rules: SpottingRules, *, corrected: bool
) -> tuple[dict[str, float], Levels]:
    """Return the measures of all words by their published names, and the levels.

    Undefined measures are NaN.
    """
    values = word_precisions(table, rules, corrected=corrected)
    defined = values[~np.isnan(values)]
    added = 0 if table.has_missed else table.offset
    found = levels(table.relevant, table.score, added, interpolate=rules.interpolate)
    scores = {
        "AP": math.nan,
        "MAP": float(defined.mean()) if len(defined) else math.nan,
        "num_rel_words": float(len(defined)),
        **dict.fromkeys(("RP", "RP_difference", "F1max", "F1max_threshold"), math.nan),
        **dict.fromkeys(("RCmax", "PRres", "CERmin", "CERmin_threshold"), math.nan),
        "CER_above_1": math.nan,
        "AROC": _area_under_roc(table, rules, corrected=corrected),
    }
    if found.all_relevant and (table.score >= 0).any():
        scores["AP"] = found.average_precision(
            trapezoid=rules.trapezoid, forgets_first=not corrected
        )
        scores |= _level_scores(found, len(table.score) + table.offset)
    return scores, found


def _level_scores(found: Levels, events: int) -> dict[str, float]:
    """Return the measures at the best level, and those at the last one."""
    precision, recall = found.precision, found.recall
    apart = np.abs(precision - recall)
    balanced = _first(-apart, from_lowest=found.interpolate)
    both = precision + recall
    f1 = np.divide(2 * precision * recall, both, out=np.zeros(len(both)), where=both > 0)
    best = _first(f1, from_lowest=found.interpolate)
    hits = np.cumsum(found.relevant)
    errors = (found.all_relevant - hits + np.cumsum(found.events) - hits) / events
    least = int(errors.argmin())
    below = errors[least] < 1
    return {
        "RP": float(recall[balanced]),
        "RP_difference": float(apart[balanced]),
        "F1max": float(f1[best]),
        "F1max_threshold": float(found.scores[best]),
        "RCmax": float(recall[-1]),
        "PRres": float(precision[-1]),
        "CERmin": float(errors[least]) if below else 1.0,
        "CERmin_threshold": float(found.scores[least]) if below else math.nan,
        "CER_above_1": found.all_relevant / events,
    }


def _first(values: FloatArray, *, from_lowest: bool) -> int:
    """Return the first largest value, from the lowest score up or from the highest down."""
    return len(values) - 1 - int(values[::-1].argmax()) if from_lowest else int(values.argmax())


def _area_under_roc(table: EventTable, rules: SpottingRules, *, corrected: bool) -> float:
    """Return the share of pairs in which the relevant event has the higher score.

    Equal scores count as lost, with trapezoids half. The original puts the added pairs at the
    lowest score of the table; corrected, they have score 0.
    """
    listed = table.score >= 0
    added = 0 if table.has_missed else table.offset
    right = table.score[listed & table.relevant]
    wrong = np.sort(table.score[listed & ~table.relevant])
    pairs = len(right) * (len(wrong) + added)
    if not pairs:
        return math.nan
    below = np.searchsorted(wrong, right, "left")
    equal = np.searchsorted(wrong, right, "right") - below
    floor = 0.0 if corrected else float(table.score[listed].min())
    won = float(below.sum() + added * (right > floor).sum())
    tied = float(equal.sum() + added * (right == floor).sum())
    return (won + (tied / 2 if rules.trapezoid else 0.0)) / pairs
