"""Sentences of the Rate page without a plan."""

from __future__ import annotations

from typing import Any

import pytest

from jurydesk.app.pages.rate.rate_model import no_plan_sentence, state_column
from jurydesk.core.competition.rating_design import STORIES
from jurydesk.core.workflow.ratings import StudyState
from support.rating import studies


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ({"entry": None}, "People rate stories, captions or answers: open a desk"),
        ({"systems": False}, "Score the systems first (Ctrl+R)"),
        ({"systems": False, "by_files": True}, "Drop the systems' stories onto the window"),
        ({}, "There are no ratings yet. Plan who rates what"),
        ({"read_only": True}, "These stories have no ratings."),
        ({"read_only": True, "systems": False}, "These stories have no ratings."),
    ],
)
def test_only_possible_actions_are_suggested(stands: dict[str, Any], said: str) -> None:
    usual = {"entry": STORIES.entry, "systems": True, "by_files": False, "read_only": False}
    assert no_plan_sentence(**{**usual, **stands}).startswith(said)


def test_just_merged_answers_are_not_called_contradictory() -> None:
    made = studies.study()
    codes = frozenset(rater.code for rater in made.raters[:1])
    state = state_column(StudyState(made, packed=codes, answered=codes), made, None)
    assert state.text(0) == "answers are being read"
