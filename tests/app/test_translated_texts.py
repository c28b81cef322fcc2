"""Every text of the window is translated: in the pseudo-language no English word is left.

The window is opened with the scored example of every other competition (with
`JURYDESK_SAMPLES=all`, of each), and without one. Texts are those of widgets, heads, cells,
actions, tool tips and accessible names, and what widgets paint.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QListWidget,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from jurydesk.app.jobs.crash_report import version_lines
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages import PAGES
from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.language import translate
from jurydesk.core.model.options import options_json
from support import examples
from support.examples import TASKS_WITH_EXAMPLE
from support.language import shown_in
from support.suite.samples import halves
from support.windows import workloads
from support.windows.untranslated import (
    Data,
    PaintedTexts,
    column_names,
    data_words,
    shown_texts,
    untranslated,
)
from support.windows.waiting import until_open

NO_DESK = "no desk"
COMPETITIONS = (NO_DESK, *halves(TASKS_WITH_EXAMPLE)[0])
SHEETS = (
    *("help.guide", "help.keys", "help.palette", "help.about"),
    *("edit.preferences", "run.rules", "file.rename"),
)
WITH_SHEETS = "vist"
"""The competition in whose window the sheets are opened."""
FRAME, ITEM = "frame", "item"
PARTS = [
    *(
        (competition, part)
        for competition in COMPETITIONS
        for part in (FRAME, *(p.id for p in PAGES))
    ),
    *((competition, ITEM) for competition in COMPETITIONS if competition != NO_DESK),
    *((WITH_SHEETS, sheet) for sheet in SHEETS),
]

found: dict[str, dict[str, list[str]]] = {}
"""What was found in the windows of this run, by competition and part."""


def example_desk(path: Path, competition: str) -> Path:
    """Return a desk of the competition's example, scored."""
    task = registry().tasks[competition]
    with Desk.create(path) as desk:
        desk.set_competition(task.id, "Spring", options_json(task.scoring.options()))
        for one in examples.score_example(task, resamples=20).evaluations:
            desk.add(one)
    return path


def english(qtbot, competition: str, folder: Path, monkeypatch) -> dict[str, list[str]]:
    """Return the English words of each part of a window."""
    if competition not in found:
        painted = PaintedTexts(monkeypatch)
        with shown_in("en"):
            desk = (
                None if competition == NO_DESK else example_desk(folder / "2.jurydesk", competition)
            )
        with shown_in("xx"), workloads.prepared_window(qtbot, folder) as window:
            if desk is not None:
                until_open(qtbot, window, desk)
            found[competition] = dict(english_parts(qtbot, window, painted, competition))
            window.files.close()
    return found[competition]


def is_quiet(window: Window) -> bool:
    """Return whether no job and no queued frame is left."""
    return window.jobs.idle and all(one.is_empty for one in window.findChildren(FrameQueue))


def english_parts(
    qtbot, window: Window, painted: PaintedTexts, competition: str
) -> Iterator[tuple[str, list[str]]]:
    words = [*data_words(window.session), version_lines()]
    data = Data(words)

    def english_of(widget: QWidget, *without: QWidget) -> list[str]:
        known = Data([*words, *column_names(widget)])
        return untranslated([*shown_texts(widget, without), *painted.of(widget)], known)

    for page in PAGES:
        window.show_page(page.id)
        qtbot.wait(20)
        qtbot.waitUntil(lambda: is_quiet(window))
        yield page.id, english_of(window.page)
    pages = list(window.pages.values())
    yield FRAME, untranslated(shown_texts(window, pages), data)
    if window.session.has_task:
        window.show_page("items")
        window.page.open_item()
        qtbot.wait(20)
        qtbot.waitUntil(lambda: is_quiet(window))
        yield ITEM, english_of(window.page)
    if competition == WITH_SHEETS:
        for command in SHEETS:
            window.actions_.run(command)
            assert window.views.sheet is not None
            # The guide is a document of its own, with a file for each language.
            yield (
                command,
                english_of(window.views.sheet, *window.views.sheet.findChildren(QListWidget)),
            )
            window.views.sheet.close()


@pytest.mark.parametrize(("competition", "part"), PARTS)
def test_no_english_is_left(qtbot, tmp_path, monkeypatch, competition, part):
    left = english(qtbot, competition, tmp_path, monkeypatch)[part]
    sys.stdout.write("\n".join(left))  # pytest -rP shows what a part still lacks
    assert left == []


class TestSearch:
    """The search for English finds it in every kind of text."""

    def left(self, widget: QWidget, data=()) -> list[str]:
        with shown_in("xx"):
            return untranslated(shown_texts(widget), Data(data))

    def test_pseudo_text_is_translated(self, qtbot):
        with shown_in("xx"):
            label = QLabel(translate("Open {name} …", name="run.txt"))
        qtbot.addWidget(label)
        assert self.left(label, ["run.txt"]) == []
        assert "Open" not in label.text()

    def test_half_a_translated_sentence_is_found(self, qtbot):
        with shown_in("xx"):
            label = QLabel(f"{translate('Open a file')} or drop one.")
        qtbot.addWidget(label)
        assert self.left(label) == [f"QLabel in NoneType: {label.text()}"]

    def test_data_counts_only_as_a_whole_text(self, qtbot):
        label = QLabel("a dog")
        qtbot.addWidget(label)
        assert self.left(label, ["see a dog run"]) == []
        assert self.left(label, ["a cat", "dogs"]) != []

    def test_tips_names_items_and_cells_are_read(self, qtbot):
        top = QWidget()
        qtbot.addWidget(top)
        box = QComboBox(top)
        box.addItem("an entry")
        box.setToolTip("a tip")
        box.setAccessibleName("a name")
        table = QTableWidget(1, 1, top)
        table.setHorizontalHeaderLabels(["a head"])
        table.setItem(0, 0, QTableWidgetItem("a cell"))
        texts = " ".join(self.left(top))
        assert all(f"a {one}" in texts for one in ("tip", "name", "head", "cell"))
        assert "an entry" in texts

    def test_painted_texts_are_read(self, qtbot, monkeypatch):
        painted = PaintedTexts(monkeypatch)

        class Painting(QWidget):
            def paintEvent(self, event) -> None:
                from PySide6.QtGui import QPainter

                QPainter(self).drawText(5, 5, "painted English")

        widget = Painting()
        qtbot.addWidget(widget)
        assert list(painted.of(widget)) == [("painted", "painted English")]
