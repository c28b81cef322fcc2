"""Board page: scores are sorted, copied, exported and opened."""

from __future__ import annotations

import csv
import json
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QImage
from PySide6.QtWidgets import QMenu

from jurydesk.app.pages.leaderboard.interval_scale import Scale
from jurydesk.app.pages.leaderboard.leaderboard_model import BoardModel, Remark
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.theme import TINY, font, theme
from jurydesk.core.analysis import leaderboard
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.analysis.slice_leaderboard import slice_leaderboards
from jurydesk.core.desk import Summary
from jurydesk.core.execution.run import Run
from jurydesk.core.export.platforms.dry_run import DryRun
from jurydesk.core.model.evaluation import Interval, MetricInfo, Score
from jurydesk.core.workflow import platform_package
from support import toy
from support.windows import toy_competition
from support.windows.waiting import until_checked

Key = Qt.Key


@pytest.fixture
def page(scored):
    return scored.page


def column(page, title):
    return [shown.title for shown in page.view.board_model.columns].index(title)


def ends_of_rows(view):
    last = view.model().rowCount() - 1
    return view.rowViewportPosition(last) + view.rowHeight(last)


def systems(page):
    model = page.view.board_model
    return [model.index(row, 1).data() for row in range(model.rowCount())]


def test_the_columns_are_rank_system_headline_interval_and_others(page):
    assert [shown.title for shown in page.view.board_model.columns] == [
        "Rank",
        "System",
        "Closeness",
        "95 % interval",
        "Error",
        "Listed",
    ]


def test_a_title_sorts_best_first_and_a_second_click_reverses(qtbot, page):
    header = page.view.horizontalHeader()
    at = QPoint(header.sectionPosition(column(page, "Error")) + 20, 10)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert systems(page) == ["system A", "system B", "system C"]
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert systems(page) == ["system C", "system B", "system A"]


def test_a_key_sorts_and_keeps_the_current_system(qtbot, page):
    page.view.setCurrentIndex(page.view.board_model.index(0, column(page, "Closeness")))
    qtbot.keyClick(page.view, Key.Key_S)
    qtbot.keyClick(page.view, Key.Key_S)
    assert systems(page) == ["system C", "system B", "system A"]
    assert page.view.currentIndex().row() == 2


def test_a_dropped_table_of_scores_is_joined_to_the_board(qtbot, page, scored, tmp_path):
    desk = scored.session.desk
    rows = [
        f"{one.system},{id},{0.25 * (one.system == 'system A')}"
        for one in desk.evaluations()
        for id in desk.load(one.id).items.ids
    ]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(["system,item,preference_score", *rows]) + "\n")
    scored.dropped.emit([path])
    qtbot.waitUntil(lambda: scored.jobs.idle and "preference_score" in [
        shown.title for shown in page.view.board_model.columns
    ])  # fmt: skip
    added = desk.evaluations()[0].scores[-1]
    assert (added.metric, added.value) == ("preference_score", 0.25)


def test_enter_on_a_number_opens_the_items_behind_it(qtbot, page, scored):
    page.view.setCurrentIndex(page.view.board_model.index(1, column(page, "Error")))
    qtbot.keyClick(page.view, Key.Key_Return)
    assert scored.page.id == "items"
    assert scored.session.selection.system == "system B"
    assert scored.session.selection.metric == "rmse"


def test_a_click_on_a_number_opens_the_items_behind_it(qtbot, page, scored):
    index = page.view.board_model.index(2, column(page, "Closeness"))
    middle = page.view.visualRect(index).center()
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert scored.page.id == "items"
    assert scored.session.selection.system == "system C"


def test_a_tooltip_has_all_digits_and_the_definition(page, scored):
    index = page.view.board_model.index(0, column(page, "Closeness"))
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    exact = scored.session.summary("system A").scores[0].value
    assert f"Closeness {exact!r}" in tip
    assert "over 40 items" in tip
    assert "One less the distance." in tip
    assert "studentized bootstrap, 1000 resamples" in tip


def test_rows_are_copied_with_all_digits(qtbot, page, scored):
    page.select_all()
    qtbot.keyClick(
        scored, Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "Rank\tSystem\tCloseness\tError\tListed"
    assert len(lines) == 4
    value = scored.session.summary("system A").scores[0].value
    assert lines[1].split("\t")[:3] == ["1", "system A", repr(value)]


@pytest.mark.parametrize("suffix", [".csv", ".json", ".tex", ".html", ".png"])
def test_the_board_is_exported(qtbot, page, scored, tmp_path, suffix):
    export = next(e for e in page.exports() if e.pattern == f"*{suffix}")
    path = tmp_path / f"board{suffix}"
    scored.files.export(export, path)
    qtbot.waitUntil(path.exists)
    assert path.stat().st_size > 200
    if suffix == ".csv":
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
        assert float(rows[0]["closeness"]) == scored.session.summary("system A").scores[0].value
    if suffix == ".json":
        names = [row["name"] for row in json.loads(path.read_text())["systems"]]
        assert names == ["system A", "system B", "system C"]
    if suffix == ".png":
        image = QImage(str(path))
        assert image.width() > 1500
        assert len({image.pixel(x, y) for x in range(0, 1500, 7) for y in range(60, 200, 5)}) > 1


def test_the_methods_of_a_paper_are_exported(qtbot, page, scored, tmp_path):
    export = next(one for one in page.exports() if one.title.startswith("Methods"))
    path = tmp_path / "methods.tex"
    scored.files.export(export, path)
    qtbot.waitUntil(path.exists)
    assert "We scored 3 systems on 40 numbers of the competition" in path.read_text("utf-8")


PLATFORMS = {"Codabench": "codabench", "EvalAI": "evalai", "Kaggle": "kaggle"}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_competition_for_each_platform_is_exported(
    qtbot, page, scored, tmp_path, monkeypatch, platform
):
    def package(desk, task, target, settings, run):
        assert target is platform_package.PLATFORMS[PLATFORMS[platform]]
        names = ", ".join(one.system for one in desk.evaluations())
        return platform_package.Package(names.encode(), DryRun(9), "", ())

    monkeypatch.setattr(platform_package, "make_package", package)
    export = next(one for one in page.exports() if f"for {platform} " in one.title)
    scored.files.export(export, tmp_path / "package.zip")
    qtbot.waitUntil((tmp_path / "package.zip").exists)
    assert (tmp_path / "package.zip").read_text() == "system A, system B, system C"


def test_a_competition_whose_dry_run_fails_is_not_written(
    qtbot, page, scored, tmp_path, monkeypatch
):
    failed = platform_package.Package(b"", DryRun(2, "system A: damaged."), "", ())
    monkeypatch.setattr(platform_package, "make_package", lambda *_: failed)
    export = next(one for one in page.exports() if "for Codabench " in one.title)
    scored.files.export(export, tmp_path / "package.zip")
    qtbot.waitUntil(lambda: "system A: damaged." in scored.notice.text.text())
    assert not (tmp_path / "package.zip").exists()


class TestSlices:
    def ask(self, qtbot, page, query):
        page.search()
        qtbot.keyClicks(page.slices.query, query)
        qtbot.keyClick(page.slices.query, Key.Key_Return)
        qtbot.waitUntil(lambda: not page.slices.busy)

    def test_a_query_selects_the_matching_items(self, qtbot, page, scored):
        self.ask(qtbot, page, "n1 closeness > 0.9")
        chosen = page.slices.slice
        assert chosen.size == "11 numbers"
        assert page.finding.startswith("Only closeness > 0.9 n1 (11 numbers). ")
        assert page.board.rows[0].summary.n_items == 11
        qtbot.keyClick(page.slices.query, Key.Key_Escape)
        assert page.slices.slice is None
        assert page.board.rows[0].summary.n_items == 40

    def test_a_query_without_matches_is_reported_and_keeps_the_board(self, qtbot, page, scored):
        qtbot.waitUntil(lambda: not page.slices.column_button.isHidden())
        self.ask(qtbot, page, "closenes < 1")
        assert "Did you mean closeness?" in page.slices.line.sentence.text()
        assert page.slices.line.sentence.isVisible()
        assert page.board.rows[0].summary.n_items == 40

    @pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
    def test_columns_are_offered_by_their_titles(self, qtbot, page, scored):
        line = page.slices
        qtbot.waitUntil(lambda: not line.column_button.isHidden())
        line.choose_column()
        actions = {action.data(): action for action in line.menu.actions()}
        line.menu.close()
        assert actions["closeness"].text() == "Closeness"
        assert "In files and in the search line: closeness" in actions["closeness"].toolTip()

    def test_the_groups_of_a_column_are_offered_and_the_first_is_shown(self, qtbot, page, scored):
        page.slices.column_chosen.emit("closeness")
        qtbot.waitUntil(lambda: page.slices.slice is not None and not page.slices.busy)
        groups = page.slices.groups
        assert groups.count() > 2
        assert groups.itemText(0) == "All items"
        assert page.board.rows[0].summary.n_items < 40
        assert "claims are corrected over the slices (Holm)." in page.finding
        desk, task = scored.session.desk, scored.session.task
        family = slice_leaderboards(desk, task, desk.evaluations(), page.slices._slices, Run())
        for number, (one, board) in enumerate(family, 1):
            groups.setCurrentIndex(number)
            groups.activated.emit(number)
            assert not page.slices.busy
            assert (page.slices.slice.title, page.board.finding) == (one.title, board.finding)
        groups.setCurrentIndex(0)
        groups.activated.emit(0)
        assert page.board.rows[0].summary.n_items == 40

    def test_a_slice_is_exported_as_such(self, qtbot, page, scored, tmp_path):
        self.ask(qtbot, page, "n1")
        export = next(one for one in page.exports() if one.pattern == "*.csv")
        scored.files.export(export, tmp_path / "slice.csv")
        rows = list(csv.DictReader((tmp_path / "slice.csv").read_text().splitlines()))
        assert {(row["slice"], row["slice_items"]) for row in rows} == {("n1", "11")}


def test_an_export_to_a_missing_folder_is_reported(page, scored, tmp_path):
    scored.files.export(page.exports()[1], tmp_path / "gone" / "board.csv")
    assert "No such file or directory" in scored.notice.text.text()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_columns_are_chosen_and_remembered(page, scored, settings):
    page.choose_columns()
    actions = {action.text(): action for action in page.columns.metrics_menu.actions()}
    assert list(actions) == ["Error", "Listed"]
    actions["Error"].trigger()
    assert [shown.title for shown in page.view.board_model.columns][4:] == ["Listed"]
    assert settings.texts("columns/toy") == ["listed"]
    scored.actions_.run("view.reset")
    assert [shown.title for shown in page.view.board_model.columns][4:] == ["Error", "Listed"]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("size", [(1280, 800), (800, 600), (640, 480)])
def test_the_facts_are_never_squeezed(qtbot, page, scored, size):
    scored.resize(*size)
    page.facts_button.setChecked(True)
    facts = page.facts
    qtbot.waitUntil(lambda: page.frames.is_empty and facts.width() <= page.drawer.width())
    cards = [card for card in (facts.system, facts.neighbour, facts.measure) if card.isVisible()]
    qtbot.waitUntil(
        lambda: all(card.height() >= card.heightForWidth(card.width()) for card in cards)
    )
    assert len({card.y() for card in cards}) == len(cards) >= 2


class TestFacts:
    def test_the_facts_are_open_on_wide_pages(self, qtbot, page, scored):
        scored.resize(1440, 900)
        qtbot.waitUntil(page.drawer.isVisible)
        scored.resize(1024, 700)
        qtbot.waitUntil(page.drawer.isHidden)

    def test_escape_and_the_cross_close_the_facts_and_this_is_remembered(self, qtbot, page, scored):
        scored.resize(1440, 900)
        qtbot.waitUntil(page.drawer.isVisible)
        qtbot.keyClick(page.view, Key.Key_Escape)
        assert page.drawer.isHidden()
        assert page.view.hasFocus()
        scored.resize(1500, 900)
        assert page.drawer.isHidden()
        qtbot.keyClick(page.view, Key.Key_F)
        assert page.drawer.isVisible()
        qtbot.mouseClick(page.drawer.close_button, Qt.MouseButton.LeftButton)
        assert page.drawer.isHidden()

    def test_twelve_rows_are_visible(self, qtbot, window, tmp_path):
        window.files.open_paths(toy_competition.files(tmp_path / "f", systems=12))
        until_checked(qtbot, window)
        window.evaluator.score()
        qtbot.waitUntil(lambda: window.evaluator.scoring is None)
        qtbot.waitUntil(lambda: window.page.id == "board")
        for size in ((1024, 700), (1440, 900)):
            window.resize(*size)
            view = window.page.view
            # Rows are as high as fits, which the heads change that settle last.
            qtbot.waitUntil(
                lambda view=view: (
                    ends_of_rows(view) <= view.viewport().height()
                    and view.verticalScrollBar().maximum() == 0
                )
            )


def test_unreliable_scores_are_in_parentheses_and_never_best(page, qtbot):
    model = BoardModel()
    doubt = Remark("1 rater", "Not reliable: 1 rater alone.", is_reliable=False)
    model.show_board(page.board, ["rmse"], {}, {"closeness": doubt})
    assert 0 in model.columns[2].doubtful
    assert 0 not in model.columns[-1].doubtful
    tip = model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "Not reliable: 1 rater alone." in tip
    said = model.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.endswith("not reliable")


def test_the_axis_has_round_numbers_between_the_ends_of_the_intervals(page):
    assert Scale(0.281, 0.323).ticks() == pytest.approx([0.29, 0.3, 0.31, 0.32])
    assert Scale(0.0, 1.0).ticks(2) == [0.0, 0.5, 1.0]
    assert page.axis.isVisible()
    strip, number = page.view.strip(), column(page, "95 % interval")
    left = page.view.columnViewportPosition(number)
    assert left < strip.left() < strip.right() < left + page.view.columnWidth(number)


def test_the_facts_follow_the_current_cell(qtbot, page):
    page.view.setCurrentIndex(page.view.board_model.index(1, column(page, "Error")))
    qtbot.waitUntil(lambda: page.frames.is_empty)
    assert page.facts.system.title.text() == "system B"


def test_the_facts_describe_system_and_metric(qtbot, page):
    page.view.setCurrentIndex(page.view.board_model.index(1, column(page, "Error")))
    qtbot.waitUntil(lambda: page.frames.is_empty)
    assert page.facts.system.title.text() == "system B"
    assert page.facts.measure.title.text() == "Error"
    assert page.facts.measure.sentence.text() == "Root of the mean square."


def test_a_removed_system_leaves_the_board(qtbot, page, scored):
    page.view.setCurrentIndex(page.view.board_model.index(1, 1))
    qtbot.keyClick(page.view, Key.Key_Delete)
    assert systems(page) == ["system A", "system C"]
    assert scored.toast.text.text() == "system B was removed from the board."
    assert scored.actions_["edit.undo"].text() == "Undo removing system B"
    qtbot.keyClick(page.view, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert systems(page) == ["system A", "system B", "system C"]
    assert scored.session.evaluation("system B").items.show(0) is not None
    scored.actions_.run("edit.redo")
    assert systems(page) == ["system A", "system C"]


def summary(number, system, value, interval=None, metric="closeness"):
    score = Score(metric, value, 4, 0.1, interval)
    return Summary(number, system, "published", (score,), "", False, "", 4)


class TestModel:
    @pytest.fixture
    def task(self):
        return toy.TASK

    def show(self, task, *summaries):
        model = BoardModel()
        model.show_board(make_leaderboard(task, summaries), [])
        return model

    def test_an_undefined_score_is_a_dash_with_a_reason(self, task):
        model = self.show(task, summary(1, "a", 0.5), summary(2, "b", float("nan")))
        last = model.index(1, 2)
        assert last.data() == "–"
        assert last.data(Qt.ItemDataRole.ToolTipRole).startswith(
            "<div>Undefined: see the page Check."
        )
        assert model.index(1, 0).data() == "–"

    def test_equal_numbers_share_their_ranks(self, task):
        model = self.show(task, *(summary(n, f"s{n}", 0.5) for n in range(3)), summary(9, "x", 0.1))
        assert [model.index(row, 0).data() for row in range(4)] == ["1–3", "1–3", "1–3", "4"]

    def test_undefined_scores_are_last_in_both_directions(self, task):
        model = self.show(
            task, summary(1, "a", 0.5), summary(2, "b", float("nan")), summary(3, "c", 0.7)
        )
        for descending in (False, True):
            model.sort_by(2, descending=descending)
            assert model.index(2, 1).data() == "b"

    def test_without_intervals_there_is_no_strip(self, task):
        model = self.show(task, summary(1, "a", 0.5))
        assert [shown.title for shown in model.columns] == ["Rank", "System", "Closeness"]

    def test_the_level_of_the_interval_is_in_its_title(self, task):
        wide = Interval(0.4, 0.6, level=0.9)
        model = self.show(task, summary(1, "a", 0.5, wide))
        assert model.columns[3].title == "90 % interval"
        assert model.index(0, 3).data() == "0.4000 – 0.6000°"  # of four items


def test_the_tooltip_of_a_title_is_the_metrics_definition():
    from jurydesk.app.pages.leaderboard.leaderboard_model import definition

    info = MetricInfo("p", "P", "A share.", (0.0, 1.0), "higher", "A paper, 2014.")
    assert definition(info) == "A share.\nFrom 0 to 1; higher is better.\nA paper, 2014."
    assert "does not rank" in definition(replace(info, better="neither"))


def test_profiles_are_switched_above_the_board(qtbot, page, scored):
    assert not page.profiles.isVisible()
    scored.session.set_options({"profile": "corrected"})
    assert page.profiles.isVisible()
    page.profiles.choose(0)
    assert scored.session.profile == "published"
    assert page.board is not None


def test_after_scoring_the_leader_is_current(page):
    assert page.view.cell(page.view.currentIndex())[0].summary.system == "system A"
    assert page.view.currentIndex().column() == column(page, "Closeness")


def test_the_current_cell_is_kept_when_the_board_is_updated(page, scored):
    error = column(page, "Error")
    page.view.setCurrentIndex(page.view.board_model.index(1, error))
    scored.session.changed.emit(SessionPart.RESULTS)
    index = page.view.currentIndex()
    assert (page.view.cell(index)[0].summary.system, index.column()) == ("system B", error)


def test_the_finding_on_scores_of_random_weights_says_so(page, scored, monkeypatch):
    reason = "Not reliable: the models have random weights."
    assert reason not in page.finding
    doubted = {"closeness"}
    monkeypatch.setattr(leaderboard, "random_metrics", lambda task, found: doubted)
    scored.session.changed.emit(SessionPart.RESULTS)
    assert page.finding == f"No leader can be named by Closeness. {reason}"
    assert 0 in page.view.board_model.columns[column(page, "Closeness")].doubtful


def test_neighbours_have_the_same_counts_as_on_compare(qtbot, page, scored):
    card = page.facts.neighbour
    qtbot.waitUntil(lambda: card.curve.gains is not None)
    first = card.title.text()
    for _ in range(2):
        qtbot.keyClick(page.view, Key.Key_Down)
    qtbot.waitUntil(lambda: card.title.text() != first)
    qtbot.waitUntil(lambda: card.curve.gains is not None)
    counts = card.counts.text()
    qtbot.mouseClick(card.curve, Qt.MouseButton.LeftButton)
    assert scored.page.id == "compare"
    qtbot.waitUntil(lambda: counts in scored.page.finding)


def test_the_card_of_neighbours_reports_a_running_comparison(qtbot, checked, monkeypatch):
    go_on, compare = threading.Event(), desk_significance

    def slowly(*wanted):
        assert go_on.wait(30)
        return compare(*wanted)

    monkeypatch.setattr(
        "jurydesk.core.analysis.significance.leaderboard_significance.desk_significance", slowly
    )
    checked.evaluator.score()
    qtbot.waitUntil(lambda: checked.page.id == "board" and checked.evaluator.scoring is None)
    card = checked.page.facts.neighbour
    said = "The board's 3 systems are compared in pairs."
    qtbot.waitUntil(lambda: card.isVisible() and card.sentence.text() == said)
    assert (card.title.text(), card.against.text()) == ("system A", "against system B")
    go_on.set()
    qtbot.waitUntil(lambda: "differ significantly: difference" in card.sentence.text())


def test_a_name_keeps_its_width_beside_many_columns(qtbot, page):
    view, width_of = page.view, page.view.fontMetrics().horizontalAdvance
    widest = max(width_of(row.summary.system) for row in page.board.rows)
    view.resize(300, 200)
    assert widest < view.columnWidth(1) < 170
    assert view.horizontalHeader().length() <= view.viewport().width()
    view.let_wait(columns=False)  # as where the user chose the columns
    view.resize(300, 199)
    assert widest < view.columnWidth(1) < 170
    assert view.horizontalHeader().length() > view.viewport().width()


def test_remarks_on_a_system_are_beside_its_name(page):
    model = BoardModel()
    model.show_board(page.board, (), {"system B": "late by 2 h"})
    row = next(n for n, row in enumerate(page.board.rows) if row.summary.system == "system B")
    assert model.chips(row) == ["late by 2 h"]
    index = model.index(row, 1)
    assert "late by 2 h" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "late by 2 h" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    others = [other for other in range(model.rowCount()) if other != row]
    assert all(model.chips(other) == [] for other in others)


class TestAway:
    """Hidden pages draw nothing."""

    def rescore(self, qtbot, window) -> None:
        window.show_page("items")
        window.evaluator.score()
        qtbot.waitUntil(lambda: window.evaluator.scoring is None)
        qtbot.waitUntil(lambda: window.jobs.idle)

    def test_results_wait_until_the_page_is_shown(self, qtbot, scored) -> None:
        page = scored.pages["board"]
        with qtbot.assertNotEmitted(page.view.board_model.modelReset):
            self.rescore(qtbot, scored)
        with qtbot.waitSignal(page.view.board_model.modelReset):
            scored.show_page("board")
        assert {row.summary.id for row in page.board.rows} == {
            summary.id for summary in scored.session.profile_systems()
        }

    def test_a_system_selected_elsewhere_is_current(self, qtbot, scored) -> None:
        page = scored.pages["board"]
        last = page.board.rows[-1].summary.system
        scored.session.select(system=last)
        self.rescore(qtbot, scored)
        assert scored.session.selection.system == last
        scored.show_page("board")
        assert page.view.cell(page.view.currentIndex())[0].summary.system == last


def test_ctrl_z_puts_a_forgotten_filter_back(qtbot, page, scored):
    line = page.slices.line
    line.set_query("closeness > 0.5")
    line.save_filter()
    assert line.filters() == ["closeness > 0.5"]
    line.forget_filter()
    assert line.filters() == []
    qtbot.waitUntil(scored.actions_["edit.undo"].isEnabled)
    line.field.setFocus()
    qtbot.keyClick(line.field, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert line.filters() == ["closeness > 0.5"]


def test_a_column_has_room_for_the_longest_interval_below_its_numbers(page):
    model = page.view.board_model
    error = column(page, "Error")
    long = replace(model.columns[error], intervals=[Interval(-10000.125, -9999.125), None, None])
    model.show([*model.columns[:error], long, *model.columns[error + 1 :]])
    text = "−10000.1250 – −9999.1250"
    assert page.view.columnWidth(error) > QFontMetrics(font(TINY)).horizontalAdvance(text) + 20


def test_all_rows_follow_a_zoom_that_was_changed_on_another_page(page, window):
    """A row of 50 px is 100 px high at 200 %, where there is room."""
    view = page.view
    view.setMaximumHeight(2000)
    view.resize(900, 400)
    assert {view.rowHeight(row) for row in range(3)} == {50}
    window.show_page("home")
    theme().set_zoom(2.0)
    window.show_page("board")
    view.setMaximumHeight(2000)
    view.resize(900, 800)
    assert {view.rowHeight(row) for row in range(3)} == {100}


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
class TestRanking:
    def choose(self, page, title):
        page.ranking.choose()
        actions = {action.text(): action for action in page.ranking.metrics_menu.actions()}
        actions[title].trigger()

    def test_the_ranking_metric_is_in_sight_and_offers_the_metrics_that_rank(self, page):
        assert page.ranking.isVisible()
        assert page.ranking.text() == "Ranked by Closeness"
        page.ranking.choose()
        actions = page.ranking.metrics_menu.actions()
        assert [(one.text(), one.isChecked()) for one in actions] == [
            ("Closeness", True),
            ("Error", False),
        ]

    def test_another_metric_ranks_the_board_with_a_notice_and_can_be_undone(self, page, scored):
        self.choose(page, "Error")
        assert page.board.headline.name == "rmse"
        assert page.ranking.text() == "Ranked by Error"
        assert "Error" in page.board.finding
        assert [shown.title for shown in page.view.board_model.columns][2] == "Error"
        assert scored.toast.text.text() == "The Board is ranked by Error."
        assert scored.session.desk.evaluations()
        scored.actions_.run("edit.undo")
        assert page.board.headline.name == "closeness"
        scored.actions_.run("edit.redo")
        assert page.board.headline.name == "rmse"

    def test_the_menu_of_a_column_s_head_ranks_by_its_metric(self, page):
        header = page.view.horizontalHeader()
        at = QPoint(header.sectionPosition(column(page, "Error")) + 20, 10)
        header.customContextMenuRequested.emit(at)
        (action,) = page.ranking.metrics_menu.actions()
        assert action.text() == "Rank by Error"
        action.trigger()
        assert page.board.headline.name == "rmse"

    def test_keys_choose_a_metric_and_ctrl_z_words_and_ranks_the_board_as_before(
        self, qtbot, page, scored, tmp_path
    ):
        """One system fails two items of 40 badly: it is second by Closeness, and last by Error."""
        values = {f"n{i}": i / 40 + (0.4 if i < 2 else 0.0) for i in range(40)}
        scored.files.open_paths([toy.write(tmp_path / "spiky.txt", values, "spiky")])
        qtbot.waitUntil(lambda: len(scored.session.files) == 5)
        until_checked(qtbot, scored)
        scored.evaluator.score()
        qtbot.waitUntil(lambda: len(page.board.rows) == 4)
        qtbot.waitUntil(lambda: scored.evaluator.scoring is None)

        def said():
            ranked = [(row.summary.system, row.place, str(row.rank)) for row in page.board.rows]
            heads = [one.title for one in page.view.board_model.columns]
            return page.ranking.text(), page.finding, ranked, heads

        before, menu = said(), page.ranking.metrics_menu
        page.ranking.setFocus()
        qtbot.keyClick(page.ranking, Key.Key_Space)
        titles = [action.text() for action in menu.actions()]
        for _ in range(titles.index("Error") + 1):
            qtbot.keyClick(menu, Key.Key_Down)
        qtbot.keyClick(menu, Key.Key_Return)
        after = said()
        assert after[0] == "Ranked by Error"
        assert "Error" in after[1]
        assert not any(one == other for one, other in zip(before, after, strict=True))
        assert scored.actions_["edit.undo"].text() == "Undo ranking by Error"
        qtbot.keyClick(scored, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert said() == before
        assert scored.actions_["edit.redo"].text() == "Redo ranking by Error"
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(scored, Key.Key_Z, both)
        assert said() == after

    def test_a_count_has_no_menu(self, page):
        header = page.view.horizontalHeader()
        at = QPoint(header.sectionPosition(column(page, "Listed")) + 20, 10)
        header.customContextMenuRequested.emit(at)
        assert page.ranking.metrics_menu.actions() == []


def test_values_that_tell_no_system_from_the_best_are_not_bold(page):
    model = BoardModel()
    for may_win in (True, False):
        remark = Remark("2 raters", "2 raters judged.", may_win=may_win)
        model.show_board(page.board, [], {}, {"closeness": remark})
        assert bool(model.columns[2].best) == may_win


def test_the_head_of_the_ranking_metric_is_marked_and_offers_the_others(page, monkeypatch):
    monkeypatch.setattr(QMenu, "popup", lambda *at: None)
    section, descending = page.view.own_order()
    headline = page.board.headline
    assert page.view.board_model.columns[section].name == headline.name
    assert descending == (headline.better != "lower")
    page.ranking.open_head_menu(headline, QPoint(0, 0))
    actions = page.ranking.metrics_menu.actions()
    assert [one.data() for one in actions if one.isChecked()] == [headline.name]
    assert len(actions) > 1
