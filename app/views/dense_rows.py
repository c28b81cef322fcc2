"""Which items of dense captioning the table shows, and their verdicts."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.models.columns import Column
from app.models.dense import MISSED, Codes, DenseItems, dense_columns
from app.widgets.segments import Segments
from core.metrics.dense_cuts import Thresholds
from core.metrics.dense_errors import KINDS, LEFT_OUT, TRUE
from core.metrics.dense_moves import Moves
from core.model import BoolArray

FILTERS = ("All", "True", "False", "Missed")


class DenseRows(QObject):
    """Follows the verdict that is chosen above the table, a kind of error, and an image."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.filters = Segments("Verdict")
        self.filters.show_words(FILTERS)
        self._codes: Codes = np.empty(0, np.int8)
        self._kind: int | None = None
        self._image: int | None = None
        self.filters.chosen.connect(self._verdict_chosen)

    def columns(self, items: DenseItems, thresholds: Thresholds) -> tuple[Column, ...]:
        """The columns of the table; verdicts follow the thresholds from here on."""
        self._codes = items.verdicts(thresholds)
        return dense_columns(items, self._codes)

    def wanted(
        self, items: DenseItems, thresholds: Thresholds, moves: Moves | None
    ) -> BoolArray | None:
        """The items (items,) that stay in sight, of those that moved if any; None for all."""
        codes = items.verdicts(thresholds)
        if len(self._codes) == len(codes):
            self._codes[:] = codes  # the table's column looks at these very codes
        masks = [self._of_verdict(self._codes)]
        if moves is not None:
            masks.append(items.of_objects(moves.objects))
            if self._image is not None:
                masks.append(items.columns["image"] == self._image)
        wanted = [mask for mask in masks if mask is not None]
        return np.asarray(np.logical_and.reduce(wanted)) if wanted else None

    def _of_verdict(self, codes: Codes) -> BoolArray | None:
        if self._kind is not None:
            return np.equal(codes, self._kind)
        match FILTERS[self.filters.index]:
            case "True":
                return np.equal(codes, TRUE)
            case "False":
                return ~np.isin(codes, (TRUE, MISSED, LEFT_OUT))
            case "Missed":
                return np.equal(codes, MISSED)
        return None

    # What is chosen

    def _verdict_chosen(self, index: int) -> None:
        self._kind = None
        self.changed.emit()

    def choose_kind(self, kind: str) -> None:
        """Show the items of one kind of error; choosing it again shows all."""
        code = list(KINDS).index(kind)  # type: ignore[arg-type]
        self._kind = None if self._kind == code else code
        self.filters.show_words(FILTERS, 0)
        self.changed.emit()

    def choose_image(self, image: int) -> None:
        """Show what moved in one image."""
        self._image = image
        self.changed.emit()

    def forget_kind(self) -> None:
        """Show all kinds again, from the next time on that somebody asks."""
        self._kind = None

    def forget_image(self) -> None:
        """Show what moved in all images again, from the next time on that somebody asks."""
        self._image = None
