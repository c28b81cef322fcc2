"""The sheets of the Help menu: guide, keyboard shortcuts, versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QTextBrowser, QWidget

from jurydesk.app.commands.actions import keys_text
from jurydesk.app.commands.command import Command
from jurydesk.app.sheets.sheet import Popup
from jurydesk.app.startup.crash_report import versions
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import beside, button, label
from jurydesk.core.system.paths import resources


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


class About(Popup):
    """Name, purpose and versions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("About Jurydesk", parent, width=420)
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label("Jurydesk", "title"))
        summary = "The offline evaluation desk for vision-language and retrieval competitions."
        self.body.addWidget(label(summary, "finding", wrap=True))
        text = label(versions())
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.body.addWidget(text)
        self.copy_button = button("Copy", self._copy)
        close = button("Close", self.close, "primary")
        self.body.addLayout(beside(None, self.copy_button, close))

    def first(self) -> QWidget:
        return self.copy_button

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(versions())
        self.copy_button.setText("Copied")


COLUMNS = (
    ("File", "Help", "Board", "Rate"),
    ("Edit", "Run", "Items", "Compare", "References", "Why"),
    ("View", "Everywhere"),
)
"""Menus, and below them the pages whose keys hold only there."""
EVERYWHERE = (
    ("Next part of the page", "Tab"),
    ("Open what is chosen", "Enter"),
    ("Close this sheet", "Esc"),
)


class Shortcuts(Popup):
    """All keys by menu and by page (`pages`: titles by id), in three columns."""

    def __init__(
        self, commands: Iterable[Command], pages: Mapping[str, str], parent: QWidget
    ) -> None:
        super().__init__("Keyboard shortcuts", parent, width=860)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body.setContentsMargins(px(24), px(18), px(24), px(22))
        self.body.addWidget(label("Keyboard shortcuts", "title"))
        columns = QHBoxLayout()
        columns.setSpacing(px(36))
        parts: dict[str, list[tuple[str, str]]] = {"Everywhere": list(EVERYWHERE)}
        for command in commands:
            if command.keys:
                row = command.title, keys_text(command.keys)
                owner = pages.get(command.id.partition(".")[0], command.menu)
                parts.setdefault(owner, []).append(row)
        for menus in COLUMNS:
            column = QGridLayout()
            column.setVerticalSpacing(px(5))
            column.setHorizontalSpacing(px(16))
            column.setColumnStretch(0, 1)
            for menu in menus:
                if menu in parts:
                    _part(column, menu, parts[menu])
            column.setRowStretch(column.rowCount(), 1)
            columns.addLayout(column, 1)
        self.body.addLayout(columns)


def _part(grid: QGridLayout, title: str, rows: list[tuple[str, str]]) -> None:
    grid.addWidget(label(title, "heading"), grid.rowCount(), 0)
    grid.setRowMinimumHeight(grid.rowCount() - 1, px(30))
    for text, keys in rows:
        row = grid.rowCount()
        grid.addWidget(label(text, "muted"), row, 0)
        grid.addWidget(label(keys, "small"), row, 1, Qt.AlignmentFlag.AlignRight)
