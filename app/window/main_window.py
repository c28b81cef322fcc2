"""Main window: connects pages, commands, jobs and the open desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QCloseEvent, QIcon
from PySide6.QtWidgets import QMenu, QWidget

from jurydesk.app.commands.actions import Actions
from jurydesk.app.commands.edit_commands import EditCommands
from jurydesk.app.commands.entry_commands import EntryCommands
from jurydesk.app.commands.file_commands import FileCommands
from jurydesk.app.commands.organiser_commands import OrganiserCommands
from jurydesk.app.commands.view_commands import ViewCommands
from jurydesk.app.jobs import job_functions
from jurydesk.app.jobs.crash_report import Crashes, is_user_error
from jurydesk.app.jobs.job import Job, Jobs
from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.jobs.responsiveness.garbage_collection import GarbageCollection
from jurydesk.app.jobs.responsiveness.gui_priority import gui_priority
from jurydesk.app.jobs.responsiveness.preload import Preload
from jurydesk.app.pages import PAGES, unused_pages
from jurydesk.app.pages.page import Page
from jurydesk.app.state.desks import Desks
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.file_list import FileList
from jurydesk.app.state.folder_watch import FolderWatch
from jurydesk.app.state.next_step import next_step
from jurydesk.app.state.rating_findings import RatingFindings
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.state.settings import Settings
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.widgets.command import WindowCommand
from jurydesk.app.window.frame import SIZE, Frame
from jurydesk.app.window.intake_notice import IntakeNotice
from jurydesk.app.window.notice import Notice
from jurydesk.app.window.page_stack import PageStack
from jurydesk.app.window.window_layout import WindowLayout
from jurydesk.core.language import translate, translate_text
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.app.pages.home.home_page import HomePage
    from jurydesk.app.pages.rate.rate_page import RatePage


def command_conditions(
    session: Session,
    evaluator: Evaluator,
    *,
    page: str,
    sheet: bool,
    exports: bool,
    watching: bool,
) -> set[str]:
    """Return the conditions of commands that hold now."""
    facts = {
        "desk": session.has_desk,
        "writable": not session.read_only,
        "inputs": bool(session.files) and session.has_task and not session.missing_inputs(),
        "present": not session.lost_inputs(),
        "idle": evaluator.scoring is None and evaluator.writing is None,
        "job": evaluator.jobs.visible() is not None and not sheet,
        "undo": evaluator.undo.canUndo() and evaluator.writing is None,
        "redo": evaluator.undo.canRedo() and evaluator.writing is None,
        "exports": exports,
        "open": not session.hidden,
        "hidden": bool(session.hidden),
        "watching": watching,
        "unfinished": session.unfinished_rater is not None,
        "references": session.has_task and not _lacks_references(session),
    }
    unused = pages_without_use(session)
    used = (f"uses.{entry.id}" for entry in PAGES if entry.id not in unused)
    return {f"page.{page}", *used, *(name for name, holds in facts.items() if holds)}


def pages_without_use(session: Session) -> frozenset[str]:
    """Return the ids of the pages that the open competition has no use for."""
    return unused_pages(session.task.presentation.pages if session.has_task else None)


def _lacks_references(session: Session) -> bool:
    return any(entry.kind == "reference" for entry in session.missing_inputs())


def describe_desk(session: Session, watched: Path | None, *, unsaved: bool) -> list[str]:
    """Return facts about the open desk for the top bar; none without a competition."""
    if not session.has_task:
        return []
    items = max((summary.n_items for summary in session.profile_systems()), default=0)
    facts = {
        desk_name(session, unsaved=unsaved): not unsaved and session.has_desk,
        translate("{profile} profile", profile=session.profile): True,
        translate("scores hidden"): bool(session.hidden),
        quantity(items, *session.task.item_noun): items > 0,
        translate("watching {folder}", folder=watched.name if watched else ""): watched is not None,
        translate("read only"): session.read_only,
        translate("not saved yet"): unsaved and not session.read_only,
    }
    return [chip for chip, holds in facts.items() if holds]


def desk_name(session: Session, *, unsaved: bool) -> str:
    """Return the file name of the open desk; empty if it was never saved."""
    return session.desk.path.name if session.has_desk and not unsaved else ""


def kept_sentence(job: Job) -> str:
    """Return what becomes of a job's work when it is cancelled."""
    if job.continues:
        return translate("Work done so far is kept, and the next run continues there.")
    return translate("Its work so far is lost.")


class CloseQuestion(QObject):
    """Question whether to close the window while a job runs; `agreed` follows a yes."""

    agreed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.certain = False

    def ask(self, job: Job) -> None:
        """Ask whether to cancel the job and close; only a yes emits `agreed`."""
        from PySide6.QtWidgets import QMessageBox

        from jurydesk.app.widgets.message import message_box

        box = message_box(
            translate("“{title}” is still running.", title=job.title),
            kept_sentence(job),
            self._window,
        )
        box.setObjectName("close-question")
        stop = box.addButton(translate("Cancel it and close"), QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(translate("Keep running"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        stop.clicked.connect(self._confirm)
        box.open()

    def _confirm(self) -> None:
        self.certain = True
        self.agreed.emit()


class CancelQuestion(QObject):
    """Question in the notice bar whether to cancel a long job, shown while it runs."""

    def __init__(self, notice: Notice, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._notice, self._jobs = notice, jobs
        self._job: Job | None = None

    def ask(self, job: Job) -> None:
        """Ask once; a second Esc changes nothing."""
        if self._job is not job:
            self._job = job
            job.ended.connect(self._forget_job)
        question = translate(
            "Cancel “{title}”? It has run for a while. {kept}",
            title=job.title,
            kept=kept_sentence(job),
        )
        choices = [
            (translate("Cancel it"), self._cancel),
            (translate("Keep running"), self._notice.hide),
        ]
        self._notice.say(question, choices)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._jobs.changed.emit()

    def _forget_job(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._notice.hide()


CLOSING = ("file.new", "file.close")
"""Commands that close the desk, and so cancel its jobs."""


def inspector_modules() -> tuple[str, ...]:
    """Return the modules of all inspectors and panels."""
    from jurydesk.app.inspectors.inspector_registry import COMPARISONS, INSPECTORS, PANELS

    return (*INSPECTORS.modules, *COMPARISONS.modules, *PANELS.modules)


class Window(Frame):
    """The main window; `built` is emitted when all pages have been built."""

    built = Signal()

    def __init__(self, settings: Settings, crashes: Crashes | None = None) -> None:
        super().__init__()
        self.settings = settings
        self.crashes = crashes or Crashes(self)
        self.session = Session(self)
        self.jobs = Jobs(self)
        self.garbage = GarbageCollection(self.jobs, self)
        self.garbage.start()
        gui_priority().start()
        self.desks = Desks(self.session, settings, self)
        self.evaluator = Evaluator(self.session, self.jobs, self)
        self.file_list = FileList(self.session, self.desks, self.evaluator, self)
        self._has_chosen = False
        self.closing = CloseQuestion(self)
        self.closing.agreed.connect(self.close)
        self.actions_ = Actions(self)
        self.files = FileCommands(
            self, self.session, self.desks, self.file_list, self.evaluator, settings
        )
        self.findings = RatingFindings(self, self.session, self.jobs)
        self.watch = FolderWatch(self)
        workspace = Workspace(
            *(self.session, settings, self.jobs, self.desks, self.evaluator, self.file_list),
            *(self.files, self.findings, self.watch),
        )
        self._build()
        self.cancel_question = CancelQuestion(self.notice, self.jobs, self)
        self.intake_notice = IntakeNotice(self.notice, self.file_list, self.session)
        self.page_stack = PageStack(self.stack, workspace, self)
        self.preload = Preload(
            self.page_stack.missing,
            self.page_stack.build,
            inspector_modules,
            self.jobs,
            self.garbage,
            self,
        )
        self.edits = EditCommands(self.page_stack, self.evaluator, self.toast)
        self.views = ViewCommands(
            self, self.shell, self.actions_, self.evaluator, settings, self.page_stack
        )
        self.organiser = OrganiserCommands(self, self.shell, workspace, self.views)
        self.entries = EntryCommands(self, self.shell, workspace, self.views)
        self._connect()
        self._restore()

    # Building

    def _build(self) -> None:
        self.setWindowTitle("Jurydesk")
        self.setWindowIcon(QIcon(str(resources_folder() / "icons" / "jurydesk.svg")))
        export, score = self.actions_["file.export"], self.actions_["run.score"]
        self.shell = WindowLayout(export, score, self.jobs)
        self.top, self.sidebar, self.stack = self.shell.top, self.shell.sidebar, self.shell.stack
        self.notice, self.strip = self.shell.notice, self.shell.strip
        self.toast, self.drop_overlay = self.shell.toast, self.shell.drop_overlay
        self.setCentralWidget(self.shell)
        menus = self.actions_.fill(self.menuBar())
        recent = QMenu(translate("Open recent"), menus["File"])
        menus["File"].insertMenu(self.actions_["file.save_as"], recent)
        recent.aboutToShow.connect(partial(self.files.fill_recent, recent))

    def _connect(self) -> None:
        self.painted.connect(self.page_stack.settle)
        self.dragged.connect(self._dragged)
        self.dropped.connect(self._take_dropped)
        self.actions_.triggered.connect(self._dispatch)
        self.preload.built.connect(self.built)
        self.preload.loaded.connect(self.page_stack.prepare_views)
        self.page_stack.asked.connect(self.choose_page)
        self.page_stack.message.connect(self.toast.say)
        self.page_stack.commanded.connect(self.actions_.run)
        self.page_stack.changed.connect(self._update)
        self.sidebar.chosen.connect(self.choose_page)
        self.top.pages.chosen.connect(self.choose_page)
        self.strip.cancelled.connect(self.cancel)
        self.jobs.changed.connect(self._update)
        self.jobs.failed.connect(self.handle_error)
        self.files.message.connect(self.toast.say)
        self.files.refused.connect(self.refuse)
        self.files.exported.connect(self.toast.offer_file)
        self.files.begun.connect(self._forget_choice)
        self.files.opened.connect(self._desk_opened)
        self.files.closed.connect(self._desk_closed)
        self.files.answers_received.connect(self._merge_answers)
        self.evaluator.message.connect(self.toast.say)
        self.evaluator.undoable.connect(self.edits.offer_undo)
        self.file_list.message.connect(self.toast.say)
        self.file_list.begun.connect(self._forget_choice)
        self.file_list.arriving.connect(self._files_arriving)
        self.evaluator.scored.connect(self._show_scores)
        self.evaluator.busy_changed.connect(self._update)
        self.evaluator.device_changed.connect(self.find_device)
        self.evaluator.undo.indexChanged.connect(self._update)
        self.toast.acted.connect(self.actions_["edit.undo"].trigger)
        self.views.message.connect(self.toast.say)
        self.views.sheet_changed.connect(self._update)
        self.organiser.message.connect(self.toast.say)
        self.organiser.refused.connect(self.refuse)
        self.organiser.changed.connect(self._update)
        self.entries.message.connect(self.toast.say)
        self.entries.refused.connect(self.refuse)
        self.files.entries_received.connect(self.entries.take)
        self.session.subscribe(SessionPart.DESK, self.toast.hide)
        shown = (
            SessionPart.COMPETITION | SessionPart.FILES | SessionPart.OPTIONS | SessionPart.RESULTS
        )
        self.session.subscribe(shown | SessionPart.RATINGS, self._update)

    def _restore(self) -> None:
        self.resize(SIZE)
        self.restoreGeometry(self.settings.blob("geometry"))
        self.evaluator.device = self.settings.text("device", "auto")
        self.evaluator.processes = int(self.settings.number("processes", 0))
        self.evaluator.scheduler = self.settings.text("scheduler")
        self.evaluator.data = "paths" if self.settings.text("data") == "paths" else "chunks"
        self.show_page("home")
        self._update()

    # Pages

    def show_page(self, name: str) -> None:
        """Show a page, which is built if it was not shown before."""
        gui_priority().reserve()
        page = self.page_stack.show(name)
        self.shell.show_page(name)
        page.activate()
        self._update()

    def choose_page(self, name: str) -> None:
        """Show the page that the user chose; what is being opened does not replace it."""
        self._has_chosen = True
        self.show_page(name)

    def suggest_page(self, name: str) -> None:
        """Show the page of what was opened, unless the user chose one since that began."""
        if not self._has_chosen:
            self.show_page(name)

    def _forget_choice(self) -> None:
        self._has_chosen = False

    def build_ahead(self) -> None:
        """Build the remaining pages, and import the inspectors; `built` follows."""
        self.preload.start()

    @property
    def page(self) -> Page:
        return self.page_stack.front

    @property
    def pages(self) -> dict[str, Page]:
        """The pages built so far, by id."""
        return self.page_stack.pages

    def _desk_opened(self) -> None:
        self.suggest_page("board" if self.session.scored_systems else "check")

    def _desk_closed(self) -> None:
        self.show_page("home")

    def _files_arriving(self) -> None:
        self.suggest_page("check")
        self.activateWindow()

    def _merge_answers(self, paths: list[Path]) -> None:
        self.choose_page("rate")
        cast("RatePage", self.page).merge(paths)

    def resume_rating(self) -> None:
        """Open the packet of a rater who has begun, at the next item."""
        self.choose_page("rate")
        cast("RatePage", self.page).resume()

    def _show_scores(self) -> None:
        if self.page.id in ("home", "check"):
            self.show_page("board")

    # Commands

    def _dispatch(self, command: WindowCommand) -> None:
        owner, _, method = command.callback.rpartition(".")
        owners: dict[str, object] = {
            "window": self,
            "edit": self.edits,
            "undo": self.evaluator.undo,
            "files": self.files,
            "view": self.views,
            "run": self.evaluator,
            "organiser": self.organiser,
            "entries": self.entries,
            "": self.page,
        }
        job = self.jobs.visible()
        if command.id in CLOSING and job is not None and job.is_long and not job.cancelling:
            self.cancel_question.ask(job)
            return
        do: Callable[..., Any] = getattr(owners[owner], method)
        gui_priority().reserve()
        do(*([command.argument] if command.argument else []))

    def _update(self) -> None:
        session = self.session
        self.files.exports = () if self.page.has_hidden_scores else self.page.exports()
        held = command_conditions(
            *(session, self.evaluator),
            page=self.page.id,
            sheet=self.views.sheet is not None,
            exports=bool(self.files.exports),
            watching=self.watch.folder is not None,
        )
        self.actions_.update_for(held)
        self.shell.hide_pages(pages_without_use(session) - {self.page.id})
        undo = self.evaluator.undo
        done, undone = undo.undoText(), undo.redoText()
        self.actions_["edit.undo"].setText(
            translate("Undo {change}", change=done) if done else translate("Undo")
        )
        self.actions_["edit.redo"].setText(
            translate("Redo {change}", change=undone) if undone else translate("Redo")
        )
        loading = self.files.opening or self.file_list.reading
        step = next_step(session, self.evaluator, unsaved=self.desks.is_unsaved, loading=loading)
        self.page.offer_step(step)
        is_next = step.command == "run.score" and not self.page.has_step
        self.top.offer_score(filled=is_next, again=bool(session.profile_systems()))
        # A desk without a name of its own has that of its competition, in the window's language.
        is_unnamed = session.has_task and session.title == session.task.title
        title = translate_text(session.title) if is_unnamed else session.title
        self.top.host(None if self.page.has_hidden_scores else self.page.actions_bar())
        facts = describe_desk(session, self.watch.folder, unsaved=self.desks.is_unsaved)
        self.top.describe(title or "Jurydesk", facts)
        file = desk_name(session, unsaved=self.desks.is_unsaved)
        parts = [part for part in (title, file, "Jurydesk") if part]
        self.setWindowTitle(" – ".join(parts))
        FrameQueue.rest()

    def ask_cancel(self) -> None:
        """Cancel the running job, after a question if it has run for long."""
        job = self.jobs.visible()
        if job is not None and job.is_long and not job.cancelling:
            self.cancel_question.ask(job)
        else:
            self.cancel()

    def cancel(self) -> None:
        job = self.jobs.visible()
        if job is not None:
            job.cancel()
            self.jobs.changed.emit()

    # Messages

    def handle_error(self, exception: BaseException) -> None:
        """Show an error that the user can correct, or a crash report for any other."""
        if is_user_error(exception):
            self.refuse(str(exception))
        else:
            self.crashes.show(exception)

    def refuse(self, sentence: str) -> None:
        """Show an error in the notice bar, which stays until it is closed."""
        self.notice.say(sentence, [(translate("Close"), self.notice.hide)], bad=True)

    def _take_dropped(self, paths: list[Path]) -> None:
        """Give dropped files to the page, or open them."""
        if not self.page.take_files(paths):
            self.files.open_paths(paths)

    def _dragged(self, over: bool) -> None:
        if over:
            self.drop_overlay.cover(self.session.title, closed=self.session.read_only)
        else:
            self.drop_overlay.hide()

    # Start and end

    def find_device(self) -> None:
        """Detect the device in a job, and show it in the strip."""
        device = self.evaluator.device
        job = Job(
            translate("Detecting devices"), job_functions.describe_device, quiet=True, device=device
        )
        job.succeeded.connect(self._device_found)
        self.jobs.start(job)

    def _device_found(self, line: str) -> None:
        self.strip.set_device(line)
        cast("HomePage", self.pages["home"]).installed.show_device(line)

    def offer_recovered(self) -> None:
        """Offer the latest unsaved desk."""
        from jurydesk.app.window.recovery_notice import RecoveryNotice

        self.recovery = RecoveryNotice(self.notice, self.files, self.session, self.jobs)
        self.recovery.offer()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and self.session.files:
            self.file_list.look_again()
        return super().event(event)

    def stop_responding(self) -> None:
        """Restore Python's garbage collection and switch interval."""
        self.garbage.stop()
        gui_priority().stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        job = self.jobs.visible()
        if job is not None and not self.closing.certain:
            event.ignore()
            self.closing.ask(job)
            return
        self.settings.keep("geometry", self.saveGeometry())
        self.settings.keep("page", self.page.id)
        self.jobs.shut_down()
        self.stop_responding()
        self.desks.close()
        self.settings.save()
        super().closeEvent(event)
