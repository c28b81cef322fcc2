"""The lines around a defect, read in a job so that a huge file stops nothing."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QColor, QDesktopServices, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.jobs import Jobs
from app.latest_job import LatestJob
from app.peek import Peek, peek
from app.theme import SMALL, colour, font, px, theme
from app.widgets.parts import Card, Elided, beside, button, restyle
from core.defects import Defect, Place
from core.run.run import Run

HEIGHT = 190


class PeekCard(Card):
    """Shows where a defect stands; `closed` when the user wants the room back."""

    closed = Signal()

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__("", parent, padding=(16, 10))
        self._reading = LatestJob[Place, Peek](self, jobs=jobs)
        self._reading.arrived.connect(self._show)
        self._place: Place | None = None
        self.where = Elided("", "heading")
        self.sentence = Elided("", "muted")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAcceptDrops(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("Lines around the defect")
        self.text.setTabChangesFocus(True)
        self.text.setStyleSheet("border: none; padding: 0; background: transparent")
        self.open_button = button("Open file", self.open_file, "small")
        close = button("Close", self._close, "small")
        head = beside(self.where, self.open_button, close)
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
        self.where.setToolTip(defect.place.path)
        advice = " ".join(part for part in (defect.found, defect.expected, defect.hint) if part)
        self.sentence.setText(advice)
        self.sentence.setToolTip(advice)
        self._reading.start(defect.place, "Reading the place", partial(_read, defect.place))
        self.show()

    def open_file(self) -> None:
        """Open the file in the system's own viewer."""
        if self._place is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(self._place.path))

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
