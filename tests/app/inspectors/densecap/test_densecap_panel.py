"""Dense captions on the Items page: cells, verdicts, costs, what-ifs, and two systems."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.densecap.densecap_inspector import SceneInspector
from jurydesk.app.inspectors.densecap.densecap_panel import DensePanel
from jurydesk.app.inspectors.densecap.error_cards import DIFFERENCE, LAB
from jurydesk.app.inspectors.densecap.precision_recall import PrecisionRecall, RankedDetections
from jurydesk.app.jobs.job import view_jobs
from jurydesk.app.pages.items.items_page import ItemsPage
from jurydesk.app.plots.heatmap import LEAD, HeatmapLayout
from jurydesk.app.state.session import Session
from jurydesk.app.style.theme import theme
from jurydesk.app.widgets.page_export import Export
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.execution.run import Run
from jurydesk.core.export.export_settings import ExportSettings
from jurydesk.core.export.stamps_export import read_export_settings, read_stamps
from jurydesk.core.metrics.detection.average_precision import true_positives
from jurydesk.core.metrics.detection.threshold_what_if import Thresholds
from jurydesk.core.metrics.meteor import LanguageDataMissing
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.stamp import StampError
from jurydesk.core.tasks.densecap.densecap_evidence import Scene
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, to_records
from jurydesk.core.tasks.densecap.densecap_task import TASK
from jurydesk.core.tasks.densecap.threshold_tables import COSTS, CURVE, SYSTEMS
from jurydesk.core.tasks.densecap.threshold_tables import DIFFERENCE as TABLE_OF_DIFFERENCE
from jurydesk.core.verification.differences import find_difference
from jurydesk.core.verification.recomputation import recompute_export
from jurydesk.core.verification.scored_again import ScoredAgain
from support.windows.dense_evaluations import FOLDER, evaluations
from support.windows.item_pages import Looking, items_page, run_queued_work

Key = Qt.Key


class LookingAtImages(Looking):
    """The same with the folder of images, and evaluations that another thread may load."""

    def __init__(self, systems: Sequence[str]) -> None:
        super().__init__(TASK, [evaluations()[name] for name in systems])
        files = (InputFile(FOLDER / "images", "images", 0),)
        self.state = replace(self.state, files=files)

    def evaluation_loaders(self):
        return {name: Kept(name) for name in self.evaluations}


class Kept(str):
    """Evaluation that is loaded by calling its name."""

    def __call__(self) -> Evaluation:
        return evaluations()[self]


@pytest.fixture
def session(qapp: QApplication) -> Session:
    return LookingAtImages(["region-net", "tagger", "grid"])


@pytest.fixture
def page(qtbot: QtBot, session: Session, no_item_takes_long: None) -> Iterator[ItemsPage]:
    page = items_page(qtbot, session)
    qtbot.waitUntil(lambda: panel_of(page)._study.costs is not None)
    yield page
    assert view_jobs().shut_down()
    QApplication.processEvents()


def panel_of(page: ItemsPage) -> DensePanel:
    assert isinstance(page.view.panel, DensePanel)
    return page.view.panel


def click_cell(qtbot: QtBot, page: ItemsPage, row: int, column: int) -> None:
    heatmap = panel_of(page).cards.map
    rect = HeatmapLayout(heatmap.heatmap, heatmap.size()).rect((row, column))
    qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=rect.center().toPoint())


def verdict_of_rows(page: ItemsPage) -> list[str]:
    column = next(c for c in page.view.table.table_model.columns if c.name == "verdict")
    return [column.text(row) for row in range(page.view.table.table_model.total)]


def scenes(system: str) -> list[Scene]:
    items = evaluations()[system].items
    return [items.show(int(row)) for row in np.unique(items.evidence_of, return_index=True)[1]]


def verdicts(page: ItemsPage) -> list[str]:
    column = next(c for c in page.view.table.table_model.columns if c.name == "verdict")
    return [column.text(int(row)) for row in page.view.table.table_model.rows]


def true_at(system: str, overlap: float, meteor: float | None) -> int:
    records = to_records(evaluations()[system].items.columns)
    return int(true_positives(records, overlap, meteor).sum())


def test_title_and_finding_state_the_score(page: ItemsPage) -> None:
    scores = {s.metric: s.value for s in evaluations()["region-net"].scores}
    assert page.heading.text() == f"region-net: mAP {scores['map']:.4f}"
    assert page.finding == (
        f"Mean of 30 average precisions. Detection alone: {scores['detmap']:.4f}. "
        "Click a cell to show its detections."
    )


def test_the_first_cell_is_a_middle_one_with_all_items_sorted_by_score(page: ItemsPage) -> None:
    true = true_at("region-net", 0.5, 0.1)
    items = evaluations()["region-net"].items
    found = int((items.columns["detection"] != UNCLAIMED).sum())
    assert panel_of(page).cards.right_title.text() == (
        f"IoU ≥ 0.5, METEOR > 0.10: {true} true, {found - true} false"
    )
    assert page.view.table.table_model.rowCount() == len(items)
    scores = items.columns["score"][page.view.table.table_model.rows[:found]]
    assert (np.diff(scores) <= 0).all()
    assert verdicts(page).count("true") == true


def test_captions_and_best_references_are_read_from_the_images(page: ItemsPage) -> None:
    columns = {c.name: c for c in page.view.table.table_model.columns}
    items = evaluations()["region-net"].items
    scene = items.show(3)
    said = {one.number: one.caption for one in scene.detections}
    assert columns["caption"].text(3) == said[int(items.columns["detection"][3])]
    assert columns["reference"].text(3) in scene.objects[int(items.columns["object"][3])].captions


def test_a_click_on_a_cell_shows_its_detections(qtbot: QtBot, page: ItemsPage) -> None:
    click_cell(qtbot, page, 4, 5)
    true = true_at("region-net", 0.7, 0.25)
    assert panel_of(page).thresholds == Thresholds(0.7, 0.25)
    assert f"IoU ≥ 0.7, METEOR > 0.25: {true} true" in panel_of(page).cards.right_title.text()
    assert verdicts(page).count("true") == true


def test_arrows_go_from_cell_to_cell_and_enter_goes_to_the_table(
    qtbot: QtBot, page: ItemsPage
) -> None:
    heatmap = panel_of(page).cards.map
    heatmap.setFocus()
    for _ in range(3):
        qtbot.keyClick(heatmap, Key.Key_Left)
    assert panel_of(page).thresholds == Thresholds(0.5, None)
    assert verdicts(page).count("true") == true_at("region-net", 0.5, None)
    qtbot.keyClick(heatmap, Key.Key_Return)
    assert page.focusWidget() is page.view.table


def test_true_false_and_missed_items_are_filtered(qtbot: QtBot, page: ItemsPage) -> None:
    filters = panel_of(page).rows.filters
    filters.choose(1)
    assert set(verdicts(page)) == {"true"}
    filters.choose(2)
    assert not {"true", "missed"} & set(verdicts(page))
    filters.choose(3)
    assert set(verdicts(page)) == {"missed"}
    filters.choose(0)
    assert {"true", "missed"} <= set(verdicts(page))


def test_filter_and_search_are_combined(page: ItemsPage) -> None:
    panel_of(page).rows.filters.choose(1)
    QTest.keyClicks(page.view.list.search, "beach iou > 0.8")
    rows = page.view.table.table_model.rows
    items = evaluations()["region-net"].items
    assert len(rows)
    assert all("beach" in items.ids[row] for row in rows)
    assert (items.columns["overlap"][rows] > 0.8).all()
    assert set(verdicts(page)) == {"true"}


def test_filter_follows_the_cell(qtbot: QtBot, page: ItemsPage) -> None:
    panel_of(page).rows.filters.choose(1)
    click_cell(qtbot, page, 0, LEAD)
    assert len(verdicts(page)) == true_at("region-net", 0.3, None)


def test_each_kind_of_error_has_its_count_and_cost(page: ItemsPage) -> None:
    table = panel_of(page).cards.cell.costs
    texts = table.texts()
    counted = {table.names[kind].text(): int(here) for kind, here, _, _ in texts}
    shown = Counter(verdicts(page))
    del shown["true"]
    assert shown
    assert shown.items() <= counted.items(), "the table and the verdicts name a kind alike"
    costs = [float(cost.replace("−", "-")) for _, _, _, cost in texts]
    assert costs == sorted(costs)
    assert panel_of(page).cards.cell.costs.note.text() == ""


def test_a_kind_of_error_opens_its_items(qtbot: QtBot, page: ItemsPage) -> None:
    name = panel_of(page).cards.cell.costs.names["duplicate"]
    qtbot.mouseClick(name, Qt.MouseButton.LeftButton)
    assert set(verdicts(page)) == {"duplicate"}
    name.setFocus()
    qtbot.keyClick(name, Key.Key_Space)
    assert len(set(verdicts(page))) > 1


def test_sliders_are_moved_by_keys(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(LAB)
    qtbot.waitUntil(lambda: panel.cards.lab.systems.table_model.rowCount() == 3)
    qtbot.keyClick(panel.cards.lab.overlap.slider, Key.Key_Right)
    assert panel.thresholds == Thresholds(0.51, 0.1)
    for _ in range(60):
        qtbot.keyClick(panel.cards.lab.meteor.slider, Key.Key_Left)
    assert panel.thresholds == Thresholds(0.51, None)
    assert panel.cards.lab.meteor.box.text() == "any"
    assert panel.cards.map.current_cell is None
    assert verdicts(page).count("true") == true_at("region-net", 0.51, None)
    systems = panel.cards.lab.systems.table_model
    assert sorted(systems.columns[0].values) == ["grid", "region-net", "tagger"]
    place = list(systems.columns[0].values).index("tagger")
    assert systems.columns[-1].text(place) == str(true_at("tagger", 0.51, None))


def test_a_typed_score_excludes_lower_ones(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(LAB)
    panel.cards.lab.score.box.setFocus()
    panel.cards.lab.score.box.selectAll()
    QTest.keyClicks(panel.cards.lab.score.box, "-0.5")
    qtbot.keyClick(panel.cards.lab.score.box, Key.Key_Return)
    scores = evaluations()["region-net"].items.columns["score"]
    assert verdicts(page).count("left out") == int((scores < -0.5).sum())
    assert "score ≥ −0.50" in panel.cards.right_title.text()


def test_at_the_thresholds_of_a_cell_the_lab_gives_its_number(
    qtbot: QtBot, page: ItemsPage
) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(LAB)
    qtbot.waitUntil(lambda: panel.cards.lab.systems.table_model.rowCount() == 3)
    systems = panel.cards.lab.systems.table_model.columns
    for place, name in enumerate(systems[0].values):
        cell = evaluations()[name].score("ov0.5_score0.1").value
        assert systems[1].values[place] == cell


def test_two_systems_are_compared_cell_by_cell(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(DIFFERENCE)
    qtbot.waitUntil(lambda: panel.moves is not None)
    mine, other = (
        evaluations()[name].score("ov0.3_score0").value for name in ("region-net", "tagger")
    )
    view = panel.cards.difference.map
    assert view.value((0, 0)) == mine - other
    assert view.cell_text(view.value((0, 0))) == f"{mine - other:+.3f}".replace("-", "−")


def test_a_cell_has_the_score_of_the_board(page: ItemsPage) -> None:
    view, scored = panel_of(page).cards.map, evaluations()["region-net"]
    assert view.value((2, 1)) == scored.score("ov0.5_score0.05").value
    assert view.value((4, LEAD)) == scored.score("ov0.7").value
    assert view.cell_text(view.value((2, 1))) == f"{scored.score('ov0.5_score0.05').value:.3f}"


def test_changes_are_listed_by_image_and_shown_in_the_table(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(DIFFERENCE)
    qtbot.waitUntil(lambda: panel.moves is not None)
    won, gone = panel.moves.gained.sum(), panel.moves.lost.sum()
    assert panel.cards.right_title.text() == f"{won} objects found that tagger misses, {gone} lost"
    assert verdicts(page).count("true") == won
    panel.cards.moved.table.setFocus()
    qtbot.keyClick(panel.cards.moved.table, Key.Key_Down)
    image = panel.cards.moved.images[panel.cards.moved.table.current_row]
    rows = page.view.table.table_model.rows
    assert set(evaluations()["region-net"].items.columns["image"][rows]) == {image}


def test_the_other_system_is_chosen_by_key(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(DIFFERENCE)
    qtbot.waitUntil(lambda: panel.moves is not None)
    panel.cards.difference.systems.setFocus()
    qtbot.keyClick(panel.cards.difference.systems, Key.Key_Down)
    assert panel.against == "grid"
    assert "that grid misses" in panel.cards.right_title.text()


def test_a_single_system_has_no_difference(qtbot: QtBot) -> None:
    page = items_page(qtbot, LookingAtImages(["grid"]))
    assert [button.text() for button in panel_of(page).cards.views._group.buttons()] == [
        "Map",
        "Lab",
    ]
    assert view_jobs().shut_down()


def test_a_score_of_the_board_opens_its_cell(page: ItemsPage, session: Session) -> None:
    session.select(system="tagger", metric="ov0.7_score0.2")
    assert panel_of(page).thresholds == Thresholds(0.7, 0.2)
    assert page.heading.text().startswith("tagger: mAP")


def test_missing_language_data_is_reported_instead_of_costs(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise LanguageDataMissing("METEOR's language data are not installed.")

    monkeypatch.setattr("jurydesk.core.tasks.densecap.missing_meteor.score_many", refuse)
    page = items_page(qtbot, session)
    costs = panel_of(page).cards.cell.costs
    qtbot.waitUntil(lambda: "not installed" in costs.note.text())
    assert {row[3] for row in costs.texts()} == {"–"}
    columns = {c.name: c for c in page.view.table.table_model.columns}
    assert columns["caption"].text(0)
    assert view_jobs().shut_down()


def test_closing_the_desk_ends_the_reading_silently(qtbot: QtBot, session: LookingAtImages) -> None:
    def gone(item: int) -> None:
        raise DeskError("example.jurydesk was closed.")

    whole = session.evaluations["grid"]
    items = replace(whole.items, evidence=gone)
    session.evaluations["grid"] = replace(whole, items=items)
    session.select(system="grid")
    page = items_page(qtbot, session)
    panel = panel_of(page)
    qtbot.waitUntil(panel._study._job.isFinished)
    QApplication.processEvents()
    assert panel.items.captions is None
    assert view_jobs().shut_down()


def open_image(qtbot: QtBot, page: ItemsPage) -> None:
    """Return the image view of the current detection, once it is created."""
    qtbot.keyClick(page.view.table, Key.Key_Return)
    run_queued_work(qtbot, page)


def test_enter_opens_the_image_and_esc_returns_to_the_page(qtbot: QtBot, page: ItemsPage) -> None:
    open_image(qtbot, page)
    assert isinstance(page.view.item.inspector, SceneInspector)
    assert page.view.item.inspector.isVisible()
    assert not panel_of(page).isVisible()
    qtbot.keyClick(page.view.item.inspector.detections, Key.Key_Escape)
    assert panel_of(page).isVisible()
    assert not page.view.item.isVisible()


def test_the_table_follows_steps_through_an_opened_image(
    qtbot: QtBot, page: ItemsPage, session: Session
) -> None:
    open_image(qtbot, page)
    inspector = page.view.item.inspector
    before = page.view.item.name.text()
    qtbot.keyClick(inspector.detections, Key.Key_N)
    qtbot.keyClick(inspector.detections, Key.Key_P)
    assert page.view.item.name.text().partition(" · ")[0] == before.partition(" · ")[0]
    assert session.selection.item == page.view.item.name.text()


def test_i_and_u_go_from_image_to_image(qtbot: QtBot, page: ItemsPage) -> None:
    open_image(qtbot, page)
    inspector = page.view.item.inspector
    before = inspector.scene.image
    qtbot.keyClick(inspector.detections, Key.Key_I)
    assert inspector.scene.image != before
    qtbot.keyClick(inspector.detections, Key.Key_U)
    assert inspector.scene.image == before


def test_figures_are_exported(page: ItemsPage) -> None:
    assert [(export.title, export.pattern) for export in page.exports()][2:] == [
        ("Average precision by threshold as PNG", "*.png"),
        ("Average precision by threshold as SVG", "*.svg"),
        ("Average precision by threshold as CSV", "*.csv"),
        ("Precision and recall as PNG", "*.png"),
        ("Precision and recall as SVG", "*.svg"),
        ("Precision and recall as CSV", "*.csv"),
        ("Cost of errors as CSV", "*.csv"),
    ]
    panel_of(page).cards.views.choose(LAB)
    assert page.exports()[2].title == "Threshold lab as CSV"


def test_both_cards_save_what_they_show(qtbot: QtBot, page: ItemsPage, tmp_path: Path) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(DIFFERENCE)
    qtbot.waitUntil(lambda: panel.moves is not None)
    saved: list[Export] = []
    panel.save_requested.connect(saved.append)
    for tools, count in ((panel.cards.left_tools, 3), (panel.cards.right_tools, 4)):
        tools.fill_menu()
        assert len(tools.menu.actions()) == count
        for action in tools.menu.actions():
            action.trigger()
        panel.cards.views.choose(0)
    for number, export in enumerate(saved):
        export.write(tmp_path / str(number))
    head, first, *_ = csv.reader((tmp_path / "2").read_text().splitlines())
    assert head[:2] == ["IoU", "any"]
    mine, other = (evaluations()[name].score("ov0.3").value for name in ("region-net", "tagger"))
    assert float(first[1]) == mine - other
    rows = list(csv.DictReader((tmp_path / "5").read_text().splitlines()))
    true = true_at("region-net", 0.5, 0.1)
    objects = sum(len(scene.objects) for scene in scenes("region-net"))
    assert len(rows) == true
    assert float(rows[-1]["recall"]) == true / objects
    assert rows[0]["item"] in evaluations()["region-net"].items.ids


def test_the_lab_is_saved_and_reset(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    panel.cards.views.choose(LAB)
    qtbot.waitUntil(lambda: panel.cards.lab.systems.table_model.rowCount() == 3)
    tools = panel.cards.left_tools
    assert not tools.table.isVisible()
    qtbot.keyClick(panel.cards.lab.overlap.slider, Key.Key_Right)
    saved = dict(panel._table(SYSTEMS, "panel table csv")[0])
    assert saved["IoU"] == [0.51] * 3
    assert saved["true"][saved["system"].index("tagger")] == true_at("tagger", 0.51, 0.1)
    qtbot.mouseClick(tools.reset, Qt.MouseButton.LeftButton)
    assert panel.thresholds == Thresholds(0.5, 0.1)


def test_saved_tables_are_made_again_from_the_results_of_their_stamps(
    qtbot: QtBot, page: ItemsPage, tmp_path: Path
) -> None:
    panel = panel_of(page)
    saved = dict(enumerate([*panel.cards.right_exports()[2:]]))
    panel.cards.views.choose(LAB)
    qtbot.waitUntil(lambda: panel.cards.lab.systems.table_model.rowCount() == 3)
    qtbot.keyClick(panel.cards.lab.overlap.slider, Key.Key_Right)
    panel.cards.lab.meteor.box.setValue(0.15)
    saved[2] = panel.cards.left_exports()[0]
    panel.cards.views.choose(DIFFERENCE)
    qtbot.waitUntil(lambda: panel.moves is not None)
    saved[3] = panel.cards.left_exports()[2]
    names = []
    for number, export in saved.items():
        path = tmp_path / f"{number}.csv"
        export.write(path)
        text = path.read_text()
        settings = ExportSettings.from_json(read_export_settings(text))
        results = [
            replace(evaluations()[stamp["system"]], stamp=stamp) for stamp in read_stamps(text)
        ]
        again = recompute_export(TASK, ScoredAgain(results), settings, Run())[0].decode()
        assert find_difference("csv", text, again) == (None, [])
        names.append(settings.values["table"])
        if number == 2:
            at = settings.values["choices"]
            assert at == {"IoU": 0.51, "METEOR": 0.15, "score": None}
            altered = text.replace("0.51", "0.52", 1)
            assert find_difference("csv", altered, again)[0] is not None
    assert names == [CURVE, COSTS, SYSTEMS, TABLE_OF_DIFFERENCE]


@pytest.mark.parametrize("choices", [{}, {"IoU": "x", "METEOR": None, "score": None}, 5, None])
def test_damaged_choices_of_a_table_are_named(page: ItemsPage, tmp_path: Path, choices) -> None:
    path = tmp_path / "curve.csv"
    panel_of(page).cards.right_exports()[2].write(path)
    settings = ExportSettings.from_json(read_export_settings(path.read_text()))
    damaged = replace(settings, values={**settings.values, "choices": choices})
    with pytest.raises(StampError, match="settings in the file"):
        recompute_export(TASK, ScoredAgain([evaluations()["region-net"]]), damaged, Run())


def test_the_lab_has_the_curves_of_all_other_systems_by_name(qtbot: QtBot, page: ItemsPage) -> None:
    panel = panel_of(page)
    curve = panel.cards.cell.curve
    assert curve.others == {}
    panel.cards.views.choose(LAB)
    qtbot.waitUntil(lambda: panel.cards.lab.systems.table_model.rowCount() == 3)
    assert set(curve.others) == {"grid", "tagger"}
    assert curve.system == "region-net"


def test_the_curve_stands_beside_those_of_the_systems_selected_on_the_board(
    qtbot: QtBot, page: ItemsPage
) -> None:
    panel = panel_of(page)
    page.session.compare(("region-net", "tagger"))
    page.activate()
    qtbot.waitUntil(lambda: set(panel_of(page).cards.cell.curve.others) == {"tagger"})
    cell = panel.cards.cell
    recall, precision = cell.curve.others["tagger"]
    assert len(recall) == len(precision) > 0
    assert cell.curve.key.texts == ("region-net", "tagger")
    assert not cell.legend.entries
    page.session.compare(())
    page.activate()
    assert [entry.text for entry in cell.legend.entries] == ["region-net"]


def drag(qtbot: QtBot, plot: PrecisionRecall, rect: QRectF) -> None:
    """Drag the mouse over a rectangle, in the units of the axes."""
    view, box = plot.viewport(), plot.getViewBox()
    start, end = (
        plot.mapFromScene(box.mapViewToScene(corner))
        for corner in (rect.topLeft(), rect.bottomRight())
    )
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    middle = (start + end) / 2
    for place in (middle, end):
        position = QPointF(place)
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            position,
            QPointF(view.mapToGlobal(place)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(view, event)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)


def ranked(system: str) -> np.ndarray:
    columns = evaluations()[system].items.columns
    return np.argsort(np.where(np.isnan(columns["rank"]), np.inf, columns["rank"]), kind="stable")


def test_a_rectangle_on_the_curve_filters_to_the_detections_that_lead_to_it(
    qtbot: QtBot, page: ItemsPage
) -> None:
    plot = panel_of(page).cards.cell.curve
    recall, _ = plot.points
    drag(qtbot, plot, QRectF(0.2, 0.0, 0.2, 1.0))
    inside = np.flatnonzero((recall >= 0.2) & (recall <= 0.4))
    is_true = np.array([verdict == "true" for verdict in verdict_of_rows(page)])
    rows = ranked("region-net")
    hits = np.flatnonzero(is_true[rows])
    expected = set(rows[hits[inside[0] - 1] + 1 : hits[inside[-1]] + 1].tolist())
    assert set(page.view.table.table_model.rows.tolist()) == expected
    assert len(expected) > len(inside)  # false detections between the true ones, too
    assert plot.has_brush
    plot.setFocus()
    qtbot.keyClick(plot, Key.Key_Escape)
    assert not plot.has_brush
    assert page.view.table.table_model.rowCount() == len(is_true)


def test_a_brushed_curve_is_whole_again_at_other_thresholds(qtbot: QtBot, page: ItemsPage) -> None:
    plot, line = panel_of(page).cards.cell.curve, page.view.list.line
    plot.setFocus()
    qtbot.keyClick(plot, Key.Key_B)
    assert line.brush_chip.isVisible()
    click_cell(qtbot, page, 4, 5)
    assert not plot.has_brush
    assert not line.brush_chip.isVisible()
    qtbot.keyClick(plot, Key.Key_B)
    qtbot.mouseClick(line.brush_chip, Qt.MouseButton.LeftButton)
    assert not plot.has_brush


def test_the_arrows_go_along_the_curve_and_zooming_is_undone(qtbot: QtBot, page: ItemsPage) -> None:
    plot = panel_of(page).cards.cell.curve
    first = plot.detections.point_rows[:2].tolist()
    page.view.table.set_current_row(first[0])
    plot.setFocus()
    qtbot.keyClick(plot, Key.Key_Right)
    assert page.view.table.current_row == plot.current_row == first[1]
    assert page.focusWidget() is plot
    whole = plot.getViewBox().viewRect()
    qtbot.keyClick(plot, Key.Key_Plus)
    assert plot.getViewBox().viewRect() != whole
    qtbot.mouseClick(panel_of(page).cards.right_tools.reset, Qt.MouseButton.LeftButton)
    assert plot.getViewBox().viewRect() == whole


def test_a_false_detection_is_marked_at_the_point_it_leads_to() -> None:
    detections = RankedDetections(np.array([7, 3, 5, 2]), np.array([0, 2]), ())
    assert [detections.point_of(row) for row in (7, 3, 5, 2, 9)] == [0, 1, 1, None, None]
    assert detections.leading_to(np.array([1])).tolist() == [3, 5]
    assert detections.leading_to(np.array([], np.int64)).tolist() == []


def test_hovering_a_cell_shows_its_value(qtbot: QtBot, page: ItemsPage) -> None:
    heatmap = panel_of(page).cards.map
    rect = HeatmapLayout(heatmap.heatmap, heatmap.size()).rect((0, 0))
    qtbot.mouseMove(heatmap, QPoint(1, 1))
    qtbot.mouseMove(heatmap, QPointF(rect.center()).toPoint())
    assert heatmap.hovered_cell == (0, 0)


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_panel_is_painted_in_both_themes_and_every_size(
    page: ItemsPage, mode: str, zoom: float
) -> None:
    theme().mode = mode  # type: ignore[assignment]
    theme().set_zoom(zoom)
    for view in (LAB, DIFFERENCE, 0):
        panel_of(page).cards.views.choose(view)
        assert not page.grab().isNull()
