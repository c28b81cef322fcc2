"""Tests of the window use the light theme and leave nothing behind."""

from __future__ import annotations

import gc
import math
import shutil
from collections.abc import Callable, Iterator
from functools import partialmethod
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.job import Jobs, view_jobs
from jurydesk.app.state.settings import Settings
from jurydesk.app.style.theme import theme
from jurydesk.app.window.main_window import Window
from jurydesk.core.system.paths import data_folder
from support.windows import toy_competition
from support.windows.waiting import until_checked

PATIENCE_MS = 30_000

tests_ended = count(1)


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> Iterator[None]:
    """Use the light palette at its default size."""
    if not qapp.styleSheet():
        theme().install(qapp, "light")
    elif (theme().mode, theme().zoom) != ("light", 1.0):
        theme().mode = "light"
        theme().set_zoom(1.0)
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def jobs_end_with_the_test(
    monkeypatch: pytest.MonkeyPatch, nothing_collected_beside: None
) -> Iterator[None]:
    """End the jobs of views with the test, so that none runs during the next test."""
    monkeypatch.setattr("jurydesk.app.jobs.job.PATIENCE_MS", PATIENCE_MS)
    yield
    if view_jobs.cache_info().currsize:
        finish(view_jobs())


@pytest.fixture(autouse=True)
def nothing_collected_beside() -> Iterator[None]:
    """Collect garbage between tests, in this thread, as the window does.

    A widget that another thread collects crashes the process, in whichever test comes next.
    `pytest_runtest_setup` of the suite collects the rest before the first test without a window.
    """
    gc.disable()
    yield
    gc.collect(2 if next(tests_ended) % 100 == 0 else 1)


class PatientBot(QtBot):
    """Bot with longer time limits, for busy machines."""

    waitUntil = partialmethod(QtBot.waitUntil, timeout=PATIENCE_MS)  # noqa: N815 - pytest-qt's name
    waitSignal = partialmethod(QtBot.waitSignal, timeout=PATIENCE_MS)  # noqa: N815 - pytest-qt's name


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register only the toy competition: the window must not depend on the others."""
    monkeypatch.setattr(
        "jurydesk.core.competition.task_registry.registry", toy_competition.registry
    )
    monkeypatch.setattr(toy_competition, "SECONDS", 0.0)


@pytest.fixture
def no_item_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show every item as soon as it is chosen, also on a busy machine."""
    monkeypatch.setattr("jurydesk.app.pages.items.item_card.LONG_SECONDS", math.inf)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the files and folders that are opened with the system's programs."""
    urls: list[str] = []

    def remember(url) -> bool:
        urls.append(url.toLocalFile())
        return True

    monkeypatch.setattr("PySide6.QtGui.QDesktopServices.openUrl", remember)
    return urls


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings" / "window.ini")


@pytest.fixture
def make_window(only_the_toy, make_real_window) -> Callable[[], Window]:
    """Return a function that makes windows with the toy competition only."""
    return make_real_window


@pytest.fixture
def make_real_window(qtbot, settings) -> Iterator[Callable[[], Window]]:
    """Return a function that makes windows, and close them with their jobs after the test."""
    made: list[Window] = []

    def make() -> Window:
        window = Window(settings)
        qtbot.addWidget(window)
        made.append(window)
        window.resize(1280, 828)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield make
    for window in made:
        finish(window.jobs)
        window.stop_responding()
        window.desks.close()
    shutil.rmtree(data_folder() / "unsaved", ignore_errors=True)


@pytest.fixture
def window(make_window) -> Window:
    return make_window()


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return toy_competition.files(tmp_path / "files")


@pytest.fixture
def checked(qtbot, window, files) -> Window:
    """Return a window with a truth file and three checked systems."""
    window.files.open_paths(files)
    until_checked(qtbot, window)
    return window


@pytest.fixture
def scored(qtbot, checked) -> Window:
    """Return the same window after scoring, with the Board page in front."""
    checked.evaluator.score()
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)
    qtbot.waitUntil(lambda: checked.page.id == "board")
    return checked


def finish(jobs: Jobs) -> None:
    assert jobs.shut_down()
    QCoreApplication.processEvents()


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    """Return the window's jobs, which end with the test."""
    made = Jobs()
    yield made
    assert made.shut_down()


@pytest.fixture
def failures(jobs: Jobs) -> list[Exception]:
    """Return the list of failures of jobs."""
    found: list[Exception] = []
    jobs.failed.connect(found.append)
    return found


@pytest.fixture
def below(qtbot: QtBot) -> QWidget:
    """Return a visible and active window for sheets."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    return window
