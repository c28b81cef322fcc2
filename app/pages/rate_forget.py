"""Taking a rater's answers out of the desk, and putting them back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from app.pages.rate_work import histories_of
from core.desk import Desk
from core.rating.answers import Answers
from core.rating.store import RatingStore


class Forgetting(QUndoCommand):
    """The answers of one rater; `after` is called whenever they went or came back."""

    def __init__(self, desk: Desk, rater: str, after: Callable[[], None]) -> None:
        super().__init__(f"taking out the answers of {rater}")
        self._desk, self._rater, self._after = desk, rater, after
        self._taken: list[Answers] = []

    def redo(self) -> None:
        self._taken = histories_of(self._desk, [self._rater])
        RatingStore(self._desk).change([], [one.sha256 for one in self._taken])
        self._after()

    def undo(self) -> None:
        RatingStore(self._desk).change(self._taken, [])
        self._after()
