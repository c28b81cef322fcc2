"""The sheet of keyboard shortcuts, made from the commands."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from app.actions import keys_text
from app.command import Command
from app.theme import px
from app.widgets.parts import label
from app.widgets.popup import Popup

COLUMNS = (("File", "Help"), ("Edit", "Run"), ("View",))
EVERYWHERE = (
    ("Next part of the page", "Tab"),
    ("Open what is chosen", "Enter"),
    ("Close this sheet", "Esc"),
)


class Shortcuts(Popup):
    """All keys by menu, in three columns."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__("Keyboard shortcuts", parent, width=860)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body.setContentsMargins(px(24), px(18), px(24), px(22))
        self.body.addWidget(label("Keyboard shortcuts", "title"))
        columns = QHBoxLayout()
        columns.setSpacing(px(36))
        known = [command for command in commands if command.keys]
        for menus in COLUMNS:
            column = QGridLayout()
            column.setVerticalSpacing(px(5))
            column.setHorizontalSpacing(px(16))
            column.setColumnStretch(0, 1)
            for menu in menus:
                rows = [(c.title, keys_text(c.keys)) for c in known if c.menu == menu]
                _part(column, menu, rows)
            if menus == COLUMNS[-1]:
                _part(column, "Everywhere", list(EVERYWHERE))
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
