"""Toast: a short message at the bottom of the window that disappears after some seconds."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.parts import label
from jurydesk.app.widgets.screen_reader import announce
from jurydesk.app.widgets.shown_files import open_written, show_folder
from jurydesk.core.language import translate, translate_text

SECONDS, ASIDE = 6, 12


class Toast(QFrame):
    """A message with a button; `acted` is emitted when the button is pressed."""

    acted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "toast")
        self.text = label(wrap=True)
        self.text.setObjectName("toast-text")
        self.button = QPushButton()
        self.button.clicked.connect(self._run_action)
        self.folder = QPushButton(translate("Show in folder"))
        self.folder.clicked.connect(self._show_folder)
        self._path: Path | None = None
        """The file that the buttons open."""
        self._window = parent
        self._row = QHBoxLayout(self)
        self._row.setSpacing(px(10))
        self._row.addWidget(self.text)
        self._row.addWidget(self.button)
        self._row.addWidget(self.folder)
        self._timer = QTimer(self, singleShot=True)
        self._timer.setInterval(SECONDS * 1000)  # no keyword: in Turkish, i has no capital I
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    def offer_file(self, path: Path) -> None:
        """Report a written file, with buttons to open it or its folder."""
        self.say(translate("Written: {name}", name=path.name), translate("Open"))
        self._path = path
        self.folder.show()
        self._place()

    def say(self, text: str, action: str = "") -> None:
        text = translate_text(text)
        self._path = None
        self.folder.hide()
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self._row.setContentsMargins(px(14), px(8), px(8 if action else 14), px(8))
        self._place()
        self.show()
        self.raise_()
        self._timer.start()
        announce(self, text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _run_action(self) -> None:
        self.hide()
        if self._path is None:
            self.acted.emit()
        else:
            open_written(self._path)

    def _show_folder(self) -> None:
        self.hide()
        if self._path is not None:
            show_folder(self._path.parent)

    def _place(self) -> None:
        """Centre the toast at the bottom, with its text wrapped to the window."""
        room = self._window.width() - 2 * px(ASIDE)
        margins = self._row.contentsMargins()
        room -= margins.left() + margins.right()
        for button in (self.button, self.folder):
            if button.isVisibleTo(self):
                room -= button.sizeHint().width() + self._row.spacing()
        wanted = self.text.fontMetrics().horizontalAdvance(self.text.text()) + px(4)
        self.text.setFixedWidth(max(px(40), min(wanted, room)))
        self.text.setFixedHeight(self.text.heightForWidth(self.text.width()))
        self.adjustSize()
        across = self._window.width() - self.width()
        self.move(across // 2, self._window.height() - self.height() - px(50))
