"""Screenshots of every page, in light and dark, of the example competitions or of given files.

    python packaging/screenshots.py                    every example, to build/screenshots
    python packaging/screenshots.py --out DIR FILE...  a desk, or a competition's files
    python packaging/screenshots.py --lang ru          every example in Russian
    python packaging/screenshots.py --readme           the two that the README shows
    python packaging/screenshots.py --guide            those of the guide, in the language of --lang
    python packaging/screenshots.py --all --check      every page in many states

The states of `--all` combine the competitions with 1 to 60 systems, 1 to 1,000,000 items, 1 to 60
metrics, sizes of the window, zooms and themes, under names of 60 characters; every possible pair of
two values occurs in one of them. `--check` prints what is cut off, overlapping, scrolled twice,
headed or named alike, or changed by the wheel, and lists with few rows in sight; it fails if
anything is. `states.txt` in the folder lists the states by number. That the rating page keeps Next
in sight is tested in `tests/app/rating_client/test_page.py`.

Nothing of the user's own settings is read or written.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from jurydesk.app.pages.items.items_page import ItemsPage
    from jurydesk.app.window.main_window import Window
    from jurydesk.core.competition.task import AnyTask
    from support.windows.layout_states import State

SIZE = (1280, 828)
"""Size of a new window."""
PATIENCE_SECONDS = 900
SETTLE_TURNS = 30
"""So many turns of the event loop, of at least 0.01 s, let layouts and animations come to rest.

On a busy computer one turn takes longer than they need, but is still one of several they need.
"""
DRAWN_SECONDS = 5.0
"""After so long a page that is drawn in several turns looks as it will, on a busy computer too."""
FEW_RESAMPLES = 100
MODES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SHOWN_ITEM = 0.8
"""The item that is opened, as a share of the sorted table: a weak one shows more."""
README_FOLDER = ROOT / "resources" / "screenshots"
README_PICTURES = (("keyword-spotting", "board", "light"), ("keyword-spotting", "items", "dark"))
GUIDE_FOLDER = ROOT / "resources" / "guide"
GUIDE_SIZE = (1024, 700)
GUIDE_PICTURES = {
    "home": "keyword-spotting",
    "check": "keyword-spotting",
    "board": "keyword-spotting",
    "items": "keyword-spotting",
    "compare": "keyword-spotting",
    "why": "keyword-spotting",
    "rate": "vist",
    "references": "visdial",
    "models": "fusionbrain",
}
"""Competition of each page that the guide pictures."""
Shot = tuple[str, str, str]
"""Competition, page and theme: the parts of a picture's name."""


def main() -> int:
    """Take the pictures; prints the path of each."""
    from jurydesk.core.language import set_language

    parser = argparse.ArgumentParser(description="Pictures of every page, in light and dark.")
    parser.add_argument("files", nargs="*", type=Path, help="a desk, or a competition's files")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("--task", action="append", help="only the example of this competition")
    parser.add_argument("--zoom", type=float, default=1.0)
    parser.add_argument("--lang", default="en", help="en, ru, or xx for lengthened English")
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, help="width and height")
    parser.add_argument("--all", action="store_true", help="every page in many states")
    parser.add_argument("--check", action="store_true", help="with --all: fail on faults")
    parser.add_argument("--state", action="append", type=int, help="only these states of --all")
    parser.add_argument("--readme", action="store_true", help="only those of the README")
    parser.add_argument("--guide", action="store_true", help="only those of the guide")
    wanted = parser.parse_args()
    set_language(wanted.lang)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="jurydesk-screenshots-") as home:
        os.environ["JURYDESK_HOME"] = home
        return min(take_pictures(wanted), 1)


def take_pictures(wanted: argparse.Namespace) -> int:
    """Open the window and take the requested screenshots; return the number of faults."""
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.state.settings import Settings
    from jurydesk.app.style.theme import theme
    from jurydesk.app.window.main_window import Window

    app = QApplication([])
    theme().install(app, "light", wanted.zoom)
    window = Window(Settings())
    window.resize(*(GUIDE_SIZE if wanted.guide else wanted.size))
    window.show()
    window.find_device()
    wait(lambda: bool(window.strip.device.text()))
    folder = README_FOLDER if wanted.readme else wanted.out
    folder.mkdir(parents=True, exist_ok=True)
    if wanted.all:
        faults = look_at_states(window, folder, wanted.state or (), check=wanted.check)
        window.close()
        return faults
    tasks = {name for name, _, _ in README_PICTURES} if wanted.readme else set(wanted.task or ())
    if wanted.guide:
        take_guide_pictures(window, wanted.lang)
        return 0
    for name in competitions(window, wanted.files, tasks):
        for shot, pixmap in shots(window, name):
            if not wanted.readme:
                print(save(pixmap, folder, "-".join(shot)))
            elif shot in README_PICTURES:
                print(save(pixmap, folder, "-".join(shot[1:])))
    window.close()
    return 0


def take_guide_pictures(window: Window, language: str) -> None:
    """Write the pictures of the guide, with 256 colours each."""
    from PIL import Image
    from PySide6.QtWidgets import QLabel

    suffix = "" if language == "en" else f"_{language}"
    GUIDE_FOLDER.mkdir(exist_ok=True)
    for name in dict.fromkeys(GUIDE_PICTURES.values()):  # Home is pictured with its first desk
        (_,) = competitions(window, (), {name})
        for page in [page for page, of in GUIDE_PICTURES.items() if of == name]:
            window.show_page(page)
            wait_until_quiet(window)
            window.toast.hide()
            for one in window.page.findChildren(QLabel):
                one.setText(one.text().replace(os.environ["JURYDESK_HOME"], "~/jurydesk"))
            path = save(window.grab(), GUIDE_FOLDER, f"{page}{suffix}")
            with Image.open(path) as picture:
                picture.convert("RGB").quantize(256).save(path, optimize=True)
            print(path)
    window.close()


def look_at_states(window: Window, folder: Path, wanted: Sequence[int], *, check: bool) -> int:
    """Take a screenshot of every page in every state; return the number of faults if checked."""
    from jurydesk.core.analysis.significance import significance_methods
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.system.paths import data_folder
    from support.windows.layout_states import (
        MANY_ITEMS,
        covering_states,
        declared,
        score_example,
        write_desk,
    )

    usual = significance_methods.RESAMPLES
    tasks = registry().tasks
    states = list(enumerate(covering_states([*tasks]), start=1))
    lines = [f"{number:02d}: {state}\n" for number, state in states]
    (folder / "states.txt").write_text("".join(lines), encoding="utf-8")
    examples = {}
    n_faults = 0
    for number, state in states:
        if wanted and number not in wanted:
            continue
        task = tasks[state.competition]
        if task.id not in examples:
            examples[task.id] = score_example(task, data_folder() / "examples" / task.id)
        desks = data_folder() / f"state-{number:02d}"
        with declared(task, state.metrics):
            desk = write_desk(desks / "spring-2026.jurydesk", examples[task.id], state)
            print(f"{number:02d}: {state}", flush=True)
            theme_window(window, state)
            # Tests of a million items would take an hour.
            few = state.items == MANY_ITEMS
            significance_methods.RESAMPLES = FEW_RESAMPLES if few else usual
            window.files.open_paths([desk])
            wait(lambda: bool(window.session.systems))  # the window then shows the page Board
            for name, pixmap in state_shots(window):
                save(pixmap, folder, f"{number:02d}-{state.competition}-{name}")
                for fault in settled_faults(window) if check else ():
                    n_faults += 1
                    print(f"  {name}: {fault}", flush=True)
            window.files.new()
        shutil.rmtree(desks)
    return n_faults


def settled_faults(window: Window) -> list[str]:
    """Return the faults of the page in front that are left once it has drawn itself."""
    from support.windows.layout_faults import faults, wheel_changes

    end = time.monotonic() + DRAWN_SECONDS

    def is_in_order() -> bool:
        return not faults(window) or time.monotonic() > end

    wait(is_in_order)
    return [*faults(window), *wheel_changes(window)]


def theme_window(window: Window, state: State) -> None:
    """Give the window the size, zoom and theme of a state."""
    from jurydesk.app.style.theme import theme

    window.resize(*state.size)
    theme().mode = state.mode
    theme().set_zoom(state.zoom)


def state_shots(window: Window) -> Iterator[tuple[str, QPixmap]]:
    """Yield every page of the competition, its parts if it is folded, and an opened item."""
    from jurydesk.app.pages import PAGES
    from support.windows.layout_faults import folded_parts

    for page in PAGES:
        window.show_page(page.id)
        wait_until_quiet(window)
        window.toast.hide()
        yield page.id, window.grab()
        for part in folded_parts(window.page):
            wait_until_quiet(window)
            yield f"{page.id}-{part.lower()}", window.grab()
        if page.id == "items":
            items = cast("ItemsPage", window.page)
            items.open_item()
            wait_until_quiet(window)
            yield "item", window.grab()
            items.close_item()


def competitions(window: Window, files: Sequence[Path], tasks: Set[str]) -> Iterator[str]:
    """Open and score one competition after another in the window; yield their names.

    These are that of the files, else the examples of these tasks, else all examples.
    """
    from jurydesk.core.competition.examples import example_folder
    from jurydesk.core.competition.task_registry import registry

    if files:
        window.files.open_paths(list(files))
        score(window)
        yield window.session.task.id if window.session.task else "nothing"
        return
    for task in registry().tasks.values():
        if example_folder(task) is not None and (not tasks or task.id in tasks):
            open_example(window, task)
            yield task.id


def open_example(window: Window, task: AnyTask) -> None:
    """Add the files of a task's example to a new desk, and score them."""
    from jurydesk.core.competition.examples import copied_folder, copy_example
    from jurydesk.core.system.paths import data_folder

    window.files.open_example(task, copy_example(task, copied_folder(task, data_folder())))
    score(window)


def score(window: Window) -> None:
    """Score the files of the window, unless they are scored already."""
    evaluator = window.evaluator
    wait(lambda: evaluator.checked or bool(window.session.systems))
    if not window.session.systems:
        evaluator.score()
        wait(lambda: evaluator.scoring is None and bool(window.session.systems))


def shots(window: Window, name: str) -> Iterator[tuple[Shot, QPixmap]]:
    """Yield every page in both themes; for Items also an opened item."""
    from jurydesk.app.pages import PAGES
    from jurydesk.app.style.theme import theme

    for page in PAGES:
        window.show_page(page.id)
        if page.id == "items":
            wait_until_quiet(window)
            items = cast("ItemsPage", window.page)
            if items.evaluation is not None:
                items.view.table.step(round(SHOWN_ITEM * len(items.evaluation.items)))
        for mode in MODES:
            theme().set_mode(mode)
            wait_until_quiet(window)
            window.toast.hide()
            yield (name, page.id, mode), window.grab()
            if page.id == "items":
                cast("ItemsPage", window.page).open_item()
                wait_until_quiet(window)
                yield (name, "item", mode), window.grab()
                cast("ItemsPage", window.page).close_item()


def save(pixmap: QPixmap, folder: Path, name: str) -> Path:
    """Write a screenshot that names the pages of its window; return its path."""
    path = folder / f"{name}.png"
    image = pixmap.toImage()
    image.setText("Pages", page_names())
    if not image.save(str(path)):
        raise OSError(f"{path} cannot be written")
    return path


def page_names() -> str:
    """Return the titles of today's pages."""
    from jurydesk.app.pages import PAGES

    return ", ".join(entry.title for entry in PAGES)


def wait(done: Callable[[], bool]) -> None:
    """Process events until a condition is true."""
    from PySide6.QtCore import QCoreApplication, QEvent

    end = time.monotonic() + PATIENCE_SECONDS
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the window did not finish its work")
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        time.sleep(0.01)


def wait_until_quiet(window: Window) -> None:
    """Process events until jobs, frames, pictures and animations have ended."""
    from jurydesk.app.inspectors.image_loader import PictureLoader
    from jurydesk.app.inspectors.thumbnails import Thumbnails
    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue

    quiet_turns = 0

    def is_quiet() -> bool:
        nonlocal quiet_turns
        for reader in (*window.findChildren(PictureLoader), *window.findChildren(Thumbnails)):
            reader.wait()
        is_empty = all(frames.is_empty for frames in window.findChildren(FrameQueue))
        quiet_turns = quiet_turns + 1 if is_empty and window.jobs.idle else 0
        return quiet_turns > SETTLE_TURNS

    wait(is_quiet)


if __name__ == "__main__":
    sys.exit(main())
