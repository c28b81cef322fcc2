"""The lines around a defect, read in a job so that a huge file stops nothing."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.style.theme import SMALL, colour, font, px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, ElidedLabel, button, restyle, row_layout
from jurydesk.app.widgets.shown_files import show_file
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect, Place

AROUND = 6
LONGEST_LINE = 400
BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Peek:
    """Lines of a file with the number of the first (1-based), and the one that is meant.

    `problem` says why there are none.
    """

    first: int = 1
    lines: tuple[str, ...] = ()
    meant: int | None = None
    problem: str = ""


def peek(place: Place, run: Run) -> Peek:
    """The lines around a place; the first lines of a file where the place names none."""
    path = Path(place.path)
    if not path.is_file():
        return Peek(problem="There is no such file any more.")
    meant = place.line
    first = max(1, (meant or 1) - AROUND)
    last = (meant or 1) + AROUND
    try:
        with _open(path) as file:
            lines = _lines(file, first, last, run)
    except (OSError, EOFError, zlib.error) as error:
        return Peek(problem=f"The file cannot be read ({error}).")
    if not lines:
        return Peek(problem="The file has no such line any more.")
    column = place.column or 1
    return Peek(first, tuple(_shown(line, column) for line in lines), meant)


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")


def _lines(file: BinaryIO, first: int, last: int, run: Run) -> list[bytes]:
    """The lines from `first` to `last`; a line is cut after a block, so that memory is bounded."""
    found: list[bytes] = []
    number, begun = 1, b""
    for block in _blocks(file, run):
        breaks = block.count(b"\n")
        if number + breaks < first:
            number += breaks
            continue
        for piece in block.splitlines(keepends=True):
            begun = (begun + piece)[:BLOCK_BYTES] if first <= number <= last else b""
            if piece.endswith(b"\n"):
                if first <= number <= last:
                    found.append(begun)
                number, begun = number + 1, b""
            if number > last:
                return found
    return [*found, begun] if begun else found


def _blocks(file: BinaryIO, run: Run) -> Iterator[bytes]:
    while block := file.read(BLOCK_BYTES):
        run.check()
        yield block


def _shown(line: bytes, column: int) -> str:
    """The line as text; of a very long one, the part around the column."""
    text = line.decode("utf-8", "replace").rstrip("\r\n")
    if len(text) <= LONGEST_LINE:
        return text
    start = max(0, min(column - 1 - LONGEST_LINE // 2, len(text) - LONGEST_LINE))
    head = "… " if start else ""
    return f"{head}{text[start : start + LONGEST_LINE]} …"


HEIGHT = 190


class PeekCard(Card):
    """Shows where a defect stands; `closed` when the user wants the room back."""

    closed = Signal()

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__("", parent, padding=(16, 10))
        self._reading = LatestJob[Place, Peek](self, jobs=jobs)
        self._reading.arrived.connect(self._show)
        self._place: Place | None = None
        self.where = ElidedLabel("", "heading")
        self.sentence = ElidedLabel("", "muted")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAcceptDrops(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Lines around the defect")
        self.text.setTabChangesFocus(True)
        self.text.setStyleSheet("border: none; padding: 0; background: transparent")
        self.open_button = button("Open file", self.open_file, "small")
        close = button("Close", self._close, "small")
        head = row_layout(self.where, self.open_button, close)
        head.setStretch(0, 1)
        self.body.insertLayout(0, head)
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.text, 1)
        self._scale()
        theme().changed.connect(self._scale)
        self.hide()

    def look_at(self, defect: Defect, where: str = "") -> None:
        """Read the lines around a defect and show them, under the place in words."""
        self._place = defect.place
        self.where.setText(where or str(defect.place))
        self.where.setToolTip(tip(defect.place.path))
        advice = " ".join(part for part in (defect.found, defect.expected, defect.hint) if part)
        self.sentence.setText(advice)
        self.sentence.setToolTip(tip(advice))
        self._reading.start(defect.place, "Reading the place", partial(_read, defect.place))
        self.show()

    def open_file(self) -> None:
        """Open the file in the system's own viewer."""
        if self._place is not None:
            show_file(self._place.path)

    def _show(self, found: Peek) -> None:
        width = len(str(found.first + len(found.lines)))
        numbered = [f"{n:>{width}}  {line}" for n, line in enumerate(found.lines, found.first)]
        self.text.setPlainText("\n".join(numbered) or found.problem)
        restyle(self.text, "kind", "" if found.lines else "muted")
        self._mark(None if found.meant is None else found.meant - found.first)

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


def _read(place: Place, run: Run, tell: object) -> Peek:
    return peek(place, run)
