"""The sheet of keyboard shortcuts, made from the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from app.actions import keys_text
from app.command import Command
from app.theme import px
from app.widgets.parts import label
from app.widgets.popup import Popup

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
