"""Brackets join systems that no test tells apart."""

from __future__ import annotations

from itertools import combinations

from jurydesk.app.pages.leaderboard.brackets import Bracket, brackets
from jurydesk.core.analysis.significance import PairTest, PairwiseSignificance
from jurydesk.core.model.evaluation import MetricInfo

INFO = MetricInfo("m", "M", "", (0.0, 1.0), "higher", "")


def separation(systems: str, apart: set[str]) -> PairwiseSignificance:
    """Every two of these systems, of which the named pairs are told apart."""
    pairs = tuple(
        PairTest(a, b, 0.1, None, 0.5, 0.001 if a + b in apart else 0.5)
        for a, b in combinations(systems, 2)
    )
    nothing = tuple(None for _ in systems)
    return PairwiseSignificance(INFO, tuple(systems), (), nothing, pairs, 0.1, 9, "test", 100)


def test_systems_that_cannot_be_told_apart_share_a_bracket():
    found = brackets("abcd", separation("abcd", {"ac", "bc", "ad", "bd"}))
    assert found == (Bracket(0, 1, 0), Bracket(2, 3, 0))


def test_brackets_that_overlap_have_lanes_of_their_own():
    found = brackets("abcd", separation("abcd", {"ac", "ad", "bd"}))
    assert found == (Bracket(0, 1, 0), Bracket(1, 2, 1), Bracket(2, 3, 0))


def test_a_bracket_within_another_is_left_out():
    assert brackets("abc", separation("abc", set())) == (Bracket(0, 2, 0),)


def test_systems_that_are_all_told_apart_have_none():
    assert brackets("ab", separation("ab", {"ab"})) == ()


def test_a_system_that_was_not_tested_has_none():
    assert brackets("abx", separation("ab", set())) == (Bracket(0, 1, 0),)
    assert brackets("ab", None) == ()


def test_rows_know_which_part_of_a_bracket_they_show():
    parts = [Bracket(1, 3, 0).part(row) for row in range(5)]
    assert parts == ["", "top", "middle", "bottom", ""]
