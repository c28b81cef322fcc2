"""Undo commands: any change by two functions, and the removal of a system."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from jurydesk.app.state.session import Session
from jurydesk.core.language import translate

if TYPE_CHECKING:
    from jurydesk.core.desk import Summary
    from jurydesk.core.desk.evaluation_rows import EvaluationRows


class Change(QUndoCommand):
    """Change that two functions make and undo."""

    def __init__(self, text: str, redo: Callable[[], object], undo: Callable[[], object]) -> None:
        super().__init__(text)
        self._redo, self._undo = redo, undo

    def redo(self) -> None:
        self._redo()

    def undo(self) -> None:
        self._undo()


class RemoveSystem(QUndoCommand):
    """Removal of a system from the leaderboard."""

    def __init__(self, session: Session, summary: Summary) -> None:
        super().__init__(translate("removing {system}", system=summary.system))
        self._session, self._key = session, summary.id
        self._removed: EvaluationRows | None = None

    def redo(self) -> None:
        self._removed = self._session.desk.remove(self._key)
        self._session.refresh()

    def undo(self) -> None:
        if self._removed is not None:
            self._session.desk.put_back(self._removed)
            self._session.refresh()
