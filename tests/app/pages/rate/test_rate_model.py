"""What is said where nothing was planned."""

from __future__ import annotations

from typing import Any

import pytest

from jurydesk.app.pages.rate.rate_model import rater_columns, unplanned
from jurydesk.core.competition.rating_design import STORIES
from support.rating import studies


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ({"entry": None}, "People rate stories, captions or answers: open a desk"),
        ({"systems": False}, "Score the systems first (Ctrl+R)"),
        ({"systems": False, "by_files": True}, "Drop the systems' stories on the window"),
        ({}, "Nobody has rated yet. Plan who rates what"),
        ({"read_only": True}, "Nobody has rated these stories."),
        ({"read_only": True, "systems": False}, "Nobody has rated these stories."),
    ],
)
def test_nobody_is_told_to_do_what_cannot_be_done(stands: dict[str, Any], said: str) -> None:
    usual = {"entry": STORIES.entry, "systems": True, "by_files": False, "read_only": False}
    assert unplanned(**{**usual, **stands}).startswith(said)


def test_answers_that_were_just_merged_are_not_called_contradictory() -> None:
    made = studies.study()
    codes = frozenset(rater.code for rater in made.raters[:1])
    columns = {one.name: one for one in rater_columns(made, codes, codes, None)}
    assert columns["state"].text(0) == "answers are being read"
