"""Commands for organisers: hidden scores, submission rules, watched folder, participant kit."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from jurydesk.app.commands.view_commands import ViewCommands
from jurydesk.app.jobs.job import Job, Notify
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.state.session import SessionPart
from jurydesk.app.state.workspace import Workspace
from jurydesk.core.language import current_language, failure_reason, fill, translate, translate_text
from jurydesk.core.system.paths import file_name_of
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.app.sheets.verify_sheet import Verifications
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.execution.run import Run
    from jurydesk.core.intake.submission import IntakeRules
    from jurydesk.core.participant_kit.kit import ParticipantKit
    from jurydesk.core.tasks.declared.competition_folder import TableOutline
    from jurydesk.core.tasks.declared.declaration import Declaration


def prepare_kit(
    task: AnyTask, title: str, inputs: Inputs, options: object, run: Run, notify: Notify
) -> ParticipantKit | str:
    """Return the kit of a competition, or a sentence with the reason for its absence."""
    from jurydesk.core.model.defects import Severity
    from jurydesk.core.participant_kit.kit import KitError, make_kit

    submission_role = task.submission_input().role
    shared = {role: paths for role, paths in inputs.items() if role != submission_role}
    references = task.readers.read_references(shared, options, run)
    errors = sum(defect.severity is Severity.ERROR for defect in references.defects)
    if errors:
        return translate(
            "The reference files have {errors}: correct them first (Check).",
            errors=quantity(errors, "error"),
        )
    try:
        return make_kit(task, title, references, options)
    except KitError as error:
        return str(error)


def outline_references(path: Path, run: Run, notify: Notify) -> TableOutline | str:
    """Return the columns of a table of references, or why it has none."""
    from jurydesk.core.tasks.declared.competition_folder import outline_table

    reading = outline_table(path)
    return str(reading.defects[0]) if reading.data is None else reading.data


def write_declared(
    folder: Path, declared: Declaration, references: Path, run: Run, notify: Notify
) -> Path | str:
    """Write the folder of a competition and return it, or return why that is not possible."""
    from jurydesk.core.model.evaluation import UsageError
    from jurydesk.core.tasks.declared.competition_folder import write_competition

    try:
        write_competition(folder, declared, references)
    except UsageError as error:
        return str(error)
    except OSError as error:
        return fill("{path}: {reason}.", folder.name, failure_reason(error))
    return folder


class OrganiserCommands(QObject):
    """Commands for organisers.

    `message` is shown briefly, `refused` until it is closed; `changed` follows a change of the
    watched folder.
    """

    message = Signal(object)
    refused = Signal(object)
    changed = Signal()

    def __init__(
        self, window: QWidget, shell: QWidget, workspace: Workspace, views: ViewCommands
    ) -> None:
        super().__init__(window)
        self._window = window
        self._shell = shell
        self._session = workspace.session
        self._jobs = workspace.jobs
        self._desks = workspace.desks
        self._file_list = workspace.file_list
        self._evaluator = workspace.evaluator
        self._settings = workspace.settings
        self.watch = workspace.watch
        self._views = views
        self._verifications: Verifications = LatestJob(self, workspace.jobs)
        self.watch.news.connect(self._take_watched_files)
        self.watch.changed.connect(self.changed)
        self._session.subscribe(SessionPart.DESK, self._desk_changed)

    # Verification

    def show_verify(self) -> None:
        """Verify the open desk, an export or a stamp."""
        from jurydesk.app.sheets.verify_sheet import VerifySheet

        session = self._session
        desk = session.desk.path if session.has_desk and session.scored_systems else None
        folder = self._settings.folder("open")
        self._views.show_sheet(VerifySheet(self._verifications, desk, folder, self._shell))

    def show_plan(self) -> None:
        """Show how many items, raters and ratings a competition like the open one needs."""
        from jurydesk.app.sheets.plan_sheet import PlanSheet

        if self._session.has_desk:
            self._views.show_sheet(PlanSheet(self._session, self._jobs, self._shell))

    # Hidden scores

    def hide_scores(self) -> None:
        """Hide the scores on all pages and in all exports."""
        from jurydesk.core.desk.hidden_scores import hide_scores

        hide_scores(self._session.desk)
        self._session.refresh()
        self.message.emit(
            translate("The scores are hidden. The desk's file still holds them, unencrypted.")
        )

    def open_scores(self) -> None:
        from jurydesk.core.desk.hidden_scores import open_scores

        open_scores(self._session.desk)
        self._session.refresh()
        self.message.emit(translate("The scores are open."))

    # Name

    def show_rename(self) -> None:
        """Show the name of the competition, to change it."""
        if self._session.has_task:
            self.show_name_sheet(
                translate("Rename the competition"),
                self._session.title,
                translate("Exports and reports use this name. The desk's file keeps its own."),
                self.rename,
            )

    def show_name_sheet(
        self, title: str, name: str, note: str, rename: Callable[[str], None]
    ) -> None:
        """Show a name, to change it by a function that may raise DeskError."""
        from jurydesk.app.sheets.rename_sheet import RenameSheet

        self._views.show_sheet(RenameSheet(title, name, note, rename, self._shell))

    def rename(self, title: str) -> None:
        """Give the competition another name; this can be undone."""
        rename = self._session.rename
        self._evaluator.change(
            translate("renaming the competition"),
            translate("The competition is named {title} now.", title=title),
            partial(rename, title),
            partial(rename, self._session.title),
        )

    def show_rename_system(self) -> None:
        """Show the name of the selected system, to change it."""
        system = self._session.selection.system
        if self._session.summary(system) is not None:
            self.show_name_sheet(
                translate("Rename the system"),
                system,
                translate("Its file keeps its own name, which the stamps of its scores contain."),
                partial(self._evaluator.rename_system, system),
            )

    # Rules

    def show_rules(self) -> None:
        """Show the rules for submissions, to change them."""
        from jurydesk.app.sheets.submission_rules import SubmissionRulesSheet
        from jurydesk.core.intake.submission_ledger import load_rules

        folder = self._settings.folder("open")
        sheet = SubmissionRulesSheet(load_rules(self._session.desk), folder, self._shell)
        sheet.chosen.connect(self.set_rules)
        self._views.show_sheet(sheet)

    def set_rules(self, rules: IntakeRules) -> None:
        """Use other rules; this can be undone."""
        from jurydesk.core.intake.submission_ledger import load_rules

        until = (
            translate("The deadline is {deadline}.", deadline=rules.deadline)
            if rules.deadline
            else translate("No deadline.")
        )
        self._evaluator.change(
            translate("the submission rules"),
            until,
            partial(self._store_rules, rules),
            partial(self._store_rules, load_rules(self._session.desk)),
        )

    def _store_rules(self, rules: IntakeRules) -> None:
        from jurydesk.core.intake.submission_ledger import store_rules

        store_rules(self._session.desk, rules)
        self._session.refresh()
        self._evaluator.settle()

    # A watched folder

    def choose_watched(self) -> None:
        """Ask for a folder to watch."""
        folder = str(self._settings.folder("watch"))
        name = QFileDialog.getExistingDirectory(self._window, translate("Watch a folder"), folder)
        if name:
            self.start_watching(Path(name))

    def start_watching(self, folder: Path) -> None:
        """Add files from a folder as soon as they are completely written."""
        self._settings.keep_folder("watch", folder)
        self._desks.ensure()
        self._file_list.watch_anew()
        self.watch.start(folder)

    def stop_watching(self) -> None:
        """Stop watching; files already added stay. This can be undone."""
        folder = self.watch.folder
        if folder is not None:
            self._evaluator.change(
                translate("stopping the watch of {name}", name=folder.name),
                translate("{name} is not watched any more.", name=folder.name),
                self.watch.stop,
                partial(self.watch.start, folder),
            )

    def _take_watched_files(self, folder: Path, unwritten: Collection[Path]) -> None:
        if not self._session.read_only:
            self._file_list.watched(folder, unwritten)

    def _desk_changed(self) -> None:
        if not self._session.has_desk:
            self.watch.stop()

    # A competition without a program

    def choose_references(self) -> None:
        """Ask for a table of references, and show what a competition can be made of it."""
        folder = str(self._settings.folder("open"))
        name, _ = QFileDialog.getOpenFileName(
            self._window, translate("Table of references"), folder
        )
        if name:
            self._settings.keep_folder("open", Path(name))
            job = Job(translate("Reading the files"), partial(outline_references, Path(name)))
            job.succeeded.connect(self._show_competition)
            self._jobs.start(job)

    def _show_competition(self, outline: TableOutline | str) -> None:
        from jurydesk.app.sheets.competition_sheet import CompetitionSheet

        if isinstance(outline, str):
            self.refused.emit(outline)
            return
        make = partial(self._choose_competition_folder, outline.path)
        self._views.show_sheet(CompetitionSheet(outline, make, self._shell))

    def _choose_competition_folder(self, references: Path, declared: Declaration) -> None:
        start = self._settings.folder("export") / file_name_of(declared.title, "competition")
        name, _ = QFileDialog.getSaveFileName(
            self._window, translate("Folder of the competition"), str(start)
        )
        if name:
            self.make_competition(Path(name), declared, references)

    def make_competition(self, folder: Path, declared: Declaration, references: Path) -> None:
        """Write the folder of a competition, and open it if no other one is open."""
        work = partial(write_declared, folder, declared, references)
        job = Job(translate("Writing the competition"), work)
        job.succeeded.connect(self._open_competition)
        self._jobs.start(job)

    def _open_competition(self, folder: Path | str) -> None:
        if isinstance(folder, str):
            self.refused.emit(folder)
            return
        self._settings.keep_folder("export", folder)
        self.message.emit(translate("Written: {name}", name=folder.name))
        if not self._session.has_task:
            self._file_list.add((folder,))

    # The participant kit

    def show_kit(self) -> None:
        """Read the reference files, and show what the participant kit would contain."""
        session = self._session
        work = partial(prepare_kit, session.task, session.title, session.inputs(), session.options)
        job = Job(translate("Preparing the participant kit"), work)
        job.succeeded.connect(self._show_kit_sheet)
        self._evaluator.jobs.start(job)

    def _show_kit_sheet(self, kit: ParticipantKit | str) -> None:
        from jurydesk.app.sheets.participant_kit_sheet import ParticipantKitSheet
        from jurydesk.core.model.options import option_label
        from jurydesk.core.participant_kit.browser_page import has_page

        if isinstance(kit, str):
            self.refused.emit(kit)
            return
        task = self._session.task
        if task.id != kit.task_id:  # another competition was opened meanwhile
            return
        names = {
            entry.name: translate_text(option_label(entry))
            for entry in fields(task.scoring.options)
        }
        session = self._session
        offers = session.has_desk and not session.read_only and bool(session.scored_systems)
        page = has_page(task.submission_checks.redaction)
        sheet = ParticipantKitSheet(kit, names, page, self._shell, offers_entries=offers)
        sheet.export_requested.connect(self._save_kit)
        self._views.show_sheet(sheet)

    def _save_kit(self, kit: ParticipantKit, suffix: str, takes_entries: bool) -> None:
        start = self._settings.folder("export") / f"{file_name_of(kit.title, kit.task_id)}{suffix}"
        name, _ = QFileDialog.getSaveFileName(
            self._shell, translate("Export participant kit"), str(start), f"*{suffix}"
        )
        if name:
            path = Path(name)
            path = path if path.suffix else path.with_suffix(suffix)
            self.write_kit(kit, path, takes_entries=takes_entries)

    def write_kit(self, kit: ParticipantKit, path: Path, *, takes_entries: bool = False) -> None:
        """Write a kit in the format of the file's suffix; the desk records one for entries."""
        from jurydesk.core.participant_kit.browser_page import checker_page_bytes
        from jurydesk.core.participant_kit.kit import SUFFIX, KitError, kit_bytes, require_redaction
        from jurydesk.core.system.paths import write_atomically

        task, said = self._session.task, translate("Written: {name}", name=path.name)
        try:
            if takes_entries:
                kit, made = self._kit_for_entries(kit)
                said = f"{said}. {made}" if made else said
            if path.suffix.lower() == SUFFIX:
                write_atomically(path, kit_bytes(kit))
            else:
                page = checker_page_bytes(kit, require_redaction(task), current_language())
                write_atomically(path, page)
        except KitError as error:
            self.refused.emit(str(error))
        except OSError as error:
            self.refused.emit(fill("{path}: {reason}.", path.name, failure_reason(error)))
        else:
            self._settings.keep_folder("export", path)
            self.message.emit(said)

    def _kit_for_entries(self, kit: ParticipantKit) -> tuple[ParticipantKit, str]:
        """Return a kit with the organiser's keys, which the desk has recorded; raise KitError.

        The sentence tells of a key that was made now; it is empty without one.
        """
        from jurydesk.core.desk.errors import DeskError
        from jurydesk.core.model.evaluation import ResourceMissing
        from jurydesk.core.participant_kit.kit import KitError
        from jurydesk.core.sealed.key_store import KEY_MADE, KeyStoreError
        from jurydesk.core.workflow.entries.entry_kit import kit_of_entries, record_kit

        desk = self._session.desk
        try:
            keys, own = kit_of_entries(desk)
            made = replace(kit, entries=keys)
            record_kit(desk, made)
        except (DeskError, KeyStoreError, ResourceMissing) as error:
            raise KitError(error.args[0]) from error
        return made, "" if own is None else translate(KEY_MADE, path=own.path)
