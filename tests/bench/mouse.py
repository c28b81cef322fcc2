"""Use the program as three people do: with a real mouse and real keys, in a real window.

    sudo apt-get install xvfb xdotool
    .venv/bin/python tests/bench/mouse.py [organiser|annotator|inspector ...] [--size 1024x700]
        [--pictures FOLDER]

Each person has a display of their own, on which the program starts as by a double click. A thread
is the person: xdotool moves the pointer and presses the keys, also in menus, dialogs for files and
the rating program; files are dragged from the window of a second program. What is pressed is looked
up by the text that the person reads. Every step waits for its outcome, of which a line is printed;
the script fails if a step has none. The wheel is turned over every control of the pages, which must
change nothing, and the clicks and keys of three questions are counted: who is late, are the numbers
right, why is one system better than another. Teams have long names that differ at the end. `--size`
is that of the window, `--pictures` writes pictures of the screen.
"""

from __future__ import annotations

import csv
import faulthandler
import hashlib
import json
import os
import queue
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import xml.etree.ElementTree as Xml
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint, QRect
    from PySide6.QtWidgets import QAbstractItemView, QWidget

    from jurydesk.app.pages.compare.compare_page import ComparePage
    from jurydesk.app.pages.items.items_page import ItemsPage
    from jurydesk.app.pages.leaderboard.leaderboard_page import BoardPage
    from jurydesk.app.plots.bars import BarsView
    from jurydesk.app.widgets.segments import Segments
    from jurydesk.app.window.main_window import Window

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "resources" / "examples"
INSIDE, PICTURES, SIZE = "JURYDESK_MOUSE", "JURYDESK_MOUSE_PICTURES", "JURYDESK_MOUSE_SIZE"
PATIENCE = 120.0
SCREEN = "1600x900x24"
TEAMS = 12
LEAST_CONTROLS, OF_A_PLAN = 12, 4
"""Controls that the wheel reaches at least on all pages, and on those of a plan without scores."""
LATE = 3
"""Number of the team that hands in after the deadline."""
DEADLINE = "2026-05-01 12:00 UTC"
STORIES, STATEMENTS = 10, 6

Result = TypeVar("Result")

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
    """Let each person use the program on a display of their own."""
    if os.environ.get(INSIDE):
        return use_program(sys.argv[1], Path(os.environ[INSIDE]))
    parser = ArgumentParser()
    parser.add_argument("people", nargs="*", metavar="person", help=", ".join(PEOPLE))
    parser.add_argument("--size", default="", help="width and height of the window: 1024x700")
    parser.add_argument("--pictures", type=Path)
    wanted = parser.parse_args()
    for person in wanted.people or PEOPLE:
        print(f"{person}:")
        with tempfile.TemporaryDirectory() as home, display() as name:
            environment = {
                **os.environ,
                INSIDE: home,
                SIZE: wanted.size,
                "DISPLAY": name,
                "JURYDESK_HOME": str(Path(home, "jurydesk")),
                "QT_QPA_PLATFORM": "xcb",
                "JURYDESK_LANG": "en",
                "PYTHONPATH": str(ROOT / "build" / "tree"),
            }
            if os.geteuid() == 0:  # the sandbox of the rating page is not for root
                environment["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
            if wanted.pictures is not None:
                wanted.pictures.mkdir(parents=True, exist_ok=True)
                environment[PICTURES] = str(wanted.pictures.resolve())
            command = [sys.executable, __file__, person]
            if subprocess.run(command, env=environment, check=False).returncode:
                return 1
    return 0


@contextmanager
def display() -> Iterator[str]:
    """Start a display, and stop it at the end."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL) as server:
        os.close(write)
        with os.fdopen(read) as number:
            name = f":{number.readline().strip()}"
        try:
            yield name
        finally:
            server.terminate()


def use_program(person: str, home: Path) -> int:
    """Start the program, which a thread uses, and return its exit code."""
    from PySide6.QtCore import QObject, Qt, Signal

    class Listener(QObject):
        """Calls functions on the program's thread."""

        asked = Signal()

        def answer(self) -> None:
            function, answers = QUESTIONS.get()
            try:
                answers.put((function(), None))
            except BaseException as fault:  # noqa: BLE001 - raised where it was asked
                answers.put((None, fault))

    def live() -> None:
        try:
            PEOPLE[person](home)
        except BaseException:  # noqa: BLE001 - the program must not wait for anyone
            traceback.print_exc()
            faulthandler.dump_traceback(all_threads=True)
            try:
                picture(f"{person}-fails")
            finally:  # a program that no longer answers cannot be pictured
                os._exit(1)

    from jurydesk.app.jobs.responsiveness.preload import create_qt_types

    create_qt_types()  # two threads that create types at once crash, and the person is a thread
    arguments = PREPARATIONS[person](home) if person in PREPARATIONS else []
    listener = Listener()
    listener.asked.connect(listener.answer, Qt.ConnectionType.QueuedConnection)
    ASK.append(listener.asked.emit)
    threading.Thread(target=live, daemon=True).start()
    from jurydesk.app.__main__ import main as program

    code = program(arguments)
    say(f"the program has ended, exit code {code}")
    return code


ASK: list[Callable[[], None]] = []
QUESTIONS: queue.Queue[tuple[Callable[[], Any], queue.Queue[Any]]] = queue.Queue()


def ask(function: Callable[[], Result]) -> Result:
    """Return what a function returns on the program's thread."""
    answers: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue()
    QUESTIONS.put((function, answers))
    ASK[0]()
    found, fault = answers.get(timeout=PATIENCE)
    if fault is not None:
        raise fault
    return cast(Result, found)


def until(what: str, holds: Callable[[], object]) -> None:
    """Wait until something holds, which is asked on the program's thread."""
    end = time.monotonic() + PATIENCE
    while not ask(holds):
        if time.monotonic() > end:
            raise SystemExit(f"not within {PATIENCE:g} s: {what}")
        time.sleep(0.05)


def wait_for(find: Callable[[], Result | None]) -> Result:
    """Wait until something is found outside the program, and return it."""
    end = time.monotonic() + PATIENCE
    while not (found := find()):
        if time.monotonic() > end:
            raise SystemExit(f"not found within {PATIENCE:g} s: {find}")
        time.sleep(0.1)
    return found


def say(outcome: str) -> None:
    print(f"  {outcome}", flush=True)


def picture(name: str) -> None:
    """Write a picture of the screen, if the folder of pictures is given."""
    from PySide6.QtGui import QGuiApplication

    folder = os.environ.get(PICTURES)
    if folder:
        time.sleep(0.5)
        path = str(Path(folder, f"{name}.png"))
        ask(lambda: QGuiApplication.primaryScreen().grabWindow(0).save(path))


# Pointer and keys


def xdotool(*arguments: str) -> str:
    """Run xdotool, wait a moment for the program, and return what it prints."""
    done = subprocess.run(["xdotool", *arguments], capture_output=True, text=True, check=False)
    time.sleep(0.15)
    return done.stdout.strip()


def move(point: QPoint) -> None:
    xdotool("mousemove", str(point.x()), str(point.y()))


ACTIONS: list[str] = []
"""What the person has done: one entry for each click, double click, drag and key."""


@contextmanager
def at_most(allowed: int, task: str) -> Iterator[None]:
    """Fail if a task takes more clicks and keys than allowed; say how many it took."""
    before = len(ACTIONS)
    yield
    done = ACTIONS[before:]
    say(f"{task}: {len(done)} of {allowed} actions ({', '.join(done)})")
    assert len(done) <= allowed, done


def click(what: str | QPoint, *, double: bool = False) -> None:
    """Click at a point, or at the button, menu or field with this text."""
    ACTIONS.append(f"click on {what if isinstance(what, str) else 'a row'}")
    move(find(what) if isinstance(what, str) else what)
    xdotool("click", *(("--repeat", "2", "--delay", "60") if double else ()), "1")


def drag(start: QPoint, end: QPoint) -> None:
    """Drag with the left button in ten moves."""
    ACTIONS.append("drag")
    move(start)
    xdotool("mousedown", "1")
    for step in range(1, 11):
        move(start + (end - start) * (step / 10))
    xdotool("mouseup", "1")


def press(*keys: str, window: str = "") -> None:
    """Press keys in the active window, or in the window of another program."""
    focus(window or str(ask(lambda: int(active_window().winId()))))
    for key in keys:
        ACTIONS.append(key)
        xdotool("key", key)


def turn_wheel_everywhere(least: int = LEAST_CONTROLS) -> None:
    """Turn the wheel both ways over every control without focus on all pages: none changes."""
    from jurydesk.app.pages import PAGES

    total, names = 0, [entry.id for entry in PAGES]
    for number, name in enumerate(names, 1):
        if not ask(lambda name=name: program_window().actions_[f"view.{name}"].isEnabled()):
            continue
        press(f"ctrl+{number}")
        page(name)
        if name == "check":
            click("Options")
        for place in ask(wheel_targets):
            before = ask(choices)
            move(place)
            for turn in ("5", "4"):
                xdotool("click", "--repeat", "2", "--delay", "20", turn)
                assert ask(choices) == before, (name, before, ask(choices))
            total += 1
        if name == "check":
            click("Options")
    assert total >= least, total
    say(f"wheel turned over {total} controls: nothing has changed")


def wheel_targets() -> list[QPoint]:
    """Return the middles of the visible controls without focus that a wheel could change."""
    found = []
    for one in wheeled_controls():
        seen = one.visibleRegion().boundingRect()
        if one.isEnabled() and not one.hasFocus() and not seen.isEmpty():
            found.append(centre(one, seen))
    return found


def wheeled_controls() -> list[Any]:
    """Return the boxes, spin boxes and sliders of the window."""
    from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QSlider, QTabBar

    kinds = (QComboBox, QAbstractSpinBox, QSlider, QTabBar)
    return [one for kind in kinds for one in program_window().findChildren(kind)]


def choices() -> tuple[object, ...]:
    """Return what is chosen: page, options, the next undo, and the values of visible controls."""
    window = program_window()
    shown = [one for one in wheeled_controls() if one.isVisible()]
    values = [one.currentIndex() if hasattr(one, "currentIndex") else one.value() for one in shown]
    undo = window.evaluator.undo
    return window.page.id, str(window.session.options), undo.undoText(), undo.count(), *values


def answer_dialog(path: Path) -> None:
    """Answer a dialog for files with the keys."""
    from PySide6.QtWidgets import QApplication, QFileDialog

    def is_open() -> bool:
        return isinstance(QApplication.activeModalWidget(), QFileDialog)

    until(f"the dialog for {path.name} is open", is_open)
    focus(str(ask(lambda: int(active_window().winId()))))
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "5", str(path))
    xdotool("key", "Return")
    until(f"the dialog for {path.name} is closed", lambda: not is_open())


def focus(window: str) -> None:
    """Give a window the keyboard, as a window manager would, of which the display has none.

    The server refuses it as long as it has not mapped the window, which Qt takes for visible.
    """

    def has_it() -> bool:
        xdotool("windowfocus", window)
        return xdotool("getwindowfocus", "-f") == window

    wait_for(has_it)


def other_window(name: str) -> str:
    """Wait for the window of another program, and return its id."""
    end = time.monotonic() + PATIENCE
    while not (found := xdotool("search", "--onlyvisible", "--name", name)):
        if time.monotonic() > end:
            raise SystemExit(f"no window {name} within {PATIENCE:g} s")
    time.sleep(0.5)
    return found.split()[0]


# What the person sees


def active_window() -> QWidget:
    """Return the popup, dialog or window that receives keys."""
    from PySide6.QtWidgets import QApplication

    popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
    return popup or dialog or program_window()


def program_window() -> Window:
    """Return the main window."""
    return windows()[0]


def started() -> Window:
    """Wait until the program has opened its window, and return it."""
    from PySide6.QtWidgets import QApplication

    wait_for(QApplication.instance)
    until("the window is open", lambda: bool(windows()) and program_window().isVisible())
    until("the program has started", lambda: program_window().jobs.idle)
    if size := os.environ[SIZE]:
        ask(lambda: program_window().resize(*map(int, size.split("x"))))
    say("the program has started")
    return ask(program_window)


def windows() -> list[Window]:
    """Return the main window; none before it was made."""
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.window.main_window import Window

    return [one for one in QApplication.topLevelWidgets() if isinstance(one, Window)]


def page(name: str) -> Any:
    """Wait until a page is in front and nothing is computed, and return the page."""

    def is_shown() -> bool:
        window = program_window()
        return window.page.id == name and window.jobs.idle

    until(f"the page {name} is shown", is_shown)
    return ask(lambda: program_window().page)


def find(text: str) -> QPoint:
    """Return the middle of the enabled button, menu, entry or field with this text, if visible."""
    found: list[QPoint] = []

    def look() -> bool:
        from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

        above = active_window()
        for widget in [above, *above.findChildren(QWidget)]:
            if not widget.isVisible() or not widget.isEnabled():
                continue
            if isinstance(widget, QMenu | QMenuBar):
                for action in widget.actions():
                    if plain(action.text()) == text and action.isEnabled():
                        found.append(centre(widget, widget.actionGeometry(action)))
            elif text in words(widget):
                middle = centre(widget, widget.visibleRegion().boundingRect())
                under = widget.window().childAt(widget.window().mapFromGlobal(middle))
                if under is widget or (under is not None and widget.isAncestorOf(under)):
                    found.append(middle)
        return bool(found)

    until(f"“{text}” can be seen", look)
    return found[0]


def words(widget: QWidget) -> tuple[str, ...]:
    """Return what is written on a button, and the name of any widget."""
    from PySide6.QtWidgets import QAbstractButton

    name = plain(widget.accessibleName())
    return (name, plain(widget.text())) if isinstance(widget, QAbstractButton) else (name,)


def plain(text: str) -> str:
    """Return a text without mnemonics, keys and dots."""
    return re.sub(r"\t.*|  .*| …$", "", text.replace("&", "")).strip()


def centre(widget: QWidget, rect: QRect | None = None) -> QPoint:
    """Return the middle of a widget, or of a part of it, on the screen."""
    return widget.mapToGlobal((widget.rect() if rect is None else rect).center())


def cell(view: QAbstractItemView, row: int, column: int = 0) -> QPoint:
    """Return the middle of a visible cell on the screen."""

    def place() -> QPoint:
        rect = view.visualRect(view.model().index(row, column)) & view.viewport().rect()
        if rect.isEmpty():
            raise SystemExit(f"cell {row}, {column} of {view.accessibleName()} cannot be seen")
        return centre(view.viewport(), rect)

    return ask(place)


# People


def organise(home: Path) -> None:
    """Get from the files of twelve teams to a board, to an item behind a number, and to exports."""
    from PySide6.QtCore import QPoint

    *files, last = team_files(home / "files")
    window = started()
    session = window.session
    with subprocess.Popen([sys.executable, "-c", SOURCE, *map(str, files)]) as source:
        other_window("Files to drag")
        drag(QPoint(1500, 760), ask(lambda: centre(window)))
        until("the dropped files are checked", lambda: window.evaluator.checked)
        source.terminate()
    check = page("check")
    say(f"dropped {len(files)} files: {ask(lambda: check.finding)}")
    press("ctrl+o")
    answer_dialog(last)
    until("the last file is there", lambda: len(session.files) == TEAMS + 1)
    check = page("check")
    say(f"opened one more: {ask(lambda: check.finding)}")
    defects = check.defects.list
    row = ask(lambda: next(n for n, one in enumerate(defects.rows) if is_error(one)))
    click(cell(defects, row))
    until("the line of the error is shown", lambda: check.excerpt.isVisible())
    picture("organiser-check")

    click("Score")
    board = cast("BoardPage", page("board"))
    view = board.view
    assert ask(view.board_model.rowCount) == TEAMS - 1
    say(f"scored: {ask(lambda: board.finding)}")
    picture("organiser-board")
    turn_wheel_everywhere()
    click(sidebar("Board"))
    page("board")
    compare_pair(board)
    click(sidebar("Board"))
    page("board")
    click(cell(view, 1, 2))
    items = cast("ItemsPage", page("items"))
    say(f"number clicked: the items of {ask(lambda: session.selection.system)}")
    use_plot(items)
    open_item(items, 2)
    picture("organiser-item")
    press("Escape")
    until("the item is closed", lambda: not items.view.item.opened)

    click(sidebar("Board"))
    page("board")
    table = export(home / "board.csv")
    with table.open(encoding="utf-8", newline="") as file:
        systems = {row["system"] for row in csv.DictReader(file)}
    assert systems == set(ask(lambda: session.scored_systems)), systems
    say(f"exported {len(systems)} systems")
    press("ctrl+s")
    answer_dialog(home / "spring.jurydesk")
    until("the desk is saved", lambda: not window.desks.is_unsaved)
    press("ctrl+q")


def compare_pair(board: BoardPage) -> None:
    """Go from the board to an item that shows why the leader is ahead."""
    first, second = ask(
        lambda: [board.view.board_model.board.rows[row].summary.system for row in (0, 1)]
    )
    with at_most(2, f"why {first} beats {second}"):
        press("ctrl+5")
        compare = cast("ComparePage", page("compare"))
        until("the pair is compared", lambda: compare.comparison is not None)
        assert set(ask(lambda: compare.systems)) == {first, second}
        press("n")
        until("an item is shown", lambda: compare.view.frames.is_empty)
        shown = ask(lambda: compare.session.selection.item)
        assert shown, "no item"
    say(f"item {shown}: {ask(lambda: compare.finding)}")
    picture("organiser-compare")


def use_plot(items: ItemsPage) -> None:
    """Filter the table by a rectangle over five bars, remove the filter, zoom, and reset."""
    from PySide6.QtCore import QPointF

    from jurydesk.core.export.tables.figure_tables import Profile

    figures, model = items.view.figures, items.view.table.table_model
    until("the plot is shown", lambda: items.view.frames.is_empty)
    shown = ask(lambda: [isinstance(one, Profile) for one in figures.figures].index(True))
    choose(figures.segments, shown)
    plot = cast("BarsView", ask(lambda: figures.view))
    box, total = plot.getViewBox(), ask(model.rowCount)

    def at(x: float, y: float) -> QPoint:
        def place() -> QPoint:
            scene = plot.mapFromScene(box.mapViewToScene(QPointF(x, y)))
            return cast("QPoint", plot.mapToGlobal(scene))

        return ask(place)

    def width() -> float:
        return float(box.viewRect().width())

    drag(at(0.6, 0.2), at(5.4, 0.8))
    until("the table is filtered", lambda: model.rowCount() == 5)
    say(f"rectangle over five bars: {ask(lambda: items.view.list.line.counted.text())}")
    click(ask(lambda: centre(items.view.list.line.brush_chip)))
    until("all items are back", lambda: model.rowCount() == total)
    whole = ask(width)
    move(at(total / 2, 0.5))
    xdotool("click", "--repeat", "5", "4")
    until("the wheel zooms", lambda: width() < whole * 0.9)
    say(f"wheel: {whole:.0f} to {ask(width):.0f} bars")
    click("Reset")
    until("Reset shows everything", lambda: abs(width() - whole) < 0.01 * whole)


def annotate(home: Path) -> None:
    """Rate ten stories without a mouse, from the desk of the study to the answers in it."""
    window = started()
    page("check")
    press("ctrl+6")
    rate = page("rate")
    until("the plan is read", lambda: rate.study_state.study is not None)
    picture("annotator-plan")
    turn_wheel_everywhere(OF_A_PLAN)
    press("ctrl+6")
    page("rate")
    press("ctrl+Return")
    rating = other_window("Rating")
    log = wait_for(lambda: next(iter((home / "jurydesk").rglob("answers/*.db")), None))
    say("the rating page is open, with its instructions")
    time.sleep(2)
    picture("annotator-instructions")
    press("Return", window=rating)
    digits = [str(1 + (n // STATEMENTS + n) % 5) for n in range(STORIES * STATEMENTS)]
    for number, digit in enumerate(digits, 1):
        rate_statement(rating, log, digit)
        if number % STATEMENTS == 0:
            press("Return", window=rating)
    picture("annotator-review")
    assert answered(log) == STORIES * STATEMENTS
    press("ctrl+w", window=rating)
    until("the answers are in the desk", lambda: bool(rate.study_state.answered))
    from jurydesk.core.human_evaluation.design.study_store import RatingStore
    from jurydesk.core.human_evaluation.results.ratings import load_ratings

    values = ask(lambda: load_ratings(RatingStore(window.session.desk)).values.values())
    numbers = sorted(int(one) for rated in values for one in rated.ravel() if one == one)
    assert numbers == sorted(map(int, digits)), numbers
    say(f"{len(numbers)} answers are in the desk: {ask(lambda: rate.finding)}")
    page("rate")
    picture("annotator-results")
    press("ctrl+q")


def rate_statement(rating: str, log: Path, digit: str) -> None:
    """Press a digit until it is saved: before its photos are shown, a story takes no answer."""
    before, end = answered(log), time.monotonic() + PATIENCE
    while answered(log) == before:
        press(digit, window=rating)
        if time.monotonic() > end:
            raise SystemExit(f"no answer was saved within {PATIENCE:g} s")


def inspect(home: Path) -> None:
    """Look at a desk from elsewhere, and let the program recompute what was read off it."""
    desk = home / "there" / "spring.jurydesk"
    before = digest(desk)
    window = started()
    press("ctrl+o")
    answer_dialog(desk)
    board = cast("BoardPage", page("board"))
    say(f"opened: {ask(lambda: board.finding)}")
    picture("inspector-board")
    late = team_name(LATE).replace(" ", "_")
    with at_most(1, "who is late"):
        press("ctrl+2")
        check = page("check")
        rows = ask(lambda: [" ".join(row) for row in shown_rows(check.files)])
        (found,) = [row for row in rows if "22 h" in row]
        assert late in found.replace(" ", "_"), rows
    say(f"late: {found}")
    picture("inspector-late")
    with at_most(2, "verify"):
        click("Run")
        click("Verify")
        until("Verify is open", lambda: bool(sheets("VerifySheet")))
        sheet: Any = ask(lambda: sheets("VerifySheet")[0])
        until("the desk is verified", lambda: sheet.lines.count() > 0)
    say(f"verified: {ask(lambda: sheet.summary.text())}")
    picture("inspector-verified")
    press("Escape")
    until("Verify is closed", lambda: not sheets("VerifySheet"))
    turn_wheel_everywhere()
    click(sidebar("Board"))
    page("board")
    click(cell(board.view, 1, 2))
    items = cast("ItemsPage", page("items"))
    system = ask(lambda: window.session.selection.system)
    until("the plot is shown", lambda: items.view.frames.is_empty)
    figures = items.view.figures
    for number in range(ask(lambda: len(figures.figures))):
        choose(figures.segments, number)
        until("the figure is drawn", lambda: items.view.frames.is_empty)
    click("Table")
    until("the numbers of the figure are shown", lambda: bool(sheets("NumbersSheet")))
    picture("inspector-numbers")
    press("Escape")
    until("the numbers are closed", lambda: not sheets("NumbersSheet"))
    open_item(items, 3)
    picture("inspector-item")
    press("j")
    until("the next item is shown", lambda: items.view.table.currentIndex().row() == 4)
    press("Escape")
    until("the item is closed", lambda: not items.view.item.opened)
    table = export(home / "items.csv")
    command = [sys.executable, "-m", "jurydesk", "verify", str(table), "--inputs", str(desk.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    say(f"items of {system} recomputed: {done.stdout.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    assert digest(desk) == before, "looking has changed the desk"
    press("ctrl+q")


# What people have, and do again and again


def team_name(number: int) -> str:
    """Return the long name of a team, which differs from others at its end."""
    kind = ("primary", "contrastive", "late")[(number - 1) % 3]
    run = (number + 2) // 3
    return f"University Institute for Language and Vision - Research Center ({kind} {run})"


def team_files(folder: Path) -> list[Path]:
    """Return relevance data and the results of twelve teams, the last of which has an error."""
    example = EXAMPLES / "keyword_spotting"
    folder.mkdir()
    found = [Path(shutil.copy(example / "relevance.xml", folder))]
    sources = [example / f"{name}.xml" for name in ("column-profiles", "stroke-matcher")]
    for number in range(TEAMS):
        tree = Xml.parse(sources[number % 2])
        for query in tree.getroot():
            words = list(query)
            query[:] = words[number:] + words[:number]
        found.append(folder / f"{team_name(number + 1).replace(' ', '_')}.xml")
        tree.write(found[-1], encoding="utf-8", xml_declaration=True)
    text = found[-1].read_text(encoding="utf-8")
    found[-1].write_text(text.replace(' width="', ' wide="', 1), encoding="utf-8")
    return found


def scored_desk(home: Path) -> list[str]:
    """Score the files of the teams on the command line, and move them with the desk elsewhere."""
    relevance, *results = team_files(home / "here")[:-1]
    desk = home / "here" / "spring.jurydesk"
    command = [sys.executable, "-m", "jurydesk", "score", "keyword-spotting"]
    command += ["--relevance", str(relevance), "--desk", str(desk), "--quiet"]
    for path in results:
        command += ["--results", str(path)]
    times = home / "received.csv"
    days = [2 if number == LATE else 1 for number in range(1, len(results) + 1)]
    teams = zip(results, days, strict=True)
    lines = [f"{path.stem},2026-05-{day:02} 10:00 UTC" for path, day in teams]
    times.write_text("\n".join(["team,received", *lines]), encoding="utf-8")
    command += ["--deadline", DEADLINE, "--received", str(times)]
    subprocess.run(command, check=True)
    desk.parent.rename(home / "there")
    return []


def planned_desk(home: Path) -> list[str]:
    """Make a desk with a rating plan of ten stories for one rater."""
    from jurydesk.core.desk import Desk
    from jurydesk.core.human_evaluation.design.planning import StudyRequest, plan_study
    from jurydesk.core.human_evaluation.design.study_store import RatingStore
    from jurydesk.core.tasks.vist.vist_task import TASK

    example = EXAMPLES / "vist"
    stories = tuple(
        named_stories(example / f"{name}.json", home, team_name(number))
        for number, name in enumerate(("storyteller", "happy"), 1)
    )
    references = (example / "human-stories.json",)
    request = StudyRequest(
        stories, STORIES // 2, 1, 1, references, images=example / "images", seed=1
    )
    study = plan_study(request, TASK).data
    assert study is not None
    path = home / "study.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition("vist", "Twelve days", {})
        RatingStore(desk).set_study(study)
    return [str(path)]


def named_stories(path: Path, folder: Path, name: str) -> Path:
    """Write the stories of a file under a team's name; return their file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    found["team_name"] = name
    made = folder / f"{name.replace(' ', '_')}.json"
    made.write_text(json.dumps(found), encoding="utf-8")
    return made


def is_error(row: object) -> bool:
    from jurydesk.core.model.defects import Defect, Severity

    return isinstance(row, Defect) and row.severity is Severity.ERROR


def open_item(items: ItemsPage, row: int) -> None:
    """Open an item by a double click on its row."""
    click(cell(items.view.table, row), double=True)
    until("the item is open", lambda: items.view.item.opened and items.view.frames.is_empty)
    assert ask(lambda: items.view.table.currentIndex().row()) == row
    say(f"item opened: {ask(lambda: items.session.selection.item)}")


def export(path: Path) -> Path:
    """Write the page's first export in the format of a file's suffix."""
    click("Export")
    titles = ask(lambda: [one.title for one in program_window().files.exports])
    patterns = ask(lambda: [one.pattern for one in program_window().files.exports])
    click(plain(titles[patterns.index(f"*{path.suffix}")]))
    answer_dialog(path)
    wait_for(path.exists)
    return path


def choose(segments: Segments, index: int) -> None:
    """Choose a word of a segmented control, or of the combo box that it is in a narrow place."""
    from PySide6.QtWidgets import QComboBox, QPushButton

    def parts() -> tuple[list[QPushButton], QComboBox]:
        shown = [one for one in segments.findChildren(QPushButton) if one.isVisible()]
        return shown, segments.findChildren(QComboBox)[0]

    shown, box = ask(parts)
    if shown:
        click(ask(lambda: centre(shown[index])))
    elif ask(box.currentIndex) != index:
        click(ask(lambda: centre(box)))
        until("the list is open", lambda: box.view().isVisible())
        click(cell(box.view(), index))
    until("the word is chosen", lambda: box.currentIndex() == index)


def shown_rows(view: QAbstractItemView) -> list[list[str]]:
    """Return the texts of the rows of a table that are in sight."""
    model, area = view.model(), view.viewport().rect()
    rows = []
    for row in range(model.rowCount()):
        cells = [model.index(row, column) for column in range(model.columnCount())]
        rows.append(
            [str(one.data()) for one in cells if area.contains(view.visualRect(one).center())]
        )
    return rows


def sidebar(title: str) -> QPoint:
    """Return the middle of a page's row in the sidebar."""
    rows = ask(lambda: program_window().sidebar)
    model = rows.model()
    row = ask(lambda: next(n for n in range(model.rowCount()) if model.index(n, 0).data() == title))
    return cell(rows, row)


def sheets(name: str) -> list[QWidget]:
    """Return the visible sheets of a class."""
    from jurydesk.app.sheets.sheet import Sheet

    found = program_window().findChildren(Sheet)
    return [one for one in found if type(one).__name__ == name and one.isVisible()]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def answered(log: Path) -> int:
    """Return the number of answers that the rating program has saved."""
    with tempfile.TemporaryDirectory() as folder:  # the rating program has locked its file
        for path in log.parent.glob(f"{log.name}*"):
            shutil.copy(path, folder)
        with closing(sqlite3.connect(Path(folder, log.name))) as connection:
            query = "SELECT count(*) FROM event WHERE act = 'answer'"
            return int(connection.execute(query).fetchone()[0])


PEOPLE = {"organiser": organise, "annotator": annotate, "inspector": inspect}
PREPARATIONS = {"annotator": planned_desk, "inspector": scored_desk}
"""Functions that write what others gave a person; they return the arguments of the program."""

if __name__ == "__main__":
    sys.exit(main())
