"""Start of the rating program, which opens a packet in a process of its own.

Only this module loads the web engine, before the application is created, as Qt requires.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.app.startup.qt_overrides import report_exceptions_of_overrides
from jurydesk.app.startup.start import NO_DISPLAY, has_display, translate_qt
from jurydesk.core.language import (
    isolate_user_texts,
    set_language,
    translatable,
    translate,
    translate_text,
)
from jurydesk.core.system.this_program import SHOWN_VARIABLE

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.answers.rating_session import RatingSession
    from jurydesk.core.human_evaluation.packets.packet import PacketContent

AS_ROOT = translatable(
    "The web engine of the rating page runs in a sandbox, which it cannot set up for the system's "
    "administrator. Open the packet as an ordinary user."
)
NO_ENGINE = translatable(
    "The rating page cannot be opened: {reason}. On Debian and Ubuntu, install the libraries with "
    "apt-get install libnss3 libgssapi-krb5-2 libxcomposite1 libxfixes3 libxdamage1 libxrandr2 "
    "libxtst6 libasound2 libxkbfile1. Or ask the organiser for the page that any browser opens."
)
ENGINE_LOG = "web-engine.log"
STANDARD_ERROR = 2


def start_rating(packet: Path, *, smoke: bool = False) -> int:
    """Show a packet until its window is closed; return 1 if it is invalid, 2 without a display.

    With `smoke` the page is tested, and the window closed.
    """
    if not has_display():
        return _refuse(translate(NO_DISPLAY), 2)
    if lacks_sandbox():
        return _refuse(translate(AS_ROOT), 2)
    from jurydesk.core.desk.tables.rating_tables import AnswersError
    from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
    from jurydesk.core.language.text_direction import escape_control_characters
    from jurydesk.core.model.defects import format_defects

    reading = read_packet(packet)
    for text in map(translate_text, format_defects(reading.defects)):
        sys.stderr.write(f"{escape_control_characters(text)}\n")
    if reading.data is None:
        return _show_failure(translate_text(reading.defects[0].found))
    if reading.data.language != "en":
        set_language(reading.data.language)
    isolate_user_texts()
    try:
        session = open_session(reading.data, packet)
    except AnswersError as error:
        sentence = translate_text(str(error))
        sys.stderr.write(f"{escape_control_characters(sentence)}\n")
        return _show_failure(sentence)
    try:
        return _show(session, packet, smoke=smoke)
    except ImportError as error:
        return _refuse(translate(NO_ENGINE, reason=error), 2)


def lacks_sandbox() -> bool:
    """Return whether the web engine will not start, since root has no sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and not os.environ.get("QTWEBENGINE_DISABLE_SANDBOX")


def open_session(content: PacketContent, packet: Path) -> RatingSession:
    """Return the session of a packet with its earlier answers.

    Raises:
        AnswersError: The stored answers cannot be read, or no answer can be kept.
    """
    from jurydesk.core.human_evaluation.answers.rating_session import (
        EventStore,
        RatingSession,
        store_path,
    )

    store = EventStore(store_path(content.sha256), content.sha256)
    return RatingSession(content, store, packet)


def _show(session: RatingSession, packet: Path, *, smoke: bool) -> int:
    from jurydesk.app.rating_client.url_scheme import register_scheme

    register_scheme()
    report_exceptions_of_overrides()
    from PySide6.QtCore import QCoreApplication, Qt

    from jurydesk.app.jobs.crash_report import Crashes, log_folder, start_log
    from jurydesk.app.rating_client.rating_window import RatingWindow
    from jurydesk.app.startup.interrupts import Interrupts
    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import make_application, theme

    # Uninstalling would leave this cache behind.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DisableShaderDiskCache)
    start_log()
    app = make_application()
    app.setApplicationName("Jurydesk")
    app.setDesktopFileName("jurydesk")
    translate_qt(app)
    mode = Settings().text("theme", "system")
    theme().install(app, "dark" if mode == "dark" else "light" if mode == "light" else "system")
    redirect_engine_log(log_folder() / ENGINE_LOG)
    crashes = Crashes(app)
    crashes.install()
    since = time.monotonic()
    window = RatingWindow(session, packet)
    window.view.loadFinished.connect(report_shown)
    window.show()
    if smoke:
        from jurydesk.app.rating_client.rating_smoke import RatingWalk
        from jurydesk.app.startup.smoke_walk import SmokeWalk

        walk = SmokeWalk(RatingWalk(window, session, since).steps(), window.close, window)
        crashes.caught.connect(walk.fail)
        walk.start()
    with closing(Interrupts()) as interrupts:
        interrupts.listen()
        return interrupts.code(app.exec())


def report_shown() -> None:
    """Make the file by which the program that started this one knows that its window is there."""
    path = os.environ.pop(SHOWN_VARIABLE, "")
    if path:
        with suppress(OSError):
            Path(path).touch()


def redirect_engine_log(log: Path) -> None:
    """Redirect the messages of the web engine's processes, which do not help raters, to a log.

    The processes inherit the descriptor of standard error; Python continues with a duplicate.
    """
    if sys.stderr is None or sys.stderr.fileno() != STANDARD_ERROR:
        return
    sys.stderr = os.fdopen(os.dup(STANDARD_ERROR), "w", buffering=1, encoding="utf-8")
    with log.open("wb") as file:
        os.dup2(file.fileno(), STANDARD_ERROR)


def _show_failure(sentence: str) -> int:
    """Show in a window why a packet cannot be opened, for a start by double click."""
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.widgets.message import message_box

    report_shown()
    if os.environ.get("QT_QPA_PLATFORM") != "offscreen":
        app = QApplication(["jurydesk"])
        app.setApplicationName("Jurydesk")
        message_box(sentence).exec()
    return 1


def _refuse(sentence: str, code: int) -> int:
    sys.stderr.write(f"{sentence}\n")
    return code
