"""Card with the choice of statistics: groups, kind of interval, correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog

from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.name_box import ElidedBox
from jurydesk.app.widgets.parts import Card, label
from jurydesk.core.language import translatable, translate
from jurydesk.core.statistics.inference import CORRECTION_NAMES

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Json

FILE = "file"
GROUPS = {
    "declared": translatable("of the competition"),
    "none": translatable("none: every item"),
    FILE: translatable("of a file …"),
}
INTERVALS = {
    "studentized": translatable("studentized bootstrap"),
    "t": translatable("Student's t"),
    "percentile": "percentiles",
}
HELP = {
    translatable("Groups"): translatable(
        "Items of a group are alike, such as the queries of a keyword: they are resampled "
        "together. A file names the group of each item: two columns, item and group."
    ),
    translatable("Intervals"): translatable("How 95 % intervals are made."),
    translatable("Correction"): translatable(
        "How tests are corrected for multiple comparisons of systems."
    ),
}


class StatisticsCard(Card):
    """Card of three choices; `chosen` carries groups (a key or a path), interval, correction."""

    guide_part = translatable("Options")

    chosen = Signal(object, str, str)

    def __init__(self) -> None:
        super().__init__(translate("Statistics"))
        self.folder: Callable[[], Path] = Path.home
        """Function that returns the folder in which files are chosen."""
        self.groups = self._list("Groups", GROUPS)
        self.interval = self._list("Intervals", INTERVALS)
        self.correction = self._list("Correction", CORRECTION_NAMES)
        self.groups.activated.connect(self._choose_groups)
        for box in (self.interval, self.correction):
            box.activated.connect(self._keep_groups)
        self._shown: Mapping[str, Json] = {}

    def _list(self, title: str, choices: Mapping[str, str]) -> QComboBox:
        box = ElidedBox()
        # A long choice is cut, so that the column keeps its width.
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(10)
        for value, text in choices.items():
            box.addItem(translate(text), value)
        explanation = translate(HELP[title])
        box.setAccessibleName(translate(title))
        box.setAccessibleDescription(explanation)
        _show_tip(box)
        box.activated.connect(self._show_tips)
        head = label(translate(title), "small")
        head.setToolTip(explanation)
        head.setBuddy(box)
        head.setContentsMargins(0, px(4), 0, 0)
        self.body.addWidget(head)
        self.body.addWidget(box)
        return box

    def show_choices(self, choices: Mapping[str, Json]) -> None:
        """Show the choices stored in a desk (JSON), or the defaults."""
        self._shown = choices
        boxes = (self.groups, self.interval, self.correction)
        source = choices.get("source")
        with QSignalBlocker(boxes[0]), QSignalBlocker(boxes[1]), QSignalBlocker(boxes[2]):
            while self.groups.count() > len(GROUPS):
                self.groups.removeItem(self.groups.count() - 1)
            if self._group_source() == "kept":
                path = source.get("path", "") if isinstance(source, dict) else ""
                self.groups.addItem(translate("of {name}", name=Path(str(path)).name), "kept")
            self.groups.setCurrentIndex(max(0, self.groups.findData(self._group_source())))
            self.interval.setCurrentIndex(
                max(0, self.interval.findData(choices.get("interval", "studentized")))
            )
            self.correction.setCurrentIndex(
                max(0, self.correction.findData(choices.get("correction", "romano-wolf")))
            )

        self._show_tips()

    def _show_tips(self) -> None:
        for box in (self.groups, self.interval, self.correction):
            _show_tip(box)

    def _group_source(self) -> str:
        if self._shown.get("source") is not None:
            return "kept"
        return "declared" if self._shown.get("grouped", True) else "none"

    def _choose_groups(self) -> None:
        groups = self.groups.currentData()
        if groups == FILE:
            title, start = translate("Groups of items"), str(self.folder())
            name, _ = QFileDialog.getOpenFileName(self.window(), title, start)
            if not name:
                self.show_choices(self._shown)
                return
            groups = Path(name)
        self._emit_chosen(groups)

    def _keep_groups(self) -> None:
        self._emit_chosen(self._group_source())

    def _emit_chosen(self, groups: str | Path) -> None:
        self.chosen.emit(groups, self.interval.currentData(), self.correction.currentData())


def _show_tip(box: QComboBox) -> None:
    """Set the choice, which may be cut, and its explanation as tooltip."""
    box.setToolTip(tip(box.currentText(), box.accessibleDescription()))
