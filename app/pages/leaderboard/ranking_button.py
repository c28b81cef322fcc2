"""Button that shows the metric by which the board is ranked, and changes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.model.evaluation import MetricInfo


class RankingButton(QPushButton):
    """Button with a menu of metrics; `chosen` carries the name of a metric.

    The same menu entry is in the menu of a column's head.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.metrics_menu = QMenu(self)
        self._offered: Sequence[MetricInfo] = ()
        self._ranking: Sequence[MetricInfo] = ()
        self._headline: MetricInfo | None = None
        self._is_short = False
        self.clicked.connect(self.choose)

    def offer(
        self, board: Leaderboard | None, task: AnyTask, shown: Sequence[str], *, locked: bool
    ) -> None:
        """Offer the metrics of the task that rank and have a column, or are headline metrics.

        A `locked` desk cannot be changed.
        """
        found = board.metrics if board is not None and not locked else ()
        self._headline = None if board is None else board.headline
        self._ranking = [info for info in found if _can_rank(info, task)]
        self._offered = [
            info
            for info in self._ranking
            if info.headline or info.name in shown or info is self._headline
        ]
        self._name()
        self.setVisible(self._headline is not None and len(self._ranking) > 1)

    def shorten(self, short: bool) -> None:
        """Name the metric in the tooltip alone, in a window without room for a long button."""
        if short is not self._is_short:
            self._is_short = short
            self._name()

    def _name(self) -> None:
        if self._headline is not None:
            title = translate_text(self._headline.title)
            whole = translate("Ranked by {metric}", metric=title)
            self.setText(translate("Ranking") if self._is_short else whole.replace("&", "&&"))
            self.setToolTip(tip(whole, translate("Order, ranks and tests follow this metric")))

    def choose(self) -> None:
        """Open the menu below the button."""
        self._open(self.mapToGlobal(self.rect().bottomLeft() + QPoint(0, px(4))))

    def _open(self, at: QPoint) -> None:
        menu, group = self.metrics_menu, QActionGroup(self)
        menu.clear()
        menu.setToolTipsVisible(True)
        for info in self._offered:
            action = self._action(info, translate_text(info.title))
            action.setToolTip(tip(translate_text(info.summary)))
            action.setCheckable(True)
            action.setChecked(info is self._headline)
            group.addAction(action)
            menu.addAction(action)
        menu.popup(at)

    def open_head_menu(self, metric: MetricInfo, at: QPoint) -> None:
        """Open the menu of the head of a metric's column; the ranking one offers all metrics."""
        if metric is self._headline and not self.isHidden():
            self._open(at)
        elif metric in self._ranking:
            menu = self.metrics_menu
            menu.clear()
            title = translate_text(metric.title)
            menu.addAction(self._action(metric, translate("Rank by {metric}", metric=title)))
            menu.popup(at)

    def _action(self, info: MetricInfo, text: str) -> QAction:
        action = QAction(text.replace("&", "&&"), self.metrics_menu)
        action.setData(info.name)
        action.triggered.connect(self._choose)
        return action

    def _choose(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.chosen.emit(action.data())


def _can_rank(info: MetricInfo, task: AnyTask) -> bool:
    try:
        return task.metric(info.name).better != "neither"
    except KeyError:  # a question of the raters
        return False
