"""The parts of the References page: a line for each file, how sets are built, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QWidget,
)

from app.models.columns import NumberColumn, TextColumn
from app.theme import px
from app.widgets.parts import Card, beside, button, label
from app.widgets.table import Table
from core.metrics.set_meters import TITLES
from core.tasks.visdial.building import Choice, Pairs, Recipe
from core.tasks.visdial.order import Delivery, Order

METHODS: Mapping[Choice, str] = {
    "S": "S: within a standard deviation of the best",
    "M": "M: mean shift, the cluster with the largest centre",
    "G": "G: five clusters by Ward, the best of them",
    "H": "H: what people found relevant",
}
PAIRS: Mapping[Pairs, str] = {
    "full": "every question with its true answer",
    "human": "questions with what people chose",
}
JSON_FILES, MODEL_FILES = "JSON (*.json *.json.gz)", "fastText (*.bin)"


@dataclass(frozen=True, slots=True)
class FileLine:
    """One file of an order: its name there, what it is called, what it is for, its pattern."""

    name: str
    title: str
    help: str
    pattern: str = JSON_FILES
    saved: bool = False


FILES = (
    FileLine("dialogs", "Dialogues", "VisDial's dialogues whose questions get sets."),
    FileLine("embeddings", "Word vectors", "A fastText model; H can do without.", MODEL_FILES),
    FileLine("relevance", "Relevance", "What people found relevant in them, if known."),
    FileLine("train", "Training dialogues", "To learn from; the dialogues themselves if empty."),
    FileLine("train_relevance", "Training relevance", "What people chose in these, if known."),
    FileLine("out", "Write to", "Where the reference sets go.", JSON_FILES, saved=True),
)


class FilesCard(Card):
    """A line for each file; `changed` says that one of them is another."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__("Files")
        self.lines: dict[str, QLineEdit] = {}
        grid = QGridLayout()
        grid.setVerticalSpacing(px(8))
        grid.setHorizontalSpacing(px(10))
        for row, file in enumerate(FILES):
            line = QLineEdit()
            line.setAccessibleName(file.title)
            line.setPlaceholderText(file.help)
            line.setToolTip(file.help)
            line.textChanged.connect(self.changed)
            title = label(file.title, "small")
            title.setBuddy(line)
            choose = Chooser(file, line)
            for column, widget in enumerate((title, line, choose)):
                grid.addWidget(widget, row, column)
            self.lines[file.name] = line
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)
        self.body.addStretch(1)

    def paths(self) -> dict[str, Path | None]:
        """The files that were named."""
        texts = ((name, line.text().strip()) for name, line in self.lines.items())
        return {name: Path(text).expanduser() if text else None for name, text in texts}


class Chooser(QWidget):
    """The button beside a line that asks for its file."""

    def __init__(self, file: FileLine, line: QLineEdit) -> None:
        super().__init__()
        self._file, self._line = file, line
        made = button("Choose …", self.choose, "small")
        made.setAccessibleName(f"Choose {file.title.lower()}")
        self.setLayout(beside(made))

    def choose(self) -> None:
        """Ask for the file; nothing changes where nobody answers."""
        ask = QFileDialog.getSaveFileName if self._file.saved else QFileDialog.getOpenFileName
        name, _ = ask(self, self._file.title, self._line.text(), self._file.pattern)
        if name:
            self._line.setText(name)


class RecipeCard(Card):
    """How sets are built."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__("Method")
        self.method = _choices("Method", METHODS)
        self.pairs = _choices("What is correlated", PAIRS)
        self.annotated = QCheckBox("Only annotated rounds")
        self.annotated.setToolTip("Build sets only for the rounds that people annotated.")
        self.explained = QCheckBox("With correlations and threshold")
        self.explained.setChecked(True)
        self.explained.setToolTip("Then an item shows why an answer is among its references.")
        self.method.currentIndexChanged.connect(self.changed)
        self.body.addWidget(self.method)
        self.body.addWidget(label("What is correlated", "small"))
        for widget in (self.pairs, self.annotated, self.explained):
            self.body.addWidget(widget)
        self.body.addStretch(1)

    def recipe(self) -> Recipe:
        """The recipe that was chosen."""
        return Recipe(
            self.method.currentData(), self.pairs.currentData(), self.annotated.isChecked()
        )


def _choices(name: str, entries: Mapping[Choice, str] | Mapping[Pairs, str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setMinimumWidth(px(140))
    for key, text in entries.items():
        box.addItem(text, key)
    return box


class MetersCard(Card):
    """How the sets agree with people, and how they look."""

    def __init__(self) -> None:
        super().__init__("The sets in numbers")
        self.table = Table("The sets in numbers")
        self.body.addWidget(self.table, 1)

    def show_delivery(self, delivery: Delivery) -> None:
        """Show the meters of what was built."""
        meters = delivery.meters
        self.table.table_model.show(
            (
                TextColumn("meter", "Meter", [TITLES[meter.name] for meter in meters]),
                NumberColumn("mean", "Mean", np.array([meter.mean for meter in meters])),
                NumberColumn("std", "Deviation", np.array([meter.std for meter in meters])),
                NumberColumn("n", "Questions", np.array([meter.n for meter in meters], np.int64)),
            )
        )
        self.table.show_columns(frozenset(("mean", "std", "n")))


def missing(paths: Mapping[str, Path | None], method: str) -> str:
    """What has to be named before sets can be built; empty where everything is."""
    wanted = ["dialogs", *(["embeddings"] if method != "H" else ["relevance"]), "out"]
    titles = {file.name: file.title for file in FILES}
    absent = [titles[name].lower() for name in wanted if paths[name] is None]
    return ", ".join(absent)


def order_of(paths: Mapping[str, Path | None], recipe: Recipe, *, explained: bool) -> Order:
    """The order for named files; KeyError where a required one is missing."""
    known = {entry.name for entry in fields(Order)}
    named = {name: path for name, path in paths.items() if path is not None and name in known}
    dialogs, out = named.pop("dialogs"), named.pop("out")
    return Order(dialogs, out, recipe, explained=explained, **named)
