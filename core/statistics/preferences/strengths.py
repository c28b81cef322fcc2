"""Strengths of systems by preferences, with intervals, and ranks that hold together.

The answers of a rater are correlated. From five raters on, errors are those of raters as clusters,
with the correction CR2 and its degrees of freedom, here for the scores of a likelihood; of fewer
raters, both raters and items are left out in turn (jackknife). Sources: Bell and McCaffrey, Bias
Reduction in Standard Errors for Linear Regression with Multi-Stage Samples (2002); Pustejovsky and
Tipton (2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval
from jurydesk.core.statistics.bootstrap import LEVEL, SEED
from jurydesk.core.statistics.combined_scores import stepdown_p, student_interval
from jurydesk.core.statistics.corrected_intervals import corrected_intervals
from jurydesk.core.statistics.group_intervals import student_method
from jurydesk.core.statistics.groups import FEWEST_GROUPS
from jurydesk.core.statistics.jackknife import jackknife_variance, sum_of_variances
from jurydesk.core.statistics.paired_tests import Pair, PairedDifferences, all_pairs
from jurydesk.core.statistics.preferences.davidson import (
    Comparisons,
    DavidsonDesign,
    strong_components,
)
from jurydesk.core.statistics.rank_intervals import RankInterval, ranks
from jurydesk.core.statistics.raters.agreement import FEWEST_RATERS

WHOLE = 1e-9
"""Share of a direction's information that comes from other raters, below which it is none."""

Sample = Literal["raters", "raters and items", "items", ""]
"""What the intervals take for a sample; empty without intervals."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Logarithm of odds, with its interval if errors are known."""

    value: float
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class PairEffect:
    """Difference of two systems' strengths, with an interval that agrees with `p`.

    Both are corrected for all pairs; `p` is NaN without errors.
    """

    pair: Pair
    difference: Effect
    p: float = math.nan


@dataclass(frozen=True, slots=True)
class StrengthEstimate:
    """Strengths of the systems, whose sum is 0, and what follows from their errors.

    Without a finite estimate `strengths` is empty, and `groups` has the systems in groups of which
    each was never preferred to one before it. `position` and `ties` are None where they are not
    estimated: those without a finite value, or that did not occur.
    """

    strengths: tuple[Effect, ...] = ()
    pairs: tuple[PairEffect, ...] = ()
    ranks: tuple[RankInterval, ...] = ()
    position: Effect | None = None
    ties: Effect | None = None
    log_likelihood: float = math.nan
    sample: Sample = ""
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ParameterErrors:
    """Errors of parameters: a root (rows, parameters) of their covariance, and their samples.

    `variance` gives that of a contrast (parameters,) with its degrees of freedom.
    """

    root: FloatArray
    variance: Callable[[FloatArray], tuple[float, float]]
    sample: Sample


def estimate_strengths(comparisons: Comparisons, seed: int = SEED) -> StrengthEstimate:
    """Estimate the strengths of systems from comparisons of their entries.

    The effect of position is left out where it has no finite estimate, as when the entry shown
    first was always preferred.
    """
    groups = strong_components(comparisons.wins + comparisons.ties)
    if len(groups) > 1:
        return StrengthEstimate(groups=tuple(groups))
    for position in (True, False):
        design = DavidsonDesign(comparisons, position=position)
        parameters = design.fit(design.counts()[0])
        if parameters is not None:
            errors = _errors(design, parameters, comparisons)
            return _estimate(comparisons.systems, design, parameters, errors, seed)
    return StrengthEstimate(groups=tuple(groups))


def _estimate(
    systems: int,
    design: DavidsonDesign,
    parameters: FloatArray,
    errors: ParameterErrors | None,
    seed: int,
) -> StrengthEstimate:
    size, free = len(parameters), design.contrasts.shape[1]
    of_systems = np.pad(design.contrasts, ((0, 0), (0, size - free)))
    own = np.eye(size)

    def effect(contrast: FloatArray) -> Effect:
        value = float(contrast @ parameters)
        if errors is None:
            return Effect(value)
        variance, degrees = errors.variance(contrast)
        method = student_method(degrees)
        return Effect(value, student_interval(value, math.sqrt(variance), degrees, method))

    pairs = all_pairs(systems)
    apart = np.array([of_systems[one] - of_systems[other] for one, other in pairs])
    means = apart @ parameters if pairs else np.empty(0)
    p = np.full(len(pairs), np.nan)
    spans: list[Interval | None] = [None] * len(pairs)
    if errors is not None and pairs:
        p, spans = _corrected(of_systems, pairs, means, apart, errors, seed)
    tested = p if errors is not None and errors.sample != "items" else np.ones(len(pairs))
    return StrengthEstimate(
        tuple(map(effect, of_systems)),
        tuple(
            PairEffect(pair, Effect(value, span), one)
            for pair, value, span, one in zip(pairs, means.tolist(), spans, p.tolist(), strict=True)
        ),
        tuple(ranks(systems, pairs, means, tested, 1 - LEVEL)),
        effect(own[free]) if design.has_position else None,
        effect(own[-1]) if design.has_ties else None,
        design.log_likelihood(design.counts()[0], parameters),
        "" if errors is None else errors.sample,
    )


def _corrected(
    of_systems: FloatArray,
    pairs: list[Pair],
    means: FloatArray,
    apart: FloatArray,
    errors: ParameterErrors,
    seed: int,
) -> tuple[FloatArray, list[Interval | None]]:
    """Return p values and intervals of all pairs, corrected by the largest t (Romano and Wolf)."""
    variances, degrees = zip(*map(errors.variance, apart), strict=True)
    found = PairedDifferences(means, np.sqrt(variances), np.ones(len(pairs)))
    root = errors.root @ of_systems.T
    drawn = np.concatenate([root, -root])  # about 0, as deviations
    p, critical = stepdown_p(found, drawn, pairs, min(degrees), seed=seed)
    return p, corrected_intervals(means, found.error, critical, p)


def _errors(
    design: DavidsonDesign, parameters: FloatArray, comparisons: Comparisons
) -> ParameterErrors | None:
    raters, items = (len(np.unique(one)) for one in (comparisons.rater, comparisons.item))
    if raters >= FEWEST_GROUPS:
        return clustered_errors(design, parameters, comparisons.rater)
    if items < FEWEST_GROUPS:
        return None
    samples = [comparisons.item, *([comparisons.rater] if raters >= FEWEST_RATERS else [])]
    return jackknife_errors(design, parameters, samples)


def clustered_errors(
    design: DavidsonDesign, parameters: FloatArray, clusters: IntArray
) -> ParameterErrors:
    """Return errors of clusters of comparisons: CR2, with Bell and McCaffrey's degrees.

    In the coordinates in which the information is the identity, the scores of a cluster with the
    information B have the variance B - B B; the square root of 1 / (1 - B) makes it B.
    """
    counts = design.counts(clusters)
    of_clusters = design.information(counts, parameters)
    values, vectors = np.linalg.eigh(of_clusters.sum(axis=0))
    inverse = (vectors / np.sqrt(values)) @ vectors.T
    shares = inverse @ of_clusters @ inverse
    own, axes = np.linalg.eigh(shares)
    left = 1 - own
    scale = np.where(left > WHOLE, 1 / np.sqrt(np.maximum(left, WHOLE)), 0.0)
    adjust = (axes * scale[:, np.newaxis]) @ axes.transpose(0, 2, 1)
    scores = design.scores(counts, parameters) @ inverse
    root = (adjust @ scores[:, :, np.newaxis])[:, :, 0] @ inverse

    def variance(contrast: FloatArray) -> tuple[float, float]:
        a = adjust @ (inverse @ contrast)
        b = (shares @ a[:, :, np.newaxis])[:, :, 0]
        expected = np.diag((a * b).sum(axis=1)) - b @ b.T
        degrees = float(np.trace(expected) ** 2 / (expected**2).sum())
        return float(((root @ contrast) ** 2).sum()), degrees

    return ParameterErrors(root, variance, "raters")


def jackknife_errors(
    design: DavidsonDesign, parameters: FloatArray, samples: list[IntArray]
) -> ParameterErrors | None:
    """Return errors of crossed samples of comparisons, of which each element is left out in turn.

    `samples` are codes of items and, if they are a sample, of raters. None if an estimate without
    an element is not finite.
    """
    left = []
    for codes in samples:
        _, places = np.unique(codes, return_inverse=True)
        counts = design.counts(places.reshape(-1))
        whole = counts.sum(axis=0)
        found = [design.fit(whole - one, parameters) for one in counts]
        values = [one for one in found if one is not None]
        if len(values) < len(found):
            return None
        left.append(np.array(values))
    root = np.concatenate(
        [math.sqrt((len(one) - 1) / len(one)) * (one - one.mean(axis=0)) for one in left]
    )

    def variance(contrast: FloatArray) -> tuple[float, float]:
        return sum_of_variances([jackknife_variance(one @ contrast) for one in left])

    return ParameterErrors(root, variance, "raters and items" if len(left) > 1 else "items")
