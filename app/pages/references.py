"""References: the reference sets of visual dialogues, built from dialogues and word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.command import Command
from app.format import counted
from app.jobs import Job, Tell
from app.pages.page import Page
from app.pages.references_parts import (
    FilesCard,
    MetersCard,
    RecipeCard,
    missing,
    order_of,
)
from app.services import Services
from app.session import Session
from app.theme import px
from app.widgets.defects import DefectCard
from app.widgets.parts import across, button, label
from core.defects import Defect
from core.model import ResourceMissing, UsageError
from core.paths import cache_folder
from core.run.cache import FolderCache
from core.run.run import Run
from core.tasks.visdial.order import Delivery, Order, deliver, read_order

FOLDER = "references"
"""Where finished parts are kept within the cache, as on the command line."""
NARROW = 720
"""Below this width the method stands below the files."""
WELCOME = "Which candidate answers count as right: built from VisDial's dialogues."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an order: what was written, else the defects or the sentence."""

    delivery: Delivery | None
    defects: tuple[Defect, ...] = ()
    problem: str = ""


def build(order: Order, run: Run, tell: Tell) -> Outcome:
    """Read, build and write, on a worker's thread; a second time it goes on where it stopped."""
    run.cache = FolderCache(cache_folder() / FOLDER)
    try:
        reading = read_order(order, run)
        if reading.data is None:
            return Outcome(None, reading.defects)
        return Outcome(deliver(order, reading.data, run), reading.defects)
    except (UsageError, ResourceMissing) as refusal:
        return Outcome(None, (), str(refusal))
    except OSError as fault:
        return Outcome(None, (), f"{fault.filename or order.out}: {fault.strerror or fault}.")


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

    def commands(self) -> Sequence[Command]:
        return (Command("references.build", "Build reference sets", "Run", "build", ("Ctrl+B",)),)

    # Building

    def _refresh(self) -> None:
        absent = missing(self.files.paths(), self.recipe.method.currentData())
        self.start.setEnabled(not absent and self._job is None)
        self.start.setToolTip(f"Name first: {absent}." if absent else "Build the sets  (Ctrl+B)")

    def build(self) -> None:
        """Build the sets as the form says; the strip shows how far, and stops it."""
        if self._services is None or not self.start.isEnabled():
            return
        order = order_of(
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

    def _show(self, outcome: Outcome) -> None:
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
        self.say(f"{counted(delivery.sets, 'reference set')} written to {self._built}.")

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
