"""A competition without a program is made in the window, and opens there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from jurydesk.app.sheets.competition_sheet import CompetitionSheet
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import Registry
from jurydesk.core.tasks.declared.competition_folder import outline_table
from jurydesk.core.tasks.declared.declaration import DeclaredMetric
from jurydesk.core.tasks.declared.declared_task import TASK


@pytest.fixture
def references():
    """Return the table of references of the example."""
    folder = example_folder(TASK)
    assert folder is not None
    return folder / "references.csv"


def sheet_of(references, make, below):
    outline = outline_table(references).data
    assert outline is not None
    sheet = CompetitionSheet(outline, make, below)
    sheet.open()
    return sheet


def choose(box, value):
    box.setCurrentIndex(box.findData(value))


def test_a_column_offers_the_measures_of_its_kind(references, below):
    sheet = sheet_of(references, print, below)
    assert sheet.item.currentData() == "sign"
    assert sheet.metrics["metres"].findData("absolute_error") > 0
    assert sheet.metrics["metres"].findData("f1") == -1
    assert sheet.metrics["text"].findData("meteor") > 0


def test_the_column_with_the_names_of_items_has_no_metric(references, below):
    sheet = sheet_of(references, print, below)
    assert [name for name, box in sheet.metrics.items() if not box.isEnabled()] == ["sign"]
    choose(sheet.metrics["text"], "f1")
    choose(sheet.item, "text")
    assert [name for name, box in sheet.metrics.items() if not box.isEnabled()] == ["text"]
    assert sheet.metrics["text"].currentData() == ""


def test_what_is_missing_is_said_and_then_the_folder_is_made(qtbot, references, below):
    made = []
    sheet = sheet_of(references, made.append, below)
    qtbot.keyClick(sheet.title, Qt.Key.Key_Return)
    assert sheet.reason.isVisible()
    assert made == []
    choose(sheet.metrics["text"], "f1")
    choose(sheet.metrics["metres"], "absolute_error")
    choose(sheet.missing, "skip")
    sheet.title.selectAll()
    qtbot.keyClicks(sheet.title, "Signs")
    qtbot.keyClick(sheet.title, Qt.Key.Key_Return)
    (declared,) = made
    assert (declared.title, declared.item, declared.missing) == ("Signs", "sign", "skip")
    wanted = (DeclaredMetric("f1", "text"), DeclaredMetric("absolute_error", "metres"))
    assert declared.metrics == wanted
    assert declared.shown == ("question",)


def test_a_title_is_no_longer_than_the_declaration_may_have(references, below):
    sheet = sheet_of(references, print, below)
    sheet.title.setText("a" * 300)
    assert len(sheet.title.text()) == 200


def test_a_competition_that_was_made_is_open(
    qtbot, monkeypatch, window, references, below, tmp_path
):
    known = Registry({TASK.id: TASK}, ())
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: known)
    made = []
    sheet = sheet_of(references, made.append, below)
    sheet.title.setText("Signs of a port")
    choose(sheet.metrics["text"], "f1")
    sheet.accept()
    folder = tmp_path / "signs"
    window.organiser.make_competition(folder, made[0], references)
    qtbot.waitUntil(lambda: window.session.has_task, timeout=20_000)
    assert window.session.task is TASK
    wanted = {"competition.toml": "competition", "references.csv": "references"}

    def has_roles():
        return {file.path.name: file.role for file in window.session.files} == wanted

    qtbot.waitUntil(has_roles, timeout=20_000)
    assert window.session.title == "Signs of a port"
    window.session.rename("Signs")
    window.session.set_files(window.session.files)
    assert window.session.title == "Signs", "a name that somebody gave stays"


def test_a_folder_with_a_competition_is_not_written_over(
    qtbot, window, references, below, tmp_path
):
    made, refused = [], []
    window.organiser.refused.connect(refused.append)
    sheet = sheet_of(references, made.append, below)
    choose(sheet.metrics["text"], "f1")
    sheet.accept()
    (tmp_path / "competition.toml").write_text("mine", "utf-8")
    window.organiser.make_competition(tmp_path, made[0], references)
    qtbot.waitUntil(lambda: bool(refused), timeout=20_000)
    assert (tmp_path / "competition.toml").read_text("utf-8") == "mine"
