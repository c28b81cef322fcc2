"""Compare page of a read-only desk."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from jurydesk.app.pages.compare import compare_model
from jurydesk.app.pages.compare.compare_cards import DifferencesPlot, ValuesScatter
from jurydesk.app.pages.compare.compare_page import ComparePage
from jurydesk.app.pages.compare.sides import pair_test
from jurydesk.app.pages.items.items_listing import ListedCells
from jurydesk.app.state.next_step import Step
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.theme import TINY, font, theme
from jurydesk.app.style.visible_text import elide_pair, tip
from jurydesk.core.analysis.comparison.pairwise import MetricComparison, SignificanceTest
from jurydesk.core.analysis.leaderboard import Leaderboard, find_score, make_leaderboard
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.desk import Desk
from jurydesk.core.desk.summary import Summary
from jurydesk.core.model.evaluation import Evaluation, Interval, UsageError
from support.windows import dense_evaluations
from support.windows.evaluations import TASK, retrieval
from support.windows.item_pages import Looking
from support.windows.layout_reset import assert_sizes_are_reset_and_restored
from support.windows.waiting import until_checked
from support.windows.workspaces import make_workspace


class LookingAtBoard(Looking):
    """Session with a desk, results, and a board of two metrics."""

    def __init__(
        self,
        evaluations: Sequence[Evaluation],
        desk: Desk | None = None,
        keys: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(TASK, evaluations)
        if desk is None:
            desk = Desk.create(Path(mkdtemp(dir=os.environ["JURYDESK_HOME"])) / "board.jurydesk")
            keys = {one.system: desk.add(one) for one in evaluations}
        self._desk = desk
        self.keys = keys or {one.system: i for i, one in enumerate(evaluations, 1)}

    def profile_systems(self) -> tuple[Summary, ...]:
        return tuple(
            replace(one, id=self.keys[one.system], scores=one.scores[:2])
            for one in super().profile_systems()
        )

    def leaderboard(self, significance_tests=None) -> Leaderboard | None:
        return make_leaderboard(self.task, self.profile_systems())


THREE = (retrieval(40, "alpha", 1), retrieval(40, "beta", 2), retrieval(40, "gamma", 3))


def show_page(
    qtbot: QtBot,
    evaluations: Sequence[Evaluation],
    desk: Desk | None = None,
    keys: Mapping[str, int] | None = None,
) -> ComparePage:
    page = ComparePage(make_workspace(LookingAtBoard(evaluations, desk, keys)))
    shown_in(qtbot, page)
    return page


def shown_in(qtbot: QtBot, page: ComparePage) -> None:
    begun(qtbot, page)
    run_queued_frames(qtbot, page)


def begun(qtbot: QtBot, page: ComparePage) -> None:
    """Yield the visible page, and wait for its background jobs."""

    def end(_: ComparePage) -> None:  # qtbot keeps no page after its test
        page.view.frames.clear()
        assert page.workspace.jobs.shut_down()

    qtbot.addWidget(page, before_close_func=end)
    page.resize(1096, 718)
    page.show()
    page.activate()


def run_queued_frames(qtbot: QtBot, page: ComparePage) -> None:
    """Run all queued frames."""
    qtbot.waitUntil(lambda: page.view.frames.is_empty)


@pytest.fixture
def page(qtbot: QtBot) -> ComparePage:
    page = show_page(qtbot, THREE)
    qtbot.waitUntil(lambda: page.comparison is not None)
    return page


def test_a_page_that_is_opened_again_makes_no_leaderboard(page, monkeypatch):
    made, make = [], page.session.leaderboard
    monkeypatch.setattr(page.session, "leaderboard", lambda: made.append(make()) or made[-1])
    page.hide()
    page.show()
    page.activate()
    assert made == []
    page.session.select(system="gamma")
    page.activate()
    assert len(made) == 1
    assert "gamma" in page.systems


def visible_numbers(page: ComparePage, column: int) -> list[float]:
    model = page.view.table.table_model
    return model.columns[column].data(model.rows)


def test_the_two_best_systems_are_compared_initially(page: ComparePage) -> None:
    best = [row.summary.system for row in page.session.leaderboard().rows]
    assert page.systems == (best[0], best[1])
    assert page.heading.text() == f"{best[0]} against {best[1]}"


def test_the_finding_states_the_significance_of_the_difference(page: ComparePage) -> None:
    assert page.comparison is not None
    p = page.comparison.board.corrected
    assert page.finding.startswith("The data cannot say which is better: AP ")
    assert f"board: p = {p:.3f}, corrected" in page.finding
    assert re.search(r"95 % interval \S+ to \S+ \(this pair alone\) · board", page.finding)
    assert "p of this pair alone" in page.sentence.toolTip()
    assert "better on " in page.sentence.toolTip()
    assert "paired t: p = " in page.sentence.toolTip()


REASON = "Not reliable: the models have random weights."


def test_numbers_of_random_models_are_in_parentheses_with_the_reason(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LookingAtBoard, "random_metrics", lambda self: frozenset({"ap"}))
    page = show_page(qtbot, THREE)
    qtbot.waitUntil(lambda: page.comparison is not None)
    assert page.compared_metric.name == "ap"
    assert page.finding.endswith(REASON)
    found = page.comparison
    assert f" ({found.difference:+.4f})".replace("-", "−") in page.finding
    for end in (found.interval.low, found.interval.high):
        assert f"({end:+.4f})".replace("-", "−") in page.finding
    table = page.view.table
    value = float(page.items.first[table.current_row])
    _, first, *_ = table.table_model.columns
    assert first.text(table.current_row) == f"({value:.4f})"
    assert first.exact(table.current_row) == repr(value)
    assert REASON in first.tooltip


def test_an_interval_of_few_items_has_a_sign_beside_it(qtbot: QtBot) -> None:
    page = show_page(qtbot, [retrieval(8, "alpha", 1), retrieval(8, "beta", 2)])
    qtbot.waitUntil(lambda: page.comparison is not None)
    high = f"{page.comparison.interval.high:+.4f}".replace("-", "−")
    assert f" to {high}°" in page.finding


def test_an_interval_of_many_items_has_no_sign(page: ComparePage) -> None:
    assert "interval" in page.finding
    assert "°" not in page.finding


def test_items_are_named_by_their_texts_with_the_id_in_the_tooltip(qtbot: QtBot) -> None:
    session = LookingAtBoard(THREE)
    listed = replace(
        TASK.presentation, listed=lambda evidence: ItemListEntry(f"captain of {evidence.query}")
    )
    session.state = replace(session.state, task=replace(TASK, presentation=listed))
    page = ComparePage(make_workspace(session))
    shown_in(qtbot, page)
    table, row = page.view.table, page.view.table.current_row
    name = page.items.ids[row]
    assert isinstance(table.itemDelegateForColumn(0), ListedCells)
    assert page.view.inspectors_card.name.text() == f"captain of {name}"
    assert name in page.view.inspectors_card.name.toolTip()
    tooltip = table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert f"captain of {name}<br>{name}" in tooltip
    page.search()
    qtbot.keyClicks(page.view.items.line.field, "captain of sb0007")
    assert [page.items.ids[row] for row in table.table_model.rows] == ["sb0007"]


def test_the_tooltip_of_the_plot_has_the_item_and_both_values(
    qtbot: QtBot, page: ComparePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *rest: shown.append(text))
    plot, row = page.view.differences.plot, 5
    middle = QPoint(plot.width() // 2, plot.height() // 2)
    help_event = QHelpEvent(QEvent.Type.ToolTip, middle, plot.mapToGlobal(middle))
    plot.set_hovered(row)
    QApplication.sendEvent(plot.viewport(), help_event)
    first, second = (values[row] for values in (page.items.first, page.items.second))
    one, other = page.systems
    expected = tip(page.items.ids[row], f"{one}: {first:.4f}", f"{other}: {second:.4f}")
    assert shown == [expected]
    plot.set_hovered(None)
    QApplication.sendEvent(plot.viewport(), help_event)
    assert [text for text in shown if text] == [expected]


def test_the_plot_of_a_previous_pair_has_no_tooltip(page: ComparePage) -> None:
    card, few = page.view.differences, page.items.ids[:3]
    assert card._tip_lines(20)[0] == page.items.ids[20]
    fewer = replace(page.items, ids=few, first=page.items.first[:3], second=page.items.second[:3])
    card.show_pair(fewer, page.systems, "queries")
    assert card._tip_lines(20) == ()
    assert card._tip_lines(0) == ()  # the plot on the screen is still that of the other pair


def test_the_filter_line_and_a_brush_over_the_plot_choose_the_items(
    qtbot: QtBot, page: ComparePage
) -> None:
    model, line = page.view.table.table_model, page.view.items.line
    differences = page.items.differences
    page.search()
    qtbot.keyClicks(line.field, "difference > 0")
    assert model.rowCount() == (differences > 0).sum() > 0
    line.clear()
    plot = page.view.differences.plot
    plot.brush(QRectF(0.5, 0, 3, 1))
    assert sorted(differences[model.rows]) == sorted(differences)[-3:]
    legend = page.view.differences.legend
    assert [one.text for one in legend.entries] == ["each of the queries", "mean difference"]
    page.view.differences.tools.fill_menu()
    titles = [one.text() for one in page.view.differences.tools.menu.actions()]
    assert titles == [f"Differences by item as {one}" for one in ("PNG", "SVG", "CSV")]
    page.view.differences.segments.choose(1)
    run_queued_frames(qtbot, page)
    assert model.rowCount() == len(differences)
    page.view.differences.plot.brush(QRectF(0, 0, 1, 0.5))
    assert (page.items.second[model.rows] <= 0.5).all()
    assert model.rowCount() == (page.items.second <= 0.5).sum()


def test_the_largest_difference_is_first_and_opened_in_both_inspectors(page: ComparePage) -> None:
    sizes = np.abs(visible_numbers(page, 3))
    assert (np.diff(sizes) <= 0).all()
    assert page.items is not None
    assert page.view.inspectors_card.name.text() == visible_numbers(page, 0)[0]
    assert [name.text() for name in page.view.inspectors_card.names] == list(page.systems)
    assert len(page.view.inspectors_card.inspectors) == 2
    assert all(side.isVisible() for side in page.view.inspectors_card.inspectors)


def test_the_same_row_of_another_competition_is_opened_too(qtbot: QtBot, page: ComparePage) -> None:
    top = page.view.table.current_row
    others = [retrieval(40, name, seed) for name, seed in (("one", 1), ("two", 2))]
    page.session.evaluations = {one.system: one for one in others}
    page.session.keys = {"one": 1, "two": 2}
    page.session.changed.emit(~SessionPart(0))
    qtbot.waitUntil(lambda: page.comparison is not None)
    run_queued_frames(qtbot, page)
    assert page.view.table.current_row == top
    assert sorted(name.text() for name in page.view.inspectors_card.names) == ["one", "two"]


def test_an_item_chosen_in_the_plot_is_opened(qtbot: QtBot, page: ComparePage) -> None:
    page.view.differences.plot.item_chosen.emit(7)
    assert page.view.table.current_row == 7
    run_queued_frames(qtbot, page)
    assert page.view.inspectors_card.name.text() == page.items.ids[7]
    assert page.view.differences.plot.current_row == 7


def test_the_items_can_be_shown_as_a_scatter_plot(page: ComparePage) -> None:
    assert isinstance(page.view.differences.plot, DifferencesPlot)
    page.view.differences.segments.choose(1)
    plot = page.view.differences.plot
    assert isinstance(plot, ValuesScatter)
    assert page.items is not None
    assert plot.row_near(page.items.first[4], page.items.second[4]) is not None
    assert plot.row_near(-5.0, -5.0) is None


class TestTurns:
    """The table comes first; slow parts follow in later frames."""

    def test_the_previous_plot_remains_until_the_next_and_selects_nothing(
        self, qtbot: QtBot, page: ComparePage
    ) -> None:
        before, row = page.view.differences.plot, page.view.table.current_row
        names = [name.text() for name in page.view.inspectors_card.names]
        page.swap()
        assert before.isVisible()
        before.item_chosen.emit((row + 1) % 40)
        assert page.view.table.current_row == row
        run_queued_frames(qtbot, page)
        assert page.view.differences.plot is before
        assert before.current_row == row
        assert before.values.tolist() == page.items.gains.tolist()
        assert [name.text() for name in page.view.inspectors_card.names] == names[::-1]

    def test_the_layout_is_stable_from_the_first_frame(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen = threading.Event()

        def compare_later(*arguments: Any) -> object:
            seen.wait(30)  # the sentence of the comparison may need another line
            return pair_test(*arguments)

        monkeypatch.setattr("jurydesk.app.pages.compare.compare_page.pair_test", compare_later)
        page = ComparePage(make_workspace(LookingAtBoard(THREE)))
        page.session.changed.emit(SessionPart.RESULTS)
        run_queued_frames(qtbot, page)
        begun(qtbot, page)
        assert not page.view.differences.prepare().isVisible()
        QApplication.processEvents()
        places = [page.view.inspectors_card.geometry(), page.view.differences.geometry()]
        run_queued_frames(qtbot, page)
        assert page.view.differences.plot.isVisible()
        assert [page.view.inspectors_card.geometry(), page.view.differences.geometry()] == places
        seen.set()
        qtbot.waitUntil(lambda: page.comparison is not None)

    def test_queued_work_of_outdated_results_is_dropped(
        self, qtbot: QtBot, page: ComparePage
    ) -> None:
        names = [name.text() for name in page.view.inspectors_card.names]
        page.swap()
        page.hide()
        page.session.changed.emit(SessionPart.RESULTS)
        run_queued_frames(qtbot, page)
        assert [name.text() for name in page.view.inspectors_card.names] == names
        page.show()
        page.activate()
        run_queued_frames(qtbot, page)
        assert [name.text() for name in page.view.inspectors_card.names] == names[::-1]


def test_the_plot_labels_its_axes_in_every_theme(page: ComparePage) -> None:
    plot = page.view.differences.plot
    theme().mode = "dark"
    theme().set_zoom(1.0)
    assert plot.getAxis("bottom").labelText == "queries, sorted by difference"
    assert (
        plot.getPlotItem().titleLabel.text
        == f"alpha better on {page.items.wins} ↑ · beta on {page.items.losses} ↓"
    )


def test_the_systems_can_be_swapped(qtbot: QtBot, page: ComparePage) -> None:
    before, difference = page.systems, visible_numbers(page, 3)[0]
    page.swap()
    assert page.systems == before[::-1]
    run_queued_frames(qtbot, page)
    assert visible_numbers(page, 3)[0] == -difference


def test_long_names_keep_the_difference_visible(qtbot: QtBot) -> None:
    def named(evaluation: Evaluation) -> Evaluation:
        items = evaluation.items
        return replace(
            evaluation, items=replace(items, ids=tuple(5 * f"{id}-" for id in items.ids))
        )

    page = show_page(qtbot, [named(one) for one in THREE])
    assert visible_numbers(page, 3)
    assert page.view.table.horizontalScrollBar().maximum() == 0


def test_a_row_of_the_previous_pair_opens_no_item_of_the_next(
    qtbot: QtBot, page: ComparePage
) -> None:
    page.swap()
    with qtbot.assertNotEmitted(page.view.item_changed):
        page.view.table.step(1)
    run_queued_frames(qtbot, page)
    assert page.view.table.current_row == page.view.table.table_model.rows[0]


def test_a_system_is_never_compared_with_itself(page: ComparePage) -> None:
    page.pair.second.setCurrentText(page.pair.first.currentText())
    page.pair.second.activated.emit(page.pair.second.currentIndex())
    assert len(set(page.systems)) == 2


@pytest.fixture
def kept(qtbot: QtBot, tmp_path) -> Iterator[ComparePage]:
    """Return the page over a desk, from which the other systems are read."""
    with Desk.create(tmp_path / "three.jurydesk") as desk:
        keys = {one.system: desk.add(one) for one in THREE}
        page = show_page(qtbot, THREE, desk, keys)
        qtbot.waitUntil(lambda: page.comparison is not None)
        yield page
        page.session.use(None)


def titles(page: ComparePage) -> list[str]:
    return [column.title for column in page.view.table.table_model.columns]


def test_all_systems_can_be_shown_beside_the_two(qtbot: QtBot, kept: ComparePage) -> None:
    page = kept
    two = titles(page)
    page.toggle_all()
    other = (set(page.session.evaluations) - set(page.systems)).pop()
    qtbot.waitUntil(lambda: other in titles(page))
    assert titles(page) == [two[0], "Best", "Spread", *two[1:], other]
    found = [
        dict(zip(one.items.ids, one.items.columns["ap"].tolist(), strict=True))
        for one in page.session.evaluations.values()
    ]
    names = list(page.session.evaluations)
    last = len(titles(page))
    spreads = visible_numbers(page, 2)
    assert (np.diff(spreads) <= 0).all()
    for row, key in enumerate(visible_numbers(page, 0)):
        values = [one[key] for one in found]
        assert visible_numbers(page, last - 1)[row] == found[names.index(other)][key]
        assert spreads[row] == pytest.approx(max(values) - min(values))
        assert visible_numbers(page, 1)[row] == names[int(np.argmax(values))]
    assert not page.view.table.horizontalHeader().isSectionHidden(2)
    page.toggle_all()
    assert titles(page) == two


def test_a_reset_layout_has_the_initial_sizes_of_parts_and_can_be_restored(
    page: ComparePage,
) -> None:
    assert_sizes_are_reset_and_restored(page, page.view._list)


def test_another_metric_can_be_chosen(qtbot: QtBot, page: ComparePage) -> None:
    page.pair.metrics.setCurrentText("P@5")
    page.pair.metrics.activated.emit(page.pair.metrics.currentIndex())
    qtbot.waitUntil(lambda: page.comparison is not None)
    assert page.finding.startswith("P@5 +")


def test_the_differences_are_exported_and_copied(page: ComparePage, tmp_path) -> None:
    table, _, *plots = page.exports()
    assert [one.pattern for one in plots] == ["*.png", "*.svg", "*.csv"]
    table.write(tmp_path / "differences.csv")
    head, *lines = (tmp_path / "differences.csv").read_text().splitlines()
    assert head.startswith("item,")
    assert len(lines) == len(page.items.ids)
    page.select_all()
    assert len(page.selection_text(True).splitlines()) == len(lines) + 1


def test_a_single_system_cannot_be_compared(qtbot: QtBot) -> None:
    page = show_page(qtbot, THREE[:1])
    assert page.finding == "Two systems are needed: score a second one to compare them here."
    assert not page.view.isVisible()
    assert page.exports() == ()


@pytest.mark.parametrize("command", ["file.save_as", "view.board"])
@pytest.mark.parametrize(("read_only", "wanted"), [(False, ["file.open"]), (True, [])])
def test_beside_a_single_system_the_file_of_a_second_one_can_be_added(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, command: str, read_only: bool, wanted: list[str]
) -> None:
    page, asked = show_page(qtbot, THREE[:1]), list[str]()
    monkeypatch.setattr(LookingAtBoard, "read_only", property(lambda _: read_only))
    page.command_requested.connect(asked.append)
    page.offer_step(Step("Save the desk", "", "Save as …", command))
    assert page.step.isVisible() is not read_only
    if page.step.isVisible():
        assert page.step.text() == "Add files …"
        page.step.click()
    assert asked == wanted


def images(qtbot: QtBot) -> ComparePage:
    """Return the page of a competition whose units are images."""
    page = ComparePage(
        make_workspace(LookingAtBoard(tuple(dense_evaluations.evaluations().values())))
    )
    task = dense_evaluations.TASK
    page.session.state = replace(page.session.state, task=task, options=task.scoring.options())
    return page


def test_two_systems_of_dense_captions_are_compared_image_by_image(qtbot: QtBot) -> None:
    page = images(qtbot)
    shown_in(qtbot, page)
    qtbot.waitUntil(lambda: page.comparison is not None)
    assert page.items is not None
    assert page.items.unit == "images"
    assert "bootstrap standard error" in compare_model.tests_tip(page.comparison)
    assert " images" in page.sentence.toolTip()
    assert titles(page)[0] == "Image"
    assert len(page.view.inspectors_card.inspectors) == 2
    assert page.view.inspectors_card.inspectors[0].isVisible()
    assert {page.pair.metrics.itemText(n) for n in range(page.pair.metrics.count())} == {
        "mAP",
        "Detection mAP",
    }
    image = visible_numbers(page, 0)[0]
    assert page.session.selection.item.startswith(f"{image} · ")


class ClosedDesk:
    """Stub of the parts of a desk that the page needs."""

    path, read_only = "", True

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection to empty tables of settings."""
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE TABLE setting (name TEXT, content TEXT)")
            yield connection

    def close(self) -> None:
        """Do nothing."""


class TestWholeSets:
    """Metrics of a whole set of images."""

    @pytest.fixture
    def whole(self, qtbot: QtBot, monkeypatch) -> ComparePage:
        from jurydesk.core.analysis import contradictions as marks
        from jurydesk.core.analysis import stamped_inputs as requested

        def found(desk, task, metric, pair, run) -> MetricComparison:
            if self.reason:
                raise UsageError(self.reason)
            first, second = (
                Entrant(one.system, find_score(one, metric.name).value, None) for one in pair
            )
            apart = first.value - second.value
            limits = Interval(apart - 0.1, apart + 0.1)
            tests = (SignificanceTest("bootstrap standard error", 0.25, 200),)
            return MetricComparison(
                metric, first, second, apart, limits, tests, None, 9, 1, "pictures"
            )

        self.reason = ""
        monkeypatch.setattr(requested, "compare_requested", found)
        # A closed desk has no rows to compare with.
        monkeypatch.setattr(marks, "contradictions", lambda *given: iter(()))
        page = ComparePage(make_workspace(LookingAtBoard(THREE)))
        task = replace(TASK, scoring=replace(TASK.scoring, on_request={"ap": lambda *given: None}))
        page.session.state = replace(page.session.state, task=task)
        page.session._desk = ClosedDesk()
        shown_in(qtbot, page)
        page.pair.metrics.setCurrentIndex(page.pair.metrics.findData("ap"))
        page.pair.metrics.activated.emit(page.pair.metrics.currentIndex())
        yield page
        page.session.use(None)

    def test_a_difference_of_whole_sets_is_tested_on_request(
        self, qtbot: QtBot, whole: ComparePage
    ) -> None:
        assert whole.set_metric_card.isVisible()
        assert not whole.view.isVisible()
        assert " against " in whole.finding
        assert "p = " not in whole.finding
        qtbot.mouseClick(whole.set_metric_card.button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "p = 0.250" in whole.finding)
        assert whole.finding.endswith("over 9 pictures.")
        qtbot.waitUntil(whole.set_metric_card.button.isEnabled)

    def test_scores_of_random_models_are_in_parentheses(
        self, qtbot: QtBot, whole: ComparePage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(LookingAtBoard, "random_metrics", lambda self: frozenset({"ap"}))
        whole.pair.metrics.activated.emit(whole.pair.metrics.currentIndex())
        scores = [find_score(whole.session.summary(one), "ap").value for one in whole.systems]
        shown = " against ".join(f"({score:.4f})" for score in scores)
        assert whole.finding.endswith(f"{shown}. {REASON}")

    def test_the_reason_against_a_test_is_shown(self, qtbot: QtBot, whole: ComparePage) -> None:
        self.reason = "The features of 9 pictures are not kept on this computer."
        whole.set_metric_card.button.click()
        qtbot.waitUntil(lambda: whole.set_metric_card.words.text().startswith(self.reason))

    def test_a_late_result_is_not_shown_for_another_metric(
        self, qtbot: QtBot, whole: ComparePage
    ) -> None:
        with qtbot.waitSignal(whole.set_metric_card.tested) as tested:
            whole.set_metric_card.button.click()
        whole.pair.metrics.setCurrentIndex(whole.pair.metrics.findData("precAt5"))
        whole.pair.metrics.activated.emit(whole.pair.metrics.currentIndex())
        qtbot.waitUntil(lambda: whole.comparison is not None)
        finding, comparison = whole.finding, whole.comparison
        whole.set_metric_card.tested.emit(*tested.args)
        assert (whole.finding, whole.comparison) == (finding, comparison)

    def test_another_metric_shows_the_items_again(self, qtbot: QtBot, whole: ComparePage) -> None:
        whole.pair.metrics.setCurrentIndex(whole.pair.metrics.findData("precAt5"))
        whole.pair.metrics.activated.emit(whole.pair.metrics.currentIndex())
        qtbot.waitUntil(lambda: whole.comparison is not None)
        assert whole.view.isVisible()
        assert not whole.set_metric_card.isVisible()


def test_the_window_has_the_page(window) -> None:
    window.show_page("compare")
    assert window.page.id == "compare"


def test_the_page_follows_the_selected_system(page: ComparePage) -> None:
    names = [row.summary.system for row in page.session.leaderboard().rows]
    page.session.select(system=names[2])
    page.activate()
    assert page.systems == (names[1], names[2])
    page.swap()
    page.activate()
    assert page.systems == (names[2], names[1])


def test_one_system_leaves_no_switch_over_an_empty_page(qtbot, window, files):
    window.resize(640, 480)
    window.files.open_paths(files[:2])
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None and bool(window.session.systems))
    window.show_page("compare")
    assert len(window.session.systems) == 1
    qtbot.waitUntil(window.page.step.isVisible)
    assert window.page.view.switch.isHidden()
    assert not window.page.view.isVisible()


def test_without_scores_by_item_there_is_no_list_of_metrics_but_the_next_step(
    qtbot: QtBot, page: ComparePage
) -> None:
    assert not page.is_empty
    assert not page.pair.metrics.isHidden()
    bare = [replace(one, items=replace(one.items, columns={})) for one in THREE]
    other = ComparePage(make_workspace(LookingAtBoard(bare)))
    shown_in(qtbot, other)
    with qtbot.waitSignal(other.changed):
        other.pair.chosen.emit()
    assert other.is_empty
    assert "no scores by item" in other.finding
    assert other.pair.metrics.isHidden()
    assert other.pair.systems == ("alpha", "beta")


def test_an_item_that_is_shown_alone_may_be_lower_than_beside_the_plot(
    qtbot: QtBot, page: ComparePage
) -> None:
    view, item = page.view, page.view.inspectors_card
    page.resize(500, 330)
    qtbot.waitUntil(view.switch.isVisible)
    view.switch.choose(0)
    assert item.isVisible()
    assert view.minimumSizeHint().height() == item.content_size().height()
    assert item.content_size().height() < item.minimumSizeHint().height()
    view.switch.choose(2)
    assert view.minimumSizeHint().height() == view.differences.minimumSizeHint().height()


def test_an_item_that_is_shown_alone_has_the_room_of_the_finding_in_very_low_windows(
    qtbot: QtBot, page: ComparePage
) -> None:
    page.resize(500, 290)
    qtbot.waitUntil(page.view.switch.isVisible)
    page.view.switch.choose(1)
    assert page.sentence.isVisible()
    page.view.switch.choose(0)
    assert not page.sentence.isVisible()
    page.resize(500, 330)
    assert page.sentence.isVisible()
    page.resize(500, 290)
    assert not page.sentence.isVisible()
    page.view.switch.choose(1)
    assert page.sentence.isVisible()


def test_the_name_of_a_system_stands_above_its_inspector(qtbot: QtBot, page: ComparePage) -> None:
    card = page.view.inspectors_card
    page.resize(1800, 1000)
    qtbot.waitUntil(lambda: all(name.isVisible() for name in card.names))
    for name, inspector in zip(card.names, card.inspectors, strict=True):
        left = name.mapTo(card, QPoint(0, 0)).x()
        assert left == inspector.mapTo(card, QPoint(0, 0)).x()
    widths = [inspector.width() for inspector in card.inspectors]
    assert abs(widths[0] - widths[1]) <= 1


def test_the_plot_names_both_systems_where_their_names_have_no_room(qtbot: QtBot) -> None:
    plot = DifferencesPlot()
    qtbot.addWidget(plot)
    names = ("a_very_long_name_of_the_first_system", "another_long_name_of_the_second_one")
    plot.show_gains(*names, np.array([0.5, -0.5]), "items")
    plot.resize(320, 200)
    shown = plot.elided_title(QFontMetricsF(font(TINY)), 300)
    first, second = shown.split(" · ")
    assert first.startswith("a_very")
    assert first.endswith("… better on 1 ↑")
    assert second.startswith("anot")
    assert second.endswith("… on 1 ↓")


@pytest.mark.parametrize(("width", "wide"), [(1400, True), (1100, True), (800, False)])
def test_the_item_stands_beside_a_narrow_list_where_both_inspectors_have_room(
    qtbot: QtBot, page: ComparePage, width: int, wide: bool
) -> None:
    page.resize(width, 760)
    view = page.view
    qtbot.waitUntil(lambda: view.switch.isHidden() is wide)
    assert view.inspectors_card.isVisible()
    assert view.card.isVisible() is view.differences.isVisible() is wide
    assert view.table.hidden.issuperset(page.systems) is wide
    assert " against " in view.inspectors_card.values.text()


def test_at_1024_pixels_the_list_stands_alone_and_a_row_opens_the_item(
    qtbot: QtBot, page: ComparePage
) -> None:
    page.resize(840, 590)  # of a window of 1024 x 700
    view, table = page.view, page.view.table
    qtbot.waitUntil(view.switch.isVisible)
    view.switch.choose(1)
    qtbot.waitUntil(table.isVisible)
    assert table.viewport().height() // table.rowHeight(0) >= 12
    table.opened.emit(3)
    assert view.inspectors_card.isVisible()
    assert not table.isVisible()


def test_twelve_rows_are_in_sight_at_the_size_of_a_laptop(qtbot: QtBot, page: ComparePage) -> None:
    page.resize(1240, 800)
    qtbot.waitUntil(lambda: page.view.is_wide)
    table = page.view.table
    assert table.viewport().height() // table.rowHeight(0) >= 12


def with_opposite_precision(evaluation: Evaluation) -> Evaluation:
    """Return an evaluation whose P@5 is high where its AP is low."""
    items = evaluation.items
    columns = {**items.columns, "precAt5": 1 - items.columns["ap"]}
    return replace(evaluation, items=replace(items, columns=columns))


def test_n_goes_from_item_to_item_on_which_another_metric_prefers_the_other_system(
    qtbot: QtBot,
) -> None:
    page = show_page(qtbot, [THREE[0], with_opposite_precision(THREE[1]), THREE[2]])
    said: list[str] = []
    page.message.connect(said.append)
    first, second = (page.session.evaluations[name].items for name in page.systems)
    one, other = first.columns, second.columns
    differ = (one["ap"] - other["ap"]) * (one["precAt5"] - other["precAt5"]) < 0
    ids = {key for key, yes in zip(first.ids, differ, strict=True) if yes}
    assert 1 < len(ids) < len(page.items.ids)
    table = page.view.table
    listed = [page.items.ids[row] for row in table.table_model.rows]
    here = listed.index(page.items.ids[table.current_row])
    for wanted in [key for key in listed[here + 1 :] + listed[: here + 1] if key in ids]:
        page.next_disagreement()
        assert page.items.ids[table.current_row] == wanted
    assert said[-1] == f"P@5 disagrees on {len(ids)} queries."
    here = page.items.ids[table.current_row]
    page.next_disagreement()
    page.view.inspectors_card.previous.click()
    assert page.items.ids[table.current_row] == here


def test_the_items_on_which_another_metric_disagrees_are_counted_and_listed_alone(
    qtbot: QtBot,
) -> None:
    page = show_page(qtbot, [THREE[0], with_opposite_precision(THREE[1]), THREE[2]])
    bar, table, card = page.view.disagreements, page.view.table, page.view.inspectors_card
    rows = set(page.view.pair.disagreeing.tolist())
    assert bar.sentence.text() == f"AP and P@5 disagree on {len(rows)}"
    table.set_current_row(next(iter(rows)))
    qtbot.waitUntil(lambda: page.view.frames.is_empty)
    assert card.opinion.text().startswith("P@5 disagrees: ")
    bar.button.click()
    assert set(table.table_model.rows.tolist()) == rows
    assert card.place.text().endswith(f" of {len(rows)}")
    assert bar.button.text() == "Show all"
    page.swap()
    qtbot.waitUntil(lambda: page.view.frames.is_empty)
    assert table.table_model.rowCount() == len(page.items.ids)
    assert bar.button.text() == f"Show {len(rows)}"


def test_rows_begin_with_their_number_and_the_head_with_that_of_the_item(
    qtbot: QtBot, page: ComparePage
) -> None:
    table, card = page.view.table, page.view.inspectors_card
    total = table.table_model.rowCount()
    table.step(2)
    qtbot.waitUntil(lambda: card.place.text() == f"3 of {total}")
    assert table.gutter > 0
    numbered = table.grab().toImage()
    table.is_numbered = False
    table.viewport().update()
    assert table.grab().toImage() != numbered


def test_where_no_metric_disagrees_n_says_so_and_stays(qtbot: QtBot, page: ComparePage) -> None:
    said: list[str] = []
    page.message.connect(said.append)
    before = page.view.table.current_row
    page.next_disagreement()
    assert said == ["P@5 disagrees on no listed item."]
    assert page.view.table.current_row == before
    assert page.view.disagreements.isHidden()


def test_two_long_names_share_one_line_of_the_title(page: ComparePage) -> None:
    names = [f"Group of Visual Storytelling of a University (beam {n})" for n in (3, 5)]
    page.heading.shorten = lambda room: elide_pair(
        page.heading.fontMetrics(), "{} against {}".format, (names[0], names[1]), room
    )
    page.heading.show_text(" against ".join(names))
    page.heading.setMaximumWidth(420)
    (line,) = page.heading.lines()
    assert " against " in line
    assert page.heading.fontMetrics().horizontalAdvance(line) <= 420
    assert [number in line.split(" against ")[n] for n, number in enumerate("35")] == [True, True]
    assert names[1] in page.heading.toolTip()


def test_a_title_measured_without_systems_is_made_again(page: ComparePage) -> None:
    names = [f"Group of Visual Storytelling of a University (beam {n})" for n in (3, 5)]
    shown = iter((" against ", "(beam 3) against (beam 5)"))
    page.heading.shorten = lambda room: next(shown)
    page.heading.setMaximumWidth(420)
    for line in ([" against "], ["(beam 3) against (beam 5)"]):
        page.heading.show_text(" against ".join(names))
        assert page.heading.lines() == line == page.heading.lines()
