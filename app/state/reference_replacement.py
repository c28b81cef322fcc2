"""Replacement of the reference data, whose results jobs restore when it is undone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from jurydesk.app.jobs.job import Job, Notify
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.session import Session
from jurydesk.core.language import translate
from jurydesk.core.workflow.desk_state import DeskState, load_state

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.desk.tables.errata_table import ReplacedResults
    from jurydesk.core.execution.run import Run
    from jurydesk.core.workflow.errata.apply_errata import PreparedErratum


class ReferenceReplacement(QObject):
    """Writes an erratum into the open desk, and restores what it replaced."""

    def __init__(self, evaluator: Evaluator, session: Session, prepared: PreparedErratum) -> None:
        super().__init__(evaluator)
        self._evaluator = evaluator
        self._session = session
        self._prepared = prepared
        self._roles = {
            source.role for source in (*prepared.erratum.before, *prepared.erratum.after)
        }
        self._replaced: ReplacedResults | None = None
        self._written: tuple[int, DeskState] | None = None
        """Number of the desk that a job has written, and its state, until the session has it."""
        self._is_offered = False

    def apply(self) -> None:
        """Replace the reference data, unless they are; the first time, offer to undo it."""
        if self._replaced is None:
            self._write(translate("Replacing the reference data"), self._apply)

    def undo(self) -> None:
        """Restore the replaced reference data and their results."""
        if self._replaced is not None:
            self._write(translate("Restoring the old reference data"), self._restore)

    def _write(self, title: str, write: Callable[[Desk], None]) -> None:
        session = self._session
        work = partial(self._work, session.desk, session.desk_number, write)
        self._evaluator.write(title, work, self._show)

    def _work(
        self, desk: Desk, number: int, write: Callable[[Desk], None], run: Run, notify: Notify
    ) -> None:
        write(desk)
        self._written = number, load_state(desk)

    def _apply(self, desk: Desk) -> None:
        from jurydesk.core.workflow.errata.errata_record import apply_erratum

        self._replaced = apply_erratum(desk, self._session.task, self._prepared)

    def _restore(self, desk: Desk) -> None:
        from jurydesk.core.desk.tables.errata_table import restore_results

        if self._replaced is not None:
            restore_results(desk, self._replaced)
            self._replaced = None

    def _show(self, job: Job) -> None:
        """Show the desk after a job; one that was cancelled at its start has written nothing."""
        written, self._written = self._written, None
        if written is None or written[0] != self._session.desk_number:
            return
        _, state = written
        new = [file for file in state.files if file.role in self._roles]
        paths = {file.path for file in new}
        others = [
            file
            for file in self._session.files
            if file.role not in self._roles and file.path not in paths
        ]
        self._session.set_files([*others, *new])
        self._session.set_check_record(state.checked)
        self._session.set_results(state.results)
        if not self._is_offered:
            self._is_offered = True
            self._evaluator.change(
                translate("replacing the reference data"),
                translate("The reference data were replaced."),
                self.apply,
                self.undo,
            )


class ReferenceChoice(QObject):
    """Choice of another reference file, which leaves the results to a later scoring."""

    def __init__(
        self,
        evaluator: Evaluator,
        session: Session,
        use_new: Callable[[], None],
        use_old: Callable[[], None],
    ) -> None:
        super().__init__(evaluator)
        self._evaluator = evaluator
        self._session = session
        self._use_new, self._use_old = use_new, use_old
        self._kept: ReplacedResults | None = None
        """The results of the old file."""

    def redo(self) -> None:
        """Use the new file, and keep the results until they are replaced."""
        self._use_new()
        if self._session.scored_systems:
            read = partial(self._read, self._session.desk)
            self._evaluator.write(translate("Keeping the results"), read)

    def undo(self) -> None:
        """Use the old file, with its results if others have replaced them."""
        self._use_old()
        present = {one.id for one in self._session.state.results.systems}
        if self._kept is not None and not present.issuperset(
            one.id for one in self._kept.evaluations
        ):
            restore = partial(self._restore, self._session.desk, self._kept)
            self._evaluator.write(translate("Restoring the old results"), restore, self._show)

    def _read(self, desk: Desk, run: Run, notify: Notify) -> None:
        from jurydesk.core.desk.tables.errata_table import read_results

        self._kept = read_results(desk)

    def _restore(self, desk: Desk, kept: ReplacedResults, run: Run, notify: Notify) -> None:
        from jurydesk.core.desk.tables.errata_table import restore_results

        restore_results(desk, kept)

    def _show(self, job: Job) -> None:
        self._session.refresh()
