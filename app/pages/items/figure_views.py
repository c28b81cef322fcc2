"""The views of an evaluation's figures: each is made when it is first wanted, and let go of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.other_systems import Others
from jurydesk.app.inspectors.panel import Systems
from jurydesk.app.plots.figure_text import AnyFigure, Distribution, Profile
from jurydesk.core.model.evaluation import Axis, Curve, Evaluation, FloatArray, Heatmap

if TYPE_CHECKING:
    from jurydesk.app.plots.curve import CurveView
    from jurydesk.app.plots.heatmap import HeatmapView
    from jurydesk.app.plots.plot import Plot


class FigureViews(QObject):
    """Makes the views of figures by their places; items are rows of the item table (or None).

    A view of curves serves the next evaluation, too. Views are children of the parent, hidden until
    somebody shows them.
    """

    item_chosen = Signal(object)
    item_hovered = Signal(object)
    cell_chosen = Signal(int, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._keeper = parent
        self._evaluation: Evaluation | None = None
        self._figures: Sequence[AnyFigure] = ()
        self._noun = "items"
        self._systems: Systems = MappingProxyType({})
        self._views: dict[int, QWidget] = {}
        self._others = Others(_columns, self)
        self._others.arrived.connect(self._others_arrived)
        self._kept_curve: CurveView | None = None
        self._gone: list[QWidget] = []

    def get_ready(self) -> None:
        """Make the view of curves, which takes as long as painting it, before there are any."""
        from jurydesk.app.plots.curve import CurveView

        if self._kept_curve is None and not self._views:
            self._kept_curve = CurveView.empty()
            self._keep(self._linked(self._kept_curve))

    def begin(
        self, evaluation: Evaluation, figures: Sequence[AnyFigure], noun: str, systems: Systems
    ) -> None:
        """Make views of these figures from now on; `systems` are shown beside the evaluation's.

        The views of those before are let go of, which `take_gone` gives.
        """
        for index, view in self._views.items():
            if self._kept_curve is None and isinstance(self._figures[index], Curve):
                self._kept_curve = view  # type: ignore[assignment]
            else:
                self._gone.append(view)
        self._views = {}
        self._evaluation, self._figures, self._noun = evaluation, figures, noun
        self._systems = {name: load for name, load in systems.items() if name != evaluation.system}

    def take_gone(self) -> list[QWidget]:
        """The views that nobody needs any more, once."""
        gone, self._gone = self._gone, []
        return gone

    def get(self, index: int) -> QWidget | None:
        """The view of a figure, where it was made."""
        return self._views.get(index)

    def make(self, index: int) -> QWidget:
        if index not in self._views:
            self._views[index] = self._view(self._figures[index])
            self._keep(self._views[index])
        return self._views[index]

    def others_of(self, figure: Distribution) -> dict[str, FloatArray]:
        """The other systems' values (items,) of a metric, as far as they have been read."""
        name, parts = figure.metric.name, self._others.parts
        return {system: columns[name] for system, columns in parts.items() if name in columns}

    def _keep(self, view: QWidget) -> None:
        if view.parent() is not self._keeper:
            view.setParent(self._keeper)
            view.hide()

    def _view(self, figure: AnyFigure) -> QWidget:
        match figure:
            case Curve():
                return self._curve_view(figure)
            case Heatmap():
                heatmap = _heatmap_view(figure)
                heatmap.cell_chosen.connect(self.cell_chosen)
                return heatmap
            case Profile() | Distribution():
                return self._linked(self._metric_view(figure))

    def _curve_view(self, curve: Curve) -> CurveView:
        """A view of the curve: that of the evaluation before, where it fits."""
        from jurydesk.app.plots.curve import CurveView

        kept, self._kept_curve = self._kept_curve, None
        if kept is not None and kept.fits(curve):
            kept.show_curve(curve)
            return kept
        if kept is not None:
            self._gone.append(kept)
        view = CurveView(curve)
        self._linked(view)
        return view

    def _metric_view(self, figure: Profile | Distribution) -> Plot:
        if self._evaluation is None:
            raise ValueError("a metric is shown of an evaluation")
        info = figure.metric
        axis = Axis(info.title, limits=info.range)
        values = self._evaluation.items.columns[info.name]
        if isinstance(figure, Profile):
            from jurydesk.app.plots.bars import BarsView

            return BarsView(figure.title, values, axis, self._noun)
        from jurydesk.app.plots.histogram import DistributionView

        view = DistributionView(figure.title, values, axis, self._noun, self._evaluation.system)
        self._others.read(self._systems)
        view.show_others(self.others_of(figure))
        return view

    def _others_arrived(self) -> None:
        """Show the other systems in the figures that wait for them."""
        for index, view in self._views.items():
            figure = self._figures[index]
            if isinstance(figure, Distribution):
                view.show_others(self.others_of(figure))  # type: ignore[attr-defined]

    def _linked(self, view: Plot) -> Plot:
        view.item_chosen.connect(self.item_chosen)
        view.item_hovered.connect(self.item_hovered)
        return view


def _columns(evaluation: Evaluation) -> Mapping[str, FloatArray]:
    """What is kept of another system."""
    return evaluation.items.columns


def _heatmap_view(heatmap: Heatmap) -> HeatmapView:
    from jurydesk.app.plots.heatmap import HeatmapView

    return HeatmapView(heatmap)
