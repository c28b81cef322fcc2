"""Bar of the Compare page that chooses two systems and a metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.widgets.flow_layout import FlowLayout
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import label
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import MetricInfo


LEAST_METRIC = 150
"""Least width of the box of metrics, unscaled, which gives way after those of the systems."""


class PairBar(QWidget):
    """Two different systems and a metric; `chosen` is emitted when the user changes one."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = (
            NameBox(translate("First system")),
            NameBox(translate("Second system")),
        )
        self.metrics = NameBox(translate("Metric"), narrowest=LEAST_METRIC)
        for box in (self.first, self.second, self.metrics):
            box.activated.connect(self._choose)
        self._against = label(translate("against"), "muted")
        self.setLayout(FlowLayout(self.first, self._against, self.second, self.metrics))
        self.show_choice(False)

    def show_choice(self, shown: bool) -> None:
        """Show or hide the boxes; that of the metrics only if there is one."""
        for part in (self.first, self._against, self.second):
            part.setVisible(shown)
        self.metrics.setVisible(shown and self.metrics.count() > 0)

    def clear(self) -> None:
        """Remove all entries."""
        for box in (self.first, self.second, self.metrics):
            box.clear()
        self.show_choice(False)

    @property
    def systems(self) -> tuple[str, str]:
        """Names of both systems."""
        return self.first.currentText(), self.second.currentText()

    @property
    def metric_name(self) -> str:
        """Name of the metric; empty if there is none."""
        return self.metrics.currentData() or ""

    def offer(self, systems: Sequence[str], wanted: str) -> None:
        """Offer systems; keep the current ones, else take `wanted`, else the first two."""
        chosen = self.first.currentText() or wanted
        first = chosen if chosen in systems else systems[0]
        rest = [name for name in systems if name != first]
        second = self.second.currentText()
        second = second if second in rest else rest[0]
        for box, current in ((self.first, first), (self.second, second)):
            box.clear()
            box.addItems(systems)
            box.setCurrentText(current)

    def offer_metrics(self, infos: Sequence[MetricInfo], wanted: str) -> None:
        """Offer metrics; keep the current one, else take `wanted`, else the headline."""
        name = self.metric_name or wanted
        names = [info.name for info in infos]
        main = next((info.name for info in infos if info.headline), next(iter(names), ""))
        self.metrics.clear()
        for info in infos:
            self.metrics.addItem(translate_text(info.title), info.name)
        wanted = name if name in names else main
        self.metrics.setCurrentIndex(names.index(wanted) if wanted in names else -1)
        self.show_choice(True)

    def choose(self, first: str, second: str) -> None:
        """Choose these two systems."""
        self.first.setCurrentText(first)
        self.second.setCurrentText(second)

    def swap(self) -> None:
        self.choose(*reversed(self.systems))

    def _choose(self) -> None:
        if self.first.currentText() == self.second.currentText():
            self.second.setCurrentIndex(1 if self.second.currentIndex() == 0 else 0)
        self.chosen.emit()
