"""Start-up work after the window's first paint: requested desk, pages, devices, unsaved desk."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent

from jurydesk.app.pages import PAGES
from jurydesk.app.window.main_window import Window
from jurydesk.core.system.this_program import program_command


class StartupSequence(QObject):
    """Opens the desk and the page that the command line names; with `smoke`, walks through all."""

    def __init__(self, window: Window, desk: Path | None, page: str, *, smoke: bool) -> None:
        super().__init__(window)
        self._window = window
        self._desk = desk
        self._page = page
        self._smoke = smoke

    def go_on(self) -> None:
        """Do everything that can wait for the first paint."""
        if self._desk is None:
            self._begin()
        else:
            self._window.files.open(self._desk).ended.connect(self._begin)

    def _begin(self) -> None:
        """Suggest the page, when the desk is open or was refused."""
        if self._page in {page.id for page in PAGES}:
            self._window.suggest_page(self._page)
        self._window.offer_recovered()
        self._window.built.connect(self._window.find_device)
        self._window.jobs.changed.connect(self._build_ahead)
        if self._smoke:
            self._walk()

    def _build_ahead(self) -> None:
        """Build the other pages as soon as their imports have ended."""
        if self._window.jobs.idle:
            self._window.jobs.changed.disconnect(self._build_ahead)
            self._window.build_ahead()

    def _walk(self) -> None:
        from jurydesk.app.startup.smoke_walk import SmokeWalk, WindowWalk

        walk = SmokeWalk(WindowWalk(self._window).steps(), self._window.close, self)
        self._window.crashes.caught.connect(walk.fail)
        walk.start()


PACKET = ".jurypacket"


class FileOpenFilter(QObject):
    """Opens files that the system passes to the running program, as macOS does on a double click.

    A file is treated as if it was dropped; a packet opens in a process of its own.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return False
        path = Path(event.file())
        if path.suffix == PACKET:
            import subprocess  # takes a while, and few need it

            subprocess.Popen([*program_command(), str(path)])  # noqa: S603 - this very program
        else:
            self._window.files.open_paths([path])
        return True
