"""The guide: how the program is used, on one sheet."""

from __future__ import annotations

from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from app.theme import px
from app.widgets.parts import beside, button, label
from app.widgets.popup import Popup
from core.paths import resources


class Guide(Popup):
    """Shows `resources/guide.md`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Guide", parent, width=720, top=48)
        self.text = QTextBrowser()
        self.text.setAccessibleName("Guide")
        self.text.setOpenExternalLinks(False)
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setStyleSheet("border: none; padding: 0")
        self.text.setMarkdown((resources() / "guide.md").read_text(encoding="utf-8"))
        _space_out(self.text.document())
        self.body.setContentsMargins(px(24), px(18), px(20), px(18))
        self.body.addWidget(label("Guide", "title"))
        self.body.addWidget(self.text)
        self.body.addLayout(beside(None, button("Close", self.close, "primary")))

    def fit(self, width: int) -> None:
        """Leave room for title and button, and a few lines in the smallest window."""
        room = self.parentWidget().height() - px(180)
        self.text.setFixedHeight(max(px(120), min(px(480), room)))

    def first(self) -> QWidget:
        return self.text


def _space_out(document: QTextDocument) -> None:
    """Give paragraphs air, which Markdown leaves out."""
    spaced = QTextBlockFormat()
    spaced.setBottomMargin(px(10))
    spaced.setLineHeight(135, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(spaced)
