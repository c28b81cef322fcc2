"""Button that chooses the board's metric columns, remembered for each competition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from jurydesk.app.state.settings import Settings
    from jurydesk.core.analysis.leaderboard import Leaderboard
    from jurydesk.core.model.evaluation import MetricInfo

FIRST_METRICS = 3


class ColumnsButton(QPushButton):
    """Button with a menu of metrics; the headline metric always has its column."""

    changed = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__(translate("Columns"))
        self.metrics_menu = QMenu(self)
        self._settings = settings
        self._key = "columns/"
        self._others: Sequence[MetricInfo] = ()
        self.clicked.connect(self.choose)

    def offer(self, board: Leaderboard | None, task: str) -> None:
        """Offer the metrics of a board; `task` is the id of its competition."""
        self._key = f"columns/{task}"
        self._others = (
            [] if board is None else [m for m in board.metrics if m is not board.headline]
        )
        self.setVisible(board is not None and bool(board.rows) and bool(self._others))

    def chosen_metrics(self) -> list[str]:
        """Return the names of the chosen metrics, without the headline."""
        if stored := self.stored_names():
            return stored
        first = [info.name for info in self._others if info.headline]
        rest = [info.name for info in self._others if not info.headline]
        return [*first, *rest[: max(0, FIRST_METRICS - 1 - len(first))]]

    def choose(self) -> None:
        """Open the menu below the button."""
        menu, chosen = self.metrics_menu, self.chosen_metrics()
        menu.clear()
        menu.setToolTipsVisible(True)
        for info in self._others:
            action = menu.addAction(translate_text(info.title).replace("&", "&&"))
            action.setData(info.name)
            action.setToolTip(tip(translate_text(info.summary)))
            action.setCheckable(True)
            action.setChecked(info.name in chosen)
            action.toggled.connect(self._toggle)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft() + QPoint(0, px(4))))

    def stored_names(self) -> list[str]:
        """Return the names that the user chose; none means the initial columns."""
        return self._settings.texts(self._key)

    def store_names(self, names: list[str]) -> None:
        """Show these columns from now on; none means the initial columns."""
        self._settings.keep(self._key, names)
        self.changed.emit()

    def _toggle(self, on: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            names = [name for name in self.chosen_metrics() if name != action.data()]
            self.store_names([*names, action.data()] if on else names)
