"""References page: reference sets for visual dialogues, built from dialogues and word vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.jobs.job import Job, Notify
from jurydesk.app.pages.check.defect_list import DefectCard
from jurydesk.app.pages.page import MARGIN, Page
from jurydesk.app.state.settings import INPUTS
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.name_box import NameBox
from jurydesk.app.widgets.parts import (
    Card,
    ScaledSpacing,
    across,
    button,
    has_room,
    label,
    row_layout,
    set_spacing,
)
from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.run import Run
from jurydesk.core.language import failure_reason, fill, translatable, translate, translate_text
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.system.paths import cache_folder
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from jurydesk.core.tables.numbers import quantity
from jurydesk.core.tasks.visdial.reference_sets.builder import BuildOptions, Choice, Pairs
from jurydesk.core.tasks.visdial.reference_sets.meters import TITLES
from jurydesk.core.tasks.visdial.reference_sets.order import (
    BuildSpec,
    BuildSummary,
    build_and_write,
    read_build_inputs,
)

METHODS: Mapping[Choice, str] = {
    "S": translatable("S: within one standard deviation of the best"),
    "M": translatable("M: mean shift, the cluster with the largest centre"),
    "G": translatable("G: five clusters by Ward, the best of them"),
    "H": translatable("H: relevant according to people"),
}
PAIRS: Mapping[Pairs, str] = {
    "full": translatable("every question with its true answer"),
    "human": translatable("questions with the answers that people chose"),
}
JSON_FILES, MODEL_FILES = "JSON (*.json *.json.gz)", "fastText (*.bin)"


@dataclass(frozen=True, slots=True)
class FileLine:
    """File of a build: name in the specification, title, help and pattern."""

    name: str
    title: str
    help: str
    pattern: str = JSON_FILES
    saved: bool = False


FILES = (
    FileLine(
        "dialogs",
        translatable("Dialogues"),
        translatable("VisDial dialogues whose questions get reference sets."),
    ),
    FileLine(
        "embeddings",
        translatable("Word vectors"),
        translatable("A fastText model; not needed for H."),
        MODEL_FILES,
    ),
    FileLine(
        "relevance",
        translatable("Relevance"),
        translatable("Relevance judgements of the dialogues, if any."),
    ),
    FileLine(
        "train",
        translatable("Training dialogues"),
        translatable("For training; if empty, the dialogues themselves."),
    ),
    FileLine(
        "train_relevance",
        translatable("Training relevance"),
        translatable("Relevance judgements of the training dialogues, if any."),
    ),
    FileLine(
        "out",
        translatable("Output file"),
        translatable("Where the reference sets are written."),
        JSON_FILES,
        saved=True,
    ),
)


class FilesCard(Card):
    """Card with a line for each file; `changed` is emitted when a line is edited."""

    changed = Signal()

    def __init__(self, folder: Callable[[], Path]) -> None:
        super().__init__(translate("Files"))
        self.lines: dict[str, QLineEdit] = {}
        grid = QGridLayout()
        ScaledSpacing(grid, 8, None)
        for row, file in enumerate(FILES):
            line = QLineEdit()
            line.setAccessibleName(translate(file.title))
            line.setPlaceholderText(translate(file.help))
            line.setToolTip(tip(translate(file.help)))
            line.textChanged.connect(self.changed)
            title = label(translate(file.title), "small")
            title.setBuddy(line)
            choose = Chooser(file, line, folder)
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
    """Button that asks for the file of a line."""

    def __init__(self, file: FileLine, line: QLineEdit, folder: Callable[[], Path]) -> None:
        super().__init__()
        self._file, self._line, self._folder = file, line, folder
        made = button(translate("Choose …"), self.choose, "small")
        made.setAccessibleName(translate("Choose {file}", file=translate(file.title).lower()))
        self.setLayout(row_layout(made))

    def choose(self) -> None:
        """Ask for the file; if the dialog is cancelled nothing changes."""
        ask = QFileDialog.getSaveFileName if self._file.saved else QFileDialog.getOpenFileName
        start = self._line.text() or str(self._folder())
        name, _ = ask(self, translate(self._file.title), start, self._file.pattern)
        if name:
            self._line.setText(name)


class RecipeCard(Card):
    """Card with the method of building."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(translate("Method"))
        self.method = _choices(translate("Method"), METHODS)
        self.pairs = _choices(translate("Correlated pairs"), PAIRS)
        self.annotated = QCheckBox(translate("Only annotated rounds"))
        self.annotated.setToolTip(
            translate("Build sets only for the rounds that people annotated.")
        )
        self.explained = QCheckBox(translate("With correlations and threshold"))
        self.explained.setChecked(True)
        self.explained.setToolTip(translate("Items then show why an answer is a reference."))
        self.method.currentIndexChanged.connect(self.changed)
        self.body.addWidget(self.method)
        self.body.addWidget(label(translate("Correlated pairs"), "small"))
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
        box.addItem(translate(text), key)
    return box


class MetersCard(Card):
    """Card with statistics of the sets and their agreement with people."""

    def __init__(self) -> None:
        super().__init__(translate("Statistics of the sets"))
        self.table = Table(translate("Statistics of the sets"))
        self.body.addWidget(self.table, 1)

    def show_summary(self, summary: BuildSummary) -> None:
        """Show the statistics of the built sets."""
        meters = summary.meters
        self.table.table_model.show(
            (
                TextColumn(
                    "meter",
                    "Meter",
                    [TITLES[meter.name] for meter in meters],
                    is_prose=True,
                ),
                NumberColumn(
                    "mean", translatable("Mean"), np.array([meter.mean for meter in meters])
                ),
                NumberColumn(
                    "std", translatable("Deviation"), np.array([meter.std for meter in meters])
                ),
                NumberColumn(
                    "n",
                    translatable("Questions"),
                    np.array([meter.n for meter in meters], np.int64),
                ),
            )
        )
        self.table.show_columns(frozenset(("mean", "std", "n")))


def missing_files(paths: Mapping[str, Path | None], method: str) -> str:
    """Return the titles of the required files that are not named; empty if all are."""
    wanted = ["dialogs", *(["embeddings"] if method != "H" else ["relevance"]), "out"]
    titles = {file.name: file.title for file in FILES}
    absent = [translate(titles[name]).lower() for name in wanted if paths[name] is None]
    return ", ".join(absent)


def make_build_spec(
    paths: Mapping[str, Path | None], recipe: BuildOptions, *, explained: bool
) -> BuildSpec:
    """Return the build specification of named files; KeyError if a required one is missing."""
    known = {entry.name for entry in fields(BuildSpec)}
    named = {name: path for name, path in paths.items() if path is not None and name in known}
    dialogs, out = named.pop("dialogs"), named.pop("out")
    return BuildSpec(dialogs, out, recipe, explained=explained, **named)


FOLDER = "references"
"""Subfolder of the cache with finished parts, as on the command line."""
NARROW = 720
"""Width below which the method is placed below the files."""
WELCOME = translatable("Builds the candidate answers that count as right from VisDial's dialogues.")


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """Result of a build: a summary, or defects, or a problem."""

    summary: BuildSummary | None
    defects: tuple[Defect, ...] = ()
    problem: str = ""


def build(spec: BuildSpec, run: Run, notify: Notify) -> BuildOutcome:
    """Read, build and write; a stopped build continues where it stopped. The work of a job."""
    run.cache = FolderCache(cache_folder() / FOLDER)
    try:
        reading = read_build_inputs(spec, run)
        if reading.data is None:
            return BuildOutcome(None, reading.defects)
        return BuildOutcome(build_and_write(spec, reading.data, run), reading.defects)
    except (UsageError, ResourceMissing) as refusal:
        return BuildOutcome(None, (), str(refusal))
    except OSError as fault:
        return BuildOutcome(
            None, (), fill("{path}: {reason}.", fault.filename or spec.out, failure_reason(fault))
        )


class ReferencesPage(Page):
    """Form, button and results of building reference sets."""

    id = "references"
    title = translatable("References")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._job: Job | None = None
        self._built: Path | None = None
        self.files = FilesCard(partial(workspace.settings.folder, INPUTS))
        self.recipe = RecipeCard()
        self.problem = label("", "bad", wrap=True)
        self.absent = label("", "muted", wrap=True)
        self.defects = DefectCard()
        self.meters = MetersCard()
        self.start = button(
            translate("Build"), self.build, "primary", translate("Build the sets  (Ctrl+B)")
        )
        self.use = button(
            translate("Add to the competition"),
            self.take,
            "",
            translate("Use the sets to score with"),
        )
        self._lay_out()
        self.files.changed.connect(self._refresh)
        self.recipe.changed.connect(self._refresh)
        self.say(translate(WELCOME))
        self._refresh()

    def _lay_out(self) -> None:
        self._top = QHBoxLayout()
        set_spacing(self._top, 16)
        self._top.addWidget(self.files, 3)
        self._top.addWidget(self.recipe, 2)
        row = QHBoxLayout()
        row.addWidget(self.start)
        row.addWidget(self.use)
        texts = QVBoxLayout()
        set_spacing(texts, 0)
        texts.addWidget(self.absent)
        texts.addWidget(self.problem)
        row.addLayout(texts, 1)
        column = QVBoxLayout()
        set_spacing(column, 16)
        cards = QWidget()
        cards.setLayout(self._top)
        cards.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column.addWidget(cards)
        column.addLayout(row)
        column.addWidget(self.meters, 1)
        column.addWidget(self.defects, 1)
        column.addStretch(0)
        self.body.addLayout(column, 1)
        for widget in (self.problem, self.use, self.meters, self.defects):
            widget.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - 2 * px(MARGIN)
        across(self._top, self.width() >= px(NARROW) and has_room(self._top, room))

    def activate(self) -> None:
        self.files.lines["dialogs"].setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        absent = missing_files(self.files.paths(), self.recipe.method.currentData())
        self.start.setEnabled(not absent and self._job is None)
        missing = translate("Files still to choose: {absent}.", absent=absent)
        self.absent.setText(missing if absent else "")
        self.absent.setVisible(bool(absent))
        self.start.setToolTip(tip(self.absent.text()) or translate("Build the sets  (Ctrl+B)"))

    def build(self) -> None:
        """Build the sets according to the form; the strip shows progress and can stop it."""
        if not self.start.isEnabled():
            return
        spec = make_build_spec(
            self.files.paths(), self.recipe.recipe(), explained=self.recipe.explained.isChecked()
        )
        self._built = spec.out
        self.problem.hide()
        self.say(translate("The reference sets are being built."))
        self._job = Job(translate("Building reference sets"), partial(build, spec), continues=True)
        self._job.succeeded.connect(self._show)
        self._job.stopped.connect(self._report_stop)
        self._job.failed.connect(self._report_failure)
        self._job.ended.connect(self._forget_job)
        self.workspace.jobs.start(self._job)
        self._refresh()

    def _show(self, outcome: BuildOutcome) -> None:
        summary = outcome.summary
        self.problem.setText(translate_text(outcome.problem))
        self.problem.setVisible(bool(outcome.problem))
        self.defects.show_defects(outcome.defects, "")
        self.defects.setVisible(bool(outcome.defects))
        self.meters.setVisible(summary is not None)
        self.use.setVisible(summary is not None)
        if summary is None:
            self.say(
                translate("No set was built.")
                if outcome.problem
                else translate("The files have errors.")
            )
            return
        self.meters.show_summary(summary)
        self.say(
            translate(
                "{sets} written to {file}.",
                sets=quantity(summary.sets, "reference set"),
                file=self._built,
            )
        )

    def _report_stop(self) -> None:
        self.say(translate("Stopped. Build again to continue where it stopped."))

    def _report_failure(self) -> None:
        self.say(translate("No set was built."))

    def _forget_job(self, job: object) -> None:
        self._job = None
        self._refresh()

    def take(self) -> None:
        """Add the written sets to the open competition."""
        if self._built is not None:
            self.workspace.file_list.add([self._built])
            self.page_requested.emit("check")

    def selection_text(self, headers: bool) -> str | LargeCopy:
        return self.meters.table.selection_text(headers=headers)
