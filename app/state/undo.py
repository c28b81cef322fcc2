"""Undo commands: files, removal of systems from the leaderboard, name of the competition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from jurydesk.app.state.session import Session
from jurydesk.core.language import translate
from jurydesk.core.workflow.files import InputFile

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, RemovedEvaluation, Summary


class ChangeFiles(QUndoCommand):
    """Change of the list of files."""

    def __init__(
        self,
        text: str,
        show: Callable[[Sequence[InputFile]], None],
        before: Sequence[InputFile],
        after: Sequence[InputFile],
    ) -> None:
        super().__init__(text)
        self._show, self._before, self._after = show, tuple(before), tuple(after)

    def redo(self) -> None:
        self._show(self._after)

    def undo(self) -> None:
        self._show(self._before)


class RemoveSystem(QUndoCommand):
    """Removal of a system from the leaderboard."""

    def __init__(self, session: Session, desk: Desk, summary: Summary) -> None:
        super().__init__(translate("removing {system}", system=summary.system))
        self._session, self._desk, self._key = session, desk, summary.id
        self._removed: RemovedEvaluation | None = None

    def redo(self) -> None:
        self._removed = self._desk.remove(self._key)
        self._session.refresh()

    def undo(self) -> None:
        if self._removed is not None:
            self._desk.put_back(self._removed)
            self._session.refresh()


class RenameCompetition(QUndoCommand):
    """Change of the competition's name."""

    def __init__(self, session: Session, title: str) -> None:
        super().__init__(translate("renaming the competition"))
        self._session, self._before, self._after = session, session.title, title

    def redo(self) -> None:
        self._session.rename(self._after)

    def undo(self) -> None:
        self._session.rename(self._before)
