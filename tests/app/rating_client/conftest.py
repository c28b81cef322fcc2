"""Packets with real photos in the real page; a test leaves no files or processes behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from shiboken6 import Shiboken

from jurydesk.core.human_evaluation.answers.rating_session import EventStore, RatingSession
from jurydesk.core.human_evaluation.packets.packet import PacketContent
from support.rating import studies


def web_engine_runs() -> str:
    """Return why the web engine cannot run here; empty if it can."""
    code = "import PySide6.QtWebEngineWidgets"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


MISSING = web_engine_runs()


OF_THE_MACHINE = (
    "QRhiGles2: ",
    "Failed to create RHI for backend",
    "Vulkan",
    "GPUInfo not initialized",
    "Fallback to software rendering",
)
"""What Qt says where there is no graphics card; it is no fault of the page."""


def pytest_collection_modifyitems(items) -> None:
    """Refuse the page's tests without the web engine, or after other windows.

    Its messages about graphics are ignored.
    """
    here = Path(__file__).parent
    own = [item for item in items if here in item.path.parents]
    windows = [item for item in items if here.parent in item.path.parents]
    if 0 < len(own) < len(windows):
        raise pytest.UsageError("The web engine crashes after other windows: --web-engine=only")
    if own and MISSING:
        raise pytest.UsageError(f"The web engine of the rating page does not start: {MISSING}")
    for item in own:
        item.add_marker(pytest.mark.qt_log_ignore(*OF_THE_MACHINE, extend=True))


@pytest.fixture(scope="session")
def images(tmp_path_factory) -> Path:
    """Return photos for all sequences of the study but the last."""
    return studies.photos_in(tmp_path_factory.mktemp("photos"))


@pytest.fixture(scope="session")
def content(images) -> PacketContent:
    """Return a packet of nine stories, some of them without photos."""
    study = studies.study(raters=4, ratings=2, images=str(images))
    return studies.contents(study, images)[0]


class Rater:
    """Simulated rater: presses keys, reads the page and the database."""

    def __init__(
        self, qtbot, content: PacketContent, path: Path, packet: Path | None = None
    ) -> None:
        from jurydesk.app.rating_client.rating_window import RatingWindow

        self.qtbot = qtbot
        self.path = path
        self.session = RatingSession(content, EventStore(path, content.sha256), packet)
        self.window = RatingWindow(self.session, packet or path)
        self.view = self.window.view
        qtbot.addWidget(self.window, before_close_func=dispose)
        self.window.show()
        qtbot.waitUntil(lambda: self.ready >= 0)

    def run(self, code: str):
        """Return the value of a JavaScript expression, through JSON."""
        found: list[str] = []
        self.view.page().runJavaScript(f"JSON.stringify({code}) || 'null'", found.append)
        self.qtbot.waitUntil(lambda: bool(found))
        return json.loads(found[0]) if found[0] else None

    @property
    def ready(self) -> int:
        """Return the number of the last event that the page shows; -1 before it shows any."""
        shown = self.run("document.documentElement?.dataset.ready")
        return -1 if shown is None else int(shown)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.view.focusProxy() or self.view, key, modifier)

    def keys(self, *keys, saved: bool = True) -> None:
        """Press keys, and wait until the page has handled and, if needed, saved each."""
        for key in keys:
            before = self.session.state.number
            self.press(key)
            if saved:
                self.qtbot.waitUntil(lambda b=before: self.ready > b)

    def begin(self) -> None:
        """Close the instructions that the page shows first."""
        if self.run("document.getElementById('sheet').open"):
            self.press(Qt.Key.Key_Escape)
            self.until("!document.getElementById('sheet').open")

    def until(self, condition: str) -> None:
        self.qtbot.waitUntil(lambda: self.run(condition) is True)

    def text(self, id: str) -> str:
        return self.run(f"document.getElementById({json.dumps(id)}).textContent")

    def close(self) -> None:
        if self.window is not None and Shiboken.isValid(self.window):
            self.window.close()

    def forget(self) -> None:
        """Drop all references to the shown page."""
        self.window = self.view = self.session = None


def dispose(window) -> None:
    window.close()


@pytest.fixture
def rater(qtbot, content, tmp_path) -> Iterator[Rater]:
    found = Rater(qtbot, content, tmp_path / "answers.db", tmp_path / "r01.jurypacket")
    found.begin()
    yield found
    found.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def open_rater(qtbot, tmp_path) -> Iterator[Callable[..., Rater]]:
    """Return a function that opens one packet after another, and close them."""
    opened: list[Rater] = []

    def make(content: PacketContent, name: str = "answers.db", packet: Path | None = None) -> Rater:
        opened.append(Rater(qtbot, content, tmp_path / name, packet))
        return opened[-1]

    yield make
    for each in opened:
        each.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
