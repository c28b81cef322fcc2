"""References: the reference sets of visual dialogues, built from dialogues and word vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.commands.command import WindowCommand
from jurydesk.app.jobs.job import Job, Tell
from jurydesk.app.pages.check.defect_list import DefectCard
from jurydesk.app.pages.page import Page
from jurydesk.app.state.session import Session
from jurydesk.app.style.numbers import quantity
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.columns import NumberColumn, TextColumn
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import Card, across, button, label, row_layout
from jurydesk.app.window.services import Services
from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.system.paths import cache_folder
from jurydesk.core.tasks.visdial.reference_sets.builder import BuildOptions, Choice, Pairs
from jurydesk.core.tasks.visdial.reference_sets.meters import TITLES
from jurydesk.core.tasks.visdial.reference_sets.order import (
    BuildSpec,
    BuildSummary,
    build_and_write,
    read_build_inputs,
)

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
            line.setToolTip(tip(file.help))
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
        texts = ((name, line.text().strip()) for name, line in self.lines.items())
        return {name: Path(text).expanduser() if text else None for name, text in texts}


class Chooser(QWidget):
    """The button beside a line that asks for its file."""

    def __init__(self, file: FileLine, line: QLineEdit) -> None:
        super().__init__()
        self._file, self._line = file, line
        made = button("Choose …", self.choose, "small")
        made.setAccessibleName(f"Choose {file.title.lower()}")
        self.setLayout(row_layout(made))

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

    def recipe(self) -> BuildOptions:
        return BuildOptions(
            self.method.currentData(), self.pairs.currentData(), self.annotated.isChecked()
        )


def _choices(name: str, entries: Mapping[Choice, str] | Mapping[Pairs, str]) -> QComboBox:
    box = NameBox(name)
    for key, text in entries.items():
        box.addItem(text, key)
    return box


class MetersCard(Card):
    """How the sets agree with people, and how they look."""

    def __init__(self) -> None:
        super().__init__("The sets in numbers")
        self.table = Table("The sets in numbers")
        self.body.addWidget(self.table, 1)

    def show_delivery(self, delivery: BuildSummary) -> None:
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


def build_spec_of(
    paths: Mapping[str, Path | None], recipe: BuildOptions, *, explained: bool
) -> BuildSpec:
    """The order for named files; KeyError where a required one is missing."""
    known = {entry.name for entry in fields(BuildSpec)}
    named = {name: path for name, path in paths.items() if path is not None and name in known}
    dialogs, out = named.pop("dialogs"), named.pop("out")
    return BuildSpec(dialogs, out, recipe, explained=explained, **named)


FOLDER = "references"
"""Where finished parts are kept within the cache, as on the command line."""
NARROW = 720
"""Below this width the method stands below the files."""
WELCOME = "Which candidate answers count as right: built from VisDial's dialogues."


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """What became of an order: what was written, else the defects or the sentence."""

    delivery: BuildSummary | None
    defects: tuple[Defect, ...] = ()
    problem: str = ""


def build(order: BuildSpec, run: Run, tell: Tell) -> BuildOutcome:
    """Read, build and write, on a worker's thread; a second time it goes on where it stopped."""
    run.cache = FolderCache(cache_folder() / FOLDER)
    try:
        reading = read_build_inputs(order, run)
        if reading.data is None:
            return BuildOutcome(None, reading.defects)
        return BuildOutcome(build_and_write(order, reading.data, run), reading.defects)
    except (UsageError, ResourceMissing) as refusal:
        return BuildOutcome(None, (), str(refusal))
    except OSError as fault:
        return BuildOutcome(None, (), f"{fault.filename or order.out}: {fault.strerror or fault}.")


class ReferencesPage(Page):
    """A form, a button, and what came out."""

    id = "references"
    title = "References"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._services: Services | None = None
        self._job: Job | None = None
        self._built: Path | None = None
        self.files = FilesCard()
        self.recipe = RecipeCard()
        self.problem = label("", "bad", wrap=True)
        self.defects = DefectCard()
        self.meters = MetersCard()
        self.start = button("Build", self.build, "primary", "Build the sets  (Ctrl+B)")
        self.use = button("Take into the competition", self.take, "", "Use the sets to score with")
        self._lay_out()
        self.files.changed.connect(self._refresh)
        self.recipe.changed.connect(self._refresh)
        self.say(WELCOME)
        self._refresh()

    def _lay_out(self) -> None:
        self._top = QHBoxLayout()
        self._top.setSpacing(px(16))
        self._top.addWidget(self.files, 3)
        self._top.addWidget(self.recipe, 2)
        row = QHBoxLayout()
        row.addWidget(self.start)
        row.addWidget(self.use)
        row.addWidget(self.problem, 1)
        column = QVBoxLayout()
        column.setSpacing(px(16))
        column.addLayout(self._top)
        column.addLayout(row)
        column.addWidget(self.meters, 1)
        column.addWidget(self.defects, 1)
        column.addStretch(0)
        self.body.addLayout(column, 1)
        for widget in (self.use, self.meters, self.defects):
            widget.hide()

    def join(self, services: Services) -> None:
        self._services = services

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across(self._top, self.width() >= px(NARROW))

    def arrive(self) -> None:
        self.files.lines["dialogs"].setFocus(Qt.FocusReason.OtherFocusReason)

    def commands(self) -> Sequence[WindowCommand]:
        return (
            WindowCommand("references.build", "Build reference sets", "Run", "build", ("Ctrl+B",)),
        )

    # Building

    def _refresh(self) -> None:
        absent = missing(self.files.paths(), self.recipe.method.currentData())
        self.start.setEnabled(not absent and self._job is None)
        self.start.setToolTip(
            tip(f"Name first: {absent}.") if absent else "Build the sets  (Ctrl+B)"
        )

    def build(self) -> None:
        """Build the sets as the form says; the strip shows how far, and stops it."""
        if self._services is None or not self.start.isEnabled():
            return
        order = build_spec_of(
            self.files.paths(), self.recipe.recipe(), explained=self.recipe.explained.isChecked()
        )
        self._built = order.out
        self.problem.setText("")
        self._job = Job("Building reference sets", partial(build, order))
        self._job.succeeded.connect(self._show)
        self._job.stopped.connect(self._stopped)
        self._job.over.connect(self._over)
        self._services.evaluator.jobs.start(self._job)
        self._refresh()

    def _show(self, outcome: BuildOutcome) -> None:
        delivery = outcome.delivery
        self.problem.setText(outcome.problem)
        self.defects.show_defects(outcome.defects, "")
        self.defects.setVisible(bool(outcome.defects))
        self.meters.setVisible(delivery is not None)
        self.use.setVisible(delivery is not None)
        if delivery is None:
            self.say("No set was built." if outcome.problem else "The files have errors.")
            return
        self.meters.show_delivery(delivery)
        self.say(f"{quantity(delivery.sets, 'reference set')} written to {self._built}.")

    def _stopped(self) -> None:
        self.say("Stopped. Build again, and it goes on where it was.")

    def _over(self, job: object) -> None:
        self._job = None
        self._refresh()

    def take(self) -> None:
        """Take the sets that were written into the open competition."""
        if self._services is not None and self._built is not None:
            self._services.file_list.add([self._built])
            self.asked.emit("check")

    def copied(self, headers: bool) -> str:
        return self.meters.table.copied(headers=headers)
