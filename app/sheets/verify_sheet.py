"""Verification in the window: the verdict on a desk or an export, and what was not checked."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.job_functions import run_text_command
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.parts import (
    button,
    clear_layout,
    label,
    restyle,
    row_layout,
    scrolled_rows,
)
from jurydesk.core.language import translatable, translate

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

INTRODUCTION = translatable(
    "Scores the files of a desk, an export or a stamp again, or checks a certificate. Nothing is "
    "changed."
)
CHOOSE = translatable("Choose a desk, an export, a stamp or a certificate.")
BUSY = translatable("{name} is being verified …")
VERDICTS = {
    0: (translatable("Whole: everything was made again and is equal."), "good"),
    4: (translatable("In part: nothing differs, but not all could be checked."), "heading"),
    1: (translatable("Not confirmed: something differs or is missing."), "bad"),
}
"""Verdict and its kind of text, by the exit code of `jurydesk verify`."""
FAILED = translatable("This could not be verified."), "bad"
LONGEST, HEIGHT = 400, 320
"""Longest line, and height of the lines."""

Verifications = LatestJob[tuple[Path, Path | None], tuple[int, str]]
"""Exit codes and outputs of `jurydesk verify`, by the file and the folder of its inputs."""


def verify_file(path: Path, inputs: Path | None, run: Run, notify: Notify) -> tuple[int, str]:
    """Return exit code and output of the verification of a file, in the window's language."""
    folder = [] if inputs is None else ["--inputs", str(inputs)]
    return run_text_command("verify", *folder, "--", str(path), run=run)


class VerifySheet(Sheet):
    """Verifies the open desk at once, and any other file when it is chosen.

    `start` is the folder where files are looked for.
    """

    def __init__(
        self, tests: Verifications, desk: Path | None, start: Path, parent: QWidget
    ) -> None:
        super().__init__(translate("Verify"), parent, width=680)
        self._tests, self._path, self._start = tests, desk, start
        self._inputs: Path | None = None
        self.add_head(translate(INTRODUCTION))
        self.summary = label(translate(CHOOSE), "heading", wrap=True)
        self.body.addWidget(self.summary)
        self.findings, self.lines = scrolled_rows(translate("Findings"), 4)
        self.body.addWidget(self.findings)
        self.file_button = button(translate("Another file …"), self.choose_file)
        self.folder_button = button(
            translate("Inputs are in …"),
            self.choose_inputs,
            hint=translate("Folder in which missing input files are looked for"),
        )
        self.close_button = button(translate("Close"), self.close, "primary")
        self.body.addLayout(
            row_layout(self.file_button, self.folder_button, None, self.close_button)
        )
        self._tests.arrived.connect(self._show)
        self._tests.refused.connect(self._refuse)
        self.closed.connect(self._tests.clear)
        self._begin()

    def initial_focus(self) -> QWidget:
        return self.close_button

    def fit(self, width: int) -> None:
        """Let the findings scroll where the window has no room for all."""
        self.fit_rows(self.findings, HEIGHT)

    def verify(self, path: Path, inputs: Path | None = None) -> None:
        """Verify a file; its missing inputs are looked for in a folder."""
        self._path, self._inputs = path, inputs
        self._begin()

    def choose_file(self) -> None:
        """Ask for the file to verify."""
        title = translate("Verify a desk, an export, a stamp or a certificate")
        name, _ = QFileDialog.getOpenFileName(self, title, str(self._start))
        if name:
            self.verify(Path(name))

    def choose_inputs(self) -> None:
        """Ask for the folder of the inputs, and verify again."""
        title = translate("Folder of the inputs")
        name = QFileDialog.getExistingDirectory(self, title, str(self._start))
        if name and self._path is not None:
            self.verify(self._path, Path(name))

    def _begin(self) -> None:
        self.folder_button.setEnabled(self._path is not None)
        if self._path is None:
            return
        name = display_text(self._path.name, LONGEST)
        self._describe(translate(BUSY, name=name), "heading", "")
        work = partial(verify_file, self._path, self._inputs)
        title = translate("Verifying {name}", name=self._path.name)
        self._tests.start((self._path, self._inputs), title, work, quiet=False)

    def _show(self, found: tuple[int, str]) -> None:
        code, text = found
        summary, kind = VERDICTS.get(code, FAILED)
        self._describe(translate(summary), kind, text)

    def _refuse(self, reason: str) -> None:
        self._describe(translate(FAILED[0]), FAILED[1], reason)

    def _describe(self, summary: str, kind: str, text: str) -> None:
        self.summary.setText(summary)
        restyle(self.summary, "kind", kind)
        clear_layout(self.lines)
        for line in text.splitlines():
            self.lines.addWidget(label(display_text(line, LONGEST), wrap=True))
        self.fit_again()
