"""Rate page: human ratings, from the plan over packets and answers to the results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QMenu, QVBoxLayout, QWidget

from jurydesk.app.pages.check.defect_list import DefectCard
from jurydesk.app.pages.page import MARGIN, Page
from jurydesk.app.pages.rate.plan_form import PlanForm, RatableSystems
from jurydesk.app.pages.rate.rate_cards import PacketsCard, PlanCard
from jurydesk.app.pages.rate.rate_exports import rate_exports
from jurydesk.app.pages.rate.rate_jobs import FAULTY, RateJobs
from jurydesk.app.pages.rate.rate_model import (
    REMIND,
    RESUME,
    leaders_sentence,
    next_action,
    no_plan_sentence,
    progress_sentence,
    reminder,
)
from jurydesk.app.pages.rate.rate_tables import RatersCard, ResultsCard
from jurydesk.app.sheets.rename_sheet import RenameSheet
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.state.settings import INPUTS
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import (
    across,
    button,
    row_layout,
    scroll_area,
    set_spacing,
)
from jurydesk.app.widgets.shown_files import show_folder
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.human_evaluation.answers.answers_file import SUFFIX
from jurydesk.core.language import translatable, translate
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.input_file import paths_by_role
from jurydesk.core.model.system_names import file_stem, unique_system_names
from jurydesk.core.tables.numbers import quantity
from jurydesk.core.workflow.ratings import PlanOutcome, StudyState, unscored_task

if TYPE_CHECKING:
    from jurydesk.app.tables.large_copy import LargeCopy
    from jurydesk.app.tables.table_view import Table
    from jurydesk.core.human_evaluation.imported.ratings_preview import RatingsPreview


READING = translatable("The ratings are being read.")
WIDE, SIDE, RESULTS = 1080, 300, 280
"""Width of a page with two columns, that of the second one, and the least height of results."""
MAX_WIDTH = 16_777_215
"""Largest width of a Qt widget."""
PLAN_READING = translatable("The rating plan is being read.")


class RatePage(Page):
    """Form until a study is planned; then plan, packets and results."""

    id = "rate"
    title = translatable("Rate")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._folder: Path | None = None
        self._images: Path | None = None
        self._planning = False
        self._sheet: Sheet | None = None
        self.jobs = RateJobs(workspace, self)
        self.form = PlanForm()
        self.form.folder = partial(workspace.settings.folder, INPUTS)
        self.plan_card = PlanCard()
        self.packets = PacketsCard()
        self.raters = RatersCard(self.session, self.packets.buttons)
        self.results = ResultsCard(self.session)
        self.defects = DefectCard()
        self.example = button(translate("Open the example"), self.open_example, "primary")
        self._lay_out()
        self._connect()
        theme().follow(self._scale)
        self._show()

    @property
    def study_state(self) -> StudyState:
        """State of the desk's study."""
        return self.jobs.study_state

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        set_spacing(column, 16)
        column.addLayout(row_layout(self.example, None))
        column.addWidget(self.form, 0, Qt.AlignmentFlag.AlignTop)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        set_spacing(self._columns, 16)
        tables, side = QVBoxLayout(), QVBoxLayout()
        for part in (tables, side):
            set_spacing(part, 16)
        tables.addWidget(self.raters)
        tables.addWidget(self.defects)
        tables.addWidget(self.results, 100)
        tables.addStretch(1)
        for card in (self.packets, self.plan_card):
            side.addWidget(card)
        side.addStretch(1)
        self._columns.addLayout(tables, 1)
        self._columns.addLayout(side)
        column.addLayout(self._columns, 1)
        column.addStretch(0)
        self.body.addWidget(scroll_area(inside), 1)
        self.defects.dismiss.show()
        self.defects.hide()

    def _scale(self) -> None:
        """Place plan and packets beside the tables where there is room, else below them."""
        self.results.setMinimumHeight(px(RESULTS))
        is_wide = self.width() >= px(WIDE)
        across(self._columns, is_wide)
        for card in (self.packets, self.plan_card):
            card.setMinimumWidth(px(SIDE) if is_wide else 0)
            card.setMaximumWidth(px(SIDE) if is_wide else MAX_WIDTH)

    def _connect(self) -> None:
        session = self.session
        self.form.plan_requested.connect(self.plan)
        self.form.keep_requested.connect(self.keep_plan)
        self.plan_card.plan_again_requested.connect(self.plan_again)
        self.packets.packets_requested.connect(self.make_packets)
        self.packets.merge_requested.connect(self.choose_answers)
        self.packets.rating_requested.connect(self.rate_now)
        self.packets.folder_requested.connect(self.show_packets)
        self.packets.pictures_requested.connect(self.choose_pictures)
        self.results.chosen_changed.connect(self.changed)
        self.raters.action_requested.connect(self._act)
        raters = self.raters.table
        raters.current_row_changed.connect(self._show_packets)
        raters.installEventFilter(self)
        raters.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        raters.customContextMenuRequested.connect(self._open_menu)
        self.jobs.changed.connect(self._show)
        self.jobs.busy_changed.connect(self._show_packets)
        self.jobs.planned.connect(self._show_plan)
        self.jobs.listed.connect(self._list)
        self.jobs.message.connect(self.message)
        self.jobs.previewed.connect(self._offer_ratings)
        self.workspace.findings.ended.connect(self._show)
        session.subscribe(SessionPart.DESK, self._other_desk)
        shown = (
            SessionPart.COMPETITION | SessionPart.FILES | SessionPart.DEFECTS | SessionPart.RATINGS
        )
        session.subscribe(shown, self._show)

    @property
    def is_empty(self) -> bool:
        session = self.session
        if not session.has_task or session.read_only or self.study_state.study is not None:
            return False
        return not ratable_systems(session, session.task)

    @property
    def has_step(self) -> bool:
        """Whether the plan's button, or that of the packets, is filled."""
        packs = self.packets.isVisibleTo(self) and self.packets.is_next
        return packs or self.form.isVisibleTo(self) or super().has_step

    @property
    def can_wait(self) -> bool:
        return not self.session.has_task or self.is_empty

    def activate(self) -> None:
        self._show()
        if self.form.isVisible():
            self.form.focus_first()
        elif self.raters.table.isVisible():
            self.raters.table.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.form.arrange(self.width() - 2 * px(MARGIN))
        self._scale()

    def _other_desk(self) -> None:
        self._planning, self._folder, self._images = False, None, None
        self.defects.hide()
        self.form.reset_items()
        self.jobs.use_desk()
        self._show()

    def _show(self) -> None:
        session, study = self.session, self.study_state.study
        task = session.task
        offered = ratable_systems(session, task) if session.has_task else None
        is_known = study is not None or self.jobs.is_read
        planning = bool(offered) and not session.read_only and is_known
        planning = planning and (study is None or self._planning)
        self.example.setVisible(not session.has_task)
        self.form.setVisible(planning)
        for card in (self.plan_card, self.packets, self.raters):
            card.setVisible(study is not None and not planning)
        answered = bool(self.study_state.answered) or session.study_findings is not None
        self.results.setVisible(self.raters.isVisibleTo(self) and answered)
        if study is not None and study.imported:
            self.packets.hide()
        if planning and offered is not None:
            items = max((one.n_items for one in session.profile_systems()), default=0)
            self.form.offer(task, offered, paths_by_role(session.files), items, session.defects)
            self.form.offer_back(study is not None)
        if study is not None:
            answered = bool(self.study_state.answered)
            self.plan_card.show_study(study, answered=answered, read_only=session.read_only)
            self.raters.show_raters(self.study_state)
            self.results.show_results(self.study_state)
            self._show_packets()
        self.say(self._finding(systems=bool(offered)))
        self.changed.emit()

    def _show_packets(self) -> None:
        rater, people = self._chosen_rater(), self.session.study_findings
        reports = people.raters if people else ()
        self.packets.show_state(
            self.study_state,
            writable=not self.session.read_only and not self.jobs.busy,
            rater=rater,
            folder=self._folder is not None,
            images=self._images,
            report=next((one for one in reports if one.rater == rater), None),
        )

    def _finding(self, *, systems: bool) -> str:
        session, study = self.session, self.study_state.study
        if study is None and not self.jobs.is_read:
            return translate(PLAN_READING)
        if study is None:
            design = session.task.presentation.rating if session.has_task else None
            return no_plan_sentence(
                design.entry_noun if design else None,
                systems=systems,
                by_files=design is not None and design.read_files is not None,
                read_only=session.read_only,
            )
        back = self.study_state.answered
        if session.study_findings is None and back:
            if self.workspace.findings.is_busy:
                return translate(READING)
            return translate("Answers of {raters} are in.", raters=quantity(len(back), "rater"))
        text = progress_sentence(study, session.study_findings)
        people = session.study_findings
        lead = leaders_sentence(people) if people and people.raters else ""
        return f"{text} {lead}".strip()

    def _chosen_rater(self) -> str:
        """Return the rater in the current row, else one with answers to go on, else without."""
        study = self.study_state.study
        if study is None:
            return ""
        codes = [rater.code for rater in study.raters]
        row = self.raters.table.current_row
        if row is not None and row < len(codes):
            return codes[row]
        begun = self.session.unfinished_rater
        if begun is not None:
            return begun.rater
        return next((code for code in codes if code not in self.study_state.answered), codes[0])

    def open_example(self) -> None:
        """Open an example that can be rated without scoring."""
        self.workspace.files.open_example(unscored_task())

    def plan_again(self) -> None:
        """Show the form again; the existing plan is kept until another is made."""
        self._planning = True
        self._show()
        self.form.focus_first()

    def keep_plan(self) -> None:
        self._planning = False
        self._show()

    def plan(self) -> None:
        """Make the plan of the form."""
        if self.form.isVisible() and self.form.make.isEnabled():
            self.jobs.plan(self.form.request())

    def _show_plan(self, outcome: PlanOutcome) -> None:
        if outcome.study is None:
            self.form.refuse(outcome.refusal or FAULTY)
        else:
            self._planning = False

    def make_packets(self) -> None:
        """Ask for a folder and write all packets there."""
        if not self._is_free():
            return
        start = str(self.workspace.settings.folder("packets"))
        name = QFileDialog.getExistingDirectory(self, translate("Folder for the packets"), start)
        if name:
            self.write_packets(Path(name))

    def write_packets(self, folder: Path) -> None:
        self.workspace.settings.keep_folder("packets", folder)
        self._folder = folder
        self.jobs.write_packets(
            folder,
            html=self.packets.html.isChecked(),
            language=self.packets.language.currentData(),
            images=self._images,
        )

    def choose_pictures(self) -> None:
        """Ask for the folder of the pictures, which is not where the plan has it."""
        start = str(self.workspace.settings.folder("pictures"))
        name = QFileDialog.getExistingDirectory(self, translate("Folder of the pictures"), start)
        if name:
            self.workspace.settings.keep_folder("pictures", Path(name))
            self._images = Path(name)
            self._show_packets()

    def show_packets(self) -> None:
        """Show the packets' folder in the file manager."""
        if self._folder is not None:
            show_folder(self._folder)

    def take_files(self, paths: Sequence[Path]) -> bool:
        """Offer to import a table of ratings into the open desk; leave other files."""
        from jurydesk.core.human_evaluation.imported.ratings_preview import is_ratings_table

        session = self.session
        is_open = session.has_desk and not session.read_only and not self.jobs.busy
        if not is_open or len(paths) != 1 or not is_ratings_table(paths[0]):
            return False
        self.jobs.preview(paths[0])
        return True

    def _offer_ratings(self, preview: RatingsPreview) -> None:
        """Show the first rows of a dropped table, or why there are none."""
        from jurydesk.app.sheets.ratings_sheet import RatingsSheet

        self._list(preview.defects)
        if preview.rows:
            take = partial(self.jobs.import_table, preview.path)
            self._sheet = RatingsSheet(preview, take, self.window())
            self._sheet.closed.connect(self._sheet.deleteLater)
            self._sheet.open()

    def choose_answers(self) -> None:
        """Ask for answers files and merge them."""
        if not self._is_free():
            return
        names, _ = QFileDialog.getOpenFileNames(
            self, translate("Merge answers"), str(self.workspace.settings.folder("answers")),
            f"{translate('Answers')} (*{SUFFIX});;{translate('All files')} (*)",
        )  # fmt: skip
        if names:
            self.workspace.settings.keep_folder("answers", Path(names[0]))
            self.merge([Path(name) for name in names])

    def merge(self, paths: Sequence[Path]) -> None:
        """Merge answers files into the desk."""
        self.jobs.merge(paths)

    def rate_now(self) -> None:
        """Rate the chosen rater's packet on this computer."""
        rater = self._chosen_rater()
        if rater and self._is_free():
            self.jobs.rate_now(rater, self._images)

    def _act(self, row: int) -> None:
        """Take the next action for the rater of a row."""
        study, people = self.study_state.study, self.session.study_findings
        if study is None:
            return
        rater = study.raters[row].code
        action = next_action(self.study_state, people, rater)
        if action == RESUME and self._is_free():
            self.jobs.rate_now(rater, self._images)
        elif action == REMIND:
            reports = people.raters if people else ()
            done = next((one.done for one in reports if one.rater == rater), 0)
            QGuiApplication.clipboard().setText(reminder(study, self.study_state, rater, done))
            shown = self.study_state.label(rater)
            self.message.emit(translate("The reminder to {rater} is copied.", rater=shown))

    def resume(self) -> None:
        """Open the packet of the rater who has begun on this computer."""
        begun = self.session.unfinished_rater
        if begun is not None and self._is_free():
            self.jobs.rate_now(begun.rater, self._images)

    def forget(self) -> None:
        """Remove the chosen rater's answers from the desk; this can be undone."""
        if self._is_free():
            self.jobs.forget(self._chosen_rater())

    def name_rater(self) -> None:
        """Show the name of the chosen rater, to change it."""
        rater = self._chosen_rater()
        if rater and self._is_free():
            self._sheet = RenameSheet(
                translate("Name of {rater}", rater=rater),
                self.study_state.names.get(rater, ""),
                translate("The name stays in this desk: packets and exports have the code only."),
                partial(self.jobs.name_rater, rater),
                self.window(),
                [name for code, name in self.study_state.names.items() if code != rater],
            )
            self._sheet.closed.connect(self._sheet.deleteLater)
            self._sheet.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let F2 name the rater of the current row, where it names the desk elsewhere."""
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if isinstance(event, QKeyEvent) and event.type() in kinds and event.key() == Qt.Key.Key_F2:
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.name_rater()
            return True
        return super().eventFilter(watched, event)

    def _open_menu(self, at: QPoint) -> None:
        """Offer what can be done with the rater of a row."""
        table = self.raters.table
        row = table.indexAt(at)
        if not row.isValid() or not self._is_free():
            return
        table.setCurrentIndex(row)
        menu = QMenu(table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(translate("Name the rater …"), self.name_rater)
        menu.addAction(self.packets.rate.text().replace("&", "&&"), self.rate_now)
        menu.addAction(translate("Remove the rater's answers"), self.forget)
        menu.popup(table.viewport().mapToGlobal(at))

    def _is_free(self) -> bool:
        return self.packets.isVisibleTo(self) and not self.session.read_only and not self.jobs.busy

    def _list(self, defects: Sequence[Defect]) -> None:
        self.defects.show_defects(defects, "")
        self.defects.setVisible(bool(defects))

    def selection_text(self, headers: bool) -> str | LargeCopy:
        if self.defects.list.hasFocus():
            return self.defects.list.selected_text()
        return self._table_in_use().selection_text(headers=headers)

    def select_all(self) -> None:
        self._table_in_use().selectAll()

    def _table_in_use(self) -> Table:
        """Return the table of results if it has the focus, else that of raters."""
        return self.results.table if self.results.table.hasFocus() else self.raters.table

    def exports(self) -> Sequence[Export]:
        if self.study_state.study is None or not self.session.has_desk:
            return ()
        return rate_exports((self.raters, self.results), self.session)


def ratable_systems(session: Session, task: AnyTask) -> RatableSystems:
    """Return the systems that can be rated.

    They come from the files if reading these is enough, else from the scored systems. A scored
    file has its name on the board.
    """
    if task.presentation.rating.read_files is not None:
        names = {file.path: file.system for file in session.files if file.system}
        scored = session.profile_systems()
        names |= {Path(one.submission): one.system for one in scored if one.submission}
        given = session.inputs().get(task.submission_input().role, ())
        called = unique_system_names([(path, names.get(path) or file_stem(path)) for path in given])
        if given:
            return RatableSystems(dict(zip(map(str, given), called, strict=True)), names)
    return RatableSystems({one.system: one.system for one in session.profile_systems()}, None)
