"""A rater's window: the page, and a menu to save the answers and to change the look."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QAction, QCloseEvent, QIcon, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMenu, QMessageBox

from app.rating.view import RatingView
from app.theme import Mode, theme
from core.paths import resources
from core.rating.answers import SUFFIX
from core.rating.session import Session

SIZE = (1280, 828)


class RatingWindow(QMainWindow):
    """Shows a packet to its rater, from its first moment on."""

    def __init__(self, session: Session, packet: Path) -> None:
        super().__init__()
        self._session = session
        self._packet = packet
        self.setWindowTitle(f"Rating · packet {session.content.rater} – Jurydesk")
        self.setWindowIcon(QIcon(str(resources() / "icons" / "jurydesk.svg")))
        self.resize(*SIZE)
        self.view = RatingView(session, self)
        self.setCentralWidget(self.view)
        file = self._menu("&File")
        self._add(file, "Save answers …", "Ctrl+S", self._choose)
        self._add(file, "Close", "Ctrl+W", self.close)
        look = self._menu("&View")
        self._add(look, "Larger text", "Ctrl++", self.zoom_in)
        self._add(look, "Smaller text", "Ctrl+-", self.zoom_out)
        self._add(look, "Light theme", "", self.use_light)
        self._add(look, "Dark theme", "", self.use_dark)
        self._add(look, "Theme of the system", "", self.use_system)
        self.view.setFocus()

    def _menu(self, title: str) -> QMenu:
        return self.menuBar().addMenu(title)

    def _add(self, menu: QMenu, title: str, keys: str, slot: object) -> None:
        action = QAction(title, self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(slot)
        menu.addAction(action)

    def zoom_in(self) -> None:
        """Make everything on the page larger."""
        self.view.setZoomFactor(min(self.view.zoomFactor() + 0.25, 3.0))

    def zoom_out(self) -> None:
        """Make everything on the page smaller."""
        self.view.setZoomFactor(max(self.view.zoomFactor() - 0.25, 0.5))

    def use_light(self) -> None:
        """Show the light theme."""
        self._use("light")

    def use_dark(self) -> None:
        """Show the dark theme."""
        self._use("dark")

    def use_system(self) -> None:
        """Follow the system's theme."""
        self._use("system")

    def _use(self, mode: Mode) -> None:
        theme().set_mode(mode)

    def _choose(self) -> None:
        start = str(self._packet.with_suffix(SUFFIX))
        name, _ = QFileDialog.getSaveFileName(self, "Save answers", start, f"Answers (*{SUFFIX})")
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write the answers to a file, or say why that is impossible."""
        try:
            self._session.save(path if path.suffix else path.with_suffix(SUFFIX))
        except OSError as error:
            box = QMessageBox(self)
            box.setText(f"The answers could not be written: {error.strerror or error}.")
            box.setInformativeText("They are kept in the program. Choose another place.")
            box.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.view.dispose()
        self._session.close()
        super().closeEvent(event)
