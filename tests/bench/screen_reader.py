"""A walk through the program by keyboard alone, which reads it by AT-SPI like a screen reader.

    sudo apt-get install python3-pyatspi at-spi2-core dbus-daemon xvfb xdotool
    /usr/bin/python3 tests/bench/screen_reader.py --table tests/bench/screen_reader.md

The script starts its own display and session bus. The walk opens the files of an example with the
dialog of Ctrl+O, scores them, visits every page, reads every control, twenty cells of each table
with their heads, and the table of each plot, and exports the board; then it rates three stories in
the rating page, whose elements the web engine gives to the same bus. It fails if a control has no
role or name, if nothing is announced, or if a step has no effect. The system's Python runs the
script, because it has pyatspi; the program runs in `.venv`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
EXAMPLE = ROOT / "resources" / "examples" / "keyword_spotting"
STORIES = ROOT / "resources" / "examples" / "vist"
INSIDE = "JURYDESK_SCREEN_READER"
PAGES = "Home", "Check", "Board", "Items", "Compare", "Rate", "References", "Models", "Explain"
TABS = 60
"""Maximum number of presses of Tab on a page."""
CELLS = 20
RATED = 3
"""Stories that are rated."""
PATIENCE = 240.0
BUSY_MS = 60_000
"""Milliseconds to wait for an answer of the program."""
SKIPPED = ("scroll bar", "separator", "filler", "panel", "layered pane", "viewport")
Control = tuple[str, str, str, str]
"""Page, role, name and states."""


def main() -> int:
    """Run the walk and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, help="where to write the controls, as Markdown")
    parser.add_argument("--display", default=":87")
    wanted = parser.parse_args()
    if os.environ.get(INSIDE):
        return walk(wanted.table)
    with tempfile.TemporaryDirectory() as home:
        screen = ["Xvfb", wanted.display, "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
        server = subprocess.Popen(screen, stderr=subprocess.DEVNULL)
        time.sleep(1)
        environment = {
            **os.environ,
            INSIDE: home,
            "DISPLAY": wanted.display,
            "JURYDESK_HOME": str(Path(home, "jurydesk")),
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "QTWEBENGINE_DISABLE_SANDBOX": "1",
            "PYTHONPATH": str(ROOT / "build" / "tree"),
        }
        try:
            command = ["dbus-run-session", "--", sys.executable, *sys.argv]
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            server.terminate()
            server.wait()


def walk(table: Path | None) -> int:
    """Walk through the program and its rating page on this display and bus."""
    home = Path(os.environ[INSIDE])
    example = home / "example"
    shutil.copytree(EXAMPLE, example)
    packet = make_packet(home)
    with started(home, "--page", "home") as reader:
        controls = read_everything(reader, example, home)
    with started(home, str(packet)) as reader:
        controls += rate_stories(reader)
    rows = [tuple(part.replace(str(home), "~") for part in one) for one in controls]
    nameless = [one for one in rows if not one[2].strip() or one[1] in ("unknown", "invalid")]
    found = f"{len(rows)} controls, {len(nameless)} without a role or name"
    if table is not None:
        lines = [" | ".join(("", *(part.replace("|", "/") for part in one), "")) for one in rows]
        head = ["| page | role | name | states |", "|---|---|---|---|"]
        text = "\n".join([TITLE, "", f"{found}.", "", *head, *map(str.strip, lines)])
        table.write_text(f"{text}\n", encoding="utf-8")
    print(found)
    for one in nameless:
        print("  ", *one)
    return 1 if nameless else 0


TITLE = """# Controls that a screen reader finds

Made by `tests/bench/screen_reader.py`, over AT-SPI; `~` is the folder of the walk."""


def make_packet(home: Path) -> Path:
    """Return a packet of stories for one rater."""
    stories = home / "stories"
    shutil.copytree(STORIES, stories)
    jurydesk, desk = [PYTHON, "-m", "jurydesk", "ratings"], ["--desk", home / "stories.jurydesk"]
    files = ["--submission", stories / "storyteller.json", stories / "happy.json"]
    files += ["--references", stories / "human-stories.json", "--images", stories / "images"]
    design = ["--items", "4", "--raters", "1", "--ratings-per-entry", "1", "--seed", "1"]
    subprocess.run([*jurydesk, "plan", *files, *design, *desk, "--quiet"], check=True)
    subprocess.run([*jurydesk, "packet", *desk, "--out", home / "packets", "--quiet"], check=True)
    return next((home / "packets").glob("*.jurypacket"))


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[Reader]:
    """Start the program, and end it afterwards."""
    with (home / "program.log").open("w+") as log:
        command = [PYTHON, "-m", "jurydesk", "--lang=en", *arguments]
        program = subprocess.Popen(command, stderr=log)
        try:
            yield Reader()
        finally:
            program.terminate()
            program.wait()


class WalkError(Exception):
    """Error of a step that had no effect."""


class Reader:
    """Keyboard and AT-SPI reader of the program."""

    def __init__(self) -> None:
        import pyatspi

        self.pyatspi = pyatspi
        pyatspi.Atspi.set_timeout(BUSY_MS, BUSY_MS)
        self.heard: list[str] = []
        """Announcements, and values of progress bars."""
        for event in ("object:announcement", "object:property-change:accessible-value"):
            pyatspi.Registry.registerEventListener(self._hear, event)
        self.root = self.until("the program is on the bus", self._program)
        self.window = self.until("its window is shown", self._window)
        self.focus_window()

    def _program(self) -> Any:
        desktop = self.pyatspi.Registry.getDesktop(0)
        return next((one for one in desktop if one is not None and "urydesk" in one.name), None)

    def _window(self) -> str:
        command = ["xdotool", "search", "--onlyvisible", "--name", "Jurydesk"]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
        return found[0] if found else ""

    def focus_window(self) -> None:
        subprocess.run(["xdotool", "windowfocus", "--sync", self.window], check=False)

    def _hear(self, event: Any) -> None:
        is_value = "value" in str(event.type)
        self.heard.append(f"progress {event.detail1}" if is_value else str(event.any_data))

    def listen(self, seconds: float) -> None:
        """Take in what the program says in this time."""
        from gi.repository import GLib

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            while GLib.MainContext.default().iteration(False):
                pass
            time.sleep(0.05)

    def until(self, what: str, holds: Callable[[], Any]) -> Any:
        """Return the first true value of `holds`; raise WalkError after a timeout."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = holds()
            except Exception:  # noqa: BLE001 - D-Bus says so of what has just gone
                found = None
            if found:
                return found
            time.sleep(0.3)
        raise WalkError(f"not within {PATIENCE:g} s: {what}")

    def press(self, *keys: str) -> None:
        subprocess.run(["xdotool", "key", "--clearmodifiers", *keys], check=True)
        time.sleep(0.25)

    def type(self, text: str) -> None:
        subprocess.run(["xdotool", "type", "--delay", "8", text], check=True)
        time.sleep(0.25)

    def shown(self, top: Any = None) -> Iterator[Any]:
        """Yield all visible controls, without the cells of tables and lists."""
        at = self.root if top is None else top
        for child in at:
            if child is None:
                continue
            states = child.getState()
            if top is not None and not states.contains(self.pyatspi.STATE_SHOWING):
                continue
            if top is None and child.getRoleName() == "filler":
                continue  # a second root of the web engine
            yield child
            if child.getRoleName() not in ("table", "list", "tree"):
                yield from self.shown(child)

    def focused(self) -> Any:
        """Return the control that has the focus."""
        focus = self.pyatspi.STATE_FOCUSED
        found = [one for one in self.shown() if one.getState().contains(focus)]
        return found[-1] if found else None

    def describe(self, one: Any, page: str) -> Control:
        names = [self.pyatspi.stateToString(state) for state in one.getState().getStates()]
        states = sorted({*names} - {"visible", "showing", "sensitive"})
        return page, one.getRoleName(), one.name.replace("\n", " "), " ".join(states)

    def texts(self) -> list[str]:
        return [one.name for one in self.shown()]

    def cells(self, table: Any) -> list[str]:
        """Return the first cells of a table, as they are read."""
        interface = table.queryTable()
        places = ((row, column) for row in range(interface.nRows)
                  for column in range(interface.nColumns))  # fmt: skip
        return [str(interface.getAccessibleAt(*place).name) for place in islice(places, CELLS)]


def read_everything(reader: Reader, example: Path, home: Path) -> list[Control]:
    """Do the main task; return every control that was read."""
    open_files(reader, example)
    reader.press("ctrl+r")
    reader.listen(2)
    reader.until("Board shows intervals", lambda: "95 %" in " ".join(reader.texts()))
    controls: list[Control] = []
    for number, page in enumerate(PAGES, 1):
        reader.press(f"ctrl+{number}")
        time.sleep(1.5)
        controls += read_page(reader, page)
    reader.press("ctrl+3")
    time.sleep(1)
    export_board(reader, home / "board.csv")
    return list(dict.fromkeys(controls))


def open_files(reader: Reader, example: Path) -> None:
    """Open all files of a folder from the dialog."""
    reader.press("ctrl+o")
    reader.until("the dialog is shown", partial(has_dialog, reader))
    time.sleep(1.5)
    files = sorted(example.glob("*.xml"))
    reader.type(" ".join(f'"{path}"' for path in files))
    reader.press("Return")
    time.sleep(1.5)
    reader.focus_window()
    reader.until("the files are checked", partial(is_checked, reader))
    time.sleep(1)


def has_dialog(reader: Reader) -> bool:
    return any(one.getRoleName() in ("dialog", "file chooser") for one in reader.shown())


def is_checked(reader: Reader) -> bool:
    """Return whether the table of files is shown, and scoring can begin."""
    enabled = reader.pyatspi.STATE_ENABLED
    shown = {one.name: one.getState().contains(enabled) for one in reader.shown()}
    return "Files" in shown and shown.get("Score  Ctrl+R", False)


def read_page(reader: Reader, page: str) -> list[Control]:
    """Read all controls of the page in front, those that Tab reaches first, and its tables."""
    focusable, table_role = reader.pyatspi.STATE_FOCUSABLE, reader.pyatspi.ROLE_TABLE
    plots = [one for one in reader.shown() if one.getRole() == reader.pyatspi.ROLE_CHART]
    seen: list[Control] = []
    for _ in range(TABS):
        reader.press("Tab")
        focused = reader.until(f"Tab gives a control on {page} the focus", reader.focused)
        found = reader.describe(focused, page)
        if seen and found[:3] == seen[0][:3]:
            break
        seen.append(found)
    for one in reader.shown():
        if one.getState().contains(focusable) and one.getRoleName() not in SKIPPED:
            seen.append(reader.describe(one, page))
        if one.getRole() == table_role:
            cells = reader.cells(one)
            print(f"{page}, table {one.name}: {' | '.join(cells)[:300]}")
            if cells and not any(cell.strip(": ") for cell in cells):
                raise WalkError(f"the cells of {one.name} are not read")
    for plot in {one.name: one for one in plots}.values():
        read_plot(reader, plot, page)
    return seen


def export_board(reader: Reader, path: Path) -> None:
    """Export the board with the keyboard."""
    reader.press("ctrl+e")
    time.sleep(1)
    reader.press("Down", "Return")
    time.sleep(1.5)
    reader.press("ctrl+a")
    reader.type(str(path))
    reader.press("Return")
    reader.until("the board is exported", path.exists)
    reader.listen(2)
    if not any(path.name in text for text in reader.heard):
        raise WalkError(f"the export is not announced; heard: {reader.heard}")
    print("Heard:", " | ".join(dict.fromkeys(reader.heard)))


def read_plot(reader: Reader, plot: Any, page: str) -> None:
    """Read what a plot says, and its table, which T opens."""
    print(f"{page}, plot {plot.name}: {plot.description}")
    if not plot.description:
        raise WalkError(f"{plot.name} says nothing")
    plot.queryComponent().grabFocus()
    time.sleep(0.5)
    reader.press("t")
    table = reader.until("the plot's table is shown", lambda: front_table(reader, plot.name))
    print(f"{page}, table of {plot.name}: {' | '.join(reader.cells(table))[:300]}")
    reader.press("Escape")


def front_table(reader: Reader, name: str) -> Any:
    """Return the focused table of this name."""
    focus, role = reader.pyatspi.STATE_FOCUSED, reader.pyatspi.ROLE_TABLE
    shown = (one for one in reader.shown() if one.getRole() == role and one.name == name)
    return next((one for one in shown if one.getState().contains(focus)), None)


def rate_stories(reader: Reader) -> list[Control]:
    """Rate stories with the keyboard, and return the controls of the rating page."""
    reader.until("the instructions are read", lambda: "How to rate" in reader.texts())
    controls = [*rating_controls(reader)]
    reader.press("Escape")
    for number in range(1, RATED + 1):
        reader.until(f"story {number} is read", partial(starts, reader, f"{number} of "))
        if number == 1:
            controls += rating_controls(reader)
            walk_rating_page(reader)
        questions = reader.until("the statements are read", partial(statements, reader))
        print(f"Rating, story {number}: {' | '.join(one.name for one in questions)}")
        for answered in range(len(questions)):
            reader.press("4")
            reader.until("the answer is read", partial(has_answers, reader, answered + 1))
        reader.press("Return")
    reader.until(f"{RATED} stories are rated", partial(starts, reader, f"{RATED + 1} of "))
    return list(dict.fromkeys(controls))


def walk_rating_page(reader: Reader) -> None:
    """Go through the web page with Tab, back, out to the menu, and into the page again."""
    passed = tab_to_answer(reader)
    print("Tab in the rating page:", " | ".join(passed))
    reader.press("shift+Tab")
    back = reader.until("shift+Tab gives a control the focus", reader.focused)
    if is_answer(reader, back):
        raise WalkError("shift+Tab does not leave the answers")
    reader.press("alt+f")
    reader.until("the File menu is read", lambda: "Save answers" in " ".join(reader.texts()))
    reader.press("Escape", "Escape")
    tab_to_answer(reader)


def tab_to_answer(reader: Reader) -> list[str]:
    """Press Tab until an answer has the focus; return the role and name of what had it."""
    passed = []
    for _ in range(TABS):
        reader.press("Tab")
        focused = reader.until("Tab gives a control of the page the focus", reader.focused)
        passed.append(" ".join(reader.describe(focused, "")[1:3]))
        if is_answer(reader, focused):
            return passed
    raise WalkError(f"Tab reaches no answer: {passed}")


def is_answer(reader: Reader, one: Any) -> bool:
    return any(one == each for group in statements(reader) for each in answers(reader, group))


def starts(reader: Reader, text: str) -> bool:
    return any(name.startswith(text) for name in reader.texts())


def statements(reader: Reader) -> list[Any]:
    """Return the groups of answers, which have the names of their statements."""
    groups = (one for one in reader.shown() if one.getRoleName() == "panel" and one.name)
    return [one for one in groups if len(answers(reader, one)) > 1]


def answers(reader: Reader, group: Any) -> list[Any]:
    checkable = reader.pyatspi.STATE_CHECKABLE  # Qt's bridge calls toggle buttons push buttons
    return [one for one in reader.shown(group) if one.getState().contains(checkable)]


def has_answers(reader: Reader, count: int) -> bool:
    """Return whether so many answers are said to be given."""
    states = reader.pyatspi.STATE_PRESSED, reader.pyatspi.STATE_CHECKED
    given = (one.getState() for group in statements(reader) for one in answers(reader, group))
    return sum(any(one.contains(each) for each in states) for one in given) == count


def rating_controls(reader: Reader) -> Iterator[Control]:
    """Yield the controls of the rating page in front."""
    focusable = reader.pyatspi.STATE_FOCUSABLE
    for one in reader.shown():
        if one.getState().contains(focusable) and one.getRoleName() not in SKIPPED:
            yield reader.describe(one, "Rating")


if __name__ == "__main__":
    raise SystemExit(main())
