"""Differences between two systems by item, sampled for a small curve."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.app.jobs.neighbour_differences import POINTS, gains_of
from jurydesk.core.analysis.comparison.pairwise import PairedItems

VALUES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=900)


def compared(pairs: list[tuple[int, int]], *, higher_is_better: bool = True) -> PairedItems:
    first, second = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    return PairedItems(tuple(map(str, range(len(pairs)))), first, second, higher_is_better)


@given(VALUES)
def test_the_curve_descends_from_the_largest_gain_to_the_largest_loss(pairs):
    gains = gains_of(compared(pairs))
    differences = [one - other for one, other in pairs]
    assert gains.curve[0] == max(differences)
    assert gains.curve[-1] == (min(differences) if len(pairs) > 1 else max(differences))
    assert list(gains.curve) == sorted(gains.curve, reverse=True)
    assert len(gains.curve) == min(len(pairs), POINTS)


@given(VALUES)
def test_every_item_is_a_win_a_loss_or_a_tie(pairs):
    gains = gains_of(compared(pairs))
    assert gains.wins == sum(one > other for one, other in pairs)
    assert gains.losses == sum(one < other for one, other in pairs)
    assert gains.wins + gains.losses + gains.ties == len(pairs)


def test_a_smaller_value_is_a_gain_if_lower_is_better():
    gains = gains_of(compared([(1, 3), (2, 2), (5, 4)], higher_is_better=False))
    assert (gains.wins, gains.ties, gains.losses) == (1, 1, 1)
    assert gains.curve == (2.0, 0.0, -1.0)
