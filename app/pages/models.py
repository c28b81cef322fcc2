"""Models: the weights that neural metrics need, what is expected of each, and what was found."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.format import counted
from app.jobs import Job, Work
from app.pages.models_row import ModelRow, hashes
from app.pages.page import Page
from app.responsiveness.frame_queue import FrameQueue
from app.services import Services
from app.session import Session
from app.weights_work import (
    Found,
    check_one,
    choose_one,
    convert_one,
    find_all,
    forget_one,
    hash_one,
)
from app.widgets.parts import Card, button, hairline, scrolling
from core.run.weights import Role, Search


class ModelsPage(Page):
    """A row for each role of weights; nothing is fetched and nothing is read but on request.

    A row is made in its turn, and again only when it has something else to tell.
    """

    id = "models"
    title = "Models"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._services: Services | None = None
        self.searches: tuple[Search, ...] = ()
        self.unusable: dict[str, str] = {}
        self.card = Card()
        self.rows: dict[str, ModelRow] = {}
        self.frames = FrameQueue(self)
        self.frames.emptied.connect(self.changed)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.card)
        column.addStretch(1)
        self.body.addWidget(scrolling(inside), 1)
        self.again = button("Look again", self.look, "", "Look for the files once more")
        self.say("The models that neural metrics need are looked for.")

    def join(self, services: Services) -> None:
        self._services = services

    def actions_bar(self) -> QWidget:
        return self.again

    def arrive(self) -> None:
        self.look()

    def look(self) -> None:
        """Look for every role's files, on another thread."""
        self._start("Looking for models", find_all, quiet=True)

    def _start(self, title: str, work: Work, *, quiet: bool = False) -> None:
        if self._services is not None:
            job = Job(title, work, quiet=quiet)
            job.succeeded.connect(self.show_found)
            self._services.evaluator.jobs.start(job)

    def show_found(self, found: Found) -> None:
        """Show what was found, and what was wrong with weights that were tried."""
        self.searches = found.searches
        for role, reason in found.unusable.items():
            self.unusable[role] = reason
            self.told.emit(f"{role}: it can be used." if not reason else f"{role}: not taken.")
        there = sum(one.found is not None for one in self.searches)
        told = "Nothing is ever fetched: choose a file, or put it where its row says."
        self.say(f"{there} of {counted(len(self.searches), 'model')} are there. {told}")
        for one in self.searches:
            self.frames.add(one.role.id, partial(self._show_row, one))

    def _show_row(self, outcome: Search) -> None:
        name = outcome.role.id
        before, unusable = self.rows.get(name), self.unusable.get(name, "")
        if before is not None and before.shows(outcome, unusable):
            return
        row = self.rows[name] = self._row(outcome, unusable)
        if before is None:
            if len(self.rows) > 1:
                self.card.body.addWidget(hairline())
            self.card.body.addWidget(row)
            return
        focused = self.focusWidget()
        has_focus = focused is not None and before.isAncestorOf(focused)
        self.card.body.replaceWidget(before, row)
        before.hide()
        before.deleteLater()
        if has_focus:
            row.choose.setFocus()

    def _row(self, outcome: Search, unusable: str) -> ModelRow:
        row = ModelRow(outcome, unusable)
        row.choose_wanted.connect(self.choose)
        row.check_wanted.connect(self.check)
        row.forget_wanted.connect(self.forget)
        row.hash_wanted.connect(self.compute_hash)
        row.folder_wanted.connect(self.open_folder)
        row.conversion_wanted.connect(self.convert)
        return row

    # What a row asks for

    def choose(self, role: Role) -> None:
        """Ask for a role's file or folder; it is checked before it is taken."""
        if self._services is None:
            return
        settings = self._services.settings
        title, start = f"Choose {role.title}: {role.expected}", str(settings.folder("weights"))
        if role.single:
            kinds = " ".join(f"*{ending}" for ending in role.endings)
            name, _ = QFileDialog.getOpenFileName(self, title, start, f"{role.title} ({kinds})")
        else:
            name = QFileDialog.getExistingDirectory(self, title, start)
        if name:
            path = Path(name)
            settings.keep_folder("weights", path)
            self._try(role, f"Checking {role.title}", partial(choose_one, role.id, path))

    def check(self, role: Role) -> None:
        """Load what is found of a role, to see whether it can be used."""
        self._try(role, f"Checking {role.title}", partial(check_one, role.id))

    def _try(self, role: Role, title: str, work: Work) -> None:
        self.unusable.pop(role.id, None)
        self._start(title, work)

    def forget(self, role: Role) -> None:
        """Look for a role in its folders again."""
        self._try(role, f"Forgetting {role.title}", partial(forget_one, role.id))

    def compute_hash(self, role: Role) -> None:
        """Compute the SHA-256 of a model's files, which may take a while."""
        self._start(f"Hashing {role.title}", partial(hash_one, role.id))

    def convert(self, role: Role, path: Path, target: Path) -> None:
        """Write a model's file as safetensors beside it."""
        self._start(f"Converting {role.title}", partial(convert_one, path, target))

    def open_folder(self, place: Path) -> None:
        """Make the folder of a role and show it in the system's file manager."""
        place.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))

    def copied(self, headers: bool) -> str:
        lines = ["role\tfound\tsha256"] if headers else []
        for one in self.searches:
            path = str(one.found.path) if one.found else ""
            lines.append(f"{one.role.id}\t{path}\t{' '.join(hashes(one).values())}")
        return "\n".join(lines)
