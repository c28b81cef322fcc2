"""Excerpt of a file around a defect, read in a job because files can be huge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.style.theme import SMALL, colour, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, ElidedLabel, button, restyle, row_layout
from jurydesk.app.widgets.shown_files import show_file
from jurydesk.core.execution.run import Run
from jurydesk.core.language import fill, translate, translate_text
from jurydesk.core.model.defects import Defect, Place
from jurydesk.core.model.options import NOT_OPENED
from jurydesk.core.readers.compression import (
    DAMAGES,
    LONGEST_MAGIC,
    compression,
    unpacked_stream,
)
from jurydesk.core.system.network_shares import is_strange_share

AROUND = 6
LONGEST_LINE = 400
BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class FileExcerpt:
    """Lines of a file, the number of the first one (1-based), and the marked line.

    `problem` explains why there are none.
    """

    first: int = 1
    lines: tuple[str, ...] = ()
    marked: int | None = None
    problem: str = ""


def read_excerpt(place: Place, run: Run) -> FileExcerpt:
    """Return the lines around a place; without a line number, the first lines."""
    path = Path(place.path)
    if is_strange_share(path):
        return FileExcerpt(problem=translate_text(fill(NOT_OPENED, path)))
    if not path.is_file():
        return FileExcerpt(problem=translate("The file no longer exists."))
    marked = place.line
    first = max(1, (marked or 1) - AROUND)
    last = (marked or 1) + AROUND
    try:
        with _open(path) as file:
            lines = _lines(file, first, last, run)
    except (OSError, *DAMAGES) as error:
        return FileExcerpt(problem=translate("The file cannot be read ({error}).", error=error))
    if not lines:
        return FileExcerpt(problem=translate("The file no longer has this line."))
    column = place.column or 1
    return FileExcerpt(first, tuple(_line_text(line, column) for line in lines), marked)


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    with path.open("rb") as file:
        kind = compression(file.read(LONGEST_MAGIC))
        file.seek(0)
        yield unpacked_stream(file, kind)


def _lines(file: BinaryIO, first: int, last: int, run: Run) -> list[bytes]:
    """Return the lines from `first` to `last`, each cut after a block to bound memory."""
    found: list[bytes] = []
    number, line = 1, b""
    for block in _blocks(file, run):
        breaks = block.count(b"\n")
        if number + breaks < first:
            number += breaks
            continue
        for piece in block.splitlines(keepends=True):
            line = (line + piece)[:BLOCK_BYTES] if first <= number <= last else b""
            if piece.endswith(b"\n"):
                if first <= number <= last:
                    found.append(line)
                number, line = number + 1, b""
            if number > last:
                return found
    return [*found, line] if line else found


def _blocks(file: BinaryIO, run: Run) -> Iterator[bytes]:
    while block := file.read(BLOCK_BYTES):
        run.check()
        yield block


def _line_text(line: bytes, column: int) -> str:
    """Return the line as text; a very long line is cut around the column."""
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    if len(text) <= LONGEST_LINE:
        return text
    start = max(0, min(column - 1 - LONGEST_LINE // 2, len(text) - LONGEST_LINE))
    head = "… " if start else ""
    return f"{head}{text[start : start + LONGEST_LINE]} …"


HEIGHT = 190


class ExcerptCard(Card):
    """Card with the lines around a defect; `closed` is emitted when the user closes it."""

    closed = Signal()

    def __init__(self, jobs: Jobs) -> None:
        super().__init__("", padding=(16, 10))
        self._reading = LatestJob[Place, FileExcerpt](self, jobs)
        self._reading.arrived.connect(self._show)
        self._place: Place | None = None
        self.where = ElidedLabel("", "heading")
        self.sentence = ElidedLabel("", "muted", Qt.TextElideMode.ElideRight)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAcceptDrops(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(translate("Lines around the defect"))
        self.text.setTabChangesFocus(True)
        self.text.setStyleSheet("border: none; padding: 0; background: transparent")
        self.open_button = button(translate("Open file"), self.open_file, "small")
        close = button(translate("Close"), self._close, "small")
        head = row_layout(self.where, self.open_button, close)
        head.setStretch(0, 1)
        self.body.insertLayout(0, head)
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.text, 1)
        theme().follow(self._scale)
        self.hide()

    def show_defect(self, defect: Defect, where: str = "") -> None:
        """Show the lines around a defect, under its place in words."""
        self._place = defect.place
        self.where.setText(where or translate_text(str(defect.place)))
        self.where.setToolTip(tip(defect.place.path))
        parts = (defect.found, defect.expected, defect.hint)
        advice = " ".join(translate_text(part) for part in parts if part)
        self.sentence.setText(advice)
        self.sentence.setToolTip(tip(advice))
        self._reading.start(
            defect.place, translate("Reading the excerpt"), partial(_read, defect.place)
        )
        self.show()

    def open_file(self) -> None:
        """Open the file in the system's viewer."""
        if self._place is not None:
            show_file(self._place.path)

    def _show(self, found: FileExcerpt) -> None:
        width = len(str(found.first + len(found.lines)))
        numbered = [f"{n:>{width}}  {line}" for n, line in enumerate(found.lines, found.first)]
        self.text.setPlainText("\n".join(numbered) or found.problem)
        restyle(self.text, "kind", "" if found.lines else "muted")
        self._mark(None if found.marked is None else found.marked - found.first)

    def _mark(self, block: int | None) -> None:
        if block is None or block >= self.text.blockCount():
            self.text.setExtraSelections([])
            return
        line = QTextEdit.ExtraSelection()
        shape = QTextCharFormat()
        shape.setBackground(QColor(colour("accent_soft")))
        shape.setProperty(QTextFormat.Property.FullWidthSelection, True)
        line.format = shape
        cursor = QTextCursor(self.text.document().findBlockByNumber(block))
        line.cursor = cursor
        self.text.setExtraSelections([line])
        self.text.setTextCursor(cursor)

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def _scale(self) -> None:
        self.setFixedHeight(px(HEIGHT))
        self.text.setFont(font(SMALL, mono=True))


def _read(place: Place, run: Run, notify: object) -> FileExcerpt:
    return read_excerpt(place, run)
