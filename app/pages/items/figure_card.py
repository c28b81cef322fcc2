"""Card with the figures of an evaluation, one visible at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from jurydesk.app.inspectors.panel import Systems
from jurydesk.app.pages.items.figure_views import FigureViews
from jurydesk.app.plots.figure_text import (
    item_label,
    legend_entries,
    summary_line,
    table_data,
)
from jurydesk.app.plots.legend import Legend, LegendEntry
from jurydesk.app.plots.plot_export import (
    Marks,
    PaintedPlot,
    StampedTable,
    no_marks,
    picture_exports,
    table_writer,
)
from jurydesk.app.plots.plot_tools import PlotTools
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.item_columns import item_title
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, ElidedLabel, across, label, row_layout
from jurydesk.app.widgets.screen_reader import announce
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.export.tables.figure_tables import (
    FIGURE,
    AnyFigure,
    Distribution,
    Profile,
    figure_export,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import (
    Curve,
    Evaluation,
    Figure,
    FloatArray,
    Heatmap,
    MetricInfo,
    Scatter,
    Source,
)
from jurydesk.core.tables.columns import DataColumn

if TYPE_CHECKING:
    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
    from jurydesk.app.plots.plot import Plot


LEAST_HEIGHT, LEAST_STRIP = 400, 150
"""Minimum heights: so that the axes of curves are 240 pixels high, and of a strip."""
ROOM_FOR_LEGEND, ROOM_FOR_AXIS = 260, 190
"""Heights from which the figures have a legend, and bars the numbers of the items below them."""
READOUT = 240
"""Width of the item's name and value beside the figure names."""


def _no_ratings() -> None:
    return None


def _no_points(figure: str, evidence: object) -> None:
    return None


class FigureCard(Card):
    """Figures of an evaluation; items are rows of its item table (or None).

    With `frames`, the figure of another evaluation waits for a frame, and the last one remains.
    """

    guide_part = translatable("Plots")

    item_chosen = Signal(object)
    item_hovered = Signal(object)
    cell_chosen = Signal(int, int)
    rows_brushed = Signal(object)
    """Rows (n,) of the items in a brushed rectangle, or None."""

    def __init__(self, frames: FrameQueue | None = None) -> None:
        super().__init__(padding=(14, 12))
        self._frames = frames
        self.evaluation: Evaluation | None = None
        self.figures: tuple[AnyFigure, ...] = ()
        self.shown: Callable[[Evaluation], Sequence[Figure]] = attrgetter("figures")
        """Returns the competition's figures as they are shown."""
        self.scatters: Sequence[Scatter] = ()
        """Pairs of item columns that the competition plots."""
        self.item_points: Callable[[str, Any], tuple[FloatArray, FloatArray] | None] = _no_points
        """Returns the points of an item in a figure from its evidence."""
        self.points_title = ""
        """What these points are."""
        self._points: tuple[object, tuple[FloatArray, FloatArray] | None] = (None, None)
        self.name_of: Callable[[int], str] | None = None
        """Function that returns the name of an item by its row."""
        self.nouns = ("item", "items")
        self.ratings: Callable[[], Source | None] = _no_ratings
        """Function that returns the source of the ratings that the evaluation has."""
        self.marks: Marks = no_marks
        self._titles: dict[str, str] = {}
        self.current_row: int | None = None
        self.hovered_row: int | None = None
        self.segments = Segments(translate("Figure"))
        self.readout = ElidedLabel("", "small", Qt.TextElideMode.ElideRight)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._views = FigureViews(self)
        self._views.tip_lines = self._tip_lines
        self._stack = QStackedLayout()
        self.single_title = label("", "heading")
        self.legend = Legend()
        self.tools = PlotTools(lambda: self.view, self.exports)
        row = row_layout(self.single_title, self.segments, self.readout, self.tools, spacing=12)
        row.setStretch(2, 1)
        self._head = row
        self.body.addLayout(row)
        self.body.addWidget(self.legend)
        self.body.addLayout(self._stack, 1)
        self.segments.chosen.connect(self.show_figure)
        self._views.item_chosen.connect(self._view_chose_item)
        self._views.item_hovered.connect(self._view_hovered_item)
        self._views.cell_chosen.connect(self.cell_chosen)
        self._views.rows_brushed.connect(self.rows_brushed)

    def item_name(self, row: int) -> str:
        """Return the name of an item, by default its id."""
        if self.name_of is not None:
            return self.name_of(row)
        return "" if self.evaluation is None else self.evaluation.items.ids[row]

    def _tip_lines(self, row: int) -> tuple[str, ...]:
        """Return the name, the id and the value of an item."""
        figure = self.figures[self.segments.index]
        if self.evaluation is None or isinstance(figure, Heatmap) or not self._is_shown:
            return ()
        value = item_label(figure, self.evaluation, row, self._titles, "").strip()
        return (*dict.fromkeys((self.item_name(row), self.evaluation.items.ids[row])), value)

    def clear_brush(self) -> None:
        """Remove the brushed rectangle."""
        self._views.clear_brushes(None)

    def prepare(self) -> None:
        """Create the view of curves in advance."""
        self._views.prepare()

    def show_evaluation(
        self,
        evaluation: Evaluation,
        metrics: Sequence[MetricInfo],
        nouns: tuple[str, str],
        systems: Systems = MappingProxyType({}),
    ) -> None:
        """Show the figures of an evaluation, then the distribution of `metrics` over its items.

        `systems` are those whose distributions are shown for comparison.
        """
        index = self.segments.index
        self.evaluation, self.nouns, noun = evaluation, nouns, translate(nouns[0])
        self._titles = {info.name: translate_text(item_title(info)) for info in metrics}
        of_items = (
            (
                Profile(info, translate("{metric} by {noun}", metric=title, noun=noun)),
                Distribution(info, translate("{metric} spread", metric=title)),
            )
            for info, title in ((info, translate_text(item_title(info))) for info in metrics)
        )
        columns = evaluation.items.columns
        drawn = [one for one in self.scatters if one.x in columns and one.y in columns]
        pairs = (figure for pair in of_items for figure in pair)
        self.figures = (*self.shown(evaluation), *drawn, *pairs)
        self._views.begin(evaluation, self.figures, nouns[1], systems)
        self.current_row = self.hovered_row = None
        chosen = index if 0 <= index < len(self.figures) else 0
        titles = [translate_text(figure.title) for figure in self.figures]
        self.segments.show_words(titles, chosen)
        self._make_room()
        self.single_title.setText(titles[0] if titles else "")
        self.single_title.setVisible(len(self.figures) == 1)
        if not self.figures or self._frames is None:
            self._show_chosen()
        else:
            self._frames.add("figure", self._make_chosen)

    @property
    def is_strip(self) -> bool:
        """Whether the figures only sort one metric's values: an item then says more than they."""
        return all(isinstance(one, Profile | Distribution) for one in self.figures)

    def _make_chosen(self) -> None:
        self._views.make(self.segments.index)
        if self._frames is not None:
            self._frames.add("figure in sight", self._show_chosen)

    def clear(self) -> None:
        """Hide the figure until the next one arrives."""
        self.hide()
        view = self._stack.currentWidget()
        if view is not None:
            view.hide()

    def _show_chosen(self) -> None:
        if self.figures:
            self.show_figure(self.segments.index)
        else:
            self._remove_unused()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def minimumSizeHint(self) -> QSize:
        if not self.is_strip:
            return super().minimumSizeHint().expandedTo(QSize(0, px(LEAST_HEIGHT)))
        least, legend = super().minimumSizeHint(), self.legend
        given = 0 if legend.isHidden() else legend.sizeHint().height() + self.body.spacing()
        least.setHeight(least.height() - given)  # the legend gives way in a low card
        return least.expandedTo(QSize(0, px(LEAST_STRIP)))

    def _make_room(self) -> None:
        sides, tools = self.body.contentsMargins(), self.tools.sizeHint().width()
        width = self.contentsRect().width() - sides.left() - sides.right()
        # The tools stand below a figure's name that they would cut.
        is_beside = width >= self.segments.list_width + self._head.spacing() + tools
        across(self._head, is_beside)
        left, none = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag(0)
        self._head.setAlignment(self.tools, none if is_beside else left)
        self.segments.set_room(self.width() - px(READOUT) if is_beside else width)
        room = self.contentsRect().width() - self.segments.sizeHint().width() - tools
        self.readout.setVisible(is_beside and room > px(READOUT) / 2)
        self.legend.setVisible(not self.is_strip or self.height() >= px(ROOM_FOR_LEGEND))
        self._fit_axis()

    def _fit_axis(self) -> None:
        """Leave the numbers of the axis out where bars have no room for them."""
        view = self.view
        if self.is_strip and view is not None:
            cast("Plot", view).show_lower_axis(shown=self.height() >= px(ROOM_FOR_AXIS))

    def show_figure(self, index: int) -> None:
        """Show a figure; it is created when it is first shown."""
        view = self._views.make(index)
        if not isinstance(self.figures[index], Heatmap):
            view.numbers = self._table_numbers  # type: ignore[attr-defined]
        if self._stack.indexOf(view) < 0:
            self._stack.addWidget(view)
        self.setTabOrder(self.tools.save, view)
        self._stack.setCurrentWidget(view)
        self._fit_axis()
        view.show()
        self._remove_unused()
        self._mark()

    @property
    def view(self) -> QWidget | None:
        return self._views.get(self.segments.index)

    @property
    def _is_shown(self) -> bool:
        """True if the visible view shows the current evaluation."""
        return self.view is not None and self._stack.currentWidget() is self.view

    def set_current(self, row: int | None) -> None:
        """Mark the current item."""
        self.current_row = row
        self._mark()

    def set_hovered(self, row: int | None) -> None:
        """Mark the item under the mouse in any view."""
        self.hovered_row = row
        self._mark()

    def _view_chose_item(self, row: int) -> None:
        if self._is_shown:
            self.item_chosen.emit(row)
            announce(self, self.readout.text())

    def _view_hovered_item(self, row: int | None) -> None:
        if self._is_shown:
            self.hovered_row = row
            self._say()
            self.item_hovered.emit(row)

    def _mark(self) -> None:
        view = self.view
        figure = self.figures[self.segments.index] if view is not None else None
        if view is not None and not isinstance(figure, Heatmap):
            view.set_current(self.current_row)  # type: ignore[attr-defined]
            view.set_hovered(self.hovered_row)  # type: ignore[attr-defined]
        if view is not None and isinstance(figure, Curve) and figure.form != "bars":
            view.show_points(self._points_of(figure))  # type: ignore[attr-defined]
        self._say()

    def _read_points(
        self, evaluation: Evaluation, figure: str, row: int
    ) -> tuple[FloatArray, FloatArray] | None:
        try:
            evidence = evaluation.items.show(row)
        except DeskError:  # the desk was closed or the system scored again, which the item says
            return None
        return None if evidence is None else self.item_points(figure, evidence)

    def _points_of(self, figure: Curve) -> tuple[FloatArray, FloatArray] | None:
        """Return the points of the current item, which are kept until another is current."""
        evaluation, row = self.evaluation, self.current_row
        if evaluation is None or row is None or self.item_points is _no_points:
            return None
        key = (id(evaluation), figure.name, row)
        if self._points[0] != key:
            self._points = (key, self._read_points(evaluation, figure.name, row))
        return self._points[1]

    def _say(self) -> None:
        """Show the item under the mouse with its value, and the legend of the figure.

        The value of the current item stands in the item's own card.
        """
        index = self.segments.index
        if self.evaluation is None or not 0 <= index < len(self.figures):
            self.readout.setText("")
            self.legend.show_entries(())
            return
        row = self.current_row if self.hovered_row is None else self.hovered_row
        figure = self.figures[index]
        name = "" if row is None else self.item_name(row)
        entries = legend_entries(figure, self.evaluation, self.nouns, name)
        if isinstance(figure, Curve) and self._points[1] is not None and self.current_row == row:
            entries.append(LegendEntry("dots", "bad", translate_text(self.points_title)))
        self.legend.show_entries(entries)
        self.tools.update_reset()
        self.readout.setText(self._readout(figure, self.evaluation, row, name))
        self.readout.setToolTip(tip(self.readout.text()))

    def _readout(
        self, figure: AnyFigure, evaluation: Evaluation, row: int | None, name: str
    ) -> str:
        if row is None or isinstance(figure, Heatmap):
            return summary_line(figure, evaluation, self.nouns)
        if row == self.current_row:
            return ""
        return item_label(figure, evaluation, row, self._titles, name)

    def exports(self) -> list[Export]:
        """Return exports of the visible figure as PNG, SVG and CSV."""
        view, index = self.view, self.segments.index
        if view is None:
            return []
        figure = self.figures[index]
        title = translate_text(figure.title)
        return [
            *picture_exports(cast(PaintedPlot, view), title),
            Export(
                translate("{title} as CSV", title=title),
                "*.csv",
                table_writer(f"{FIGURE} csv", partial(self._numbers, figure)),
            ),
        ]

    def _table_numbers(self) -> list[DataColumn]:
        evaluation, figure = self.evaluation, self.figures[self.segments.index]
        if evaluation is None:
            return []
        others = self._views.others_of(figure) if isinstance(figure, Distribution) else {}
        return table_data(figure, evaluation, others, self.current_row)

    def _numbers(self, figure: AnyFigure, kind: str) -> StampedTable:
        """Return the data of a figure, with the stamps of the systems in it."""
        evaluation = self.evaluation
        if evaluation is None:
            raise ValueError("a figure needs an evaluation")
        others = self._views.others_of(figure) if isinstance(figure, Distribution) else {}
        return figure_export(
            *(kind, figure, evaluation, others, self._views.stamps(others), self.ratings()),
            **self.marks([evaluation.system, *others]),
        )

    def _remove_unused(self) -> None:
        for view in self._views.take_unused():
            self._stack.removeWidget(view)
            view.hide()
            view.deleteLater()
