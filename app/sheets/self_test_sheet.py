"""The self-test in the window: its checks, and what differs first."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.job_functions import run_json_command
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.parts import (
    WrappedLabel,
    button,
    clear_layout,
    label,
    row_layout,
    scroll_area,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

INTRODUCTION = translatable(
    "Computes recorded numbers of the original programs on this computer, and compares the files "
    "of libraries, METEOR's index and models with their recorded hashes."
)
BUSY = translatable(
    "Examining this installation takes up to a minute, and continues if this sheet is closed …"
)
WORDS = {
    "ok": translatable("in order"),
    "differs": translatable("differs"),
    "absent": translatable("not here"),
}
ORDER = ("differs", "absent", "ok")
LONGEST = 400
HEIGHT = 420
"""Height of the checks."""


SelfTests = LatestJob[str, dict[str, Any]]
"""Records of the self-test by device; a record is kept until a sheet has shown it."""


def examine(device: str, run: Run, notify: Notify) -> dict[str, Any]:
    """Return the record of the self-test; if it ended without one, `trouble` is the reason."""
    try:
        return run_json_command("selftest", "--quiet", "--device", device, run=run)
    except OSError as fault:
        return {"checks": [], "trouble": str(fault)}


class SelfTestSheet(Sheet):
    """Runs the self-test when it opens, unless it runs or its record was not seen yet.

    The self-test goes on when the sheet is closed; the next sheet shows its record.
    """

    def __init__(self, tests: SelfTests, device: str, parent: QWidget) -> None:
        super().__init__(translate("Self-test"), parent, width=640)
        self._tests = tests
        self._record: dict[str, Any] = {}
        self.add_head(translate(INTRODUCTION))
        self.summary = label(translate(BUSY), "heading", wrap=True)
        self.body.addWidget(self.summary)
        inside = QWidget()
        self.rows = QGridLayout(inside)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setHorizontalSpacing(px(12))
        self.rows.setVerticalSpacing(px(4))
        self.rows.setColumnStretch(2, 1)
        self.rows.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.checks = scroll_area(inside)
        self.checks.setAccessibleName(translate("Checks"))
        self.body.addWidget(self.checks)
        self.copy_button = button(
            translate("Copy the record"), self._copy, hint=translate("As JSON, with its hash")
        )
        self.copy_button.setEnabled(False)
        self.close_button = button(translate("Close"), self.close, "primary")
        self.body.addLayout(row_layout(None, self.copy_button, self.close_button))
        self._tests.arrived.connect(self.show_record)
        self._tests.refused.connect(self._refuse)
        self._tests.ended.connect(self._test_ended)
        self.closed.connect(self._leave)
        known = tests.cached_result(device)
        if known is not None:
            self.show_record(known)
        elif not tests.is_pending_for(device):
            title = translate("Self-test")
            tests.start(device, title, partial(examine, device), quiet=False, device=device)

    def _test_ended(self) -> None:
        """Close the sheet of a self-test that was cancelled in the window."""
        if self.summary.text() == translate(BUSY):
            self.close()

    def _leave(self) -> None:
        """Discard a record that was shown, so that the next sheet tests again."""
        if self._record:
            self._tests.clear()

    def initial_focus(self) -> QWidget:
        return self.close_button

    def fit(self, width: int) -> None:
        """Let the checks scroll where the window has no room for all."""
        self.fit_rows(self.checks, HEIGHT)

    def _refuse(self, reason: str) -> None:
        self.summary.setText(translate_text(reason))

    def show_record(self, record: dict[str, Any]) -> None:
        """Show the checks, those that differ first."""
        self._record = record
        self.summary.setText(describe_record(record))
        clear_layout(self.rows)
        found = sorted(record["checks"], key=lambda one: ORDER.index(one["outcome"]))
        for row, one in enumerate(found):
            kind = {"differs": "bad", "absent": "muted"}.get(one["outcome"], "")
            texts = WORDS[one["outcome"]], one["name"], one["text"]
            outcome, name, text = (display_text(translate_text(one), LONGEST) for one in texts)
            cells = label(outcome, kind), label(name, kind, wrap=True), WrappedLabel(text, kind)
            for column, cell in enumerate(cells):
                self.rows.addWidget(cell, row, column)
        self.copy_button.setEnabled(bool(found))
        self.fit_again()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(json.dumps(self._record, indent=2))
        self.copy_button.setText(translate("Copied"))


def describe_record(record: dict[str, Any]) -> str:
    """Say what the self-test found, or why it has no result."""
    return display_text(record.get("trouble") or summary(record), LONGEST)


def summary(record: dict[str, Any]) -> str:
    """Say how many checks are in order, and by which hash the record is known."""
    outcomes = [one["outcome"] for one in record["checks"]]
    wrong, absent = outcomes.count("differs"), outcomes.count("absent")
    checks, known = quantity(len(outcomes), "check"), record["sha256"][:12]
    if wrong and absent:
        sentence = translate(
            "{checks}: {wrong} differ, {absent} missing.",
            checks=checks,
            wrong=wrong,
            absent=absent,
        )
    elif wrong:
        sentence = translate("{checks}: {wrong} differ.", checks=checks, wrong=wrong)
    elif absent:
        sentence = translate(
            "{checks}: all present parts are in order, {absent} missing.",
            checks=checks,
            absent=absent,
        )
    else:
        sentence = translate("{checks}: all present parts are in order.", checks=checks)
    return f"{sentence} {translate('Record {hash}.', hash=known)}"
