"""Threshold lab: three sliders and the scores of all systems at these thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from jurydesk.app.inspectors.densecap.densecap_panel_model import INITIAL_THRESHOLDS
from jurydesk.app.style.theme import px, theme
from jurydesk.app.tables.table_filter import FilteredTable
from jurydesk.app.widgets.controls import STEP, Dial
from jurydesk.app.widgets.parts import label
from jurydesk.core.language import translatable, translate
from jurydesk.core.metrics.detection.threshold_what_if import NEAR, Thresholds
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from jurydesk.core.tasks.densecap.threshold_tables import ThresholdScores

HIDDEN_FIRST = ("true",)
"""Columns that are hidden with little room."""
ANY = -STEP
"""Position below the lowest METEOR threshold: captions do not count."""


class ThresholdLab(QWidget):
    """Three dials and a table of all systems; `value_changed` carries the thresholds."""

    value_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.overlap = Dial(translate("IoU at least"), NEAR, 1.0)
        self.meteor = Dial(translate("METEOR above"), ANY, 1.0, translate("any"))
        self.score = Dial(translate("Score at least"), 0.0, 1.0, translate("all"))
        self.filtered_systems = FilteredTable(translate("Systems at these thresholds"), inset=0)
        self.systems = self.filtered_systems.table
        self.systems.growing = ("system",)
        self.systems.dropped = HIDDEN_FIRST
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        dials = (
            ("IoU ≥", self.overlap),
            ("METEOR >", self.meteor),
            (translate("Score ≥"), self.score),
        )
        for row, (text, dial) in enumerate(dials):
            self._grid.addWidget(label(text, "muted"), row, 0)
            self._grid.addWidget(dial.slider, row, 1)
            self._grid.addWidget(dial.box, row, 2)
            dial.value_changed.connect(self._emit_thresholds)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._grid)
        self._column.addWidget(self.filtered_systems, 1)
        theme().follow(self._scale)

    def _scale(self) -> None:
        for dial in (self.overlap, self.meteor, self.score):
            dial.scale()
        self._column.setContentsMargins(0, px(8), 0, 0)
        self._column.setSpacing(px(14))
        self._grid.setHorizontalSpacing(px(14))
        self._grid.setVerticalSpacing(px(10))

    def set_scores(self, low: float, high: float) -> None:
        lowest = math.floor(low / STEP) * STEP
        self.score.set_range(lowest, max(math.ceil(high / STEP) * STEP, lowest + STEP))
        self.score.set_value(lowest)

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Set the dials without emitting `value_changed`."""
        self.overlap.set_value(thresholds.overlap)
        self.meteor.set_value(ANY if thresholds.meteor is None else thresholds.meteor)
        if thresholds.score > -math.inf:
            self.score.set_value(thresholds.score)
        else:
            self.score.set_value(self.score.box.minimum())

    @property
    def thresholds(self) -> Thresholds:
        return Thresholds(
            round(self.overlap.value, 2),
            None if self.meteor.is_lowest else round(self.meteor.value, 2),
            -math.inf if self.score.is_lowest else self.score.value,
        )

    def _emit_thresholds(self) -> None:
        self.value_changed.emit(self.thresholds)

    def show_all(self) -> None:
        """Return to the initial thresholds."""
        self.value_changed.emit(INITIAL_THRESHOLDS)

    def show_systems(self, standings: Sequence[ThresholdScores], chosen: str) -> None:
        """Show the scores of all systems, best first, with one highlighted."""
        best_first = sorted(standings, key=lambda one: -one.ap)
        names = [one.system for one in best_first]
        ap = NumberColumn(
            "ap",
            "AP",
            np.array([one.ap for one in best_first], np.float64),
            decimals=4,
            tooltip=translatable("Average precision."),
        )
        self.systems.table_model.show(
            (
                TextColumn(
                    "system",
                    translatable("System"),
                    names,
                    paint=lambda row: "accent" if names[row] == chosen else "",
                ),
                ap,
                NumberColumn(
                    "precision",
                    translatable("Precision"),
                    np.array([one.precision for one in best_first], np.float64),
                    decimals=4,
                ),
                NumberColumn(
                    "recall",
                    translatable("Recall"),
                    np.array([one.recall for one in best_first], np.float64),
                    decimals=4,
                ),
                NumberColumn(
                    "true",
                    translatable("True"),
                    np.array([one.true for one in best_first], np.int64),
                    decimals=0,
                ),
            )
        )
