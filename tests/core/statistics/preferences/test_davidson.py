"""Strengths equal those of the specification, of evalica and of statsmodels."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.statistics.preferences.davidson import DavidsonDesign, strong_components
from support.preferences import compared, judged

GIVEN = ((0, 1, 7, 3, 2), (0, 2, 8, 2, 1), (1, 2, 6, 4, 3))
"""Two systems: how often the first was preferred, the second, and neither."""


def fitted(comparisons, *, position=False):
    """Return the strengths less that of the first system, other parameters, log likelihood."""
    design = DavidsonDesign(comparisons, position=position)
    counts = design.counts()[0]
    parameters = design.fit(counts)
    strengths = design.contrasts @ parameters[: design.contrasts.shape[1]]
    rest = parameters[design.contrasts.shape[1] :]
    return strengths - strengths[0], rest, design.log_likelihood(counts, parameters)


def test_ties_are_those_of_davidson():
    strengths, (ties,), likelihood = fitted(compared(3, GIVEN))
    assert strengths[1:] == pytest.approx([-0.940019, -1.393314], abs=1e-6)
    assert np.exp(ties) == pytest.approx(0.447118, abs=1e-6)
    assert likelihood == pytest.approx(-33.924656, abs=1e-6)


def test_without_ties_strengths_are_those_of_evalica():
    """`evalica.bradley_terry(..., tolerance=1e-14)` of evalica 0.4.2 gave the numbers."""
    strengths, _, _ = fitted(compared(3, [(*row[:4], 0) for row in GIVEN]))
    assert strengths[1:] == pytest.approx([-0.8896721903683397, -1.3320376150334896], abs=1e-9)


def test_position_is_that_of_a_logistic_regression():
    """`sm.GLM(won, X, sm.families.Binomial()).fit(tol=1e-14)` of statsmodels 0.15.0."""
    strengths, (position,), likelihood = fitted(judged(), position=True)
    assert strengths[1:] == pytest.approx(
        [-0.5178866221507248, -0.2871345173051202, -0.7960843581040615, -1.1363233587874513],
        abs=1e-9,
    )
    assert position == pytest.approx(0.32879806517075383, abs=1e-9)
    assert likelihood == pytest.approx(-129.32210091149085, abs=1e-9)


def test_without_position_evalica_gives_the_same():
    strengths, _, _ = fitted(judged())
    assert strengths[1:] == pytest.approx(
        [-0.4465274703014901, -0.278454764086869, -0.7112580092419247, -1.058370065253219],
        abs=1e-8,
    )


def test_an_entry_shown_first_that_always_wins_has_no_finite_effect():
    both_ways = compared(
        3, [(one, other, 2, 0, 0) for one in range(3) for other in range(3) if one != other]
    )
    design = DavidsonDesign(both_ways)
    assert design.fit(design.counts()[0]) is None


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([(0, 1), (1, 2), (2, 0)], [(0, 1, 2)]),
        ([(1, 0), (0, 2), (1, 2)], [(1,), (0,), (2,)]),
        ([(2, 3), (3, 2), (2, 0), (0, 1), (1, 0)], [(2, 3), (0, 1)]),
    ],
)
def test_groups_are_listed_from_the_strongest(links, expected):
    size = 1 + max(max(link) for link in links)
    table = np.zeros((size, size))
    for one, other in links:
        table[one, other] = 1
    assert strong_components(table) == expected
