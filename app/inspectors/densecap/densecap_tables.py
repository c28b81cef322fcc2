"""Tables of one image of dense captions: detections and ground-truth objects."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter

from jurydesk.app.inspectors.densecap.densecap_model import detection_columns, object_columns
from jurydesk.app.style.theme import px, theme
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.core.language import translate
from jurydesk.core.tasks.densecap.densecap_evidence import Scene

HIDDEN_FIRST = ("reference", "score", "meteor", "iou")
"""Columns that are hidden with little room, first one first."""
MANY_BOXES = 20
"""Number of boxes of an image from which their table has a filter line."""
LEAST_TEXT = 80
"""Minimum width of captions before columns to their right are hidden."""


class SceneTables(QSplitter):
    """Two tables; rows are detections, then objects, as in the picture's boxes."""

    detection_entered = Signal(int)
    object_entered = Signal(int)
    row_hovered = Signal(object)
    """A row of both tables together, or None."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.filtered_detections = FilteredTable(
            translate("Detections"), least_rows=MANY_BOXES, inset=0
        )
        self.filtered_objects = FilteredTable(
            translate("Ground-truth objects"), least_rows=MANY_BOXES, inset=0
        )
        self.detections = self.filtered_detections.table
        self.objects = self.filtered_objects.table
        self.detections.growing, self.objects.growing = ("caption",), ("said",)
        self.detections.least, self.objects.least = {"caption": LEAST_TEXT}, {"said": LEAST_TEXT}
        self.detections.dropped = HIDDEN_FIRST
        for table in (self.detections, self.objects):
            table.table_model.keeps_sorting = True
        self.addWidget(self.filtered_detections)
        self.addWidget(self.filtered_objects)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)
        self.setChildrenCollapsible(False)
        self._count = 0
        self.detections.current_row_changed.connect(self._detection_changed)
        self.detections.row_hovered.connect(self.row_hovered)
        self.objects.current_row_changed.connect(self._object_changed)
        self.objects.row_hovered.connect(self._object_hovered)
        theme().changed.connect(self._space)
        self._space()

    def _space(self) -> None:
        self.setHandleWidth(px(14))
        self.setSizes([px(300), px(160)])

    def show_scene(self, scene: Scene, codes: Sequence[int]) -> None:
        """Show an image with the verdicts on its detections, keeping the sort order."""
        self._count = len(scene.detections)
        self.detections.table_model.show(detection_columns(scene, codes))
        self.objects.table_model.show(object_columns(scene, codes))

    def mark_object(self, row: int) -> None:
        """Deselect all objects, and mark the one that a detection overlaps; -1 for none."""
        self.objects.set_current_row(None)
        self.objects.set_hovered_row(row if row >= 0 else None)

    def choose(self, row: int) -> None:
        """Select a row of both tables together."""
        if row < self._count:
            self.filtered_detections.reveal(row)
        else:
            self.filtered_objects.reveal(row - self._count)

    def hover(self, row: int | None) -> None:
        """Mark a row of both tables together, or none."""
        is_object = row is not None and row >= self._count
        self.detections.set_hovered_row(None if is_object else row)
        self.objects.set_hovered_row(row - self._count if is_object and row is not None else None)

    def _object_hovered(self, row: int | None) -> None:
        self.row_hovered.emit(None if row is None else self._count + row)

    def _detection_changed(self, row: int | None) -> None:
        if row is not None:
            self.detection_entered.emit(row)

    def _object_changed(self, row: int | None) -> None:
        if row is not None:
            self.object_entered.emit(row)

    def selection_text(self, *, headers: bool) -> str | LargeCopy:
        table = self.objects if self.objects.hasFocus() else self.detections
        return table.selection_text(headers=headers)
