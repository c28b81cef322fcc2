"""Two-way random effects of raters and stories."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.statistics.paired_tests import all_pairs
from jurydesk.core.statistics.raters.two_way import (
    VarianceComponents,
    two_way_mean,
    two_way_tests,
)

EXAMPLE = np.array([[1.0, 0, 2, 1], [0, 0, 1, 1], [2, 1, 2, 0]])
"""Its mean squares are those of statsmodels' `anova_lm`: 0.583333, 0.972222, 0.472222."""


def test_error_and_degrees_are_those_of_the_worked_example() -> None:
    found = two_way_mean(EXAMPLE)
    assert found.mean == pytest.approx(0.916667, abs=5e-7)
    assert found.error**2 == pytest.approx(0.090278, abs=5e-7)
    assert found.degrees == pytest.approx(2.246677, abs=5e-7)
    assert found.mean / found.error == pytest.approx(3.050851, abs=5e-7)
    assert found.p == pytest.approx(0.080249, abs=5e-7)


def test_error_and_components_are_those_of_mixed_lm() -> None:
    """REML of statsmodels 0.15.0: `mixedlm("y ~ 1", groups=1, vc_formula=...)`, both crossed.

    Its `bse_fe` is 0.652506, `vcomp` 0.479168 and 2.105345, `scale` 1.020834. lme4 1.1.31 (R) gives
    0.652507, 0.479165, 2.105357 and 1.020834: `lmer(y ~ 1 + (1 | rater) + (1 | story))`.
    """
    of_rater, of_story = np.array([0, 2, -1, 1, -2]), np.array([3, -2, 0, 1, 4, -3, -1])
    rater, story = np.indices((5, 7))
    noise = (3 * rater**2 + 5 * story + 2 * rater * story) % 7 - 3
    table = (of_rater[:, None] + of_story + noise) / 2
    found = VarianceComponents.of_tables([table])
    assert two_way_mean(table).error == pytest.approx(0.652506, abs=2e-6)
    components = found.raters, found.stories, found.rest
    assert components == pytest.approx((0.479168, 2.105345, 1.020834), abs=2e-5)


def test_the_variance_is_that_of_all_products_of_two_cells() -> None:
    """Products of cells that share a rater, a story, both or neither estimate the components."""
    products: dict[tuple[bool, bool], list[float]] = {}
    for one, other in itertools.product(np.ndindex(EXAMPLE.shape), repeat=2):
        shared = one[0] == other[0], one[1] == other[1]
        products.setdefault(shared, []).append(float(EXAMPLE[one] * EXAMPLE[other]))
    mean = {shared: float(np.mean(found)) for shared, found in products.items()}
    apart, raters = mean[False, False], mean[True, False] - mean[False, False]
    stories = mean[False, True] - apart
    rest = mean[True, True] - apart - raters - stories
    variance = raters / 3 + stories / 4 + rest / 12
    assert two_way_mean(EXAMPLE).error ** 2 == pytest.approx(variance, rel=1e-12)


def test_the_order_of_raters_and_stories_changes_nothing() -> None:
    found, turned = two_way_mean(EXAMPLE), two_way_mean(EXAMPLE[::-1, [2, 0, 3, 1]])
    assert turned.error == pytest.approx(found.error, rel=1e-12)
    assert turned.degrees == pytest.approx(found.degrees, rel=1e-12)


def test_the_error_is_at_least_that_of_raters_or_of_stories_alone() -> None:
    """Opposite tastes leave row and column means equal: all variance is of the cells."""
    table = np.array([[1.0, -1.0, 0.1], [-1.0, 1.0, 0.1]])
    found = two_way_mean(table)
    columns = table.mean(axis=0)
    expected = 2 * ((columns - columns.mean()) ** 2).sum() / 2 / 6
    assert found.error**2 == pytest.approx(expected)


@pytest.mark.parametrize(("value", "p"), [(0.0, 1.0), (0.5, 0.0)])
def test_equal_differences_need_no_error(value: float, p: float) -> None:
    assert two_way_mean(np.full((3, 5), value)).p == p


def test_two_systems_are_tested_by_their_own_difference() -> None:
    table = np.stack([EXAMPLE, np.zeros_like(EXAMPLE)], axis=2)
    assert two_way_tests(table, [(0, 1)]).tolist() == pytest.approx([0.080249], abs=5e-7)


def test_more_systems_share_the_knowledge_of_their_error() -> None:
    """Recompute the mean squares over all pairs, whose degrees are those of two differences."""
    table = np.random.default_rng(3).normal(size=(3, 12, 3))
    pairs, squares = all_pairs(3), []
    for one, other in pairs:
        apart = table[:, :, one] - table[:, :, other]
        rest = apart - apart.mean(0) - apart.mean(1)[:, None] + apart.mean()
        of_raters, of_stories = 12 * apart.mean(1).var(ddof=1), 3 * apart.mean(0).var(ddof=1)
        squares.append([of_raters, of_stories, (rest**2).sum() / 22])
    r, s, e = np.mean(squares, axis=0)
    degrees = (r + s - e) ** 2 / (r**2 / 4 + s**2 / 22 + e**2 / 44)
    for (one, other), p in zip(pairs, two_way_tests(table, pairs).tolist(), strict=True):
        own = two_way_mean(table[:, :, one] - table[:, :, other])
        error = max(own.error, np.sqrt((r + s - e) / 36))
        assert p == pytest.approx(2 * scipy.stats.t.sf(abs(own.mean) / error, degrees))


def test_a_pair_of_its_own_tastes_keeps_its_error() -> None:
    dice = np.random.default_rng(3)
    table = 0.1 * dice.normal(size=(4, 30, 4))
    table[:, :, 0] += dice.normal(size=(4, 1))
    found = two_way_tests(table, [(0, 1), (2, 3), (1, 2)])
    own = two_way_mean(table[:, :, 0] - table[:, :, 1])
    t = abs(own.mean) / own.error
    assert found[0] >= 2 * scipy.stats.t.sf(t, 60)


def test_without_pairs_there_are_no_p_values() -> None:
    assert two_way_tests(np.zeros((3, 5, 1)), []).shape == (0,)
