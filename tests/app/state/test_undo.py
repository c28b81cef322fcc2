"""Undo works on the open desk, wherever it was saved meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jurydesk.app.window.main_window import Window
from jurydesk.core.desk.system_names import given_names
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.intake.submission_ledger import load_rules


def contents(window: Window) -> tuple[object, ...]:
    desk = window.session.desk
    return desk.systems(), given_names(desk), load_rules(desk)


@pytest.mark.parametrize(
    "change",
    [
        lambda window: window.evaluator.remove_system("system B"),
        lambda window: window.evaluator.rename_system("system B", "ours"),
        lambda window: window.organiser.set_rules(IntakeRules(latest=True)),
    ],
    ids=["removal", "name", "rules"],
)
def test_a_change_is_undone_in_the_desk_that_was_saved_elsewhere(
    qtbot, scored, tmp_path, change: Callable[[Window], None]
):
    before = contents(scored)
    change(scored)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert contents(scored) != before
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.actions_.run("edit.undo")
    assert scored.session.desk.path == tmp_path / "kept.jurydesk"
    assert contents(scored) == before
    qtbot.waitUntil(lambda: scored.jobs.idle)
