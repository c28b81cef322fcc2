"""Items page of a read-only desk."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.keyword_spotting.keyword_spotting_inspector import RankingInspector
from jurydesk.app.pages.items.items_page import ItemsPage
from jurydesk.app.pages.items.items_view import LEFT
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.theme import px, theme
from jurydesk.core.desk import Desk
from jurydesk.core.export.stamps_export import read_record_origin, read_stamps
from jurydesk.core.model.evaluation import Source
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.stamp import Stamp
from support.windows.evaluations import TASK, ranked_list, retrieval
from support.windows.item_pages import Looking, items_page, run_queued_work, show_items_page
from support.windows.workspaces import make_workspace

Key = Qt.Key


@pytest.fixture
def session(qapp: QApplication) -> Session:
    return Looking(TASK, [retrieval(40, "lexicon-hmm", 1), retrieval(40, "baseline", 2)])


@pytest.fixture
def page(qtbot: QtBot, session: Session, no_item_takes_long: None) -> ItemsPage:
    """Return the page on a machine where reading an item is never slow."""
    return items_page(qtbot, session)


def test_title_and_finding_state_the_score(page: ItemsPage) -> None:
    ap = page.evaluation.items.columns["ap"]
    mean, poor = np.nanmean(ap), int((ap < 0.2).sum())
    assert page.heading.text() == f"lexicon-hmm: AP {mean:.4f}"
    assert page.finding == (
        f"Mean over 39 queries; {poor} queries are below 0.2, 1 query undefined."
    )


def test_the_title_keeps_the_score_where_the_name_is_too_long(qtbot: QtBot) -> None:
    page = items_page(qtbot, Looking(TASK, [retrieval(40, "lexicon-hmm-" * 8, 1)]))
    page.resize(700, 330)
    (line,) = page.heading.lines()
    assert line.startswith("lexicon-hmm-lexicon")
    assert "…" in line
    assert line.endswith(f"…{page.heading.text()[-11:]}")
    assert line.removesuffix(f"…{page.heading.text()[-11:]}") in "lexicon-hmm-" * 8
    assert page.heading.text() in page.heading.toolTip()


def test_the_first_item_is_selected_initially(page: ItemsPage, session: Session) -> None:
    assert session.selection.item == "sb0000"
    assert page.view.item.name.text() == "sb0000"
    assert isinstance(page.view.item.inspector, RankingInspector)
    assert page.view.figures.current_row == 0


def test_a_read_only_desk_shows_everything_without_its_inputs(qtbot: QtBot, tmp_path: Path) -> None:
    given = retrieval(40)
    path = tmp_path / "given.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition("keyword-spotting", "Letters", {"profile": "published"})
        desk.add(given)
    session = Session()
    session.use(Desk.open(path, read_only=True))
    page = items_page(qtbot, session)
    session.select(item="sb0007")
    run_queued_work(qtbot, page)
    inspector = page.view.item.inspector
    assert isinstance(inspector, RankingInspector)
    assert repr(inspector.ranked.items) == repr(ranked_list(7).items)
    assert page.evaluation.items.ids == given.items.ids
    assert page.view.figures.current_row == 7
    session.use(None)
    assert page.finding.startswith("Open a desk")


def test_an_item_of_a_result_just_scored_again_is_reported(qtbot: QtBot, tmp_path: Path) -> None:
    given = retrieval(65)
    with Desk.create(tmp_path / "given.jurydesk") as desk:
        desk.set_competition("keyword-spotting", "Letters", {"profile": "published"})
        desk.add(given)
        session = Session()
        session.use(desk)
        page = items_page(qtbot, session)
        desk.add(given)
        page.view.step(64)  # in another block of evidence than the first
        run_queued_work(qtbot, page)
        assert not page.view.item.inspector.isVisible()
        assert "scored again" in page.view.item.reason.text()
        session.use(None)


def test_an_empty_page_says_what_to_do(qtbot: QtBot) -> None:
    page = items_page(qtbot, Looking(TASK, []))
    assert page.finding == "Nothing has been scored yet. Score with Ctrl+R to see the items."
    assert page.exports() == ()
    page.session.state = replace(page.session.state, task=None)
    page.session.changed.emit(~SessionPart(0))
    assert page.finding.startswith("Open a desk, or drop files on the window")


@pytest.mark.parametrize(
    ("there", "back"),
    [(Key.Key_Down, Key.Key_Up), (Key.Key_J, Key.Key_K),
     (Key.Key_BracketRight, Key.Key_BracketLeft)],
)  # fmt: skip
def test_keys_step_from_item_to_item(
    qtbot: QtBot, page: ItemsPage, session: Session, there: Key, back: Key
) -> None:
    for _ in range(3):
        qtbot.keyClick(page.view.table, there)
    assert session.selection.item == "sb0003"
    assert page.view.item.name.text() == "sb0003"
    qtbot.keyClick(page.view.table, back)
    assert session.selection.item == "sb0002"


def test_enter_shows_the_item_on_the_whole_page_and_esc_returns(
    qtbot: QtBot, page: ItemsPage
) -> None:
    qtbot.keyClick(page.view.table, Key.Key_Return)
    assert not page.view.list.isVisible()
    assert not page.view.figures.isVisible()
    inspector = page.view.item.inspector
    assert isinstance(inspector, RankingInspector)
    qtbot.keyClick(inspector.table, Key.Key_J)
    qtbot.waitUntil(lambda: page.view.item.name.text() == "sb0001")
    qtbot.keyClick(inspector.table, Key.Key_Escape)
    assert page.view.list.isVisible()
    assert page.view.figures.isVisible()


def test_the_button_opens_and_closes_too(qtbot: QtBot, page: ItemsPage) -> None:
    qtbot.mouseClick(page.view.item.toggle, Qt.MouseButton.LeftButton)
    assert not page.view.list.isVisible()
    qtbot.mouseClick(page.view.item.toggle, Qt.MouseButton.LeftButton)
    assert page.view.list.isVisible()


def test_find_takes_words_and_conditions(qtbot: QtBot, page: ItemsPage) -> None:
    page.search()
    QTest.keyClicks(page.view.list.search, "ap < 0.2")
    ap = page.evaluation.items.columns["ap"]
    assert page.view.list.count_label.text() == f"{int((ap < 0.2).sum())} of 40 queries"
    assert set(page.view.table.table_model.rows.tolist()) == set(np.flatnonzero(ap < 0.2).tolist())
    qtbot.keyClick(page.view.list.search, Key.Key_Down)
    assert page.view.item.name.text() in {f"sb{row:04d}" for row in np.flatnonzero(ap < 0.2)}
    qtbot.keyClick(page.view.list.search, Key.Key_Escape)
    assert page.view.list.count_label.text() == "40 queries"


def test_the_next_of_some_items_is_chosen_in_the_order_of_the_table(page: ItemsPage) -> None:
    rows = page.view.table.table_model.rows
    wanted = np.zeros(40, dtype=bool)
    wanted[rows[[4, 9]]] = True
    said: list[object] = []
    page.view.message.connect(said.append)
    places = []
    for direction in (1, 1, 1, -1):
        page.view.item.rows_stepped.emit(direction, wanted)
        places.append(page.view.table.currentIndex().row())
    assert places == [4, 9, 9, 4]
    assert said == ["There is no further one in this direction."]


def test_many_items_are_searched_in_a_job(qtbot: QtBot, page: ItemsPage) -> None:
    page.view.list.filter.quick_rows = 10
    search, model = page.view.list.search, page.view.table.table_model
    search.setText("sb000")  # no event between: the job cannot have ended before the next line
    assert model.rowCount() == 40
    qtbot.waitUntil(lambda: model.rowCount() == 10)
    assert page.view.list.count_label.text() == "10 of 40 queries"
    qtbot.keyClicks(search, "1")
    qtbot.waitUntil(lambda: model.rowCount() == 1)
    search.clear()
    assert model.rowCount() == 40


def test_a_click_in_a_figure_selects_the_item_in_the_table(
    qtbot: QtBot, page: ItemsPage, session: Session
) -> None:
    page.view.list.search.setText("sb0001")
    page.view.figures.segments.choose(1)
    plot = page.view.figures.view
    scene = plot.getViewBox().mapViewToScene(QPoint(39, 0))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.mapFromScene(scene))
    worst = int(np.nanargmin(page.evaluation.items.columns["ap"]))
    assert session.selection.item == page.evaluation.items.ids[worst]
    assert page.view.list.search.text() == ""
    assert page.view.table.selected_rows().tolist() == [worst]


def test_a_hovered_row_is_highlighted_in_the_figure(qtbot: QtBot, page: ItemsPage) -> None:
    centre = page.view.table.visualRect(page.view.table.table_model.index(4, 0)).center()
    qtbot.mouseMove(page.view.table.viewport(), centre)
    assert page.view.figures.hovered_row == 4
    assert page.view.figures.readout.text().startswith("sb0004")
    page.view.table.set_current_row(4)  # its value now stands in the item's card
    assert page.view.item.summary.text().startswith("AP")
    assert page.view.figures.readout.text() == ""


def test_a_score_of_the_board_sorts_its_column(page: ItemsPage, session: Session) -> None:
    session.select(system="baseline", metric="precAt5")
    assert page.heading.text().startswith("baseline: P@5 ")
    model = page.view.table.table_model
    sorted_by = model.columns[model.sorting[0]].name
    assert (sorted_by, model.sorting[1]) == ("precAt5", True)
    assert page.view.figures.figures[-1].title == "P@5 spread"


def test_an_item_chosen_elsewhere_is_shown(page: ItemsPage, session: Session) -> None:
    page.view.list.search.setText("sb0001")
    session.select(item="sb0033")
    assert page.view.item.name.text() == "sb0033"
    assert page.view.table.current_row == 33


def test_a_slow_item_is_shown_in_a_later_frame(
    qtbot: QtBot, page: ItemsPage, session: Session, monkeypatch
) -> None:
    monkeypatch.setattr("jurydesk.app.pages.items.item_card.LONG_SECONDS", -1.0)
    session.select(item="sb0012")
    assert page.view.item.name.text() == "sb0000"
    run_queued_work(qtbot, page)
    assert page.view.item.name.text() == "sb0012"


def test_another_system_keeps_the_item(qtbot: QtBot, page: ItemsPage, session: Session) -> None:
    session.select(item="sb0007")
    page.view.table.table_model.sort_by(1, descending=True)
    page.systems.setFocus()
    qtbot.keyClick(page.systems, Key.Key_Down)
    run_queued_work(qtbot, page)
    assert page.evaluation.system == "baseline"
    assert page.view.item.name.text() == "sb0007"
    assert page.view.table.table_model.sorting == (1, True)


def test_one_system_needs_no_chooser(qtbot: QtBot) -> None:
    page = items_page(qtbot, Looking(TASK, [retrieval(3)]))
    assert page.systems.isHidden()


def test_results_that_arrive_while_the_page_is_hidden_are_shown_later(
    page: ItemsPage, session: Looking
) -> None:
    page.hide()
    session.evaluations = {"new": retrieval(5, "new")}
    session.changed.emit(SessionPart.RESULTS)
    assert page.heading.text().startswith("lexicon-hmm")
    page.show()
    page.activate()
    assert page.heading.text().startswith("new: AP")


class TestTurns:
    """The table comes first; slow parts follow in later frames."""

    def test_the_table_comes_a_frame_after_the_page(self, qtbot: QtBot, session: Session) -> None:
        page = ItemsPage(make_workspace(session))
        qtbot.addWidget(page)
        page.resize(1096, 830)
        page.show()
        beside = []

        def look() -> None:
            beside.append((page.view.figures.view, page.view.item.inspector))

        page.view.table.table_model.modelReset.connect(lambda: QTimer.singleShot(0, look))
        page.activate()
        assert page.view.table.table_model.rowCount() == 0
        with qtbot.waitSignal(page.changed):
            run_queued_work(qtbot, page)
        assert page.view.table.table_model.rowCount() == 40
        assert beside[0] == (None, None)
        assert page.view.figures.view.isVisible()
        assert page.view.item.inspector.isVisible()

    @pytest.mark.parametrize("key", [Key.Key_J, Key.Key_BracketRight])
    def test_a_key_pressed_before_the_table_is_filled_is_not_lost(
        self, qtbot: QtBot, session: Session, key: Key
    ) -> None:
        page = ItemsPage(make_workspace(session))
        qtbot.addWidget(page)
        page.show()
        page.activate()
        qtbot.keyClick(page.view.table, key)
        assert session.selection.item == page.evaluation.items.ids[1]

    def test_the_previous_figure_remains_until_the_next_and_selects_nothing(
        self, qtbot: QtBot, page: ItemsPage, session: Session
    ) -> None:
        page.view.figures.segments.choose(1)
        before, item = page.view.figures.view, session.selection.item
        session.select(system="baseline")
        assert before.isVisible()
        before.item_chosen.emit(7)
        before.item_hovered.emit(7)
        assert session.selection.item == item
        assert page.view.figures.hovered_row is None
        run_queued_work(qtbot, page)
        assert page.view.figures.view.isVisible()
        page.view.figures.view.item_chosen.emit(7)
        assert session.selection.item == page.evaluation.items.ids[7]

    def test_the_last_item_stepped_to_is_shown(
        self, qtbot: QtBot, page: ItemsPage, session: Session
    ) -> None:
        session.select(system="baseline")
        qtbot.keyClick(page.view.table, Key.Key_J)
        run_queued_work(qtbot, page)
        assert page.view.item.name.text() == session.selection.item == "sb0001"
        assert page.view.figures.view.current_row == 1

    def test_queued_work_of_a_hidden_page_is_shown_when_it_returns(
        self, qtbot: QtBot, page: ItemsPage, session: Looking
    ) -> None:
        session.select(system="baseline")
        page.hide()
        session.changed.emit(SessionPart.RESULTS)
        assert page.view.figures.view is None
        run_queued_work(qtbot, page)
        assert page.view.figures.evaluation.system == "baseline"
        page.show()
        page.activate()
        run_queued_work(qtbot, page)
        assert page.view.item.name.text() == "sb0000"
        assert page.view.figures.evaluation.system == "baseline"
        assert page.view.figures.view.isVisible()

    def test_a_hidden_page_is_filled_ahead_and_chooses_its_item_when_it_is_shown(
        self, qtbot: QtBot, session: Looking
    ) -> None:
        page = ItemsPage(make_workspace(session))
        qtbot.addWidget(page)
        page.prepare_views()
        run_queued_work(qtbot, page)
        assert page.view.table.table_model.rowCount() == 40
        assert page.view.item.name.text() == "sb0000"
        assert session.selection.item == ""
        page.show()
        page.activate()
        assert page.view.frames.is_empty
        assert session.selection.item == "sb0000"
        page.hide()
        session.select(system="baseline")
        run_queued_work(qtbot, page)
        assert page.evaluation.system == "lexicon-hmm"  # no second time before it is asked for
        page.show()
        page.activate()
        assert page.evaluation.system == "baseline"

    @pytest.mark.parametrize("busy", ["scoring", "long", "hidden"])
    def test_nothing_is_filled_ahead_while_scoring_of_many_items_or_hidden_scores(
        self, qtbot: QtBot, session: Looking, monkeypatch: pytest.MonkeyPatch, busy: str
    ) -> None:
        page = ItemsPage(make_workspace(session))
        qtbot.addWidget(page)
        if busy == "scoring":
            page.workspace.evaluator.scoring = object()
        elif busy == "hidden":
            monkeypatch.setattr(ItemsPage, "has_hidden_scores", True)
        else:
            monkeypatch.setattr("jurydesk.app.pages.items.items_page.QUICK_ITEMS", 39)
        page.prepare_views()
        run_queued_work(qtbot, page)
        assert page.evaluation is None
        assert page.view.table.table_model.rowCount() == 0

    def test_nothing_is_read_from_a_closed_desk(
        self, qtbot: QtBot, page: ItemsPage, session: Looking
    ) -> None:
        session.select(system="baseline")
        session.evaluations = {}
        session.changed.emit(~SessionPart(0))
        assert page.view.frames.is_empty
        assert page.view.figures.view is None

    def test_an_item_opened_before_its_view_exists_gets_the_focus(
        self, qtbot: QtBot, session: Session
    ) -> None:
        page = ItemsPage(make_workspace(session))
        qtbot.addWidget(page)
        page.resize(1096, 830)
        page.show()
        qtbot.waitExposed(page)
        page.activateWindow()
        page.activate()
        page.open_item()
        run_queued_work(qtbot, page)
        assert page.view.item.inspector.table.hasFocus()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_columns_are_chosen_from_a_list(page: ItemsPage) -> None:
    page.choose_columns()
    menu = page.view.list.menu
    assert [action.text() for action in menu.actions()] == ["AP", "P@5", "Num rel"]
    menu.actions()[2].trigger()
    menu.close()
    assert [c.name for c in page.view.list.shown_columns()] == ["item", "ap", "precAt5", "num_rel"]


def test_columns_and_splitters_are_remembered(qtbot: QtBot, session: Session) -> None:
    workspace = make_workspace(session)
    page = show_items_page(qtbot, ItemsPage(workspace))
    page.view.setSizes([300, 700])
    page.view.splitterMoved.emit(300, 1)
    page.view.list.chosen = frozenset({"num_rel"})
    page.view.list.columns_chosen.emit()
    kept = page.view.sizes()
    again = show_items_page(qtbot, ItemsPage(workspace))
    assert again.view.sizes() == kept
    assert [c.name for c in again.view.list.shown_columns()] == ["item", "num_rel"]
    again.reset_layout()
    assert again.view.sizes() != kept


def test_the_default_layout_follows_the_zoom_and_a_chosen_one_stays(
    qtbot: QtBot, session: Session
) -> None:
    page = show_items_page(qtbot, ItemsPage(make_workspace(session)))
    page.resize(2400, 1500)
    assert page.view.sizes()[0] == pytest.approx(px(LEFT), abs=2)
    theme().set_zoom(1.5)
    left, right = page.view.sizes()
    assert left == pytest.approx(px(LEFT), abs=2)
    page.view.setSizes([right, left])
    page.view.splitterMoved.emit(right, 1)
    kept = page.view.sizes()
    theme().set_zoom(1.25)
    assert page.view.sizes()[0] == pytest.approx(kept[0], abs=px(30))


def test_a_zoom_changed_out_of_sight_is_followed_once_the_parts_are_shown(
    qtbot: QtBot, page: ItemsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.hide()
    theme().set_zoom(1.5)
    done: list[bool] = []
    monkeypatch.setattr(page.view, "reset_layout", lambda: done.append(page.view.isVisible()))
    page.show()
    page.activate()
    qtbot.waitUntil(lambda: bool(done))
    page.activate()
    qtbot.wait(20)
    assert done == [True]


def test_filter_and_count_have_the_margins_of_the_zoom(qtbot: QtBot, page: ItemsPage) -> None:
    line, counted = page.view.list.line, page.view.list.count_label
    page.resize(2400, 1500)
    theme().set_zoom(2.0)
    qtbot.waitUntil(lambda: counted.x() >= px(11))
    assert counted.x() - line.x() == px(11) - px(9)


def test_the_selection_is_copied_with_and_without_headers(page: ItemsPage) -> None:
    ap = float(page.evaluation.items.columns["ap"][0])
    at_5 = float(page.evaluation.items.columns["precAt5"][0])
    assert page.selection_text(False) == f"sb0000\t{ap!r}\t{at_5!r}"
    assert page.selection_text(True).splitlines()[0] == "Query\tAP\tP@5"
    page.select_all()
    assert len(page.selection_text(False).splitlines()) == 40


def test_a_copy_from_the_inspector_is_of_its_table(page: ItemsPage) -> None:
    page.open_item()
    assert page.selection_text(True).startswith("Rank\tFound\tPage")


def test_visible_items_are_exported_as_json(page: ItemsPage, tmp_path: Path) -> None:
    page.view.list.search.setText("sb000")
    page.view.table.table_model.sort_by(1, descending=True)
    export = next(export for export in page.exports() if export.pattern == "*.json")
    export.write(tmp_path / "items.json")
    records = json.loads((tmp_path / "items.json").read_text(encoding="utf-8"))
    assert len(records) == 10
    assert records[-1] == {"item": "sb0002", "ap": None, "precAt5": None, "num_rel": 8.0}
    assert records[0]["ap"] == float(np.nanmax(page.evaluation.items.columns["ap"][:10]))


def test_exported_items_of_a_stamped_result_can_be_made_again(
    page: ItemsPage, tmp_path: Path
) -> None:
    assert page.view.evaluation is not None
    page.view.evaluation = replace(page.view.evaluation, stamp={"task": "keyword-spotting"})
    page.view.list.search.setText("sb000")
    page.view.table.table_model.sort_by(1, descending=True)
    export = next(export for export in page.exports() if export.pattern == "*.json")
    export.write(tmp_path / "items.json")
    first, *others = json.loads((tmp_path / "items.json").read_text(encoding="utf-8"))
    stamps, settings = read_record_origin(first)
    assert stamps == [{"task": "keyword-spotting"}]
    assert isinstance(settings, dict)
    assert settings["columns"] == ["ap", "precAt5", "num_rel"]
    ids = page.view.evaluation.items.ids
    assert [ids[row] for row in settings["rows"]] == [one["item"] for one in (first, *others)]
    assert {one["settings"] for one in others} == {None}
    table = next(export for export in page.exports() if export.pattern == "*.csv")
    table.write(tmp_path / "items.csv")
    assert read_stamps((tmp_path / "items.csv").read_text(encoding="utf-8")) == stamps


def test_tables_of_a_result_that_its_items_contradict_are_marked(
    qtbot: QtBot, tmp_path: Path
) -> None:
    given = retrieval(40)
    scores = tuple(replace(one, value=0.999) for one in given.scores)
    file, nothing = Source("results", "/lexicon.xml", 1, "0" * 64), dict[str, Any]()
    made = Stamp(
        *(given.task, given.system, given.profile, nothing, nothing, (), file, nothing, nothing),
        *("cpu", {"bootstrap": 1, "resamples": 1}, nothing, scores),
    )
    stamped = replace(given, scores=scores, stamp=made.to_json())
    with Desk.create(tmp_path / "given.jurydesk") as desk:
        desk.set_competition("keyword-spotting", "Letters", {"profile": "published"})
        desk.add(stamped)
        session = Session()
        session.use(desk)
        page = items_page(qtbot, session)
        tables = [one for one in page.exports() if one.pattern in ("*.csv", "*.json")]
        assert len(tables) == 3
        for export in tables:
            export.write(tmp_path / "table")
            text = (tmp_path / "table").read_text(encoding="utf-8-sig")
            assert "contradicts its items or stamp" in text, export.title
        session.use(None)


def test_exports_are_the_items_and_the_visible_figure(page: ItemsPage) -> None:
    assert [(export.title, export.pattern) for export in page.exports()] == [
        ("Queries as table", "*.csv"),
        ("Queries as JSON", "*.json"),
        ("Precision and recall as PNG", "*.png"),
        ("Precision and recall as SVG", "*.svg"),
        ("Precision and recall as CSV", "*.csv"),
    ]


def test_an_image_folder_that_was_given_reaches_the_inspector(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    session.state = replace(session.state, files=(InputFile(tmp_path, "images", 0),))
    page = items_page(qtbot, session)
    assert "has no picture of that name" in page.view.item.inspector.page_note.text()


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_page_is_painted_in_both_themes_and_every_size(
    page: ItemsPage, mode: str, zoom: float
) -> None:
    theme().mode = mode  # type: ignore[assignment]
    theme().set_zoom(zoom)
    assert not page.grab().isNull()


def test_another_desk_begins_with_the_list(page: ItemsPage, session: Session) -> None:
    page.open_item()
    assert page.view.item.opened
    session.changed.emit(~SessionPart(0))
    assert not page.view.item.opened


def page_of_height(qtbot: QtBot, session: Session, height: int) -> ItemsPage:
    page = ItemsPage(make_workspace(session))
    qtbot.addWidget(page)
    page.resize(1100, height)
    page.show()
    page.activate()
    run_queued_work(qtbot, page)
    return page


@pytest.mark.parametrize(
    ("size", "folded"), [((1440, 900), False), ((1366, 768), True), ((1024, 700), True)]
)
def test_the_axes_of_curves_are_240_pixels_high_wherever_the_handle_below_them_is(
    qtbot: QtBot, session: Session, size: tuple[int, int], folded: bool
) -> None:
    page = page_of_height(qtbot, session, size[1])
    page.resize(*size)
    view = page.view
    assert view.is_folded is folded
    if folded:
        view.switch.choose(0 if view.kept_parts() else 1)
    for above in (size[1], 0):
        view.right.setSizes([above, size[1] - above])
        QApplication.processEvents()
        assert view.figures.isVisible()
        assert view.figures.view.getViewBox().height() >= 240


def test_the_list_stays_beside_plots_and_item_that_have_no_room_for_each_other(
    qtbot: QtBot, session: Session
) -> None:
    page = page_of_height(qtbot, session, 700)
    view = page.view
    shown = []
    for place in range(2):
        view.switch.choose(place)
        shown.append((view.list.isVisible(), view.figures.isVisible(), view.item.isVisible()))
    assert shown == [(True, True, False), (True, False, True)]
    page.resize(1100, 830)
    assert view.list.isVisible()
    assert view.figures.isVisible()
    assert view.item.isVisible()


def test_plots_compare_the_systems_selected_together_on_the_board(
    qtbot: QtBot, session: Session
) -> None:
    page = page_of_height(qtbot, session, 830)
    names, compared = [one.system for one in session.profile_systems()], page.view.figures._views
    own = page.evaluation.system
    others = [name for name in names if name != own]
    assert set(compared._systems) == set(others)
    session.compare([own, others[0]])
    run_queued_work(qtbot, page)
    assert set(compared._systems) == {others[0]}
    session.compare([own])
    run_queued_work(qtbot, page)
    assert set(compared._systems) == set(others)
