"""Card of figures: painting, pointing, selection and export."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from jurydesk.app.pages.items.figure_card import FigureCard
from jurydesk.app.plots.bars import BarsView
from jurydesk.app.plots.curve import CurveView, join_members, squared_distances
from jurydesk.app.plots.histogram import DistributionView
from jurydesk.app.plots.plot import Plot
from jurydesk.app.plots.scatter import ScatterView
from jurydesk.app.style.theme import DARK, LIGHT, theme
from jurydesk.core.model.evaluation import Axis, Curve, Evaluation, Scatter
from support.windows.evaluations import AP, RECALL, retrieval

SVG = "{http://www.w3.org/2000/svg}"
QUERIES = ("query", "queries")


@pytest.fixture
def evaluation() -> Evaluation:
    return retrieval(40)


@pytest.fixture
def card(qtbot: QtBot, evaluation: Evaluation) -> FigureCard:
    card = FigureCard()
    qtbot.addWidget(card)
    card.resize(620, 330)
    card.show_evaluation(evaluation, [AP], QUERIES)
    card.show()
    return card


def at(plot: Plot, x: float, y: float) -> QPoint:
    """Return the widget position of a point of the plot."""
    scene = plot.getViewBox().mapViewToScene(QPointF(x, y))
    return plot.mapFromScene(scene)


def plot_of(card: FigureCard) -> Plot:
    assert isinstance(card.view, Plot)
    return card.view


def test_the_figures_are_those_of_the_evaluation_and_a_profile(card: FigureCard) -> None:
    assert [figure.title for figure in card.figures] == [
        "Precision and recall",
        "AP by query",
        "AP spread",
    ]
    assert isinstance(card.view, CurveView)


def test_a_figure_is_created_when_it_is_first_shown(qtbot: QtBot, card: FigureCard) -> None:
    assert card.findChildren(BarsView) == []
    qtbot.keyClick(card.segments, Qt.Key.Key_Right)
    assert isinstance(card.view, BarsView)


def test_the_curves_of_another_system_reuse_the_view(qtbot: QtBot, card: FigureCard) -> None:
    view, other = plot_of(card), retrieval(7)
    view.set_current(3)
    card.show_evaluation(other, [AP], QUERIES)
    assert card.view is view
    fresh = FigureCard()
    qtbot.addWidget(fresh)
    fresh.resize(620, 330)
    fresh.show_evaluation(other, [AP], QUERIES)
    fresh.show()
    assert view.grab().toImage() == plot_of(fresh).grab().toImage()


def test_a_prepared_view_draws_the_same_as_a_new_one(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation
) -> None:
    ready = FigureCard()
    qtbot.addWidget(ready)
    ready.resize(620, 330)
    ready.show()
    ready.prepare()
    (made,) = ready.findChildren(CurveView)
    assert not made.isVisible()
    ready.show_evaluation(evaluation, [AP], QUERIES)
    assert ready.view is made
    with qtbot.waitSignal(ready.item_chosen) as chosen:
        made.item_chosen.emit(3)
    assert chosen.args == [3]
    assert made.accessibleName() == plot_of(card).accessibleName()
    assert made.grab().toImage() == plot_of(card).grab().toImage()


def test_curves_with_named_ticks_get_their_own_view(
    card: FigureCard, evaluation: Evaluation
) -> None:
    view, (curve, *rest) = plot_of(card), evaluation.figures
    cuts = Axis("Cut-off", ticks=(0.0, 1.0, 2.0), limits=(0.0, 2.0))
    other = replace(curve, x_axis=cuts, members=None)
    card.show_evaluation(replace(evaluation, figures=(other, *rest)), [AP], QUERIES)
    assert card.view is not view
    assert isinstance(card.view, CurveView)


def test_the_legend_states_the_content(card: FigureCard) -> None:
    assert card.readout.text() == "mean, band 10–90 %, 39 queries"
    card.segments.choose(1)
    assert card.readout.text().startswith("mean 0.")
    assert card.readout.text().endswith(", 1 query undefined")


def test_the_value_beside_the_figure_names_is_legible_or_left_out(card: FigureCard) -> None:
    legible = set()
    for width in range(800, card.minimumSizeHint().width(), -10):
        card.resize(width, card.height())
        card.layout().activate()
        if card.readout.isVisible():
            assert card.readout.shown_text().startswith("mean, ba")
        legible.add(card.readout.isVisible())
    assert legible == {True, False}


def test_the_curve_near_the_mouse_is_highlighted_with_name_and_value(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation
) -> None:
    plot = plot_of(card)
    best = int(np.nanargmax(evaluation.items.columns["ap"]))
    members = evaluation.figures[0].members
    with qtbot.waitSignal(card.item_hovered) as hovered:
        qtbot.mouseMove(plot.viewport(), at(plot, RECALL[90], members[best, 90]))
    assert hovered.args == [best]
    value = evaluation.items.columns["ap"][best]
    assert card.readout.text() == f"{evaluation.items.ids[best]}   AP {value:.4f}"


def test_a_click_on_a_curve_chooses_its_item(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation
) -> None:
    plot = plot_of(card)
    best = int(np.nanargmax(evaluation.items.columns["ap"]))
    members = evaluation.figures[0].members
    with qtbot.waitSignal(card.item_chosen) as chosen:
        qtbot.mouseClick(
            plot.viewport(), Qt.MouseButton.LeftButton, pos=at(plot, RECALL[90], members[best, 90])
        )
    assert chosen.args == [best]


def test_no_item_is_near_an_empty_corner(card: FigureCard) -> None:
    assert plot_of(card).row_near(0.02, 0.05) is None


def test_a_click_below_the_lowest_bar_chooses_its_item(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation
) -> None:
    card.segments.choose(1)
    plot = plot_of(card)
    worst = int(np.nanargmin(evaluation.items.columns["ap"]))
    with qtbot.waitSignal(card.item_chosen) as chosen:
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at(plot, 39, 0.5))
    assert chosen.args == [worst]


def test_arrow_keys_step_along_the_bars(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation
) -> None:
    card.segments.choose(1)
    plot = plot_of(card)
    assert isinstance(plot, BarsView)
    order = np.argsort(-evaluation.items.columns["ap"], kind="stable")
    card.set_current(int(order[4]))
    for key, expected in ((Qt.Key.Key_Right, order[5]), (Qt.Key.Key_Left, order[3])):
        with qtbot.waitSignal(card.item_chosen) as chosen:
            qtbot.keyClick(plot, key)
        assert chosen.args == [int(expected)]


def test_the_current_item_is_marked_in_every_figure(card: FigureCard) -> None:
    card.set_current(7)
    assert plot_of(card).current_row == 7
    card.segments.choose(1)
    assert plot_of(card).current_row == 7


def test_keys_zoom_and_show_all_again(qtbot: QtBot, card: FigureCard) -> None:
    plot = plot_of(card)
    whole = plot.viewRange()[0]
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert np.ptp(plot.viewRange()[0]) < np.ptp(whole)
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert plot.viewRange()[0] == pytest.approx(whole)


def test_a_changed_theme_is_applied_at_once(qtbot: QtBot, card: FigureCard) -> None:
    def ground() -> str:
        return card.grab().toImage().pixelColor(310, 300).name()

    assert ground() == LIGHT.card
    theme().set_mode("dark")
    assert ground() == DARK.card


def test_another_evaluation_keeps_the_chosen_figure(card: FigureCard) -> None:
    card.segments.choose(1)
    card.show_evaluation(retrieval(10, "other", 2), [AP], QUERIES)
    assert isinstance(card.view, BarsView)
    assert card.current_row is None


def test_an_evaluation_without_figures_or_metrics_shows_none(
    card: FigureCard, evaluation: Evaluation
) -> None:
    card.show_evaluation(replace(evaluation, figures=()), [], QUERIES)
    assert card.figures == ()
    assert card.view is None
    assert card.exports() == []


def test_undefined_items_have_no_bar(card: FigureCard, evaluation: Evaluation) -> None:
    card.segments.choose(1)
    plot = plot_of(card)
    assert isinstance(plot, BarsView)
    assert plot.place(2) is None
    assert len(plot.order) == 39
    card.set_current(2)


def test_a_million_bars_are_drawn_in_few_steps_and_all_can_be_chosen(qtbot: QtBot) -> None:
    values = np.linspace(0, 1, 1_000_000)
    view = BarsView("AP by query", values, Axis("AP", limits=(0.0, 1.0)), "queries")
    qtbot.addWidget(view)
    x, heights = view._outline.getData()
    assert len(heights) <= 2000
    assert (x[0], x[-1]) == (0.5, 1_000_000.5)
    assert view.row_near(1, 0) == 999_999
    assert view.row_near(777_777, 0) == 222_223


def test_bars_are_counted_in_whole_numbers(qtbot: QtBot) -> None:
    view = BarsView("F1", np.array([1.0, 0.5, 0.2, 0.1]), Axis("F1", limits=(0.0, 1.0)), "items")
    qtbot.addWidget(view)
    ticks = view.getAxis("bottom").tickValues(0.5, 4.5, 500)
    assert sorted(value for _, values in ticks for value in values) == [1, 2, 3, 4]


def test_a_profile_without_defined_values_is_empty(qtbot: QtBot) -> None:
    view = BarsView("AP by query", np.full(3, np.nan), Axis("AP", limits=(0.0, 1.0)), "queries")
    qtbot.addWidget(view)
    assert view.row_near(1, 0.5) is None


def test_a_curve_of_one_point_without_band_or_members_can_be_drawn(qtbot: QtBot) -> None:
    curve = Curve("c", "C", Axis("x"), Axis("y"), np.array([1.0]), np.array([0.5]))
    view = CurveView(curve)
    qtbot.addWidget(view)
    assert view.row_near(1, 0.5) is None
    view.set_current(3)


def test_all_curves_are_one_line_with_gaps() -> None:
    x, y = join_members(np.array([0.0, 1.0]), np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert np.array_equal(x, [0, 1, np.nan, 0, 1, np.nan], equal_nan=True)
    assert np.array_equal(y, [1, 2, np.nan, 3, 4, np.nan], equal_nan=True)


def test_distances_are_measured_to_line_segments() -> None:
    members = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 1.0], [np.nan, np.nan, np.nan]])
    found = squared_distances(np.array([0.0, 1.0, 2.0]), members, (0.5, 0.5), (0.1, 0.1))
    assert found == pytest.approx([25.0, 0.0, np.inf])


def exported(card: FigureCard, pattern: str, folder: Path) -> Path:
    export = next(export for export in card.exports() if export.pattern == pattern)
    path = folder / pattern.replace("*", "figure")
    export.write(path)
    return path


@pytest.mark.parametrize("figure", [0, 1])
def test_an_svg_is_valid_xml_with_text_elements(
    card: FigureCard, tmp_path: Path, figure: int
) -> None:
    card.segments.choose(figure)
    root = ElementTree.parse(exported(card, "*.svg", tmp_path)).getroot()
    texts = {"".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")}
    assert texts >= ({"recall", "precision"} if figure == 0 else {"queries, the best first", "AP"})
    assert root.findtext(f"{SVG}title") == card.figures[figure].title
    assert list(root.iter(f"{SVG}image")) == []


def test_a_png_is_light_and_has_twice_the_screen_resolution(
    card: FigureCard, tmp_path: Path
) -> None:
    theme().set_mode("dark")
    image = QImage(str(exported(card, "*.png", tmp_path)))
    assert image.size() == plot_of(card).picture_size() * 2
    assert image.pixelColor(2, 2).name() == LIGHT.card
    assert plot_of(card).colours is DARK


def test_the_exported_numbers_of_a_curve_are_its_points(
    card: FigureCard, evaluation: Evaluation, tmp_path: Path
) -> None:
    with exported(card, "*.csv", tmp_path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:5] == ["recall", "mean", "low", "high", "sb0000"]
    assert [float(row[1]) for row in rows[1:]] == evaluation.figures[0].mean.tolist()
    assert {row[6] for row in rows[1:]} == {""}


def test_the_numbers_of_a_profile_are_sorted(
    card: FigureCard, evaluation: Evaluation, tmp_path: Path
) -> None:
    card.segments.choose(1)
    with exported(card, "*.csv", tmp_path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    values = evaluation.items.columns["ap"]
    assert rows[0] == ["item", "AP"]
    assert rows[-1] == ["sb0002", ""]
    assert [float(row[1]) for row in rows[1:-1]] == sorted(values[values == values], reverse=True)


def test_the_distribution_shows_and_exports_all_systems(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation, tmp_path: Path
) -> None:
    systems = {name: partial(retrieval, 30, name, 5) for name in (evaluation.system, "weaker")}
    card.show_evaluation(evaluation, [AP], QUERIES, systems)
    card.segments.choose(2)
    plot = plot_of(card)
    assert isinstance(plot, DistributionView)
    qtbot.waitUntil(lambda: list(plot.others) == ["weaker"])
    with exported(card, "*.csv", tmp_path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["AP from", "AP to", evaluation.system, "weaker"]
    assert [sum(int(row[i]) for row in rows[1:]) for i in (2, 3)] == [39, 29]


def test_systems_already_read_are_in_the_next_distribution(
    qtbot: QtBot, card: FigureCard, evaluation: Evaluation
) -> None:
    systems = {"weaker": partial(retrieval, 30, "weaker", 5)}
    card.show_evaluation(evaluation, [AP], QUERIES, systems)
    card.segments.choose(2)
    first = plot_of(card)
    qtbot.waitUntil(lambda: bool(first.others))
    card.show_evaluation(evaluation, [AP], QUERIES, systems)
    assert list(plot_of(card).others) == ["weaker"]


def with_figures(system: str, height: float) -> Evaluation:
    """Return an evaluation with a curve without items, and bars of two classes."""
    value = Axis("value", limits=(0.0, 1.0))
    places, values = np.array([0.0, 1.0]), np.array([height, height / 2])
    classes = Axis("", ticks=(0.0, 1.0), labels=("a (3)", "b (2)"))
    line = Curve("line", "Recall", Axis("k"), value, places, values)
    bars = Curve("bars", "Types", classes, value, places, values, form="bars")
    scored = retrieval(30, system, 5)
    return replace(scored, figures=(line, bars))


@pytest.mark.parametrize("number", [0, 1])
def test_curves_and_classes_show_all_systems(qtbot: QtBot, card: FigureCard, number: int) -> None:
    systems = {name: partial(with_figures, name, 0.4) for name in ("mine", "weaker")}
    card.show_evaluation(with_figures("mine", 0.8), [AP], QUERIES, systems)
    card.segments.choose(number)
    card.show_evaluation(with_figures("mine", 0.8), [AP], QUERIES, systems)
    plot = plot_of(card)
    qtbot.waitUntil(lambda: list(plot.others) == ["weaker"])
    assert plot.key.texts == ("mine", "weaker")
    assert not plot.grab().isNull()


def test_classes_are_exported_by_name(card: FigureCard, tmp_path: Path) -> None:
    card.show_evaluation(with_figures("mine", 0.8), [AP], QUERIES)
    card.segments.choose(1)
    with exported(card, "*.csv", tmp_path).open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["class", "mean"], ["a (3)", "0.8"], ["b (2)", "0.4"]]


def test_two_columns_are_plotted_and_exported_against_each_other(
    card: FigureCard, evaluation: Evaluation, tmp_path: Path
) -> None:
    name = next(one for one in evaluation.items.columns if one != "ap")
    card.scatters = (Scatter("pair", "Pair", Axis(name), Axis("AP"), name, "ap"),)
    card.show_evaluation(evaluation, [AP], QUERIES)
    number = next(n for n, one in enumerate(card.figures) if isinstance(one, Scatter))
    card.segments.choose(number)
    assert isinstance(plot_of(card), ScatterView)
    with exported(card, "*.csv", tmp_path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["item", name, "AP"]
    assert [row[0] for row in rows[1:]] == list(evaluation.items.ids)
