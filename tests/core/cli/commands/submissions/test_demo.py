from __future__ import annotations

import os

import pytest

from jurydesk.core.competition.examples import copied_folder, example_folder
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from support.examples import TASKS_WITH_EXAMPLE


@pytest.mark.parametrize("name", ["keyword-spotting", "vist"])
def test_an_example_is_scored_into_a_desk_and_its_board_printed(jurydesk, tmp_path, name):
    task = registry().tasks[name]
    if example_folder(task) is None:
        pytest.skip("the example is not made yet")
    outcome = jurydesk("demo", name, "--text", "--folder", tmp_path)
    assert outcome.code == 0
    path = copied_folder(task, tmp_path) / f"{name}.jurydesk"
    assert str(path) in outcome.out
    with Desk.open(path, read_only=True) as desk:
        systems = [summary.system for summary in desk.evaluations()]
        assert {entry.state for entry in desk.inputs()} == {"current"}
    assert len(systems) > 1
    assert all(system in outcome.out for system in systems)


@pytest.mark.parametrize("name", TASKS_WITH_EXAMPLE)
def test_the_desk_of_an_example_is_whole_and_in_part_where_its_files_have_other_times(
    jurydesk, tmp_path, name
):
    assert jurydesk("demo", name, "--text", "--folder", tmp_path).code == 0
    path = copied_folder(registry().tasks[name], tmp_path) / f"{name}.jurydesk"
    outcome = jurydesk("verify", path)
    assert (outcome.code, "Not checked" in outcome.out) == (0, False), outcome.out
    for file in path.parent.glob("*.*"):
        os.utime(file, (1, 1))
    moved = jurydesk("verify", path)
    assert moved.code == 4
    assert "Not checked: the times of receipt." in moved.out


def test_the_window_shows_the_example_where_there_is_a_display(jurydesk, tmp_path, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    shown = []
    outcome = jurydesk(
        "demo", "vist", "--folder", tmp_path, open_window=lambda desk: shown.append(desk) or 0
    )
    assert outcome.code == 0
    assert shown == [tmp_path / "vist" / "vist.jurydesk"]


def test_an_unknown_example_is_refused(jurydesk):
    outcome = jurydesk("demo", "denscap")
    assert outcome.code == 2
    assert outcome.err == (
        'Error: There is no example competition "denscap". Did you mean densecap or declared?\n'
    )
