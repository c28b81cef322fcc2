"""Cards of the dense captioning panel: map, lab or difference; a cell, or changed images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from jurydesk.app.inspectors.densecap.cell_card import CellView
from jurydesk.app.inspectors.densecap.difference_map import ChangedImages, DifferenceView
from jurydesk.app.inspectors.densecap.threshold_lab import ThresholdLab
from jurydesk.app.plots.heatmap import Cell, HeatmapView
from jurydesk.app.plots.plot_export import (
    Marks,
    StampedTable,
    no_marks,
    picture_exports,
    table_writer,
)
from jurydesk.app.plots.plot_tools import PlotTools
from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.page_label import PageLabel
from jurydesk.app.widgets.parts import Card, ElidedLabel, across, row_layout, set_spacing
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.export.tables.figure_tables import FIGURE, figure_export
from jurydesk.core.export.tables.panel_tables import PANEL
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import Evaluation, Heatmap
from jurydesk.core.tasks.densecap.threshold_tables import COSTS, CURVE, SYSTEMS
from jurydesk.core.tasks.densecap.threshold_tables import DIFFERENCE as DIFFERENCES

HEAT_MAP, LAB, DIFFERENCE = range(3)
HEIGHT, HEIGHT_STACKED = 400, 900
AROUND = 238
"""Width of the window, unscaled, that the cards never have.

The window's width depends on no part within it, so that the layout comes to rest.
"""
BETWEEN = 8
"""Space between a legend and the tools, unscaled."""
TITLE_WIDTH = 180
"""Width, unscaled, of the title beside the segments."""
VIEWS = (translatable("Map"), translatable("Lab"), translatable("Difference"))
TITLES = (
    translatable("AP by threshold"),
    translatable("Threshold lab"),
    translatable("Difference by threshold"),
)


class DenseCards(QWidget):
    """Two cards; segments in the left one choose its content (`view_chosen`)."""

    view_chosen = Signal(int)
    cell_chosen = Signal(int, int)
    table_requested = Signal()
    """The keyboard focus should move to the table."""
    save_requested = Signal(object)
    """An export of a plot should be saved."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Callable[[str, str], StampedTable] = lambda name, kind: ((), None)
        """Function that returns a table by its name and its format."""
        self.marks: Marks = no_marks
        self.views = Segments(translate("View"))
        self.views.show_words([translate(view) for view in VIEWS])
        self.map: HeatmapView | None = None
        self.lab = ThresholdLab()
        self.difference = DifferenceView()
        self.cell = CellView()
        self.moved = ChangedImages()
        self.left_title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.left_title.show_text(translate(TITLES[HEAT_MAP]))
        self.right_title = PageLabel("", "heading")
        self.readout = ElidedLabel("", "small", Qt.TextElideMode.ElideRight)
        self.left_tools = PlotTools(lambda: self.left_view, self.left_exports)
        self.right_tools = PlotTools(lambda: self.cell.curve, self.right_exports)
        self._evaluation: Evaluation | None = None
        self._maps = QVBoxLayout()
        self._left, self._right = QStackedLayout(), QStackedLayout()
        self._lay_out()
        self.views.chosen.connect(self._choose)
        self.difference.cell_chosen.connect(self.cell_chosen)
        self.difference.cell_hovered.connect(self._read_out)
        self.difference.map_changed.connect(self._show_left)
        for tools in (self.left_tools, self.right_tools):
            tools.save_requested.connect(self.save_requested)
        self._show_left()
        theme().changed.connect(self._space)
        self._space()

    def _lay_out(self) -> None:
        holder = QWidget()
        self._maps.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(self._maps)
        for part in (holder, self.lab, self.difference):
            self._left.addWidget(part)
        for part in (self.cell, self.moved):
            self._right.addWidget(part)
        self._left_card, self._right_card = Card(), Card()
        head = row_layout(self.left_title, self.views)
        head.setStretch(0, 1)
        self._left_card.body.addLayout(head)
        below = row_layout(self.readout, self.left_tools, spacing=12)
        below.setStretch(0, 1)
        self._left_card.body.addLayout(below)
        self._left_card.body.addLayout(self._left, 1)
        self._left_card.body.addWidget(self.cell.costs)
        self._right_card.body.addWidget(self.right_title)
        below = row_layout(self.cell.legend, self.right_tools, spacing=BETWEEN)
        below.setStretch(0, 1)
        self._right_card.body.addLayout(below)
        self._right_card.body.addLayout(self._right, 1)
        self._row = QHBoxLayout(self)
        set_spacing(self._row, 16)
        self._row.addWidget(self._left_card, 1)
        self._row.addWidget(self._right_card, 1)

    @property
    def is_wide(self) -> bool:
        """Whether the window is wide enough for the cards side by side."""
        return self.window().width() >= self.least_width + px(AROUND)

    @property
    def least_width(self) -> int:
        """Width in pixels of the cards side by side, whichever view is chosen."""
        return sum(self._widths()) + self._row.spacing()

    def _widths(self) -> tuple[int, int]:
        """Return the least widths of the cards, with the parts that other views show."""
        legend, tools, costs = (
            part.minimumSizeHint().width()
            for part in (self.cell.legend, self.right_tools, self.cell.costs)
        )
        margins = self._left_card.body.contentsMargins()
        edges = margins.left() + margins.right()
        left = max(self._left_card.minimumSizeHint().width(), costs + edges)
        right = self._right_card.minimumSizeHint().width()
        return left, max(right, legend + px(BETWEEN) + tools + edges)

    def _space(self) -> None:
        is_wide = self.is_wide
        across(self._row, wide=is_wide)
        self.setMinimumHeight(px(HEIGHT if is_wide else HEIGHT_STACKED))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the cards as the window's width places them."""
        width = self.least_width if self.is_wide else max(self._widths())
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._space()
        self.views.set_room(self._left_card.width() - px(TITLE_WIDTH))

    def _choose(self, index: int) -> None:
        self._left.setCurrentIndex(index)
        self.left_title.show_text(translate(TITLES[index]))
        self._show_left()
        self.view_chosen.emit(index)

    @property
    def left_view(self) -> HeatmapView | ThresholdLab | None:
        """What the left card shows."""
        match self.views.index:
            case index if index == LAB:
                return self.lab
            case index if index == DIFFERENCE:
                return self.difference.map
        return self.map

    def _show_left(self) -> None:
        """Offer what the left card shows, and explain its colours."""
        view = self.left_view
        self.left_tools.setVisible(view is not None)
        self.left_tools.update_reset()
        is_right_plot = self.views.index != DIFFERENCE
        self.right_tools.setVisible(is_right_plot)
        self.cell.legend.setVisible(is_right_plot)
        self.cell.costs.setVisible(self.views.index == HEAT_MAP)
        self._read_out(None)

    def _read_out(self, cell: Cell | None) -> None:
        """Show the value of a hovered cell, else the meaning of the colours."""
        view = self.left_view
        if isinstance(view, HeatmapView) and cell is not None:
            self.readout.show_text(view.describe(cell))
        else:
            self.readout.show_text("" if view is None else self._colours())

    def _colours(self) -> str:
        if self.views.index == LAB:
            return translate("Drag the sliders, or type a number.")
        if self.views.index == DIFFERENCE and self._evaluation is not None:
            return translate(
                "Blue: {system} is higher. Orange: {other} is higher.",
                system=self._evaluation.system,
                other=self.difference.systems.currentText(),
            )
        return translate("Dark: low. Bright: high.")

    def show_map(self, evaluation: Evaluation, heatmap: Heatmap) -> None:
        """Show the heat map of another evaluation."""
        self._evaluation = evaluation
        if self.map is not None:
            self._maps.removeWidget(self.map)
            self.map.hide()
            self.map.deleteLater()
        self.map = HeatmapView(heatmap)
        self.map.cell_chosen.connect(self.cell_chosen)
        self.map.cell_hovered.connect(self._read_out)
        self.map.cell_opened.connect(self.table_requested)
        self._maps.addWidget(self.map)
        self._show_left()

    def offer(self, systems: Sequence[str], against: str) -> None:
        """Offer systems to compare with; without any, the difference is not offered."""
        self.difference.offer(systems, against)
        words = [translate(view) for view in (VIEWS if systems else VIEWS[:DIFFERENCE])]
        self.views.show_words(words, min(self.views.index, len(words) - 1))
        self._left.setCurrentIndex(max(self.views.index, 0))
        self._show_left()

    def set_cell(self, cell: Cell | None) -> None:
        """Mark a cell of the maps, or none."""
        for view in (self.map, self.difference.map):
            if view is not None:
                view.set_cell(cell)

    def show_title(self, sentence: str, hint: str = "") -> None:
        self._right.setCurrentIndex(self.views.index == DIFFERENCE)
        self.right_title.show_text(sentence, hint)

    def left_exports(self) -> list[Export]:
        """Return the exports of what the left card shows."""
        view, evaluation = self.left_view, self._evaluation
        if view is None or evaluation is None:
            return []
        if isinstance(view, ThresholdLab):
            return [self._table_export(translate("Threshold lab"), SYSTEMS)]
        if view is self.map:
            export = partial(self._stamped_heatmap, view.heatmap, evaluation)
            title = translate_text(view.heatmap.title)
            table = Export(
                translate("{title} as CSV", title=title),
                "*.csv",
                table_writer(f"{FIGURE} csv", export),
            )
            return [*picture_exports(view, title), table]
        title = translate(
            "{system} minus {other}",
            system=evaluation.system,
            other=self.difference.systems.currentText(),
        )
        return [*picture_exports(view, title), self._table_export(title, DIFFERENCES)]

    def right_exports(self) -> list[Export]:
        """Return the exports of the curve and of the costs."""
        title = translate("Precision and recall")
        costs = translate("Cost of errors")
        return [
            *picture_exports(self.cell.curve, title),
            self._table_export(title, CURVE),
            self._table_export(costs, COSTS),
        ]

    def _table_export(self, title: str, name: str) -> Export:
        """Return the export of a table at the chosen thresholds."""
        return Export(
            translate("{title} as CSV", title=title),
            "*.csv",
            table_writer(f"{PANEL} csv", lambda kind: self.table(name, kind)),
        )

    def exports(self) -> list[Export]:
        """Return the exports of both cards."""
        if self._evaluation is None:
            return []
        right = [] if self.views.index == DIFFERENCE else self.right_exports()
        return [*self.left_exports(), *right]

    def _stamped_heatmap(self, heatmap: Heatmap, evaluation: Evaluation, kind: str) -> StampedTable:
        marks = self.marks([evaluation.system])
        return figure_export(kind, heatmap, evaluation, {}, (), None, **marks)
