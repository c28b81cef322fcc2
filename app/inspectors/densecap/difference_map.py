"""Heat map of the difference in average precision between two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.plots.heatmap import HeatmapView
from jurydesk.app.style.theme import Colours, px, theme
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import label, row_layout
from jurydesk.core.language import translatable, translate
from jurydesk.core.metrics.detection.system_differences import ObjectDifferences
from jurydesk.core.model.evaluation import Heatmap
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from jurydesk.core.tasks.densecap.threshold_tables import heatmap_difference


class DifferenceMap(HeatmapView):
    """Heat map with colours diverging from zero: blue is gained, orange is lost."""

    def largest(self) -> float:
        values = self.heatmap.values.ravel().tolist()
        values += [] if self.heatmap.lead is None else self.heatmap.lead.tolist()
        return max((abs(value) for value in values if not math.isnan(value)), default=0.0)

    def ground(self, share: float, colours: Colours) -> QColor:
        """Return blue above zero and orange below, fainter near zero."""
        side = QColor("#2f6fb3" if share > 0 else "#c2611f")
        return blend_colors(QColor(colours.hover), side, math.sqrt(min(abs(share), 1.0)))

    def cell_text(self, value: float, fewer: int = 0) -> str:
        return numbers.signed(value, max(0, self.heatmap.decimals - fewer))


def blend_colors(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour between two, nearer to the other for a larger share."""
    pairs = (
        (one.redF(), other.redF()), (one.greenF(), other.greenF()), (one.blueF(), other.blueF())
    )  # fmt: skip
    return QColor.fromRgbF(*((1 - share) * a + share * b for a, b in pairs))


class DifferenceView(QWidget):
    """Difference map, with a choice of the other system."""

    cell_chosen = Signal(int, int)
    cell_hovered = Signal(object)
    system_chosen = Signal(str)
    map_changed = Signal()
    """There is another map, or none."""

    def __init__(self) -> None:
        super().__init__()
        self.systems = NameBox(translate("Compared with"))
        self.map: DifferenceMap | None = None
        self.note = label("", "muted", wrap=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(
            row_layout(label(translate("compared with"), "muted"), self.systems, None)
        )
        self._column.addWidget(self.note, 1, Qt.AlignmentFlag.AlignTop)
        self.systems.activated.connect(self._choose)
        theme().changed.connect(self._scale)
        self._scale()

    def _scale(self) -> None:
        self._column.setSpacing(px(10))

    def offer(self, systems: Sequence[str], chosen: str) -> None:
        if list(systems) != [self.systems.itemText(i) for i in range(self.systems.count())]:
            self.systems.clear()
            self.systems.addItems(list(systems))
        self.systems.setCurrentText(chosen)

    def _choose(self, index: int) -> None:
        self.system_chosen.emit(self.systems.itemText(index))

    def show_note(self, text: str) -> None:
        """Explain why there is no map."""
        self.note.setText(text)
        self.note.show()
        if self.map is not None:
            self.map.hide()
            self.map.deleteLater()
            self.map = None
        self.map_changed.emit()

    def show_difference(self, one: Heatmap, other: Heatmap) -> None:
        """Show the differences of the first system to the second."""
        heatmap = heatmap_difference(one, other)
        cell = self.map.current_cell if self.map is not None else None
        if self.map is not None:
            self._column.removeWidget(self.map)
            self.map.deleteLater()
        self.map = DifferenceMap(heatmap)
        self.map.set_cell(cell)
        self.map.cell_chosen.connect(self.cell_chosen)
        self.map.cell_hovered.connect(self.cell_hovered)
        self.note.hide()
        self._column.addWidget(self.map, 1)
        self.map_changed.emit()


class ChangedImages(QWidget):
    """Table of images with different results of two systems, the most changed first."""

    image_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.changes = FilteredTable(translate("Changes by image"), inset=0)
        self.table = self.changes.table
        self.table.growing = ("image",)
        self.images: tuple[int, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.changes)
        self.table.current_row_changed.connect(self._row_changed)

    def show_moves(self, moves: ObjectDifferences, names: Sequence[str]) -> None:
        """Show the changes; `names` are the names of the images of `moves`, in order."""
        self.images = tuple(moves.image.tolist())
        self.table.set_current_row(None)
        self.table.table_model.show(
            (
                TextColumn("image", translatable("Image"), tuple(names)),
                NumberColumn(
                    "found",
                    translatable("Found"),
                    moves.gained,
                    decimals=0,
                    tooltip=translatable("Objects of this system only."),
                    paint=lambda row: "good" if moves.gained[row] else "faint",
                ),
                NumberColumn(
                    "lost",
                    translatable("Lost"),
                    moves.lost,
                    decimals=0,
                    tooltip=translatable("Objects of the other system only."),
                    paint=lambda row: "bad" if moves.lost[row] else "faint",
                ),
            )
        )

    def _row_changed(self, row: int | None) -> None:
        if row is not None:
            self.image_chosen.emit(self.images[row])


def difference_sentence(moves: ObjectDifferences, other: str) -> str:
    """Return the changes as a line: `12 objects found that baseline misses, 5 lost`."""
    won, gone = int(moves.gained.sum()), int(moves.lost.sum())
    if not won and not gone:
        return translate("Both find the same objects as {other}.", other=other)
    found = numbers.quantity(won, "object")
    return translate(
        "{found} found that {other} misses, {count} lost",
        found=found,
        other=other,
        count=numbers.count(gone),
    )
