"""Card with the message to the team of the chosen submission."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit

from jurydesk.app.state.session import Session
from jurydesk.app.style.theme import theme
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.parts import Card, ElidedLabel, button
from jurydesk.core.language import translatable, translate
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.workflow.team_message import team_message

LEAST_LINES = 6


class TeamCard(Card):
    """Message about one submission, with a button that copies it; `copied` carries its team."""

    guide_part = translatable("Many submissions")

    copied = Signal(str)

    def __init__(self) -> None:
        title = translate("Message to the team")
        super().__init__(ElidedLabel(title, "heading", Qt.TextElideMode.ElideRight))
        self._team = ""
        self.text = QPlainTextEdit()
        self.text.setObjectName("message")
        self.text.setAccessibleName(translate("Message to the team"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        # A bar of its own would take width from lines that are counted without it.
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.document().setDocumentMargin(0)  # the text begins below the title's first letter
        self.copy = button(translate("Copy"), self._copy, "small", translate("Copy the message"))
        self.copy.setAccessibleName(translate("Copy the message to the team"))
        self.body.addWidget(self.text)
        self.body.addWidget(self.copy)
        self.hide()
        theme().changed.connect(self._fit)

    def show_submission(self, file: InputFile | None, session: Session) -> None:
        """Show the message about a submission; hide the card without one."""
        checked = session.check_record
        is_submission = file is not None and bool(file.team)
        self.setVisible(is_submission and bool(checked.time or checked.files))
        if file is None or not is_submission:
            return
        self._team = file.label
        self.title.setText(translate("Message to {label}", label=file.label))
        self.title.setToolTip(self.title.text())
        lines = team_message(file, checked).splitlines()
        text = "\n".join(display_text(line, len(line)) for line in lines)
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        self._fit()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copied.emit(self._team)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the text the height of its lines: the column around it scrolls."""
        lines = max(round(self.text.document().size().height()), LEAST_LINES)
        line = math.ceil(QFontMetricsF(self.text.font()).lineSpacing())
        self.text.setFixedHeight((lines + 1) * line)
