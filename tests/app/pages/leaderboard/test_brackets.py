"""Brackets around systems without a significant difference."""

from __future__ import annotations

from itertools import combinations

from jurydesk.app.pages.leaderboard.leaderboard_model import Bracket, brackets
from jurydesk.core.analysis.significance.pairwise_significance import PairTest, PairwiseSignificance
from jurydesk.core.model.evaluation import MetricInfo

INFO = MetricInfo("m", "M", "", (0.0, 1.0), "higher", "")


def significance(systems: str, apart: set[str]) -> PairwiseSignificance:
    """Return tests of all pairs of systems; the named pairs differ significantly."""
    pairs = tuple(
        PairTest(a, b, 0.1, None, 0.5, 0.001 if a + b in apart else 0.5)
        for a, b in combinations(systems, 2)
    )
    return PairwiseSignificance(INFO, tuple(systems), (), pairs, 0.1, 9, "test", 100)


def test_systems_without_a_significant_difference_share_a_bracket():
    found = brackets("abcd", significance("abcd", {"ac", "bc", "ad", "bd"}))
    assert found == (Bracket(0, 1, 0), Bracket(2, 3, 0))


def test_overlapping_brackets_have_different_lanes():
    found = brackets("abcd", significance("abcd", {"ac", "ad", "bd"}))
    assert found == (Bracket(0, 1, 0), Bracket(1, 2, 1), Bracket(2, 3, 0))


def test_a_bracket_within_another_is_omitted():
    assert brackets("abc", significance("abc", set())) == (Bracket(0, 2, 0),)


def test_systems_that_all_differ_have_none():
    assert brackets("ab", significance("ab", {"ab"})) == ()


def test_an_untested_system_has_none():
    assert brackets("abx", significance("ab", set())) == (Bracket(0, 1, 0),)
    assert brackets("ab", None) == ()


def test_each_row_shows_its_part_of_a_bracket():
    parts = [Bracket(1, 3, 0).part(row) for row in range(5)]
    assert parts == ["", "top", "middle", "bottom", ""]
