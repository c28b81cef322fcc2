"""Views of an evaluation's figures, created on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.other_systems import OtherSystemParts
from jurydesk.app.inspectors.panel import Systems
from jurydesk.core.export.tables.figure_tables import AnyFigure, Distribution, Profile
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    FloatArray,
    Heatmap,
    IntArray,
    Json,
    Scatter,
)

if TYPE_CHECKING:
    from jurydesk.app.plots.curve import CurveView
    from jurydesk.app.plots.heatmap import HeatmapView
    from jurydesk.app.plots.plot import Plot


class FigureViews(QObject):
    """Creates views of figures by index; items are rows of the item table (or None).

    The view of curves is reused for the next evaluation. Views are hidden children of the parent
    until they are shown.
    """

    item_chosen = Signal(object)
    item_hovered = Signal(object)
    cell_chosen = Signal(int, int)
    rows_brushed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent_widget = parent
        self.tip_lines: Callable[[int], Sequence[str]] = lambda row: ()
        """Function that returns the lines of an item's tooltip."""
        self._evaluation: Evaluation | None = None
        self._figures: Sequence[AnyFigure] = ()
        self._noun = "items"
        self._systems: Systems = MappingProxyType({})
        self._views: dict[int, QWidget] = {}
        self._others = OtherSystemParts(_compared_parts, self)
        self._others.arrived.connect(self._others_arrived)
        self._kept_curve: CurveView | None = None
        self._unused: list[QWidget] = []

    def prepare(self) -> None:
        """Create the view of curves in advance, because this takes as long as painting it."""
        from jurydesk.app.plots.curve import CurveView

        if self._kept_curve is None and not self._views:
            self._kept_curve = CurveView.empty()
            self._adopt_view(self._connect_view(self._kept_curve))

    def begin(
        self, evaluation: Evaluation, figures: Sequence[AnyFigure], noun: str, systems: Systems
    ) -> None:
        """Use these figures; `systems` are shown for comparison.

        Views of the previous figures are returned by `take_unused`.
        """
        for index, view in self._views.items():
            match self._figures[index]:
                case Curve(form="line") if self._kept_curve is None:
                    self._kept_curve = view  # type: ignore[assignment]
                case _:
                    self._unused.append(view)
        self._views = {}
        self._evaluation, self._figures, self._noun = evaluation, figures, noun
        self._systems = {name: load for name, load in systems.items() if name != evaluation.system}

    def take_unused(self) -> list[QWidget]:
        """Return the views that are no longer used, once."""
        gone, self._unused = self._unused, []
        return gone

    def get(self, index: int) -> QWidget | None:
        """Return the view of a figure, if it was created."""
        return self._views.get(index)

    def make(self, index: int) -> QWidget:
        if index not in self._views:
            self._views[index] = self._view(self._figures[index])
            self._adopt_view(self._views[index])
        return self._views[index]

    def others_of(self, figure: Distribution) -> dict[str, FloatArray]:
        """Return the other systems' values (items,) of a metric that were read so far."""
        name, parts = figure.metric.name, self._others.parts
        return {system: one[0][name] for system, one in parts.items() if name in one[0]}

    def curves_of(self, figure: Curve) -> dict[str, Curve]:
        """Return the same curve of the other systems that were read so far."""
        parts = self._others.parts
        return {
            system: curves[figure.name]
            for system, (_, _, curves) in parts.items()
            if figure.name in curves
        }

    def stamps(self, systems: Iterable[str]) -> list[Json]:
        """Return the stamps of other systems that were read."""
        return [self._others.parts[name][1] for name in systems]

    def _adopt_view(self, view: QWidget) -> None:
        if view.parent() is not self._parent_widget:
            view.setParent(self._parent_widget)
            view.hide()

    def _view(self, figure: AnyFigure) -> QWidget:
        match figure:
            case Curve():
                return self._curve_view(figure)
            case Heatmap():
                heatmap = _heatmap_view(figure)
                heatmap.cell_chosen.connect(self.cell_chosen)
                return heatmap
            case Scatter():
                return self._connect_view(self._scatter_view(figure))
            case Profile() | Distribution():
                return self._connect_view(self._metric_view(figure))

    def _curve_view(self, curve: Curve) -> Plot:
        view: Any = self._class_view(curve) if curve.form == "bars" else self._line_view(curve)
        if curve.members is None or curve.form == "steps":
            self._others.read(self._systems)
            self._show_others(view, curve)
        found: Plot = view
        return found

    def _class_view(self, curve: Curve) -> Plot:
        from jurydesk.app.plots.class_bars import ClassBarsView

        return self._connect_view(ClassBarsView(curve, self._system))

    def _scatter_view(self, figure: Scatter) -> Plot:
        from jurydesk.app.plots.scatter import ScatterView

        if self._evaluation is None:
            raise ValueError("a scatter plot needs an evaluation")
        columns = self._evaluation.items.columns
        axes = (figure.x_axis, figure.y_axis)
        return ScatterView(
            translate_text(figure.title), *axes, columns[figure.x], columns[figure.y]
        )

    def _line_view(self, curve: Curve) -> CurveView:
        from jurydesk.app.plots.curve import CurveView

        kept, self._kept_curve = self._kept_curve, None
        if kept is not None and kept.fits(curve):
            kept.show_curve(curve)
            return kept
        if kept is not None:
            self._unused.append(kept)
        view = CurveView(curve)
        self._connect_view(view)
        return view

    def _metric_view(self, figure: Profile | Distribution) -> Plot:
        if self._evaluation is None:
            raise ValueError("a metric needs an evaluation")
        info = figure.metric
        axis = Axis(translate_text(info.title), limits=info.range)
        values = self._evaluation.items.columns[info.name]
        if isinstance(figure, Profile):
            from jurydesk.app.plots.bars import BarsView

            return BarsView(figure.title, values, axis, translate(self._noun))
        from jurydesk.app.plots.histogram import DistributionView

        noun = translate(self._noun)
        view = DistributionView(
            *(figure.title, values, axis, noun, self._evaluation.system),
            log_counts=info.log_counts,
        )
        self._others.read(self._systems)
        view.show_others(self.others_of(figure))
        return view

    @property
    def _system(self) -> str:
        return "" if self._evaluation is None else self._evaluation.system

    def _others_arrived(self) -> None:
        for index, view in self._views.items():
            self._show_others(view, self._figures[index])

    def _show_others(self, view: Any, figure: AnyFigure) -> None:
        """Show what the other systems have of a figure, if it compares systems."""
        match figure:
            case Distribution():
                view.show_others(self.others_of(figure))
            case Curve(form="bars"):
                view.show_others(self.curves_of(figure))
            case Curve(form="steps") | Curve(members=None):
                view.show_others(self._system, self.curves_of(figure))

    def _connect_view(self, view: Plot) -> Plot:
        view.item_chosen.connect(self.item_chosen)
        view.item_hovered.connect(self.item_hovered)
        view.rows_brushed.connect(self._brushed)
        view.tip_lines = self.tip_lines
        return view

    def _brushed(self, rows: IntArray | None) -> None:
        self.clear_brushes(self.sender())
        self.rows_brushed.emit(rows)

    def clear_brushes(self, but: QObject | None) -> None:
        """Remove the brushed rectangle from every view but one."""
        for index, view in self._views.items():
            if view is not but and not isinstance(self._figures[index], Heatmap):
                view.clear_brush()  # type: ignore[attr-defined]


def _compared_parts(
    evaluation: Evaluation,
) -> tuple[Mapping[str, FloatArray], Json, Mapping[str, Curve]]:
    """Return the columns, the stamp, and the curves that are compared, by name."""
    curves = {
        one.name: replace(one, members=None)
        for one in evaluation.figures
        if isinstance(one, Curve) and (one.members is None or one.form == "steps")
    }
    return evaluation.items.columns, evaluation.stamp, curves


def _heatmap_view(heatmap: Heatmap) -> HeatmapView:
    from jurydesk.app.plots.heatmap import HeatmapView

    return HeatmapView(heatmap)
