"""After switching to another desk no page shows the previous one, not even for a frame."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)

from jurydesk.app.pages import PAGES
from jurydesk.app.widgets.parts import ElidedLabel
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.model.options import options_json
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support.windows import toy_competition
from support.windows.waiting import use_desk

FIRST, SECOND = "alphard", "bellatrix"


def make_desk(folder: Path, word: str) -> Path:
    """Return a scored desk whose systems, files and title contain a word."""
    truth, *systems = toy_competition.files(folder / word)
    named = []
    for path in (truth, *systems):
        text = path.read_text().replace("system", word)
        named.append(path.with_name(f"{word}-{path.name}"))
        named[-1].write_text(text)
    path = folder / f"{word}.jurydesk"
    options = toy_competition.Options()
    with Desk.create(path) as desk:
        desk.set_competition("toy", f"The {word} one", options_json(options))
    files = explicit_files(toy_competition.TASK, {"truth": named[:1], "guesses": named[1:]})
    score_competition(CompetitionFiles(path, toy_competition.TASK, files, options), Run())
    return path


def texts_of(widget: QWidget) -> Iterator[str]:
    """Return everything that a widget shows as text."""
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit | ElidedLabel):
        yield widget.text()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        model = widget.model()
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                yield str(model.index(row, column).data() or "")


def visible_texts(window: QWidget) -> list[str]:
    """Return all visible texts."""
    widgets = [one for one in window.findChildren(QWidget) if one.isVisible()]
    return [text for widget in widgets for text in texts_of(widget)]


class Probe(QObject):
    """Searches all visible text for a word whenever anything is painted."""

    def __init__(self, window: QWidget, word: str) -> None:
        super().__init__()
        self._window, self._word = window, word
        self.looks = 0
        self.found: list[str] = []

    def look(self) -> None:
        """Search now."""
        self.looks += 1
        self.found += [text for text in visible_texts(self._window) if self._word in text]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.look()
        return False


@pytest.fixture
def desks(only_the_toy, tmp_path: Path) -> tuple[Path, Path]:
    return make_desk(tmp_path, FIRST), make_desk(tmp_path, SECOND)


def wait_for_jobs(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.jobs.idle)
    qtbot.wait(60)
    qtbot.waitUntil(lambda: window.jobs.idle)


def test_no_page_shows_anything_of_the_previous_desk(qtbot, window, desks):
    """The desks are switched to and fro, each time with another page in front.

    The pages that are shown after a switch are those that hold the previous desk at the next.
    """
    pages = [page.id for page in PAGES if page.id != "home"]
    others = ("board", "items", "compare", "why")
    switches = itertools.cycle([(FIRST, desks[1]), (SECOND, desks[0])])
    use_desk(window, desks[0])
    for page in others:
        window.show_page(page)
        wait_for_jobs(qtbot, window)
    for page, (word, following) in zip(pages, switches, strict=False):
        window.show_page(page)
        wait_for_jobs(qtbot, window)
        probe = Probe(window, word)
        probe.look()
        was_seen = bool(probe.found)
        assert was_seen or page in ("models", "references", "rate")
        probe.found.clear()
        window.installEventFilter(probe)
        use_desk(window, following)
        probe.look()
        for other in (page, *others, page):
            window.show_page(other)
            probe.look()
            window.grab()
            wait_for_jobs(qtbot, window)
        window.removeEventFilter(probe)
        assert probe.looks > 7, page
        assert probe.found == [], page


def test_facts_of_a_removed_system_are_removed_too(qtbot, window, desks):
    use_desk(window, desks[0])
    window.show_page("board")
    wait_for_jobs(qtbot, window)
    board = window.page
    board.view.setCurrentIndex(board.view.board_model.index(0, 2))
    qtbot.waitUntil(lambda: board.frames.is_empty)
    name = board.board.rows[0].summary.system
    assert board.facts.system.title.text() == name
    board.view.setFocus()
    qtbot.keyClick(board.view, Qt.Key.Key_Delete)
    assert board.facts.system.isVisible()
    assert name not in " ".join(text for text in visible_texts(board.drawer))
