"""Models: the weights that neural metrics need, what is expected of each, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.format import counted, size
from app.jobs import Job, Tell
from app.pages.page import Page
from app.services import Services
from app.session import Session
from app.theme import px
from app.widgets.parts import Card, beside, button, empty, hairline, label, scrolling
from core.run.weights import ROLES, Search, search
from core.run.weights_hash import fingerprints, known_sha256

if TYPE_CHECKING:
    from core.run.run import Run

HASH_SHOWN = 16
"""Digits of a hash on the screen; its tooltip has all."""


class ModelsPage(Page):
    """A row for each role of weights; nothing is fetched and nothing is read but on request."""

    id = "models"
    title = "Models"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._services: Services | None = None
        self.searches: tuple[Search, ...] = ()
        self.card = Card()
        self.rows: dict[str, ModelRow] = {}
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.card)
        column.addStretch(1)
        self.body.addWidget(scrolling(inside), 1)
        self.again = button("Look again", self.look, "small", "Look for the files once more")
        self.say("The models that neural metrics need are looked for.")

    def join(self, services: Services) -> None:
        self._services = services

    def actions_bar(self) -> QWidget:
        return self.again

    def arrive(self) -> None:
        self.look()

    def look(self) -> None:
        """Look for every role's files, on another thread."""
        self._start(Job("Looking for models", find_all, quiet=True))

    def _start(self, job: Job) -> None:
        if self._services is not None:
            job.succeeded.connect(self.show_searches)
            self._services.evaluator.jobs.start(job)

    def show_searches(self, searches: tuple[Search, ...]) -> None:
        """Show what was found."""
        self.searches = searches
        found = sum(one.found is not None for one in searches)
        told = "Nothing is ever fetched: put the files where each row says, and look again."
        self.say(f"{found} of {counted(len(searches), 'model')} are there. {told}")
        empty(self.card.body, keep=1)
        self.rows = {one.role.id: ModelRow(one, self) for one in searches}
        for number, row in enumerate(self.rows.values()):
            if number:
                self.card.body.addWidget(hairline())
            self.card.body.addWidget(row)
        self.changed.emit()

    def compute_hash(self, role: str) -> None:
        """Compute the SHA-256 of a model's files, which may take a while."""
        self._start(Job(f"Hashing {role}", partial(hash_one, role)))

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


class ModelRow(QWidget):
    """One role: what it serves, what is expected, where it was found or goes."""

    def __init__(self, outcome: Search, page: ModelsPage) -> None:
        super().__init__()
        self._outcome, self._page = outcome, page
        self.setAccessibleName(f"{outcome.role.title}: {'found' if outcome.found else 'missing'}")
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        state = label("found", "good") if outcome.found else label("missing", "muted")
        texts.addLayout(beside(label(outcome.role.title, "heading"), state, None))
        texts.addWidget(label(f"For {outcome.role.serves}.", "muted", wrap=True))
        texts.addWidget(label(f"Expected: {outcome.role.expected}.", "small", wrap=True))
        for line in place_lines(outcome):
            texts.addWidget(_selectable(line))
        for name, digest in hashes(outcome).items():
            line = _selectable(f"{name}: SHA-256 {digest[:HASH_SHOWN]}…")
            line.setToolTip(digest)
            texts.addWidget(line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, px(6), 0, px(6))
        row.addLayout(texts, 1)
        row.addWidget(self._button(), 0, Qt.AlignmentFlag.AlignTop)

    def _button(self) -> QWidget:
        title = self._outcome.role.title
        if self._outcome.found is None:
            made = button("Open folder", self._open, "small", "Make the folder and show it")
            made.setAccessibleName(f"Open the folder of {title}")
        else:
            made = button("Compute hash", self._hash, "small", "Read the files for their SHA-256")
            made.setAccessibleName(f"Compute the hash of {title}")
            made.setVisible(len(hashes(self._outcome)) < len(hashable(self._outcome)))
        return made

    def _open(self) -> None:
        self._page.open_folder(self._outcome.places[0])

    def _hash(self) -> None:
        self._page.compute_hash(self._outcome.role.id)


def find_all(run: Run, tell: Tell) -> tuple[Search, ...]:
    """What is found of every role."""
    return tuple(search(role.id, {}) for role in ROLES)


def hash_one(role: str, run: Run, tell: Tell) -> tuple[Search, ...]:
    """Compute the hashes of one role's files, which are remembered; then what is found."""
    outcome = search(role, {})
    if outcome.found is not None:
        fingerprints(outcome.found, run.check)
    return find_all(run, tell)


def place_lines(outcome: Search) -> list[str]:
    """Where the files are, or where they go."""
    if outcome.found is not None:
        total = sum(path.stat().st_size for path in hashable(outcome))
        return [f"{outcome.found.path} ({size(total)})" if total else str(outcome.found.path)]
    looked = [f"Looked for in {place}" for place in outcome.places]
    if any(place.exists() for place in outcome.places):
        return [outcome.reason, *looked]
    return looked


def hashable(outcome: Search) -> Sequence[Path]:
    """The files that were found; folders among them have no hash."""
    files = outcome.found.files if outcome.found else ()
    return [path for path in files if path.is_file()]


def hashes(outcome: Search) -> dict[str, str]:
    """The hashes that are known of the files, by name."""
    known = {path.name: known_sha256(path) for path in hashable(outcome)}
    return {name: digest for name, digest in known.items() if digest}


def _selectable(text: str) -> QWidget:
    line = label(text, "small", wrap=True)
    line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return line
