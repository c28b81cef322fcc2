"""Opening a packet: straight into the page, in a program of its own.

The web engine is loaded here and nowhere else, before there is an application, as it asks for.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.start import NO_DISPLAY, has_display

if TYPE_CHECKING:
    from core.rating.packet import Content
    from core.rating.session import Session

AS_ROOT = (
    "The rating page is shown by a web engine that locks itself in, which it cannot do for the "
    "system's administrator. Open the packet as an ordinary user."
)
NO_ENGINE = (
    "The rating page cannot be opened: {}. On Debian and Ubuntu, install the libraries with "
    "apt-get install libnss3 libgssapi-krb5-2 libxcomposite1 libxdamage1 libxrandr2 libxtst6 "
    "libasound2 libxkbfile1. Or ask the organiser for the page that any browser opens."
)


def start(packet: Path) -> int:
    """Show a packet until its window is closed; 1 where it is refused, 2 without a display."""
    if not has_display():
        return _refuse(NO_DISPLAY, 2)
    if is_locked_out():
        return _refuse(AS_ROOT, 2)
    from core.rating.events import AnswersError
    from core.rating.packet_reader import read_packet

    reading = read_packet(packet)
    for defect in reading.defects:
        sys.stderr.write(f"{defect}\n")
    if reading.data is None:
        return _tell(str(reading.defects[0].found))
    try:
        session = open_session(reading.data, packet)
    except AnswersError as error:
        return _tell(str(error))
    try:
        return _show(session, packet)
    except ImportError as error:
        return _refuse(NO_ENGINE.format(error), 2)


def is_locked_out() -> bool:
    """Whether the web engine will refuse: as root it runs without its sandbox alone."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and not os.environ.get("QTWEBENGINE_DISABLE_SANDBOX")


def open_session(content: Content, packet: Path) -> Session:
    """The session of a packet, with the answers that were given before. Raises AnswersError."""
    from core.rating.events import EventStore
    from core.rating.session import Session, store_path

    store = EventStore(store_path(content.sha256), content.sha256)
    return Session(content, store, packet)


def _show(session: Session, packet: Path) -> int:
    from app.rating.scheme import register

    register()
    from PySide6.QtWidgets import QApplication

    from app.crash import Crashes, start_log
    from app.rating.window import RatingWindow
    from app.settings import Settings
    from app.theme import theme

    app = QApplication(["jurydesk"])
    app.setApplicationName("Jurydesk")
    app.setDesktopFileName("jurydesk")
    mode = Settings().text("theme", "system")
    theme().install(app, "dark" if mode == "dark" else "light" if mode == "light" else "system")
    start_log()
    Crashes(app).install()
    window = RatingWindow(session, packet)
    window.show()
    return app.exec()


def _tell(sentence: str) -> int:
    """Say in a window why a packet is not shown: it was opened with a double click."""
    from PySide6.QtWidgets import QApplication, QMessageBox

    if os.environ.get("QT_QPA_PLATFORM") != "offscreen":
        app = QApplication(["jurydesk"])
        app.setApplicationName("Jurydesk")
        QMessageBox.warning(None, "Jurydesk", sentence)
    return 1


def _refuse(sentence: str, code: int) -> int:
    sys.stderr.write(f"{sentence}\n")
    return code
