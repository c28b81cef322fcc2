"""About: the versions that a report needs, and a button that copies them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.crash import versions
from app.theme import px
from app.widgets.parts import beside, button, label
from app.widgets.popup import Popup


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
