"""A row of the Models page: a role of weights, what was found, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.format import size
from app.theme import px
from app.widgets.flow import Flow
from app.widgets.parts import Wrapped, across, beside, button, label, spaced
from core.run.weights import Search
from core.run.weights_hash import known_sha256
from core.run.weights_loading import convertible

HASH_SHOWN = 16
"""Digits of a hash on the screen; its tooltip has all."""
TEXT = 320
"""Where what is said of a role would be narrower, its buttons stand below."""


class ModelRow(QWidget):
    """One role: what it serves, what is expected, where it was found or goes.

    Its signals carry the role, the folder to open, or the role with the file to convert and its
    place.
    """

    choose_wanted = Signal(object)
    check_wanted = Signal(object)
    forget_wanted = Signal(object)
    hash_wanted = Signal(object)
    folder_wanted = Signal(object)
    conversion_wanted = Signal(object, object, object)

    def __init__(self, outcome: Search, unusable: str) -> None:
        super().__init__()
        self._outcome, self._unusable = outcome, unusable
        self._hashes = hashes(outcome)
        role, state = outcome.role, self._state()
        self.setAccessibleName(f"{role.title}: {state}")
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        kind = "muted" if outcome.found is None else "good"
        texts.addLayout(beside(label(role.title, "heading"), label(state, kind), None))
        texts.addWidget(label(f"For {role.serves}.", "muted", wrap=True))
        texts.addWidget(Wrapped(f"Expected: {role.expected}.", "small"))
        for line in place_lines(outcome):
            texts.addWidget(Wrapped(line, "small"))
        for name, digest in self._hashes.items():
            texts.addWidget(Wrapped(f"{name}: SHA-256 {digest[:HASH_SHOWN]}…", "small", digest))
        if unusable:
            texts.addWidget(Wrapped(unusable, "bad"))
        self.choose = self._button("Choose …", self._choose, f"Choose {role.expected}")
        self._buttons = QWidget()
        self._buttons.setLayout(Flow(*self._others(), self.choose))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.addLayout(texts, 1)
        self._row.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignTop)
        spaced(self._row, 8, (0, 6, 0, 6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across(self._row, wide=self.width() >= self._buttons.sizeHint().width() + px(TEXT))

    def shows(self, outcome: Search, unusable: str) -> bool:
        """Whether this is the row of that outcome already."""
        known = self._outcome, self._unusable, self._hashes
        return known == (outcome, unusable, hashes(outcome))

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
        if len(self._hashes) < len(hashable(outcome)):
            yield self._button("Compute hash", self._hash, "Read the files for their SHA-256")
        if outcome.found is not None:
            if convertible(outcome.found.files):
                hint = "Write it as safetensors beside it, which opens quicker; no score changes"
                yield self._button("Convert", self._convert, hint)
            yield self._button("Check", self._check, "Load it, to see whether it can be used")
        if outcome.chosen:
            yield self._button("Forget", self._forget, "Look in the folders for models again")

    def _choose(self) -> None:
        self.choose_wanted.emit(self._outcome.role)

    def _check(self) -> None:
        self.check_wanted.emit(self._outcome.role)

    def _forget(self) -> None:
        self.forget_wanted.emit(self._outcome.role)

    def _open(self) -> None:
        self.folder_wanted.emit(self._outcome.places[0])

    def _hash(self) -> None:
        self.hash_wanted.emit(self._outcome.role)

    def _convert(self) -> None:
        files = self._outcome.found.files if self._outcome.found else ()
        found = convertible(files)
        if found is not None:
            self.conversion_wanted.emit(self._outcome.role, *found)


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
