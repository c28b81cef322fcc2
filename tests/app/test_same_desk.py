"""The window writes the same desk as the command line, table by table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from jurydesk.app.state.settings import Settings
from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task_registry import registry
from support.desks.comparison import TASKS, Example, by_command, differences, tables, with_title
from support.suite.samples import sample
from support.windows.waiting import until_checked, until_open

pytestmark = pytest.mark.usefixtures("quick_fid")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[Window]:
    """Return a window with every competition."""
    made = Window(Settings(tmp_path / "window.ini"))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.jobs.idle)
    yield made
    assert made.jobs.shut_down()
    made.stop_responding()
    made.desks.close()


@pytest.mark.parametrize("name", sample(TASKS, 3))
def test_files_scored_in_the_window_give_the_desk_of_the_command_line(
    qtbot: QtBot, window: Window, tmp_path: Path, name: str
) -> None:
    example = Example(registry().tasks[name], tmp_path / "files")
    path = tmp_path / "window.jurydesk"
    with_title(example, path)
    until_open(qtbot, window, path)
    for entry in fields(example.options):
        window.session.set_options({entry.name: getattr(example.options, entry.name)})
    window.dropped.emit([file for files in example.inputs.values() for file in files])
    until_checked(qtbot, window)
    window.actions_["run.score"].trigger()
    assert window.evaluator.scoring is not None
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)
    qtbot.waitUntil(lambda: window.jobs.idle)
    window.files.close()
    command = by_command(example, tmp_path / "command.jurydesk")
    assert differences(tables(path, tmp_path), tables(command, tmp_path)) == {}
