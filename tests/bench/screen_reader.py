"""A walk through the program by keyboard alone, which reads it by AT-SPI like a screen reader.

    sudo apt-get install python3-pyatspi at-spi2-core dbus-daemon xvfb xdotool
    /usr/bin/python3 tests/bench/screen_reader.py --table controls.tsv

The script starts its own display and session bus. The walk opens the files of an example with the
dialog of Ctrl+O, scores them, visits every page, reads every control and twenty cells of each
table, and exports the board. It fails if a control has no role or name, or if a step has no effect.
The system's Python runs the script, because it has pyatspi; the program runs in `.venv`.
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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
EXAMPLE = ROOT / "resources" / "examples" / "keyword_spotting"
INSIDE = "JURYDESK_SCREEN_READER"
PAGES = "Home", "Check", "Board", "Items", "Compare", "Rate", "References", "Models", "Explain"
TABS = 60
"""Maximum number of presses of Tab on a page."""
CELLS = 20
PATIENCE = 90.0
SKIPPED = ("scroll bar", "separator", "filler", "panel", "layered pane", "viewport")
Control = tuple[str, str, str, str]
"""Page, role, name and states."""


def main() -> int:
    """Run the walk and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, help="where to write the controls, tab-separated")
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
            "PYTHONPATH": str(ROOT / "build" / "tree"),
        }
        try:
            command = ["dbus-run-session", "--", sys.executable, *sys.argv]
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            server.terminate()
            server.wait()


def walk(table: Path | None) -> int:
    """Walk through the program on this display and bus."""
    home = Path(os.environ[INSIDE])
    example = home / "example"
    shutil.copytree(EXAMPLE, example)
    log = (home / "program.log").open("w+")
    command = [PYTHON, "-m", "jurydesk", "--lang=en", "--page", "home"]
    program = subprocess.Popen(command, stderr=log)
    try:
        reader = Reader()
        controls = read_everything(reader, example, home)
    finally:
        program.terminate()
        program.wait()
    lines = ["page\trole\tname\tstates", *("\t".join(one) for one in controls)]
    if table is not None:
        table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    nameless = [one for one in controls if not one[2].strip() or one[1] in ("unknown", "invalid")]
    print(f"{len(controls)} controls, {len(nameless)} without a role or name")
    for one in nameless:
        print("  ", *one)
    return 1 if nameless else 0


class WalkError(Exception):
    """Error of a step that had no effect."""


class Reader:
    """Keyboard and AT-SPI reader of the program."""

    def __init__(self) -> None:
        import pyatspi

        self.pyatspi = pyatspi
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
        return [
            str(interface.getAccessibleAt(row, column).name)
            for row in range(interface.nRows)
            for column in range(interface.nColumns)
        ][:CELLS]


def read_everything(reader: Reader, example: Path, home: Path) -> list[Control]:
    """Do the main task; return every control that was read."""
    open_files(reader, example)
    reader.press("ctrl+r")
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
    time.sleep(1.5)
    files = sorted(example.glob("*.xml"))
    reader.type(" ".join(f'"{path}"' for path in files))
    reader.press("Return")
    time.sleep(1.5)
    reader.focus_window()
    reader.until("the files are checked", lambda: "Score" in " ".join(reader.texts()))
    time.sleep(3)


def read_page(reader: Reader, page: str) -> list[Control]:
    """Read all controls of the page in front, those that Tab reaches first, and its tables."""
    focusable, table_role = reader.pyatspi.STATE_FOCUSABLE, reader.pyatspi.ROLE_TABLE
    seen: list[Control] = []
    for _ in range(TABS):
        reader.press("Tab")
        focused = reader.focused()
        if focused is None:
            raise WalkError(f"nothing has the focus after Tab on {page}")
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


if __name__ == "__main__":
    raise SystemExit(main())
