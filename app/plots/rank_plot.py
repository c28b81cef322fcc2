"""Rank plot and significance map of a board: ranks in other samples, p values of all pairs.

Source: Wiesenfarth et al., Methods and Open-Source Toolkit for Analyzing and Visualizing Challenge
Results (2021).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from jurydesk.app.plots.heatmap import Cell, HeatmapLayout, HeatmapView
from jurydesk.app.sheets.numbers_sheet import show_numbers
from jurydesk.app.style.theme import Colours, px
from jurydesk.core.analysis.significance.rank_maps import rank_map_table
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import Axis, Heatmap
from jurydesk.core.statistics.bootstrap import LEVEL
from jurydesk.core.tables import numbers

ROW_HEIGHT = 26
RING_MARGIN = 2
"""Between a ring and the edge of its cell."""


class RankMap(HeatmapView):
    """A map with a row for each system, as high as its rows."""

    def _theme_changed(self) -> None:
        super()._theme_changed()
        self.setMinimumWidth(px(260))
        self.setFixedHeight(px(ROW_HEIGHT * (len(self.heatmap.values) + 2)))

    def show_table(self) -> None:
        show_numbers(self, rank_map_table(self.table_map()))

    def table_map(self) -> Heatmap:
        """Return the map with the names of its rows and columns."""
        return self.heatmap


class RankPlot(RankMap):
    """Blobs of systems (rows) by ranks (columns), whose area is the share of the samples.

    Rings are the `places` (systems,) of the systems by score.
    """

    def __init__(self, heatmap: Heatmap, places: Sequence[int]) -> None:
        super().__init__(heatmap)
        self.places = tuple(places)

    def describe(self, cell: Cell) -> str:
        row, column = cell
        return translate(
            "{system} has rank {rank} in {percent} % of the samples",
            system=self.heatmap.y_axis.labels[row],
            rank=column + 1,
            percent=numbers.number(self.value(cell), self.heatmap.decimals),
        )

    def _choose_type(self, painter: QPainter, layout: HeatmapLayout) -> int | None:
        return None

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, value: float, largest: float, colours: Colours
    ) -> QColor:
        blob, middle = QColor(colours.accent), rect.center()
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawLine(QLineF(rect.left(), middle.y(), rect.right(), middle.y()))
        if value > 0:
            reach = math.sqrt(value / 100) * _ring(rect)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(blob)
            painter.drawEllipse(middle, reach, reach)
        return blob

    def _paint_labels(self, painter: QPainter, layout: HeatmapLayout, colours: Colours) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colours.text), px(1.5)))
        for row, place in enumerate(self.places):
            rect = layout.rect((row, place - 1))
            painter.drawEllipse(QPointF(rect.center()), _ring(rect), _ring(rect))
        super()._paint_labels(painter, layout, colours)


def _ring(cell: QRectF) -> float:
    """Return the radius of the largest blob of a cell."""
    return min(cell.width(), cell.height()) / 2 - px(RING_MARGIN)


class SignificanceMap(RankMap):
    """p values of all pairs of systems; those that the board tells apart are in colour."""

    def __init__(self, heatmap: Heatmap) -> None:
        self.names = heatmap.y_axis.labels
        places = tuple(str(place) for place in range(1, len(self.names) + 1))
        rows = tuple(f"{name}  {place}" for place, name in zip(places, self.names, strict=True))
        self.whole = heatmap
        super().__init__(
            replace(
                heatmap,
                x_axis=Axis(heatmap.x_axis.title, labels=places),
                y_axis=Axis(heatmap.y_axis.title, labels=rows),
            )
        )
        self.setAccessibleDescription(self._summary())

    def _summary(self) -> str:
        """Return how many pairs the board tells apart."""
        known = self.heatmap.values[np.triu_indices(len(self.names), 1)]
        return translate(
            "{apart} of {pairs} pairs differ significantly.",
            apart=int((known < 1 - LEVEL).sum()),
            pairs=int(np.isfinite(known).sum()),
        )

    def describe(self, cell: Cell) -> str:
        p = self.value(cell)
        pair = translate(
            "{first} and {second}", first=self.names[cell[0]], second=self.names[cell[1]]
        )
        chance = numbers.p_equation(p) if math.isfinite(p) else translate("not tested")
        return f"{pair}: {chance} ({translate_text(self.heatmap.title)})"

    def table_map(self) -> Heatmap:
        return self.whole

    def cell_text(self, value: float, fewer: int = 0) -> str:
        return numbers.p_value(value, max(1, self.heatmap.decimals - fewer))

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, value: float, largest: float, colours: Colours
    ) -> QColor:
        ground = QColor(colours.accent if value < 1 - LEVEL else colours.hover)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, px(5), px(5))
        return ground


def rank_map_view(heatmap: Heatmap, places: Sequence[int]) -> RankMap:
    """Return the view of a map of `rank_maps`; `places` are the systems' by score."""
    if heatmap.name == "rank_plot":
        return RankPlot(heatmap, places)
    return SignificanceMap(heatmap)
