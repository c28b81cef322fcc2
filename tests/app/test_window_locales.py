"""Files that the window exports do not depend on the locale or the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.examples import copy_example, example_inputs
from jurydesk.core.competition.task_registry import registry
from support.locales import compiled_locales, files_made_in

WORK = """
import inspect, locale, sys
from pathlib import Path
from PySide6.QtCore import QEventLoop, QLocale, QTimer
from PySide6.QtWidgets import QApplication
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages import PAGES
from jurydesk.app.state.settings import Settings
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window
from jurydesk.core.execution.run import Run
from jurydesk.core.language import choose_language, current_language

folder, desk = Path(sys.argv[1]), Path(sys.argv[2])
out = folder / "out"
out.mkdir()
app = QApplication([])
choose_language([])
print(QLocale().name())
print(current_language())
theme().install(app, "light")
window = Window(Settings(folder / "window.ini"))
window.resize(1280, 828)
window.show()

def wait():
    quiet = 0
    while quiet < 5:
        loop = QEventLoop()
        QTimer.singleShot(20, loop.quit)
        loop.exec()
        queues = window.findChildren(FrameQueue)
        quiet = quiet + 1 if window.jobs.idle and all(one.is_empty for one in queues) else 0

window.files.open(desk)
wait()
for page in PAGES:
    window.show_page(page.id)
    wait()
    if page.id == "compare":
        wait()
    for number, export in enumerate(window.page.exports()):
        suffix = export.pattern.removeprefix("*")
        path = out / f"{page.id}-{number}{suffix}"
        if suffix not in (".png", ".svg", ".zip"):  # packages are no tables
            more = (Run(), lambda *said: None) if export.slow else ()
            export.write(path, *more)
window.jobs.shut_down()
window.stop_responding()
window.desks.close()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return compiled_locales(tmp_path_factory.mktemp("locales"))


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Path:
    """Return the desk of an example."""
    folder, task = tmp_path_factory.mktemp("desk"), registry().tasks["keyword-spotting"]
    inputs = example_inputs(task, copy_example(task, folder / "example"))
    arguments = [text for role, paths in inputs.items() for text in (f"--{role}", *map(str, paths))]
    path = folder / "a.jurydesk"
    assert not main(["score", task.id, *arguments, "--desk", str(path), "--quiet"])
    return path


@pytest.fixture(scope="module")
def expected(folder, desk) -> dict[str, bytes]:
    """Return the files exported in the locale C."""
    shown, found = files_made_in("C", folder, WORK, str(desk))
    assert shown == ["C", "en"]
    suffixes = [Path(name).suffix for name in found]
    assert {*suffixes} == {".csv", ".json", ".tex", ".html", ".txt"}
    assert {name.split("-")[0] for name in found} >= {"board", "items", "compare"}
    return found


@pytest.mark.parametrize(("name", "language"), [("ru_RU", "ru"), ("tr_TR", "en")])
def test_the_window_exports_the_same_files_in_every_locale(folder, desk, expected, name, language):
    shown, found = files_made_in(f"{name}.UTF-8", folder, WORK, str(desk))
    assert shown[1] == language
    assert found.keys() == expected.keys()
    for one, data in found.items():
        if language == "en" or not one.endswith((".html", ".txt")):  # what people read
            assert data == expected[one], one
