"""A recognised text with its edits drawn over it: what is wrong, and what should stand there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.format import counted
from app.plain import shown
from app.theme import BASE, TITLE, colour, font, px, theme
from app.views.alignment_layout import Flow, flow
from core.metrics.edit import Edit

MOST_LETTERS = 2000
"""Longer texts are cut here: nobody reads on, and drawing takes too long."""
LINE, LETTER, ABOVE, PADDING = 58, 30, 20, 4
TINT = 0.14


@dataclass(frozen=True, slots=True)
class Cell:
    """A letter or a stretch of them: as recognised, as it should be, and the kind of edit."""

    kind: str
    recognised: str
    accepted: str

    @property
    def wider(self) -> str:
        """The longer of the two texts."""
        return max(self.recognised, self.accepted, key=len)


class EditsView(QWidget):
    """The text in large letters; wrong ones are tinted, with the right ones above."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells: tuple[Cell, ...] = ()
        self._flow: tuple[int, Flow] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Edits"))
        theme().changed.connect(self._lay_out)

    def show_edits(self, edits: Sequence[Edit]) -> None:
        """Show another text."""
        self.cells = tuple(_cells(edits))[:MOST_LETTERS]
        self.setAccessibleDescription(summary(edits))
        self._lay_out()

    def _lay_out(self) -> None:
        self._flow = None
        self.updateGeometry()
        self.update()

    # Size

    def place(self, width: int) -> Flow:
        """Where every cell stands in a width."""
        if self._flow is None or self._flow[0] != width:
            metrics = QFontMetricsF(font(TITLE))
            texts = [shown(cell.wider) for cell in self.cells]
            widths = [metrics.horizontalAdvance(text) + 2 * px(PADDING) for text in texts]
            self._flow = (width, flow(texts, widths, width, px(1)))
        return self._flow[1]

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.place(width).lines * px(LINE)

    def sizeHint(self) -> QSize:
        width = max(self.width(), px(200))
        return QSize(width, self.heightForWidth(width))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint(painter)

    def picture_size(self) -> QSize:
        """The size of the picture that is exported."""
        return self.size()

    def paint_picture(self, painter: QPainter) -> None:
        """Paint it for a file."""
        painter.fillRect(self.rect(), colour("card"))
        self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for word, cell in zip(self.place(self.width()).words, self.cells, strict=True):
            top = word.line * px(LINE) + px(ABOVE)
            self._cell(painter, QRectF(word.left, top, word.width, px(LETTER)), cell)

    def _cell(self, painter: QPainter, box: QRectF, cell: Cell) -> None:
        centre = Qt.AlignmentFlag.AlignCenter
        if cell.kind != "equal":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("good" if cell.kind == "insert" else "bad", TINT))
            painter.drawRoundedRect(box, px(4), px(4))
        painter.setFont(font(TITLE))
        painter.setPen(colour("text" if cell.kind == "equal" else "bad"))
        painter.drawText(box, centre, shown(cell.recognised))
        if cell.kind == "delete":
            painter.setPen(QPen(colour("bad"), px(2)))
            painter.drawLine(box.left() + 2, box.center().y(), box.right() - 2, box.center().y())
        if cell.kind in ("replace", "insert"):
            painter.setFont(font(BASE, bold=True))
            painter.setPen(colour("good"))
            above = QRectF(box.left(), box.top() - px(ABOVE), box.width(), px(ABOVE))
            painter.drawText(above, centre, shown(cell.accepted))


def _cells(edits: Sequence[Edit]) -> list[Cell]:
    """A cell for each letter: a replaced one stands under the letter that it should be."""
    cells = []
    for edit in edits:
        if edit.kind == "replace":
            pairs = zip(edit.recognised, edit.accepted, strict=True)
            cells += [Cell("replace", wrong, right) for wrong, right in pairs]
        elif edit.kind == "insert":
            cells += [Cell("insert", "", letter) for letter in edit.accepted]
        else:
            cells += [Cell(edit.kind, letter, "") for letter in edit.recognised]
    return cells


def summary(edits: Sequence[Edit]) -> str:
    """The edits in a sentence, for those who cannot see them."""
    said = [_in_words(edit) for edit in edits if edit.kind != "equal"]
    if not said:
        return "Nothing is wrong."
    return f"{counted(len(said), 'edit')}: {', '.join(said)}."


def _in_words(edit: Edit) -> str:
    match edit.kind:
        case "replace":
            return f"“{shown(edit.recognised)}” should be “{shown(edit.accepted)}”"
        case "insert":
            return f"“{shown(edit.accepted)}” is missing"
    return f"“{shown(edit.recognised)}” is too much"
