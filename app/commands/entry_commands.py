"""Commands for sealed entries: review, scoring within the budget, certificates, policy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.commands.view_commands import ViewCommands
from jurydesk.app.jobs.job import Job, Notify
from jurydesk.app.jobs.latest_job import DeskJob, Refusal, refuse_user_errors
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.widgets.page_export import Export
from jurydesk.core.language import failure_reason, fill, translatable, translate, translate_plural

if TYPE_CHECKING:
    from jurydesk.app.sheets.entries_sheet import EntriesSheet
    from jurydesk.app.sheets.entry_card import EntryChoice
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.desk.entry_ledger import LedgerRow
    from jurydesk.core.execution.run import Run
    from jurydesk.core.workflow.entries.entry_policy import EntryPolicy
    from jurydesk.core.workflow.entries.entry_review import EntryReview
    from jurydesk.core.workflow.entries.look import EntryOutcome

NO_DESK = translatable("Open the desk of the competition first: sealed entries are scored there.")
HIDDEN = translatable("The scores are hidden: a look would show what the desk hides.")
UNSEEN = translatable(
    "The entries were opened, see the ledger. Drop them again for their certificates: this is no "
    "new look."
)
NO_ROWS = translatable("No look counts yet, or all were revoked: there is nothing to publish.")
BUSY = translatable("Wait until the running job has ended.")

Known = tuple["list[EntryReview]", "tuple[LedgerRow, ...]", "EntryPolicy"]
"""Reviews of entries, the ledger, and the policy in force."""
Scored = tuple["list[EntryOutcome]", dict[str, bytes]]
"""Outcomes, and the files of the certificates by name."""


def review(desk: Desk, paths: Sequence[Path], run: Run, notify: Notify) -> Known:
    """Return what is known of entries; nothing is written."""
    from jurydesk.core.desk.entry_ledger import read_ledger
    from jurydesk.core.workflow.entries.entry_policy import EntryPolicy, find_policy
    from jurydesk.core.workflow.entries.entry_review import review_entries

    rows = read_ledger(desk)
    return review_entries(desk, paths), rows, find_policy(rows) or EntryPolicy()


def score_entries(
    desk: Desk, task: AnyTask, choices: Sequence[EntryChoice], run: Run, notify: Notify
) -> Scored:
    """Score entries as the organiser decided, each with its own consent or reason."""
    from jurydesk.core.model.evaluation import UsageError
    from jurydesk.core.sealed.key_store import KeyStoreError, key_pair
    from jurydesk.core.workflow.entries.certificates import certificate_files
    from jurydesk.core.workflow.entries.look import approve_key, open_entries

    try:
        organiser, _ = key_pair("organiser")
    except KeyStoreError as error:
        raise UsageError(error.args[0]) from error
    outcomes: list[EntryOutcome] = []
    for one in choices:
        if one.approves and one.review.entry is not None:
            approve_key(desk, one.review.entry.key, one.review.entry.team)
        outcomes += open_entries(desk, task, [one.path], organiser, run, reason=one.reason)
    files: dict[str, bytes] = {}
    for outcome in outcomes:
        if outcome.look is not None:
            files |= certificate_files(outcome.look, organiser)
    return outcomes, files


class EntryCommands(QObject):
    """Commands for sealed entries. `message` is shown briefly, `refused` until it is closed."""

    message = Signal(object)
    refused = Signal(object)

    def __init__(
        self, window: QWidget, shell: QWidget, workspace: Workspace, views: ViewCommands
    ) -> None:
        super().__init__(window)
        self._shell, self._views = shell, views
        self._session, self._settings = workspace.session, workspace.settings
        self._evaluator = workspace.evaluator
        self._ask_export = workspace.files.ask_export
        self._sheet: EntriesSheet | None = None
        self._paths: list[Path] = []
        self._files: dict[str, bytes] = {}
        self._scored: Scored | Refusal | None = None
        self._reviews = DeskJob[tuple[Path, ...], Known](self, workspace.session, workspace.jobs)
        self._reviews.arrived.connect(self._show_reviews)
        self._reviews.refused.connect(self._refuse)

    def show(self) -> None:
        """Show the ledger and the policy of the desk, and take entries."""
        self.take([])

    def take(self, paths: Sequence[Path]) -> None:
        """Show what is known of entries, before anything is scored."""
        session = self._session
        if not session.has_desk or not session.has_task:
            self.refused.emit(translate(NO_DESK))
        elif session.hidden:
            self.refused.emit(translate(HIDDEN))
        elif session.read_only:
            self.refused.emit(translate("The desk is open for reading only."))
        elif self._evaluator.scoring is not None or self._evaluator.writing is not None:
            self.refused.emit(translate(BUSY))
        else:
            self._open_sheet()
            self._add(paths)

    def _open_sheet(self) -> None:
        from jurydesk.app.sheets.entries_sheet import EntriesSheet

        if self._sheet is None:
            self._paths = []
            sheet = EntriesSheet(self._settings.folder("open"), self._shell)
            sheet.added.connect(self._add)
            sheet.score_requested.connect(self._score)
            sheet.save_requested.connect(self.save)
            sheet.policy_chosen.connect(self.set_policy)
            sheet.board_requested.connect(self.save_board)
            sheet.closed.connect(self._forget)
            self._sheet = sheet
            self._views.show_sheet(sheet)

    def _forget(self) -> None:
        self._sheet = None
        self._reviews.clear()

    def _add(self, paths: Sequence[Path]) -> None:
        self._paths = [*dict.fromkeys([*self._paths, *paths])]
        key = tuple(self._paths)
        work = partial(review, self._session.desk, key)
        self._reviews.start(key, translate("Reading the entries"), work)

    def _show_reviews(self, known: Known) -> None:
        reviews, rows, policy = known
        if self._sheet is not None:
            self._sheet.show_ledger(rows, policy)
            if reviews:
                self._sheet.show_reviews(reviews)

    def _refuse(self, reason: str) -> None:
        if self._sheet is not None:
            self._sheet.close()
        self.refused.emit(reason)

    # Scoring

    def _score(self, choices: Sequence[EntryChoice]) -> None:
        session = self._session
        scored = partial(score_entries, session.desk, session.task, choices)
        work = partial(self._work, refuse_user_errors(scored))
        title = translate_plural(
            "Scoring {count} sealed entry", "Scoring {count} sealed entries", len(choices)
        )
        self._scored = None
        self._evaluator.write(title, work, self._finish)

    def _work(self, score: object, run: Run, notify: Notify) -> None:
        self._scored = score(run, notify)  # type: ignore[operator]

    def _finish(self, job: Job) -> None:
        """Show the outcomes; a job that was cancelled has kept the looks that returned a number."""
        self._session.refresh()
        found, self._scored = self._scored, None
        if isinstance(found, Refusal):
            self._refuse(str(found))
        elif found is None:
            self.message.emit(
                translate("Cancelled. Looks that were scored are in the ledger, and stay counted.")
            )
            self._add([])
        elif self._sheet is None:
            self.message.emit(translate(UNSEEN))
        else:
            outcomes, self._files = found
            self._paths = []
            self._sheet.show_outcomes(outcomes)
            self._reviews.start((), translate("Reading the ledger"), self._ledger_work())

    def _ledger_work(self) -> partial[Known]:
        return partial(review, self._session.desk, ())

    def save(self, folder: Path) -> None:
        """Write the certificates of the entries that were scored last, with their pages."""
        from jurydesk.core.system.paths import write_atomically

        try:
            for name, content in self._files.items():
                write_atomically(folder / name, content)
        except OSError as error:
            self.refused.emit(fill("{path}: {reason}.", folder.name, failure_reason(error)))
            return
        self._settings.keep_folder("export", folder)
        self.message.emit(
            translate("The certificates were written to {folder}.", folder=folder.name)
        )

    def save_board(self) -> None:
        """Ask for a path, and write the public board of the looks in the ledger."""
        from jurydesk.core.desk import DeskError
        from jurydesk.core.desk.entry_ledger import read_ledger
        from jurydesk.core.model.evaluation import UsageError
        from jurydesk.core.sealed.certificate import CertificateError
        from jurydesk.core.sealed.key_store import KeyStoreError, key_pair
        from jurydesk.core.system.paths import write_atomically
        from jurydesk.core.workflow.entries.certificates import public_board

        try:
            organiser, _ = key_pair("organiser")
            content = public_board(read_ledger(self._session.desk), organiser)
        except (KeyStoreError, DeskError, UsageError, CertificateError) as error:
            self.refused.emit(error.args[0])
            return
        if content is None:
            self.refused.emit(translate(NO_ROWS))
            return
        write = partial(write_atomically, content=content)
        self._ask_export(Export(translatable("Public board"), "*.html", write))

    # The policy

    def set_policy(self, policy: EntryPolicy) -> None:
        """Use another policy for looks from now on; the ledger keeps that, and its undoing."""
        from jurydesk.core.desk.entry_ledger import read_ledger
        from jurydesk.core.model.evaluation import UsageError
        from jurydesk.core.workflow.entries.entry_policy import (
            EntryPolicy,
            find_policy,
            published_policy,
        )

        desk, task = self._session.desk, self._session.task
        rows = read_ledger(desk)
        try:
            published_policy(desk, task, policy, rows)
        except UsageError as error:
            self._refuse(str(error))
            return
        before = find_policy(rows) or EntryPolicy()
        self._evaluator.change(
            translate("the policy of sealed entries"),
            translate("The policy holds for looks from now on."),
            partial(self._store_policy, policy),
            partial(self._store_policy, before),
        )

    def _store_policy(self, policy: EntryPolicy) -> None:
        from jurydesk.core.workflow.entries.entry_policy import set_policy

        set_policy(self._session.desk, self._session.task, policy)
        if self._sheet is not None:
            self._reviews.start((), translate("Reading the ledger"), self._ledger_work())
