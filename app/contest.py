"""Compares the systems of the board in the background, once for every set of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.format import counted
from app.jobs import Job, Jobs, Tell
from app.newest import Newest
from app.session import Session

if TYPE_CHECKING:
    from core.copies import Copies
    from core.desk import Desk, Summary
    from core.run.run import Run
    from core.separation import Separation
    from core.tasks.registry import AnyTask

Key = tuple[str, tuple[int, ...]]
"""The desk and the results of it that are compared."""

Found = tuple[Key, Mapping[str, "Separation"], Mapping[str, "tuple[Copies, ...]"]]
"""What was compared, what separates the systems by profile, and which look like copies."""

NOTHING: Key = ("", ())


class Contest(QObject):
    """What separates the systems shown; `changed` says that it is known now."""

    changed = Signal()

    def __init__(self, session: Session, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._newest = Newest(self)
        self._newest.found.connect(self._take)
        self._known = NOTHING
        self._found: Mapping[str, Separation] = {}
        self._copies: Mapping[str, tuple[Copies, ...]] = {}

    @property
    def separations(self) -> Mapping[str, Separation]:
        """By profile; empty as long as the systems shown have not been compared."""
        return self._found if self._known == self._key() else {}

    def copies(self, profile: str) -> tuple[Copies, ...]:
        """The systems shown that look like copies of each other."""
        return self._copies.get(profile, ()) if self._known == self._key() else ()

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to compare."""
        return not self._newest.busy

    def waiting(self, *, scoring: bool) -> str:
        """Why it is not known yet what separates the systems shown; empty where nobody is at it."""
        if scoring:
            return "They are compared as soon as every system is scored."
        if self.settled or self._known == self._key():
            return ""
        systems = counted(len(self._key()[1]), "system")
        return f"The board's {systems} are being compared, every two of them."

    def compare(self) -> None:
        """Compare the systems shown, unless that is done or being done.

        One alone has its interval told, where its items could not at scoring.
        """
        session, key = self._session, self._key()
        if key != self._newest.asked:
            self._newest.stop()
        if session.desk is None or session.task is None or not key[1]:
            return
        if key in (self._known, self._newest.asked):
            return
        work = partial(compared, session.desk, session.task, session.shown(), key)
        self._newest.begin(Job("Comparing systems", work, quiet=True), self._jobs, key)

    def _key(self) -> Key:
        desk = self._session.desk
        ids = tuple(sorted(summary.id for summary in self._session.shown()))
        return (str(desk.path), ids) if desk is not None else NOTHING

    def _take(self, result: Found) -> None:
        self._known, self._found, self._copies = result
        self.changed.emit()


def compared(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary], key: Key, run: Run, tell: Tell
) -> Found:
    """What separates these systems, and which are copies; nothing where one is gone."""
    from core.contest import copied, separations
    from core.desk import DeskError

    try:
        apart = separations(desk, task, summaries, run)
        return key, apart, copied(desk, task, summaries, run)
    except DeskError:
        return key, {}, {}
