"""Planned and given ratings of each system, and whether some systems lack more than others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.human_evaluation.results.ratings import StudyRatings
from jurydesk.core.language import counted, fill
from jurydesk.core.model.evaluation import IntArray

LEVEL = 0.01
"""Significance level of the warning that ratings are not missing at random."""


@dataclass(frozen=True, slots=True)
class SystemRatings:
    """Number of planned ratings of a system by the raters who answered, and of given ones."""

    system: str
    planned: int
    given: int


def count_ratings(ratings: StudyRatings) -> tuple[SystemRatings, ...]:
    """Count the ratings of every system, of raters with any answer."""
    systems = ratings.study.pool.systems
    planned, given = [0] * len(systems), [0] * len(systems)
    for items in ratings.given:
        if not any(one.judged for one in items):
            continue
        for one in items:
            for system in one.item.systems if one.item.kind == "story" else ():
                planned[system] += 1
                given[system] += one.judged
    return tuple(map(SystemRatings, systems, planned, given))


def missing_warning(counts: tuple[SystemRatings, ...]) -> str:
    """Warn if systems lack more ratings than chance explains; empty otherwise.

    A chi-squared test of given and missing ratings by system (Pearson 1900).
    """
    from scipy.special import chdtrc

    planned = np.array([one.planned for one in counts])
    known = planned > 0
    missing = (planned - np.array([one.given for one in counts]))[known]
    statistic = _chi_squared(np.column_stack([missing, planned[known] - missing]))
    if known.sum() < 2 or float(chdtrc(int(known.sum()) - 1, statistic)) >= LEVEL:
        return ""
    shares = {one.system: 1 - one.given / one.planned for one in counts if one.planned}
    worst = max(counts, key=lambda one: shares.get(one.system, 0.0))
    return fill(
        "Ratings are not missing by chance: {system} has {given:,} of {planned}. Its mean may be "
        "wrong beyond its interval.",
        *(worst.system, worst.given, counted(worst.planned, "planned rating")),
    )


def _chi_squared(table: IntArray) -> float:
    """Return Pearson's statistic of a table of counts; 0 if a row or column is empty."""
    total = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / max(1, total)
    if not (expected > 0).all():
        return 0.0
    return float(((table - expected) ** 2 / expected).sum())
