from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.hidden_scores import (
    hidden_since,
    hide_scores,
    open_scores,
    visibility_events,
)


def test_scores_are_visible_until_they_are_hidden_and_the_desk_remembers(tmp_path: Path) -> None:
    with Desk.create(tmp_path / "a.jurydesk") as desk:
        assert hidden_since(desk) == ""
        hide_scores(desk)
        since = hidden_since(desk)
        assert datetime.fromisoformat(since).tzinfo is not None
    with Desk.open(tmp_path / "a.jurydesk") as desk:
        assert hidden_since(desk) == since
        open_scores(desk)
        assert hidden_since(desk) == ""


def test_every_hiding_and_opening_is_recorded_once(tmp_path: Path) -> None:
    with Desk.create(tmp_path / "a.jurydesk") as desk:
        open_scores(desk)
        for change in (hide_scores, hide_scores, open_scores, open_scores, hide_scores):
            change(desk)
        assert [event.what for event in visibility_events(desk)] == [
            "scores hidden",
            "scores opened",
            "scores hidden",
        ]


def test_a_read_only_desk_cannot_show_hidden_scores(tmp_path: Path) -> None:
    with Desk.create(tmp_path / "a.jurydesk") as desk:
        hide_scores(desk)
    with (
        Desk.open(tmp_path / "a.jurydesk", read_only=True) as desk,
        pytest.raises(DeskError, match=r"is open for reading only\.$"),
    ):
        open_scores(desk)


def test_a_copy_of_the_desk_hides_them_too(tmp_path: Path) -> None:
    with Desk.create(tmp_path / "a.jurydesk") as desk:
        hide_scores(desk)
        desk.save_as(tmp_path / "b.jurydesk")
    with Desk.open(tmp_path / "b.jurydesk") as copy:
        assert hidden_since(copy)
