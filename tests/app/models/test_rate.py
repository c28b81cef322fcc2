"""What is said where nothing was planned."""

from __future__ import annotations

import pytest

from app.models.rate import unplanned


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ({"stories": False, "anything": False}, "People rate stories: open a desk of visual"),
        ({"stories": False}, "People rate stories, and this competition has none"),
        ({"systems": False}, "Drop the systems' stories on the window"),
        ({}, "Nobody has rated yet. Plan who rates what"),
        ({"read_only": True}, "Nobody has rated these stories."),
        ({"read_only": True, "systems": False}, "Nobody has rated these stories."),
    ],
)
def test_nobody_is_told_to_do_what_cannot_be_done(stands: dict[str, bool], said: str) -> None:
    usual = {"stories": True, "anything": True, "systems": True, "read_only": False}
    assert unplanned(**{**usual, **stands}).startswith(said)
