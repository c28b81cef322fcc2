"""Two-way random effects of raters and stories."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.statistics.two_way import two_way_mean

EXAMPLE = np.array([[1.0, 0, 2, 1], [0, 0, 1, 1], [2, 1, 2, 0]])
"""Its mean squares are those of statsmodels' `anova_lm`: 0.583333, 0.972222, 0.472222."""


def test_error_and_degrees_are_those_of_the_worked_example() -> None:
    found = two_way_mean(EXAMPLE)
    assert found.mean == pytest.approx(0.916667, abs=5e-7)
    assert found.error**2 == pytest.approx(0.090278, abs=5e-7)
    assert found.degrees == pytest.approx(2.246677, abs=5e-7)
    assert found.mean / found.error == pytest.approx(3.050851, abs=5e-7)
    assert found.p == pytest.approx(0.080249, abs=5e-7)


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
