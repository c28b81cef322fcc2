"""A whole ranked list in one line: a tick at the rank of every hit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import format
from app.theme import TINY, colour, font, px, theme

HEIGHT = 34
KEYS = "Every hit of the list: N and P go from one to the next"
REACH = 6
"""How near, in pixels, the mouse must come to a tick."""


class HitStrip(QWidget):
    """Ranks from left to right on a square-root scale, since what counts stands at the top."""

    rank_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ranks: tuple[int, ...] = ()
        self.listed = 0
        self.current_rank = 0
        self.setMouseTracking(True)
        self.setToolTip(KEYS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def show_hits(self, ranks: Sequence[int], listed: int) -> None:
        """Show the ranks (from 1) of the hits in a list of that length."""
        self.ranks, self.listed, self.current_rank = tuple(ranks), listed, 0
        self.setAccessibleName(
            f"{format.counted(len(ranks), 'hit')} in {format.counted(listed, 'rank')}"
        )
        self.update()

    def set_current(self, rank: int) -> None:
        """Mark the rank that is looked at; 0 for none."""
        self.current_rank = rank
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(80), px(HEIGHT))

    def offset(self, rank: int) -> float:
        """Where a rank stands."""
        share = math.sqrt((rank - 1) / (self.listed - 1)) if self.listed > 1 else 0.0
        return px(4) + share * (self.width() - px(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, half = px(9), px(7)
        painter.fillRect(QRectF(px(4), middle, self.width() - px(8), 1), colour("line"))
        painter.setPen(Qt.PenStyle.NoPen)
        for rank in self.ranks:
            painter.setBrush(colour("good", 0.75))
            painter.drawRoundedRect(
                QRectF(self.offset(rank) - px(1), middle - half, px(2), 2 * half), 1, 1
            )
        if self.current_rank:
            painter.setBrush(colour("accent"))
            x = self.offset(self.current_rank)
            painter.drawRoundedRect(QRectF(x - px(1.5), 0, px(3), 2 * px(9)), 1.5, 1.5)
        self._paint_ticks(painter)
        painter.end()

    def _paint_ticks(self, painter: QPainter) -> None:
        """Round ranks below the line, as many as have room."""
        painter.setPen(colour("muted"))
        painter.setFont(font(TINY))
        metrics = painter.fontMetrics()
        right = self.width()
        taken = -1.0
        last = f"{self.listed:,}"
        for rank in round_ranks(self.listed):
            text = format.count(rank)
            width = metrics.horizontalAdvance(text)
            left = max(0.0, min(self.offset(rank) - width / 2, right - width))
            is_last = rank == self.listed
            room = right if is_last else right - metrics.horizontalAdvance(last) - px(12)
            if left > taken and left + width <= room:
                top = self.height() - metrics.height()
                painter.drawText(QRectF(left, top, width + 1, metrics.height()), text)
                taken = left + width + px(12)

    def _rank_at(self, x: float) -> int | None:
        nearest = min(self.ranks, key=lambda rank: abs(self.offset(rank) - x), default=None)
        return nearest if nearest and abs(self.offset(nearest) - x) <= px(REACH) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        rank = self._rank_at(event.position().x())
        self.setToolTip(KEYS if rank is None else f"Hit at rank {format.count(rank)}")
        shape = Qt.CursorShape.ArrowCursor if rank is None else Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        rank = self._rank_at(event.position().x())
        if rank is not None and event.button() is Qt.MouseButton.LeftButton:
            self.rank_chosen.emit(rank)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.unsetCursor()


def round_ranks(listed: int) -> list[int]:
    """1, 10, 100 and so on, with 5 and 50 between, up to the end of the list."""
    if listed < 1:
        return []
    steps = [factor * 10**power for power in range(len(str(listed))) for factor in (1, 5)]
    return [*(rank for rank in steps if rank < listed), listed]
