"""Sheet of the verification: the open desk, other files, and the verdict in words."""

from __future__ import annotations

import json
import sqlite3

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel

from jurydesk.app.jobs.job_functions import run_text_command
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets import verify_sheet
from jurydesk.app.sheets.verify_sheet import CHOOSE, VERDICTS, VerifySheet
from jurydesk.app.widgets.parts import placed_widgets
from jurydesk.core.execution.run import Run
from support.windows.keyboard import press


@pytest.fixture
def answers(monkeypatch):
    """Return what the program answers to the sheet; `asked` lists its commands."""
    found = {"answer": (0, "north: match"), "asked": []}

    def ask(*arguments, run):
        found["asked"].append(arguments)
        return found["answer"]

    monkeypatch.setattr(verify_sheet, "run_text_command", ask)
    return found


@pytest.fixture
def open_sheet(qtbot, below, jobs, tmp_path):
    def make(desk=None) -> VerifySheet:
        sheet = VerifySheet(LatestJob(below, jobs), desk, tmp_path, below)
        sheet.open()
        if desk is not None:
            wait(qtbot, sheet)
        return sheet

    return make


def wait(qtbot, sheet):
    qtbot.waitUntil(lambda: not sheet.summary.text().endswith("…"), timeout=30_000)


def lines(sheet):
    return [line.text() for line in placed_widgets(sheet.lines)]


def test_the_open_desk_is_verified_at_once(answers, open_sheet, tmp_path):
    sheet = open_sheet(tmp_path / "a.jurydesk")
    assert answers["asked"] == [("verify", "--", str(tmp_path / "a.jurydesk"))]
    assert sheet.summary.text() == VERDICTS[0][0]
    assert lines(sheet) == ["north: match"]


@pytest.mark.parametrize(
    ("code", "verdict", "kind"),
    [
        (4, "In part: nothing differs, but not all could be checked.", "heading"),
        (1, "Not confirmed: something differs or is missing.", "bad"),
        (2, "This could not be verified.", "bad"),
    ],
)
def test_each_exit_code_has_its_verdict(answers, open_sheet, tmp_path, code, verdict, kind):
    answers["answer"] = code, "altered: <b>north</b>\nNot checked: the title."
    sheet = open_sheet(tmp_path / "a.jurydesk")
    assert (sheet.summary.text(), sheet.summary.property("kind")) == (verdict, kind)
    assert lines(sheet) == ["altered: <b>north</b>", "Not checked: the title."]
    shown = placed_widgets(sheet.lines)[0]
    assert isinstance(shown, QLabel)
    assert shown.textFormat() == Qt.TextFormat.PlainText


def test_without_a_desk_a_file_is_asked_for(qtbot, answers, open_sheet, tmp_path, monkeypatch):
    sheet = open_sheet()
    assert (sheet.summary.text(), answers["asked"]) == (CHOOSE, [])
    assert not sheet.folder_button.isEnabled()
    file = tmp_path / "-board.csv"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    sheet.file_button.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    wait(qtbot, sheet)
    assert answers["asked"] == [("verify", "--", str(file))]


def test_missing_inputs_are_looked_for_in_a_folder(
    qtbot, answers, open_sheet, tmp_path, monkeypatch
):
    sheet = open_sheet(tmp_path / "a.jurydesk")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    sheet.folder_button.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(answers["asked"]) == 2)
    wait(qtbot, sheet)
    found = ("verify", "--inputs", str(tmp_path), "--", str(tmp_path / "a.jurydesk"))
    assert answers["asked"][1] == found


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Return a desk that the program scored, with two systems."""
    folder = tmp_path_factory.mktemp("verify")
    lists = {"north": "q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n", "south": "q1 Q0 b 1 2 x\nq1 Q0 a 2 1 x\n"}
    for name, text in {**lists, "gold": "q1 0 a 1\nq1 0 b 0\n"}.items():
        (folder / f"{name}.txt").write_text(text)
    paths = [str(folder / f"{name}.txt") for name in lists]
    desk = folder / "found.jurydesk"
    gold = ("--relevance", str(folder / "gold.txt"))
    command = ("score", "keyword-spotting", *gold, "--results", *paths, "--desk", str(desk))
    with Run() as run:
        code, said = run_text_command(*command, run=run)
    assert code == 0, said
    return desk


def test_a_scored_desk_is_whole(open_sheet, scored):
    sheet = open_sheet(scored)
    assert sheet.summary.text() == VERDICTS[0][0]
    assert "north: match, same code" in lines(sheet)


def test_a_desk_with_another_score_differs(open_sheet, scored, tmp_path):
    forged = tmp_path / "forged.jurydesk"
    forged.write_bytes(scored.read_bytes())
    with sqlite3.connect(forged) as desk:
        ((key, text),) = desk.execute("SELECT id, scores FROM evaluation WHERE system = 'south'")
        scores = json.loads(text)
        for one in scores:
            one["value"] = 1.0
        desk.execute("UPDATE evaluation SET scores = ? WHERE id = ?", (json.dumps(scores), key))
    sheet = open_sheet(forged)
    assert sheet.summary.text() == VERDICTS[1][0]
    assert any(line.startswith("altered: south, ") for line in lines(sheet))


def test_the_palette_leads_to_the_verification(qtbot, window, answers):
    window.actions_.run("help.palette")
    qtbot.keyClicks(window.views.sheet.search, "verify")
    press(qtbot, Qt.Key.Key_Return)
    assert isinstance(window.views.sheet, VerifySheet)
    assert window.views.sheet.isVisible()
    press(qtbot, Qt.Key.Key_Escape)
