"""The figures of an evaluation on one card: one is shown, words above it choose another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QWidget

from jurydesk.app.commands.export_notice import Export
from jurydesk.app.inspectors.panel import Systems
from jurydesk.app.pages.items.figure_views import FigureViews
from jurydesk.app.plots.figure_text import (
    AnyFigure,
    Distribution,
    Profile,
    figure_data,
    item_label,
    legend_entries,
    summary_line,
)
from jurydesk.app.plots.legend import Legend
from jurydesk.app.plots.plot_export import DataColumn, csv_writer, picture_exports
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.item_columns import item_title
from jurydesk.app.widgets.parts import Card, ElidedLabel, button, label, row_layout
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.model.evaluation import Evaluation, Heatmap, MetricInfo

if TYPE_CHECKING:
    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue


READOUT = 240
"""The room that the line with the item's name and value needs beside the words."""


class FigureCard(Card):
    """Shows the figures of an evaluation; items are rows of its item table (or None).

    With `frames` the figure of another evaluation waits for a frame; until then the last one stays.
    """

    item_chosen = Signal(object)
    item_hovered = Signal(object)
    cell_chosen = Signal(int, int)
    save_wanted = Signal(object)
    """An export of the figure in sight is to be written."""

    def __init__(self, frames: FrameQueue | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(14, 12))
        self._frames = frames
        self.evaluation: Evaluation | None = None
        self.figures: tuple[AnyFigure, ...] = ()
        self.nouns = ("item", "items")
        self._titles: dict[str, str] = {}
        self.current_row: int | None = None
        self.hovered_row: int | None = None
        self.segments = Segments("Figure")
        self.readout = ElidedLabel("", "small", Qt.TextElideMode.ElideRight)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._views = FigureViews(self)
        self._stack = QStackedLayout()
        self.only = label("", "heading")
        self.legend = Legend()
        self.reset = button("Reset", self.show_all, "small", "Show everything again  (0)")
        self.save = button("Save …", self.choose_format, "small", "Save as PNG, SVG or CSV")
        self.menu = QMenu(self)
        row = row_layout(self.only, self.segments, self.readout, self.reset, self.save, spacing=12)
        row.setStretch(2, 1)
        self.body.addLayout(row)
        self.body.addWidget(self.legend)
        self.body.addLayout(self._stack, 1)
        self.segments.chosen.connect(self.show_figure)
        self._views.item_chosen.connect(self._chosen_here)
        self._views.item_hovered.connect(self._hovered_here)
        self._views.cell_chosen.connect(self.cell_chosen)

    def show_all(self) -> None:
        """Undo every zoom of the plot in sight."""
        show_all = getattr(self.view, "show_all", None)  # a plot's module is not loaded for this
        if show_all is not None:
            show_all()

    def choose_format(self) -> None:
        """Open the formats that the figure in sight can be saved in."""
        self.fill_menu()
        self.menu.popup(self.save.mapToGlobal(self.save.rect().bottomLeft()))

    def fill_menu(self) -> None:
        """Offer the formats of the figure in sight."""
        self.menu.clear()
        for number, export in enumerate(self.exports()):
            action = self.menu.addAction(export.title)
            action.setData(number)
            action.triggered.connect(self._save)

    def _save(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.save_wanted.emit(self.exports()[action.data()])

    def get_ready(self) -> None:
        """Make what shows curves, before there are any."""
        self._views.get_ready()

    def show_evaluation(
        self,
        evaluation: Evaluation,
        metrics: Sequence[MetricInfo],
        nouns: tuple[str, str],
        systems: Systems = MappingProxyType({}),
    ) -> None:
        """Show the figures of an evaluation, then how `metrics` are over its items.

        `systems` are those whose spread is shown beside this one's.
        """
        kept = self.segments.index
        self.evaluation, self.nouns = evaluation, nouns
        self._titles = {info.name: item_title(info) for info in metrics}
        of_items = (
            (Profile(info, f"{title} by {nouns[0]}"), Distribution(info, f"{title} spread"))
            for info, title in ((info, item_title(info)) for info in metrics)
        )
        self.figures = (*evaluation.figures, *(figure for pair in of_items for figure in pair))
        self._views.begin(evaluation, self.figures, nouns[1], systems)
        self.current_row = self.hovered_row = None
        chosen = kept if 0 <= kept < len(self.figures) else 0
        self.segments.show_words([figure.title for figure in self.figures], chosen)
        self._make_room()
        self.only.setText(self.figures[0].title if self.figures else "")
        self.only.setVisible(len(self.figures) == 1)
        if not self.figures or self._frames is None:
            self._show_chosen()
        else:
            self._frames.add("figure", self._make_chosen)

    def _make_chosen(self) -> None:
        """Make the view, which takes as long as painting it."""
        self._views.make(self.segments.index)
        if self._frames is not None:
            self._frames.add("figure in sight", self._show_chosen)

    def clear(self) -> None:
        """Show no figure until the next one is there."""
        self.hide()
        view = self._stack.currentWidget()
        if view is not None:
            view.hide()

    def _show_chosen(self) -> None:
        if self.figures:
            self.show_figure(self.segments.index)
        else:
            self._sweep()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self.segments.set_room(self.width() - px(READOUT))
        left = self.width() - self.segments.sizeHint().width()
        self.readout.setVisible(left > px(READOUT) / 2)

    def show_figure(self, index: int) -> None:
        """Bring a figure to the front; it is drawn when it is first seen."""
        view = self._views.make(index)
        if self._stack.indexOf(view) < 0:
            self._stack.addWidget(view)
        self._stack.setCurrentWidget(view)
        view.show()
        self._sweep()
        self._mark()

    @property
    def view(self) -> QWidget | None:
        return self._views.get(self.segments.index)

    @property
    def _is_shown(self) -> bool:
        """Whether the view in sight shows these items, and not those before."""
        return self.view is not None and self._stack.currentWidget() is self.view

    def set_current(self, row: int | None) -> None:
        """Mark the item that is being looked at."""
        self.current_row = row
        self._mark()

    def set_hovered(self, row: int | None) -> None:
        """Mark the item under the mouse, in whichever view it is."""
        self.hovered_row = row
        self._mark()

    def _chosen_here(self, row: int) -> None:
        if self._is_shown:
            self.item_chosen.emit(row)

    def _hovered_here(self, row: int | None) -> None:
        if self._is_shown:
            self.hovered_row = row
            self._say()
            self.item_hovered.emit(row)

    def _mark(self) -> None:
        view = self.view
        if view is not None and not isinstance(self.figures[self.segments.index], Heatmap):
            view.set_current(self.current_row)  # type: ignore[attr-defined]
            view.set_hovered(self.hovered_row)  # type: ignore[attr-defined]
        self._say()

    def _say(self) -> None:
        """Name the item that stands out, with its value; else what the figure shows."""
        index = self.segments.index
        if self.evaluation is None or not 0 <= index < len(self.figures):
            self.readout.setText("")
            self.legend.show_entries(())
            return
        row = self.current_row if self.hovered_row is None else self.hovered_row
        figure = self.figures[index]
        self.legend.show_entries(legend_entries(figure, self.evaluation, self.nouns, row))
        self.reset.setVisible(hasattr(self.view, "show_all"))
        self.readout.setText(
            summary_line(figure, self.evaluation, self.nouns)
            if row is None or isinstance(figure, Heatmap)
            else item_label(figure, self.evaluation, row, self._titles)
        )
        self.readout.setToolTip(tip(self.readout.text()))

    def exports(self) -> list[Export]:
        """The figure in sight as PNG, SVG and CSV."""
        view, index = self.view, self.segments.index
        if view is None:
            return []
        figure = self.figures[index]
        title = figure.title
        return [
            *picture_exports(view, title),
            Export(f"{title} as CSV", "*.csv", csv_writer(self._numbers(figure))),
        ]

    def _numbers(self, figure: AnyFigure) -> Callable[[], list[DataColumn]]:
        evaluation = self.evaluation
        if evaluation is None:
            raise ValueError("there is no figure without an evaluation")
        others = self._views.others_of(figure) if isinstance(figure, Distribution) else {}
        return lambda: figure_data(figure, evaluation, self.nouns[0], others)

    def _sweep(self) -> None:
        """Remove what was let go of."""
        for view in self._views.take_gone():
            self._stack.removeWidget(view)
            view.hide()
            view.deleteLater()
