"""No sheet scrolls sideways, or twice, in a small window with type of twice the size."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets import self_test_sheet
from jurydesk.app.sheets.competition_sheet import CompetitionSheet
from jurydesk.app.sheets.numbers_sheet import NumbersSheet
from jurydesk.app.sheets.self_test_sheet import SelfTestSheet
from jurydesk.app.style.theme import theme
from jurydesk.app.window.workers_sheet import WorkersSheet
from jurydesk.core.execution.workers.worker import Worker
from jurydesk.core.selftest.check import Check
from jurydesk.core.selftest.checks import record
from jurydesk.core.tasks.declared.competition_folder import outline_table
from support.language import shown_in
from support.windows.keyboard import press
from support.windows.layout_faults import double_bars, shown_widgets

NAME = "a-name-that-is-longer-than-most-names-of-teams-{}.example.org"
CHECKS = (
    Check("files", "inflect", "differs", f"Files differ from those installed: {NAME}."),
    *(Check("files", f"library {n}", "ok", "2.4.6: 900 files as installed.") for n in range(9)),
)


def self_test(below, jobs, folder):
    sheet = SelfTestSheet(LatestJob(below, jobs), "cpu", below)
    sheet.show_record(record(CHECKS))
    return sheet


def workers(below, jobs, folder):
    sheet = WorkersSheet(below)
    sheet.show_workers(tuple(Worker(NAME.format(n), "working", 12, 6.0) for n in range(20)))
    return sheet


def numbers(below, jobs, folder):
    rows = range(40)
    return NumbersSheet(
        "Average precision", [("Team", list(map(NAME.format, rows))), ("Value", np.arange(40.0))],
        below,
    )  # fmt: skip


def competition(below, jobs, folder):
    path = folder / "references.csv"
    names = [f"a_name_of_column_{n}" for n in range(9)]
    rows = [[f"item {row}", *(f"some text {row}" for _ in names)] for row in range(3)]
    path.write_text("\n".join(map(",".join, [["item", *names], *rows])), "utf-8")
    outline = outline_table(path).data
    assert outline is not None
    return CompetitionSheet(outline, print, below)


@pytest.mark.parametrize("make", [self_test, workers, numbers, competition])
def test_a_sheet_scrolls_in_one_direction(qtbot, below, jobs, tmp_path, monkeypatch, make):
    monkeypatch.setattr(self_test_sheet, "examine", lambda *_: record(CHECKS))
    theme().set_zoom(2.0)
    below.resize(1024, 700)
    with shown_in("ru"):
        sheet = make(below, jobs, tmp_path)
        sheet.open()
        qtbot.waitUntil(lambda: double_bars(list(shown_widgets(below))) == [], timeout=2000)
        press(qtbot, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
