"""Cards of the dense captioning panel: map, lab or difference; a cell, or changed images."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from jurydesk.app.inspectors.densecap.cell_card import CellView
from jurydesk.app.inspectors.densecap.difference_map import ChangedImages, DifferenceView
from jurydesk.app.inspectors.densecap.threshold_lab import ThresholdLab
from jurydesk.app.plots.heatmap import Cell, HeatmapView
from jurydesk.app.plots.plot_export import picture_exports, png_writer, table_writer
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, ElidedLabel, across, row_layout, set_spacing
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.export.tables.figure_tables import FIGURE, figure_export
from jurydesk.core.language import translatable, translate
from jurydesk.core.model.evaluation import Evaluation, Heatmap

HEAT_MAP, LAB, DIFFERENCE = range(3)
HEIGHT, HEIGHT_STACKED = 360, 700
SIDE_BY_SIDE = 760
"""Width, unscaled, from which the cards are side by side."""
VIEWS = (translatable("Map"), translatable("Lab"), translatable("Difference"))
TITLES = (
    translatable("Average precision by threshold"),
    translatable("Threshold lab"),
    translatable("Difference by threshold"),
)


class DenseCards(QWidget):
    """Two cards; segments in the left one choose its content (`view_chosen`)."""

    view_chosen = Signal(int)
    cell_chosen = Signal(int, int)
    table_requested = Signal()
    """The keyboard focus should move to the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.views = Segments(translate("View"))
        self.views.show_words([translate(view) for view in VIEWS])
        self.map: HeatmapView | None = None
        self.lab = ThresholdLab()
        self.difference = DifferenceView()
        self.cell = CellView()
        self.moved = ChangedImages()
        self.left_title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self.left_title.show_text(translate(TITLES[HEAT_MAP]))
        self.right_title = ElidedLabel("", "heading", Qt.TextElideMode.ElideRight)
        self._maps = QVBoxLayout()
        self._left, self._right = QStackedLayout(), QStackedLayout()
        self._lay_out()
        self.views.chosen.connect(self._choose)
        self.difference.cell_chosen.connect(self.cell_chosen)
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
        self._left_card.body.addLayout(self._left, 1)
        self._right_card.body.addWidget(self.right_title)
        self._right_card.body.addLayout(self._right, 1)
        self._row = QHBoxLayout(self)
        set_spacing(self._row, 16)
        self._row.addWidget(self._left_card, 1)
        self._row.addWidget(self._right_card, 1)

    def _space(self) -> None:
        is_wide = self.width() >= px(SIDE_BY_SIDE)
        across(self._row, wide=is_wide)
        self.setMinimumHeight(px(HEIGHT if is_wide else HEIGHT_STACKED))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the cards one below the other, as they are in a narrow window."""
        hint = super().minimumSizeHint()
        widths = (card.minimumSizeHint().width() for card in (self._left_card, self._right_card))
        return QSize(max(widths), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._space()
        self.views.set_room(self._left_card.width() - self.left_title.sizeHint().width() - px(50))

    def _choose(self, index: int) -> None:
        self._left.setCurrentIndex(index)
        self.left_title.show_text(translate(TITLES[index]))
        self.view_chosen.emit(index)

    def show_map(self, heatmap: Heatmap) -> None:
        if self.map is not None:
            self._maps.removeWidget(self.map)
            self.map.hide()
            self.map.deleteLater()
        self.map = HeatmapView(heatmap)
        self.map.cell_chosen.connect(self.cell_chosen)
        self.map.cell_opened.connect(self.table_requested)
        self._maps.addWidget(self.map)

    def offer(self, systems: Sequence[str], against: str) -> None:
        """Offer systems to compare with; without any, the difference is not offered."""
        self.difference.offer(systems, against)
        words = [translate(view) for view in (VIEWS if systems else VIEWS[:DIFFERENCE])]
        self.views.show_words(words, min(self.views.index, len(words) - 1))
        self._left.setCurrentIndex(max(self.views.index, 0))

    def set_cell(self, cell: Cell | None) -> None:
        """Mark a cell of the maps, or none."""
        for view in (self.map, self.difference.map):
            if view is not None:
                view.set_cell(cell)

    def show_title(self, sentence: str, hint: str = "") -> None:
        self._right.setCurrentIndex(self.views.index == DIFFERENCE)
        self.right_title.setText(sentence)
        self.right_title.setToolTip(tip(sentence, hint))

    def exports(self, evaluation: Evaluation) -> Sequence[Export]:
        if self.map is None:
            return ()
        heatmap = self.map.heatmap
        return (
            *picture_exports(self.map, heatmap.title),
            Export(
                translate("{title} as CSV", title=heatmap.title),
                "*.csv",
                table_writer(
                    f"{FIGURE} csv",
                    lambda kind: figure_export(kind, heatmap, evaluation, {}, (), None),
                ),
            ),
            Export(translate("Precision and recall as PNG"), "*.png", png_writer(self.cell.curve)),
        )
