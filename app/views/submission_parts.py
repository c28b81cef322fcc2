"""The parts of a submission's panel: a tile of a sub-task, a field of a hidden one."""

from __future__ import annotations

import math

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app import format
from app.plain import tip
from app.theme import px, theme
from app.widgets.parts import beside, label, restyle
from core.model import Evaluation
from core.run.random_weights import WORD
from core.tasks.fusionbrain.subtasks import SubTask


def about_models(evaluation: Evaluation | None) -> str:
    """That scores mean nothing, where random numbers stood in the place of models; else empty."""
    stamp = evaluation.stamp if evaluation is not None else None
    named = stamp["options"].get("weights", []) if stamp else []
    if not any(entry.endswith(f"={WORD}") for entry in named):
        return ""
    return "Scores of pictures mean nothing here: models of random numbers made them."


def failed_pairs(evaluation: Evaluation) -> dict[str, int]:
    """How many pairs of picture and text failed in each sub-task; the original hides them as 0."""
    items = evaluation.items
    failed = items.columns.get("failed")
    counts: dict[str, int] = {}
    for name, value in zip(items.ids, failed if failed is not None else (), strict=False):
        subtask = name.partition("/")[0]
        counts[subtask] = counts.get(subtask, 0) + (value == 1)
    return counts


class SubTaskTile(QPushButton):
    """One sub-task: its score, and the lowest one for a prize place."""

    chosen = Signal(str)

    def __init__(self, subtask: SubTask) -> None:
        super().__init__()
        self.subtask = subtask
        self.setProperty("kind", "tile")
        self.setAccessibleName(subtask.title)
        self.score = label("", "title")
        self.threshold = label("", "small")
        self.items = label("", "small")
        self._title = label(subtask.title, "small")
        column = QVBoxLayout(self)
        for part in (self._title, self.score, self.threshold, self.items):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(part)
        self.clicked.connect(self._clicked)
        theme().changed.connect(self._space)
        self._space()

    def _space(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(px(14), px(10), px(14), px(10))
            layout.setSpacing(px(2))

    def show_score(self, value: float, count: int, parts: list[str], failed: int = 0) -> None:
        """Show another submission's score, which may be missing, and how many pairs failed."""
        known = not math.isnan(value)
        reached = known and value >= self.subtask.threshold
        self.score.setText(format.number(value))
        self.threshold.setText(
            f"{'≥' if reached or not known else '<'} {self.subtask.threshold:.2f}"
        )
        restyle(self.threshold, "kind", "small" if not known else "good" if reached else "bad")
        text = "no items" if not count else format.counted(count, "item")
        text = f"{text}, {failed:,} failed" if failed else text
        plain = known or failed or not count
        self.items.setText(text if plain else f"{text}, not computed")
        self.setEnabled(count > 0)
        lowest = f"Lowest score for a prize place: {self.subtask.threshold:.2f}"
        self.setToolTip(tip(*parts, lowest))
        said = format.number(value) if known else "not computed"
        self.setAccessibleDescription(f"{said}. {lowest}. {text}.")

    def set_chosen(self, chosen: bool) -> None:
        """Mark it as the one whose items are shown."""
        restyle(self, "chosen", chosen)

    def _clicked(self) -> None:
        self.chosen.emit(self.subtask.name)


class HiddenField(QWidget):
    """The score of one hidden sub-task; empty where it is not known."""

    changed = Signal(str, float)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        number = name.removeprefix("hidden")
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("–")
        self.edit.setAccessibleName(f"Hidden sub-task {number}")
        self.edit.setToolTip(f"Hidden sub-task {number}: a score from 0 to 1, if it is known")
        validator = QDoubleValidator(0.0, 1.0, 6, self.edit)
        validator.setLocale(QLocale.c())
        validator.setNotation(QDoubleValidator.Notation.StandardNotation)
        self.edit.setValidator(validator)
        self.edit.editingFinished.connect(self._edited)
        self._title: QLabel = label(number, "small")
        row = beside(self._title, self.edit, spacing=4)
        self.setLayout(row)
        theme().changed.connect(self._space)
        self._space()

    def _space(self) -> None:
        self.edit.setFixedWidth(px(64))

    def show_value(self, value: float) -> None:
        """Show another value without telling anybody; NaN empties the field."""
        if value != self.value():
            self.edit.setText("" if math.isnan(value) else f"{value:g}")

    def value(self) -> float:
        """The number in the field; NaN where there is none."""
        text = self.edit.text().strip().replace(",", ".")
        try:
            return float(text)
        except ValueError:
            return math.nan

    def _edited(self) -> None:
        self.changed.emit(self.name, self.value())
