"""Start of the window: display, application, theme and first page, up to the first paint."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.app.startup.qt_overrides import report_exceptions_of_overrides
from jurydesk.core.language import (
    current_language,
    isolate_user_texts,
    prefer_language,
    translatable,
    translate,
)

if TYPE_CHECKING:
    import socket
    from argparse import Namespace

    from PySide6.QtWidgets import QApplication

    from jurydesk.app.window.main_window import Window

NO_DISPLAY = translatable(
    "There is no display to open a window on. Work on the command line (jurydesk --help), or set "
    "QT_QPA_PLATFORM=offscreen."
)
DISPLAY_SECONDS = 3
X_SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - where X servers listen


def start(arguments: Sequence[str]) -> int:
    """Show the window until it is closed; return 2 if a display or a Qt library is missing."""
    desk, page, smoke = None, "", False
    if arguments:
        wanted = parse_arguments(arguments)
        desk, page, smoke = wanted.desk, wanted.page, wanted.smoke
    if not has_display():
        return _refuse(translate(NO_DISPLAY))
    gc.disable()  # objects made before the first paint stay; later, `GarbageCollection` collects
    try:
        skip_feature_scan()
        report_exceptions_of_overrides()
        from jurydesk.app.window.main_window import Window
    except ImportError as error:
        return _refuse(_missing_library(error))
    return _show(Window, desk, page, smoke=smoke)


class EveryName(dict[str, int]):
    """Names of modules among which every name is found."""

    def __contains__(self, name: object) -> bool:
        return True


def skip_feature_scan() -> None:
    """Keep PySide from reading the sources of all modules, a twentieth of the time to the window.

    It reads those that are imported after it for the names of Qt's modules, so that
    `from __feature__ import ...` concerns no others; nothing here does that.
    """
    from PySide6 import QtCore  # noqa: F401 - installs the hook

    scan = sys.modules.get("shibokensupport.feature")
    known = getattr(scan, "pyside_feature_dict", None)
    if type(known) is dict:
        scan.pyside_feature_dict = EveryName(known)  # type: ignore[union-attr]


def parse_arguments(arguments: Sequence[str]) -> Namespace:
    """Return the desk, the page, and whether to walk through all pages."""
    from argparse import ArgumentParser  # a double click has no arguments

    parser = ArgumentParser(prog="jurydesk", add_help=False)
    parser.add_argument("desk", nargs="?", type=Path)
    parser.add_argument("--page", default="")
    parser.add_argument("--smoke", action="store_true")
    return parser.parse_args(arguments)


def has_display() -> bool:
    """Return whether Qt will find a display; without one it would abort the process."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    wayland = os.environ.get("WAYLAND_DISPLAY")
    if wayland and (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / wayland).exists():
        return True
    host, _, number = os.environ.get("DISPLAY", "").rpartition(":")
    number = number.partition(".")[0]
    if not number.isdigit():
        return False
    return _answers(host, int(number))


def _answers(host: str, number: int) -> bool:
    """Return whether an X server listens at a host and display number."""
    import socket

    if host and host != "unix":
        return _is_reachable(socket.AF_INET, (host, 6000 + number))
    if sys.platform == "win32":
        return False
    path = str(X_SOCKETS / f"X{number}")
    return _is_reachable(socket.AF_UNIX, path) or _is_reachable(socket.AF_UNIX, f"\0{path}")


def _is_reachable(family: socket.AddressFamily, address: tuple[str, int] | str) -> bool:
    import socket

    with socket.socket(family) as probe:
        probe.settimeout(DISPLAY_SECONDS)
        try:
            probe.connect(address)
        except OSError:
            return False
    return True


def _show(window_type: type[Window], desk: Path | None, page: str, *, smoke: bool) -> int:
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.jobs.crash_report import Crashes, start_log
    from jurydesk.app.startup.first_paint import StartupSequence
    from jurydesk.app.startup.interrupts import Interrupts
    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import Mode, make_application, theme

    start_log()
    app = QApplication.instance() or make_application()
    if not isinstance(app, QApplication):
        return _refuse(translate("Another kind of Qt application runs in this process."))
    app.setApplicationName("Jurydesk")
    app.setDesktopFileName("jurydesk")
    settings = Settings()
    prefer_language(settings.text("language"))
    isolate_user_texts()
    translate_qt(app)
    mode = settings.text("theme", "system")
    chosen: Mode = "dark" if mode == "dark" else "light" if mode == "light" else "system"
    theme().install(app, chosen, settings.number("zoom", 1.0))
    crashes = Crashes(app)
    crashes.install()
    window = window_type(settings, crashes)
    if sys.platform == "darwin":  # only macOS needs it, and filtering all events is slow
        from jurydesk.app.startup.first_paint import FileOpenFilter

        app.installEventFilter(FileOpenFilter(window))
    first = StartupSequence(window, desk, page, smoke=smoke)
    with closing(Interrupts()) as interrupts:
        window.painted.connect(interrupts.listen)
        window.painted.connect(first.go_on)
        window.fit_screen(window.size())
        window.show()
        code = interrupts.code(app.exec())
    if not window.jobs.shut_down():
        # A thread inside a native call cannot be stopped, and Qt aborts when it is destroyed.
        os._exit(code)
    return code


def translate_qt(app: QApplication) -> None:
    """Translate the texts of Qt itself, such as the menu of a text field."""
    from PySide6.QtCore import QLibraryInfo, QTranslator

    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{current_language()}", folder):
        app.installTranslator(translator)


def _missing_library(error: ImportError) -> str:
    return translate(
        "The window cannot be opened: {reason}. On Debian and Ubuntu, install the libraries with "
        "apt-get install libgl1 libegl1 libxkbcommon0 libfontconfig1 libglib2.0-0 libdbus-1-3.",
        reason=error,
    )


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 2
