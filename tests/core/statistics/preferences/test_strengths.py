"""Errors of strengths are those of full matrices; order and names change nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power, sqrtm

from jurydesk.core.statistics.preferences.davidson import Comparisons, DavidsonDesign
from jurydesk.core.statistics.preferences.strengths import (
    clustered_errors,
    estimate_strengths,
    jackknife_errors,
)
from support.preferences import compared, judged


def fit(comparisons):
    design = DavidsonDesign(comparisons)
    return design, design.fit(design.counts()[0])


def full_matrices(design, parameters, comparisons, contrast):
    """Return the variance and the degrees of a contrast by the matrices of all comparisons."""
    cells = design._cell.reshape(-1)
    x = design.features[cells, 0] - design.features[cells, 1]
    chance = design.probabilities(parameters)[cells, 0]
    weight = chance * (1 - chance)
    x, residual = (
        x * np.sqrt(weight)[:, None],
        ((comparisons.outcome == 0) - chance) / np.sqrt(weight),
    )
    bread = np.linalg.inv(x.T @ x)
    hat, total, rows = x @ bread @ x.T, 0.0, []
    for rater in np.unique(comparisons.rater):
        own = np.flatnonzero(comparisons.rater == rater)
        left = np.eye(len(own)) - hat[np.ix_(own, own)]
        adjust = np.real(fractional_matrix_power(np.real(sqrtm(left)), -1))
        line = contrast @ bread @ x[own].T @ adjust
        total += float(line @ residual[own]) ** 2
        rows.append(line @ (np.eye(len(x)) - hat)[own])
    expected = np.array(rows) @ np.array(rows).T
    return total, float(np.trace(expected) ** 2 / (expected**2).sum())


def test_errors_of_raters_are_cr2_of_full_matrices():
    comparisons = judged()
    design, parameters = fit(comparisons)
    errors = clustered_errors(design, parameters, comparisons.rater)
    for contrast in np.eye(len(parameters)):
        expected = full_matrices(design, parameters, comparisons, contrast)
        assert errors.variance(contrast) == pytest.approx(expected, rel=1e-9)


def test_uncorrected_errors_of_raters_are_those_of_statsmodels():
    """`cov_type="cluster"`, `use_correction=False` of statsmodels 0.15.0: CR0 of a GLM."""
    comparisons = judged()
    design, parameters = fit(comparisons)
    counts = design.counts(comparisons.rater)
    inverse = np.linalg.inv(design.information(counts, parameters).sum(axis=0))
    root = design.scores(counts, parameters) @ inverse
    own = np.pad(design.contrasts, ((0, 0), (0, 1)))
    contrasts = [*(own[one] - own[0] for one in range(1, 5)), np.eye(5)[-1]]
    assert [np.sqrt(((root @ one) ** 2).sum()) for one in contrasts] == pytest.approx(
        [
            0.243613119179243,
            0.262426885245377,
            0.24229701811536986,
            0.1296115808701907,
            0.17776545801401808,
        ],
        rel=1e-7,
    )


def test_few_raters_and_items_are_left_out_in_turn():
    comparisons = judged()
    chosen = comparisons.rater < 4
    few = Comparisons(
        5,
        *(
            getattr(comparisons, name)[chosen]
            for name in ("first", "second", "outcome", "rater", "item")
        ),
    )
    design, parameters = fit(few)
    contrast = np.eye(len(parameters))[0]
    parts = []
    for codes in (few.item, few.rater):
        left = []
        for one in np.unique(codes):
            kept = codes != one
            cells = design.counts(np.where(kept, 0, 1))[0]
            left.append(design.fit(cells) @ contrast)
        parts.append((len(left) - 1) / len(left) * np.sum((left - np.mean(left)) ** 2))
    variance, degrees = jackknife_errors(design, parameters, [few.item, few.rater]).variance(
        contrast
    )
    assert variance == pytest.approx(sum(parts))
    assert degrees == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 24 + parts[1] ** 2 / 3))
    assert estimate_strengths(few).sample == "raters and items"


def test_two_raters_have_intervals_of_their_own_and_no_ranks():
    comparisons = judged()
    found = estimate_strengths(replace(comparisons, rater=comparisons.rater % 2))
    assert found.sample == "items"
    assert all(one.interval is not None for one in found.strengths)
    assert {(one.best, one.worst) for one in found.ranks} == {(1, 5)}


def test_a_difference_excludes_0_exactly_where_its_p_is_below_5_percent():
    found = estimate_strengths(judged())
    apart = [one for one in found.pairs if one.p < 0.05]
    assert apart
    for one in found.pairs:
        span = one.difference.interval
        assert (span.low > 0 or span.high < 0) == (one.p < 0.05)
        assert span.low <= one.difference.value <= span.high


def test_the_order_of_raters_items_and_comparisons_changes_nothing():
    comparisons = judged()
    order = np.random.default_rng(1).permutation(200)
    other = Comparisons(
        5,
        *(getattr(comparisons, name)[order] for name in ("first", "second", "outcome")),
        7 - comparisons.rater[order],
        24 - comparisons.item[order],
    )
    one, two = estimate_strengths(comparisons), estimate_strengths(other)
    assert [x.value for x in two.strengths] == pytest.approx([x.value for x in one.strengths])
    assert [x.p for x in two.pairs] == pytest.approx([x.p for x in one.pairs], abs=1e-3)
    assert two.ranks == one.ranks


def test_renamed_systems_keep_their_strengths():
    comparisons = judged()
    strengths = [one.value for one in estimate_strengths(comparisons).strengths]
    assert sum(strengths) == pytest.approx(0)
    codes = np.array(next(one for one in permutations(range(5)) if one != tuple(range(5))))
    moved = replace(comparisons, first=codes[comparisons.first], second=codes[comparisons.second])
    found = [one.value for one in estimate_strengths(moved).strengths]
    assert [found[one] for one in codes] == pytest.approx(strengths)


def test_a_system_that_never_loses_leaves_groups_in_the_place_of_strengths():
    found = estimate_strengths(compared(3, [(0, 1, 3, 0, 0), (0, 2, 3, 0, 0), (1, 2, 2, 2, 1)]))
    assert (found.strengths, found.groups) == ((), ((0,), (1, 2)))


def test_a_position_without_finite_effect_is_left_out():
    rows = [(one, other, 2, 0, 0) for one in range(3) for other in range(3) if one != other]
    found = estimate_strengths(compared(3, rows))
    assert found.position is None
    assert [one.value for one in found.strengths] == pytest.approx([0, 0, 0])
