"""Board of the command line as text."""

from __future__ import annotations

from dataclasses import replace

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.cli.text.leaderboard_text import board_lines
from jurydesk.core.desk.summary import Summary
from jurydesk.core.model.evaluation import Score
from support import toy


def head_of(*profiles: str) -> list[str]:
    """Return the column titles of a board with a system of each profile."""
    systems = [
        Summary(0, f"system {number}", profile, (Score("closeness", 0.5, 4),), "", False, "", 4)
        for number, profile in enumerate(profiles)
    ]
    return board_lines(make_leaderboard(toy.TASK, systems))[0].split()


def test_a_number_that_is_not_reliable_is_in_parentheses_without_a_star():
    systems = [
        Summary(0, name, "published", (Score("closeness", value, 4),), "", False, "", 4)
        for name, value in (("one", 0.5), ("two", 0.25))
    ]
    assert "0.5000*" in board_lines(make_leaderboard(toy.TASK, systems))[1]
    reason = "Not reliable: only 1 rater judged."
    metric = replace(toy.CLOSENESS, doubt=reason)
    task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(metric,)))
    lines = board_lines(make_leaderboard(task, systems))
    assert "(0.5000)" in lines[1]
    assert "*" not in lines[1]
    assert f"( ) {reason}" in lines


def test_profiles_have_a_column_where_there_are_several():
    assert head_of("published", "published") == ["system", "closeness"]
    assert head_of("published", "corrected") == ["system", "profile", "closeness"]
