"""Models: the weights that neural metrics need, what is expected of each, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.format import counted, size
from app.jobs import Job, Work
from app.pages.page import Page
from app.services import Services
from app.session import Session
from app.theme import px
from app.weights_work import (
    Found,
    check_one,
    choose_one,
    convert_one,
    find_all,
    forget_one,
    hash_one,
)
from app.widgets.parts import Card, beside, button, empty, hairline, label, scrolling
from core.run.weights import Role, Search
from core.run.weights_conversion import convertible
from core.run.weights_hash import known_sha256

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
        self.unusable: dict[str, str] = {}
        self.card = Card()
        self.rows: dict[str, ModelRow] = {}
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
        self._show_rows()

    def _show_rows(self) -> None:
        focused = next((id for id, row in self.rows.items() if row.choose.hasFocus()), "")
        empty(self.card.body, keep=1)
        self.rows = {
            one.role.id: ModelRow(one, self.unusable.get(one.role.id, ""), self)
            for one in self.searches
        }
        for number, row in enumerate(self.rows.values()):
            if number:
                self.card.body.addWidget(hairline())
            self.card.body.addWidget(row)
        if focused:
            self.rows[focused].choose.setFocus()
        self.changed.emit()

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


class ModelRow(QWidget):
    """One role: what it serves, what is expected, where it was found or goes."""

    def __init__(self, outcome: Search, unusable: str, page: ModelsPage) -> None:
        super().__init__()
        self._outcome, self._page = outcome, page
        role, state = outcome.role, self._state()
        self.setAccessibleName(f"{role.title}: {state}")
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        kind = "muted" if outcome.found is None else "good"
        texts.addLayout(beside(label(role.title, "heading"), label(state, kind), None))
        texts.addWidget(label(f"For {role.serves}.", "muted", wrap=True))
        texts.addWidget(label(f"Expected: {role.expected}.", "small", wrap=True))
        for line in place_lines(outcome):
            texts.addWidget(_selectable(line))
        for name, digest in hashes(outcome).items():
            line = _selectable(f"{name}: SHA-256 {digest[:HASH_SHOWN]}…")
            line.setToolTip(digest)
            texts.addWidget(line)
        if unusable:
            texts.addWidget(_selectable(unusable, "bad"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, px(6), 0, px(6))
        row.setSpacing(px(8))
        row.addLayout(texts, 1)
        self.choose = self._button("Choose …", self._choose, f"Choose {role.expected}")
        for made in (*self._others(), self.choose):
            row.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)

    def _state(self) -> str:
        if self._outcome.found is None:
            return "missing"
        return "chosen" if self._outcome.chosen else "found"

    def _button(self, text: str, slot: Callable[[], None], hint: str) -> QPushButton:
        made = button(text, slot, "small", hint)
        made.setAccessibleName(f"{text.removesuffix(' …')}: {self._outcome.role.title}")
        return made

    def _others(self) -> Iterator[QPushButton]:
        """The buttons of what can be done with this role now."""
        outcome = self._outcome
        if outcome.found is None and not outcome.chosen:
            yield self._button("Open folder", self._open, "Make the folder and show it")
        if len(hashes(outcome)) < len(hashable(outcome)):
            yield self._button("Compute hash", self._hash, "Read the files for their SHA-256")
        if outcome.found is not None:
            if convertible(outcome.found.files):
                hint = "Write it as safetensors beside it, which opens quicker; no score changes"
                yield self._button("Convert", self._convert, hint)
            yield self._button("Check", self._check, "Load it, to see whether it can be used")
        if outcome.chosen:
            yield self._button("Forget", self._forget, "Look in the folders for models again")

    def _choose(self) -> None:
        self._page.choose(self._outcome.role)

    def _check(self) -> None:
        self._page.check(self._outcome.role)

    def _forget(self) -> None:
        self._page.forget(self._outcome.role)

    def _open(self) -> None:
        self._page.open_folder(self._outcome.places[0])

    def _hash(self) -> None:
        self._page.compute_hash(self._outcome.role)

    def _convert(self) -> None:
        files = self._outcome.found.files if self._outcome.found else ()
        found = convertible(files)
        if found is not None:
            self._page.convert(self._outcome.role, *found)


def place_lines(outcome: Search) -> list[str]:
    """Where the files are, or where they go."""
    if outcome.found is not None:
        total = sum(path.stat().st_size for path in hashable(outcome))
        return [f"{outcome.found.path} ({size(total)})" if total else str(outcome.found.path)]
    if outcome.chosen:
        return [outcome.reason]
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


def _selectable(text: str, kind: str = "small") -> QWidget:
    line = label(text, kind, wrap=True)
    line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return line
