"""Use the window with a real mouse: files dropped by another program, clicks, drags and the wheel.

    sudo apt-get install xvfb xdotool
    .venv/bin/python tests/bench/mouse.py

A display of its own is started. xdotool moves the pointer as a hand would, and the files are
dragged from the window of a second program, so that the drop comes through the window system. Each
step prints what the program did; the script fails if a step has no effect.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "resources" / "examples" / "keyword_spotting"
INSIDE = "JURYDESK_MOUSE"
PATIENCE = 120.0
SCREEN = "1600x900x24"

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    from jurydesk.app.pages.items.items_page import ItemsPage
    from jurydesk.app.pages.leaderboard.leaderboard_page import LeaderboardPage
    from jurydesk.app.plots.bars import BarsView

SOURCE = """
import sys
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication, QLabel
class Source(QLabel):
    def mouseMoveEvent(self, event):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in sys.argv[1:]])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)
app = QApplication([])
source = Source("files")
source.setWindowTitle("Files to drag")
source.setGeometry(1450, 700, 120, 120)
source.show()
app.exec()
"""


def main() -> int:
    """Start a display, and take the steps on it."""
    if os.environ.get(INSIDE):
        return use_window(Path(os.environ[INSIDE]))
    with tempfile.TemporaryDirectory() as home:
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
        with subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL) as server:
            os.close(write)
            with os.fdopen(read) as number:
                display = f":{number.readline().strip()}"
            environment = {
                **os.environ,
                INSIDE: home,
                "DISPLAY": display,
                "JURYDESK_HOME": str(Path(home, "jurydesk")),
                "QT_QPA_PLATFORM": "xcb",
                "PYTHONPATH": str(ROOT / "build" / "tree"),
            }
            try:
                again = [sys.executable, __file__]
                return subprocess.run(again, env=environment, check=False).returncode
            finally:
                server.terminate()


def use_window(home: Path) -> int:
    """Take the steps of an organiser; each is checked by what the window shows."""
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import theme
    from jurydesk.app.window.main_window import Window
    from jurydesk.core.export.tables.figure_tables import Profile

    app = QApplication([])
    theme().install(app, "light")
    window = Window(Settings())
    window.setGeometry(0, 0, 1400, 860)
    window.show()
    until("the window is shown", window.isVisible)
    window.find_device()
    files = sorted(Path(shutil.copytree(EXAMPLE, home / "files")).glob("*.xml"))
    with subprocess.Popen([sys.executable, "-c", SOURCE, *map(str, files)]) as source:
        try:
            wait_for_source()
            drag(QPoint(1500, 760), QPoint(600, 400))
            until("the dropped files are checked", lambda: window.evaluator.checked)
        finally:
            source.terminate()
    print(f"dropped {len(files)} files: {window.page.finding}")
    click(middle(window.top.score))
    until("the board is shown", lambda: window.page.id == "board" and window.jobs.idle)
    board = cast("LeaderboardPage", window.page)
    print(f"Score clicked: {board.finding}")
    view = board.view
    cell = view.visualRect(view.board_model.index(0, view.board_model.columnCount() - 1))
    click(view.viewport().mapToGlobal(cell.center()))
    until("the items are shown", lambda: window.page.id == "items")
    items = cast("ItemsPage", window.page)
    until("the plot is shown", lambda: items.view.frames.is_empty and window.jobs.idle)
    figures = items.view.figures
    figures.segments.choose([isinstance(one, Profile) for one in figures.figures].index(True))
    pump(1)
    plot, model = cast("BarsView", figures.view), items.view.table.table_model
    box, total = plot.getViewBox(), model.rowCount()

    def at(x: float, y: float) -> QPoint:
        return plot.mapToGlobal(plot.mapFromScene(box.mapViewToScene(QPointF(x, y))))

    drag(at(0.6, 0.2), at(5.4, 0.8))
    until("the table is filtered", lambda: model.rowCount() == 5)
    print(f"rectangle over five bars: {items.view.list.line.counted.text()}")
    click(middle(items.view.list.line.brush_chip))
    until("all items are back", lambda: model.rowCount() == total)
    wide = box.viewRect().width()
    move(at(total / 2, 0.5))
    xdotool("click", "--repeat", "5", "4")
    until("the wheel zooms", lambda: box.viewRect().width() < wide * 0.9)
    print(f"wheel: {wide:.0f} to {box.viewRect().width():.0f} bars")
    click(middle(figures.tools.reset))
    until("Reset shows everything", lambda: abs(box.viewRect().width() - wide) < 0.01 * wide)
    click(middle(window.sidebar, y=60))
    until("the sidebar leads to another page", lambda: window.page.id != "items")
    print(f"sidebar: {window.page.id}")
    window.close()
    return 0


def wait_for_source() -> None:
    """Wait until the other program's window has the pointer's place."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        pump(0.2)
        command = ["xdotool", "search", "--onlyvisible", "--name", "Files to drag"]
        if subprocess.run(command, capture_output=True, check=False).stdout.strip():
            pump(0.5)
            return
    raise SystemExit("the other program does not start")


def middle(widget: QWidget, y: int | None = None) -> QPoint:
    """Return the middle of a widget on the screen, or the middle at a height of it."""
    from PySide6.QtCore import QPoint

    return widget.mapToGlobal(QPoint(widget.width() // 2, widget.height() // 2 if y is None else y))


def xdotool(*arguments: str) -> None:
    """Run xdotool, while the window goes on."""
    process = subprocess.Popen(["xdotool", *arguments])
    while process.poll() is None:
        pump(0.02)
    pump(0.2)


def move(point: QPoint) -> None:
    xdotool("mousemove", str(point.x()), str(point.y()))


def click(point: QPoint) -> None:
    move(point)
    xdotool("click", "1")


def drag(start: QPoint, end: QPoint) -> None:
    """Drag with the left button in ten moves."""
    move(start)
    xdotool("mousedown", "1")
    for step in range(1, 11):
        move(start + (end - start) * (step / 10))
    xdotool("mouseup", "1")


def pump(seconds: float) -> None:
    """Process events for a while."""
    from PySide6.QtCore import QCoreApplication

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.005)


def until(what: str, holds: Callable[[], object]) -> None:
    """Process events until something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"not within {PATIENCE:g} s: {what}")
        pump(0.05)


if __name__ == "__main__":
    sys.exit(main())
