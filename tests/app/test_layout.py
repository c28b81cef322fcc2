"""Nothing extends beyond the window, is cut without a tool tip, overlaps, or scrolls twice.

Every page is tested with long names, one and many systems, items and metrics, in small and
in large windows.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.pages import PAGES
from jurydesk.app.pages.compare.compare_cards import ValuesScatter
from jurydesk.app.style.theme import theme
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.controls import ChoiceBox
from jurydesk.app.widgets.parts import ElidedLabel
from jurydesk.app.widgets.scroll import (
    ScrolledContent,
    SharedScrollBar,
    TwoWayScrollArea,
    VerticalScrollArea,
)
from jurydesk.app.window.main_window import Window
from jurydesk.core.competition.task_registry import Registry
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.tables.columns import TextColumn
from support import toy
from support.suite.samples import sample
from support.windows import toy_competition
from support.windows.layout_faults import (
    double_heads,
    faults,
    few_rows,
    settled_faults,
    wheel_changes,
)
from support.windows.waiting import until_checked, until_drawn

SIZES = [(1024, 700), (1440, 900), (2560, 1440)]
LONG = "example_team_{:02d} (example-submission-file_of_the_team_no_{:02d}.test)"
ITEM = "sequence-{:06d}-of-the-collection-of-spring-2026-second-part"


def evaluate_many(references, submission, options, run):
    """Return the toy's numbers, and as many more metrics as a board could have."""
    found = toy_competition.evaluate(references, submission, options, run)
    more = tuple(Score(info.name, 0.5 + n / 1000, 10) for n, info in enumerate(MANY))
    return replace(found, scores=(*found.scores, *more))


MANY = tuple(
    MetricInfo(f"m{n}", f"Metric number {n} of the many", "One of many.", (0.0, 1.0), "higher", "")
    for n in range(57)
)
RICH = replace(
    toy_competition.TASK,
    scoring=replace(
        toy_competition.TASK.scoring,
        metrics=(*toy_competition.TASK.scoring.metrics, *MANY),
        evaluate=evaluate_many,
    ),
)


def long_names(folder: Path, systems: int, items: int) -> list[Path]:
    """Return a truth file and submissions with names of 60 characters."""
    truth = {ITEM.format(i): i / items for i in range(items)}
    paths = [toy.write(folder / "truth.txt", truth, "truth")]
    for n in range(systems):
        guesses = {
            key: value + (0.02 + 0.005 * n) * (-1) ** i * ((i % 7) / 7)
            for i, (key, value) in enumerate(truth.items())
        }
        path = folder / f"spring2026_final_submission_of_the_team_number_{n:02d}.test.txt"
        paths.append(toy.write(path, guesses, LONG.format(n, n)))
    return paths


def score(qtbot, window: Window, paths: list[Path]) -> None:
    window.files.open_paths(paths)
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None and bool(window.session.systems))


def page_faults(qtbot, window: Window) -> list[str]:
    """Return the faults of a page after the jobs that the window shows."""
    until_drawn(qtbot, window)
    qtbot.waitUntil(lambda: window.jobs.visible() is None)
    return settled_faults(qtbot, window)


def look(qtbot, window: Window) -> list[str]:
    """Return the layout faults of every page in small and large windows."""
    found = []
    for width, height in sample(SIZES, 2):
        window.resize(width, height)
        for page in PAGES:
            window.show_page(page.id)
            now = page_faults(qtbot, window)
            assert (window.width(), window.height()) == (width, height)
            found += [f"{width} x {height}: {one}" for one in now]
    return found


@pytest.mark.parametrize(("systems", "items"), [(1, 1), (2, 3000), (30, 40)])
def test_every_page_has_room_for_long_names_of_few_and_many(
    qtbot, window, tmp_path, systems, items
):
    score(qtbot, window, long_names(tmp_path / "files", systems, items))
    assert len(window.session.profile_systems()) == systems
    assert look(qtbot, window) == []


def test_every_page_has_room_for_sixty_metrics(qtbot, window, tmp_path, monkeypatch):
    found = Registry({"toy": RICH}, ())
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: found)
    score(qtbot, window, long_names(tmp_path / "files", 3, 40))
    assert len(window.session.leaderboard().metrics) == 60
    assert look(qtbot, window) == []


def test_every_page_has_room_before_a_competition_is_open(qtbot, window):
    assert look(qtbot, window) == []


@pytest.mark.parametrize("zoom", sample([2.0, 1.5], 1))
def test_every_page_has_room_at_a_larger_zoom(qtbot, window, tmp_path, zoom):
    score(qtbot, window, long_names(tmp_path / "files", 12, 40))
    theme().set_zoom(zoom)
    found = []
    for page in PAGES:
        window.resize(round(1024 * zoom), round(700 * zoom))
        window.show_page(page.id)
        found += page_faults(qtbot, window)
    assert found == []


class TestFaults:
    """The test detects each kind of fault."""

    @pytest.fixture
    def frame(self, qtbot) -> QWidget:
        made = QWidget()
        made.resize(300, 200)
        qtbot.addWidget(made)
        return made

    def shown(self, qtbot, frame: QWidget) -> list[str]:
        frame.show()
        qtbot.waitExposed(frame)
        return faults(frame)

    def test_a_widget_outside_the_window_is_a_fault(self, qtbot, frame):
        child = QLabel("lost", frame)
        child.setGeometry(280, 10, 60, 30)
        assert "off the window" in self.shown(qtbot, frame)[0]

    def test_a_hidden_widget_that_cannot_be_scrolled_to_is_a_fault(self, qtbot, frame):
        area, inside = QScrollArea(frame), QWidget()
        area.setGeometry(0, 0, 100, 100)
        QLabel("lost", inside).setGeometry(120, 10, 60, 30)
        inside.setFixedSize(90, 90)
        area.setWidget(inside)
        inside.setFixedSize(90, 90)
        assert any("off the window" in one for one in self.shown(qtbot, frame))

    def test_content_of_areas_with_one_scroll_bar_can_be_scrolled_to(self, qtbot, frame):
        area, inside, bar = VerticalScrollArea(), QWidget(), SharedScrollBar(frame)
        inside.setFixedSize(90, 900)
        QLabel("below", inside).setGeometry(0, 800, 60, 30)
        area.setWidget(inside)
        row = QHBoxLayout(frame)
        row.addWidget(area)
        row.addWidget(bar)
        bar.add_area(area)
        frame.show()
        qtbot.waitUntil(lambda: bar.isVisible() and faults(frame) == [])
        bar.hide()
        assert any("off the window" in one for one in faults(frame))

    def test_a_shared_scroll_bar_within_another_is_a_fault(self, qtbot, frame):
        outer, inner, inside = QScrollArea(), VerticalScrollArea(), QWidget()
        sheet = QWidget()
        bar = SharedScrollBar(sheet)
        row = QHBoxLayout(sheet)
        row.addWidget(inner)
        row.addWidget(bar)
        inside.setFixedSize(40, 900)
        inner.setWidget(inside)
        bar.add_area(inner)
        sheet.setFixedSize(90, 400)
        outer.setWidget(sheet)
        QVBoxLayout(frame).addWidget(outer)
        frame.show()
        said = "SharedScrollBar “” scrolls down within"
        qtbot.waitUntil(lambda: any(said in one for one in faults(frame)))

    def test_a_cut_text_without_a_tooltip_is_a_fault(self, qtbot, frame):
        child = QLabel("a text that has no room at all", frame)
        child.setGeometry(0, 0, 40, 30)
        assert "without a tool tip" in self.shown(qtbot, frame)[0]
        child.setToolTip(child.text())
        assert self.shown(qtbot, frame) == []

    def test_lines_without_height_are_a_fault(self, qtbot, frame):
        child = QLabel("words that need more than one line of this width", frame)
        child.setWordWrap(True)
        child.setGeometry(0, 0, 100, 20)
        assert "of height" in self.shown(qtbot, frame)[0]

    def test_names_that_are_cut_to_the_same_text_are_a_fault(self, qtbot, frame):
        for top, text in enumerate(("team-alpha-of-the-north", "team-a-and-all-of-the-north")):
            child = ElidedLabel(text)
            child.setParent(frame)
            child.setToolTip(text)
            child.setGeometry(0, 40 * top, 84, 30)
        painted = {one.shown_text() for one in frame.findChildren(ElidedLabel)}
        assert len(painted) == 1
        assert self.shown(qtbot, frame) == [f"2 texts are cut to “{painted.pop()}”"]

    def test_a_control_that_the_wheel_changes_is_a_fault(self, qtbot, frame):
        column = QVBoxLayout(frame)
        for box in (ChoiceBox(), QComboBox()):
            box.addItems(["one", "two", "three"])
            box.setCurrentIndex(1)
            box.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            column.addWidget(box)
        with qtbot.waitExposed(frame):
            frame.show()
        assert wheel_changes(frame) == ["QComboBox “” is changed by the wheel"]

    def test_a_list_with_few_rows_in_sight_is_a_fault(self, monkeypatch, window, files, qtbot):
        window.files.open_paths(files)
        until_checked(qtbot, window)
        window.evaluator.score()
        qtbot.waitUntil(lambda: window.evaluator.scoring is None and bool(window.session.systems))
        window.resize(1024, 700)
        window.show_page("items")
        until_drawn(qtbot, window)
        assert few_rows(window) == []
        table = window.page.view.table
        monkeypatch.setattr(table, "rowHeight", lambda row: table.viewport().height())
        (fault,) = few_rows(window)
        assert fault.endswith("shows 1 rows of 12")

    def test_a_squeezed_button_is_a_fault_whatever_its_tooltip(self, qtbot, frame):
        button = QPushButton("A long title of a button", frame)
        button.setGeometry(0, 0, 50, 40)
        button.setToolTip(button.text())
        assert "is squeezed" in self.shown(qtbot, frame)[0]

    def test_a_number_with_all_its_digits_is_a_fault(self, qtbot, frame):
        for top, text in enumerate(("It is 0.4843805.", "It is 0.48438057367049525.")):
            QLabel(text, frame).setGeometry(0, 30 * top, 300, 25)
        assert self.shown(qtbot, frame) == ["QLabel “It is 0.48438057367049525.” has a long number"]

    def test_overlapping_widgets_are_a_fault(self, qtbot, frame):
        row = QHBoxLayout(frame)
        one, other = QPushButton("one"), QPushButton("other")
        row.addWidget(one)
        row.addWidget(other)
        assert self.shown(qtbot, frame) == []
        other.setGeometry(one.geometry().translated(5, 0))
        assert any("overlaps" in one for one in faults(frame))

    def test_a_scroll_bar_within_another_is_a_fault(self, qtbot, frame):
        outer, inner = QScrollArea(), QScrollArea()
        column = QVBoxLayout(frame)
        column.addWidget(outer)
        for area, inside in ((outer, inner), (inner, QWidget())):
            inside.setFixedSize(60, 400)
            area.setWidget(inside)
        inner.widget().setFixedSize(40, 900)
        frame.show()
        said = "scrolls down within"
        qtbot.waitUntil(lambda: any(said in one for one in faults(frame)))

    def test_a_page_wider_than_the_window_is_a_fault(self, qtbot, frame):
        sheet = ScrolledContent()
        QVBoxLayout(sheet).addWidget(QPushButton("x"))
        sheet.setMinimumWidth(500)
        QVBoxLayout(frame).addWidget(TwoWayScrollArea(sheet))
        assert any("wider than the window" in one for one in self.shown(qtbot, frame))

    def test_a_list_cut_at_its_arrow_is_a_fault(self, qtbot, frame):
        box = QComboBox(frame)
        box.addItem("a choice that is longer than its box")
        box.setToolTip(box.currentText())
        box.setGeometry(0, 0, 90, 30)
        assert "at its arrow" in self.shown(qtbot, frame)[0]

    def test_a_table_that_floats_in_its_card_is_a_fault(self, qtbot, frame):
        column = QVBoxLayout(frame)
        table = QTableView()
        table.setMaximumHeight(60)
        column.addWidget(table)
        assert "below the top of its card" in self.shown(qtbot, frame)[0]
        column.addStretch(1)
        qtbot.waitUntil(lambda: faults(frame) == [])

    def test_a_plot_without_height_is_a_fault(self, qtbot, frame):
        plot = ValuesScatter("one", "other", np.arange(3.0), np.arange(3.0))
        plot.setParent(frame)
        plot.setMinimumHeight(0)
        plot.setGeometry(0, 0, 250, 70)
        assert any("px high" in one for one in self.shown(qtbot, frame))
        plot.setGeometry(0, 0, 250, 190)
        qtbot.waitUntil(lambda: faults(frame) == [])


def test_two_heads_that_look_the_same_are_a_fault(qtbot):
    table = Table("Numbers")
    qtbot.addWidget(table)
    table.resize(400, 200)
    for titles, found in ((("AP", "AP"), 1), (("AP", "P@5"), 0)):
        columns = [TextColumn(f"c{n}", title, ["x"]) for n, title in enumerate(titles)]
        table.table_model.show(columns)
        assert len(double_heads([table])) == found
