"""Check page: files with their roles, all defects, options and published checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from jurydesk.app.pages.check.defect_list import DefectCard
from jurydesk.app.pages.check.file_excerpt import ExcerptCard
from jurydesk.app.pages.check.file_table import UNFILTERED, FileTable
from jurydesk.app.pages.check.options_card import OptionsCard
from jurydesk.app.pages.check.published_check_row import CheckTimes, PublishedCheckRow
from jurydesk.app.pages.check.table_offer import TableOffer
from jurydesk.app.pages.check.team_card import TeamCard
from jurydesk.app.pages.page import MARGIN, Page
from jurydesk.app.state.folder_watch import FolderWatch
from jurydesk.app.state.session import SessionPart
from jurydesk.app.state.settings import INPUTS
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.table_filter import MANY_ROWS, FilteredTable
from jurydesk.app.widgets.folding_splitter import FoldingSplitter
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import (
    Card,
    ElidedLabel,
    button,
    clear_layout,
    row_layout,
    scroll_area,
    set_spacing,
)
from jurydesk.app.widgets.shown_files import show_file
from jurydesk.app.widgets.statistics import StatisticsCard
from jurydesk.core.desk.inference_settings import stored_settings
from jurydesk.core.intake.submission_ledger import load_rules
from jurydesk.core.language import (
    name_list,
    translatable,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.language.local_formats import local_moment, stored_moment
from jurydesk.core.model.checks import combine
from jurydesk.core.model.defects import Defect, Severity, format_defects
from jurydesk.core.model.look_alikes import first_look_alike
from jurydesk.core.model.staleness import describe_missing
from jurydesk.core.system.paths import distinct_names, write_atomically
from jurydesk.core.tables.numbers import count, quantity
from jurydesk.core.workflow.published_checks import PublishedCheck, published_checks


class WatchedFolderLine(QWidget):
    """Line about the watched folder; hidden if none is watched."""

    def __init__(self, watch: FolderWatch, stop: Callable[[], object]) -> None:
        super().__init__()
        self._watch = watch
        self.sentence = ElidedLabel("", "muted")
        self.stop = button(translate("Stop watching"), stop, "quiet")
        row = row_layout(self.sentence, self.stop)
        row.setStretch(0, 1)
        self.setLayout(row)
        watch.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        sentence = self._watch.sentence
        self.sentence.setText(sentence)
        self.sentence.setToolTip(tip(str(self._watch.folder or "")))
        self.stop.setAccessibleDescription(sentence)
        self.setVisible(bool(sentence))


class CheckView(FoldingSplitter):
    """Files above their defects; published checks, message and opened options are at the right."""

    def __init__(self, files: QWidget, defects: QWidget, side: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, translate("Part of the page"))
        self._parts = {FILES: files, DEFECTS: defects, SETTINGS: scroll_area(side)}
        self._side = side
        self._present: frozenset[str] = frozenset()
        self._heights = (0, 0, 0)
        """Heights that the files and the defects need, and that of both."""
        self._left = QSplitter(Qt.Orientation.Vertical)
        self._left.addWidget(files)
        self._left.addWidget(defects)
        self._left.setStretchFactor(1, 1)
        self.addWidget(self._left)
        self.addWidget(self._parts[SETTINGS])
        self.setStretchFactor(0, 1)
        for splitter in (self, self._left):
            splitter.setChildrenCollapsible(False)
        theme().follow(self._scale)

    def parts(self) -> Sequence[tuple[str, QWidget]]:
        return [
            (translate(title), part)
            for title, part in self._parts.items()
            if title in self._present
        ]

    def show_parts(self, shown: frozenset[str]) -> None:
        """Show these parts, by their titles."""
        self._present = shown
        self.arrange()

    def arrange(self) -> None:
        super().arrange()
        self._limit_files()

    def _limit_files(self) -> None:
        """Give the files the height that they need, as far as the defects leave it.

        A splitter keeps the height of a part that needs less or more than before.
        """
        height, rest = self._left.sizes()
        most, defects = (self._parts[one].sizeHint().height() for one in (FILES, DEFECTS))
        heights = (most, defects, height + rest)
        if not rest or (heights == self._heights and height <= most):
            return
        self._heights = heights
        given = min(most, max(height + rest - defects, round(LEAST_SHARE * (height + rest))))
        self._left.setSizes([given, height + rest - given])

    def reset_sizes(self) -> None:
        """Give the parts their initial sizes."""
        self._heights = (0, 0, 0)
        self._scale()
        self._limit_files()

    def _scale(self) -> None:
        for splitter in (self, self._left):
            splitter.setHandleWidth(px(GAP))
        self._side.setMinimumWidth(px(SIDE_WIDTH))
        self.setSizes([px(SIDE_WIDTH) * 10, px(SIDE_WIDTH)])


FILES, DEFECTS = translatable("Files"), translatable("Defects")
SETTINGS = translatable("Settings")
GAP = 16
LEAST_SHARE = 0.75
"""Share of the height that files get also beside many defects."""
NARROW = 1000
"""Unscaled width of the page below which nothing stands beside the files at first."""
SIDE_WIDTH = 272
"""Least width of the options, which may need more."""


class CheckPage(Page):
    """Files, defects and options of the competition, before anything is scored."""

    id = "check"
    title = translatable("Check")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        session = self.session
        self.files = FileTable(session)
        # Twelve rows are in sight without a filter line.
        self.filtered = FilteredTable(
            translate("Files"), self.files, inset=4, least_rows=MANY_ROWS + 1
        )
        self.filtered.filter.omitted = UNFILTERED
        self.defects = DefectCard()
        self.options = OptionsCard()
        self.statistics = StatisticsCard()
        self.statistics.folder = partial(workspace.settings.folder, INPUTS)
        self.drawer = QPushButton(translate("Options"))
        self.drawer.setCheckable(True)
        self.drawer.setToolTip(translate("Options and statistics of the scoring"))
        self.drawer.toggled.connect(self._show_drawer)
        self.beside = QPushButton(translate("Message"))
        self.beside.setCheckable(True)
        self.beside.setToolTip(translate("Published checks, and the message to the team"))
        self.beside.toggled.connect(self._show_beside)
        self._bar = QWidget()
        self._bar.setLayout(row_layout(self.beside, self.drawer))
        self.checklist = Card(translate("Published checks"))
        self.times = CheckTimes()
        self.times.chosen.connect(self._choose_record)
        self.checklist.body.addLayout(row_layout(self.times, None))
        self._record: int | None = None
        """Number of the earlier record of the desk whose published checks are in sight."""
        self.team = TeamCard()
        self.excerpt = ExcerptCard(workspace.jobs)
        self.tables = TableOffer(workspace, self)
        self._build()
        session.subscribe(SessionPart.DESK, self.excerpt.hide)
        session.subscribe(SessionPart.DESK | SessionPart.DEFECTS, self._leave_record)
        session.subscribe(
            SessionPart.COMPETITION | SessionPart.FILES | SessionPart.DEFECTS, self._refresh
        )
        session.subscribe(SessionPart.OPTIONS, self._show_options)
        session.subscribe(SessionPart.RESULTS, self._show_results)
        self._connect(workspace)
        self._show_options()
        self._refresh()

    def _build(self) -> None:
        self.table = Card("", padding=(6, 4))
        self.table.body.addWidget(self.filtered)
        self.add = button(
            translate("Add files …"), self._add, "quiet", translate("Add files  Ctrl+O")
        )
        self.columns = button(translate("Columns …"), self.tables.open, "quiet")
        self.deadline = button("", partial(self.command_requested.emit, "run.rules"), "quiet")
        self._asks_for_all = False
        """Whether reference files without defects have rows, too."""
        self.folded = button("", self._unfold, "quiet", translate("Show or hide these files"))
        below = row_layout(self.add, self.columns, self.folded, self.deadline, None)
        stop = partial(self.command_requested.emit, "file.unwatch")
        self.table.body.addLayout(below)
        self.table.body.addWidget(WatchedFolderLine(self.workspace.watch, stop))
        self.table.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        found, inside = QWidget(), QWidget()
        left, right = QVBoxLayout(found), QVBoxLayout(inside)
        set_spacing(left, 16)
        set_spacing(right, 16)
        left.addWidget(self.defects, 1)
        left.addWidget(self.excerpt)
        left.addStretch(0)
        for card in (self.options, self.statistics):
            right.addWidget(card)
            card.hide()
        right.addWidget(self.checklist)
        right.addWidget(self.team)
        right.addStretch(1)
        self.view = CheckView(self.table, found, inside)
        self.body.addWidget(self.view.switch)
        self.body.addWidget(self.view, 1)
        self.body.addStretch(0)  # takes the room while there are no files

    def _connect(self, workspace: Workspace) -> None:
        evaluator, file_list = workspace.evaluator, workspace.file_list
        self.files.current_row_changed.connect(self._show_file)
        self.files.role_chosen.connect(file_list.set_role)
        self.files.removed.connect(file_list.remove)
        file_list.arrived.connect(self._files_arrived)
        file_list.given.connect(self.tables.files_given)
        self.team.copied.connect(self._message_copied)
        self.defects.list.chosen.connect(self._show_excerpt)
        self.defects.list.defect_opened.connect(self._open_place)
        self.defects.copy_requested.connect(self._copy_defects)
        self.options.changed.connect(evaluator.choose_option)
        self.statistics.chosen.connect(evaluator.use_statistics)
        evaluator.busy_changed.connect(self._refresh)
        workspace.watch.changed.connect(self._refresh)

    def actions_bar(self) -> QWidget:
        return self._bar

    def _unfold(self) -> None:
        self._asks_for_all = not self._asks_for_all
        self._fit_commands()

    def _show_beside(self) -> None:
        self._refresh()

    @property
    def is_narrow(self) -> bool:
        """Whether what stands beside the files waits for its button."""
        return self.width() < px(NARROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.files.fit_page(self.height())
        super().resizeEvent(event)
        if self.is_narrow == self.beside.isHidden():
            self._refresh()
        self._fit_commands()

    def _fit_commands(self) -> None:
        """Offer to unfold the reference files; they have rows where the button has no room."""
        side = 0 if not self._shows_side or self.is_narrow else px(SIDE_WIDTH + GAP)
        room = self.width() - 2 * px(MARGIN) - side - 2 * px(12)
        shown = [one for one in (self.add, self.columns, self.deadline) if not one.isHidden()]
        needed = sum(one.sizeHint().width() + px(8) for one in (*shown, self.folded))
        fits = needed <= room
        if self.files.is_unfolded != (self._asks_for_all or not fits):
            self.files.unfold(not self.files.is_unfolded)
        self.folded.setVisible(bool(self.files.folded) and fits)

    def _show_drawer(self) -> None:
        """Show the options and statistics, or put them away."""
        for card in (self.options, self.statistics):
            card.setVisible(self.drawer.isChecked())
        self._refresh()
        if self.drawer.isChecked() and self.options.fields:
            next(iter(self.options.fields.values())).widget.setFocus()

    def _show_deadline(self) -> None:
        session = self.session
        self.deadline.setVisible(session.has_desk and bool(session.files))
        self.deadline.setEnabled(not session.read_only)
        if session.has_desk:
            until = load_rules(session.desk).deadline
            self.deadline.setText(
                translate("Deadline: {deadline}", deadline=until)
                if until
                else translate("No deadline: set one …")
            )

    def _files_arrived(self) -> None:
        if self.isVisible():
            self.activate()

    def activate(self) -> None:
        target: QWidget = self.defects.list if self.session.defects else self.files
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def search(self) -> None:
        if self.filtered.line.isVisible():
            self.filtered.line.focusInside()

    @property
    def is_empty(self) -> bool:
        return not self.session.files

    def _refresh(self) -> None:
        session = self.session
        self.filtered.setVisible(bool(session.files))
        self.team.show_submission(self.files.current_file(), session)
        self._show_checklist()
        self._show_deadline()
        self.drawer.setVisible(session.has_task)
        shown = {
            FILES: bool(session.files) or self.workspace.watch.folder is not None,
            DEFECTS: bool(session.files or session.defects),
            SETTINGS: session.has_task and self._shows_side,
        }
        self.beside.setVisible(self.is_narrow and self._has_message)
        self.view.show_parts(frozenset(title for title, is_shown in shown.items() if is_shown))
        self.view.setVisible(any(shown.values()))
        self.add.setEnabled(not session.read_only)
        folded = len(self.files.folded)
        self.folded.setText(
            translate_plural(
                "{count} reference file: no defects", "{count} reference files: no defects", folded
            )
        )
        self.columns.setVisible(self.tables.path() is not None)
        self._fit_commands()
        self.options.setEnabled(not session.read_only)
        self.statistics.setEnabled(not session.read_only)
        self.defects.show_defects(session.defects, self._no_defects_text())
        if not session.defects:
            self.excerpt.hide()
        self._update_finding()
        self.changed.emit()

    @property
    def _has_side(self) -> bool:
        """Whether anything stands beside the files and the defects."""
        return self.drawer.isChecked() or self._has_message

    @property
    def _has_message(self) -> bool:
        return not (self.team.isHidden() and self.checklist.isHidden())

    @property
    def _shows_side(self) -> bool:
        """Whether what stands beside the files is shown: in a narrow page only if asked for."""
        is_asked = self.drawer.isChecked() or self.beside.isChecked()
        return self._has_side and (is_asked or not self.is_narrow)

    def _show_results(self) -> None:
        self._show_statistics()
        self._update_finding()

    def _update_finding(self) -> None:
        self.say(self._finding())

    def _no_defects_text(self) -> str:
        if self.workspace.evaluator.checking is not None:
            return translate("The files are being read.")
        if self.session.check_record.unknown:
            return self._unknown_text()
        if self.workspace.evaluator.checked:
            return translate("These files have no defects.")
        return translate(
            "The defects of all files are listed here once all required files are present."
        )

    def _finding(self) -> str:
        session = self.session
        if not session.files and session.defects:
            return translate("No file was accepted; the reasons are listed below.")
        if not session.files:
            return translate("Drop the reference data and the submissions here, or press Ctrl+O.")
        if not session.has_task:
            return translate(
                "No competition accepts these files. The page Home lists the competitions."
            )
        missing = session.missing_inputs()
        if missing:
            names = ", ".join(translate_text(entry.label) for entry in missing)
            return translate(
                "Still missing: {names}. Drop the file here, or press Ctrl+O.", names=names
            )
        if self.workspace.evaluator.checking is not None:
            return translate("Reading {files} …", files=quantity(len(session.files), "file"))
        return self._verdict()

    def _verdict(self) -> str:
        # Apart: a file's name and that of the system scored from it may be alike.
        names = tuple(filter(None, (one.team or one.system for one in self.session.files)))
        alike = first_look_alike(names) or first_look_alike(tuple(self.session.scored_systems))
        return " ".join(filter(None, [self._verdict_on_files(), translate_text(alike)]))

    def _verdict_on_files(self) -> str:
        used = [file for file in self.session.files if file.role]
        files = quantity(len(used), "file")
        if any(file.state == "changed" for file in used):
            return translate(
                "Files have changed since they were read: press F5 to check them again."
            )
        missing = sum(file.state == "missing" for file in used)
        errors, warnings = self._count(Severity.ERROR), self._count(Severity.WARNING)
        if missing or (self.session.check_record.unknown and not errors):
            scored = bool(self.session.systems)
            gone = translate_text(describe_missing(missing, scored=scored)) if missing else ""
            recorded = self._record_text()
            if not missing:
                text = self._unknown_text()
            elif recorded:
                text = translate("They could not be checked again.")
            else:
                text = translate("They could not be checked.")
            return " ".join(part for part in (gone, text, recorded) if part)
        warned = quantity(warnings, "warning")
        if errors and (said := self._scorable_text()):
            return said
        if errors and warnings:
            return translate(
                "{errors} and {warnings} in {files}. A file with errors cannot be scored.",
                errors=quantity(errors, "error"),
                warnings=warned,
                files=files,
            )
        if errors:
            return translate(
                "{errors} in {files}. A file with errors cannot be scored.",
                errors=quantity(errors, "error"),
                files=files,
            )
        notes = self._count(Severity.NOTE)
        if warnings or notes:
            noted = warned if warnings else quantity(notes, "note")
            sentence = (
                translatable("{warnings} in {files}, which does not prevent scoring.")
                if (warnings or notes) == 1
                else translatable("{warnings} in {files}, which do not prevent scoring.")
            )
            return self._add_next_step(translate(sentence, warnings=noted, files=files))
        if not self.workspace.evaluator.checked:
            return translate("{files}, unchanged since scoring.", files=files)
        return self._add_next_step(translate("{files} without defects.", files=files))

    def _scorable_text(self) -> str:
        """Say how many submissions can be scored, and whose have errors or are late.

        Empty if another file has the errors.
        """
        broken = {one.place.path for one in self.session.defects if one.severity is Severity.ERROR}
        role = self.session.task.submission_input().role
        given = [file for file in self.session.files if file.role == role]
        bad = [file for file in given if str(file.path) in broken]
        if not given or len(bad) < len(broken):
            return ""
        said = [
            translate_plural(
                "{part} of {count} submission can be scored.",
                "{part} of {count} submissions can be scored.",
                len(given),
                part=count(len(given) - len(bad)),
            )
        ]
        late = [file for file in given if file.late is not None]
        for words, named in (
            (translatable("With errors: {names}."), bad),
            (translatable("Late: {names}."), late),
        ):
            if named:
                names = name_list([file.label or file.path.name for file in named])
                said.append(translate(words, names=translate_text(names)))
        return " ".join(said)

    def _unknown_text(self) -> str:
        unknown = self.session.check_record.unknown
        if not unknown:
            return ""
        paths = sorted(one.path for one in unknown)
        names = distinct_names(set(paths))
        unknown_names = name_list([names[path] for path in paths])
        reasons = {one.reason for one in unknown}
        sentence = translate("Could not be checked: {names}.", names=translate_text(unknown_names))
        return f"{sentence} {translate_text(unknown[0].reason)}" if len(reasons) == 1 else sentence

    def _record_text(self) -> str:
        checked = self.session.check_record
        times = [one.time for one in checked.files if one.outcome != "unknown" and one.time]
        time = max(times, default="" if checked.files else checked.time)
        known = stored_moment(time)
        if known is None:
            return ""
        when = local_moment(known, datetime.now().astimezone())
        found = quantity(len(checked.defects.all), "defect")
        return translate("The check of {when} found {found}.", when=when, found=found)

    def _add_next_step(self, sentence: str) -> str:
        """Return a sentence, and how to continue if anything is left to do."""
        session = self.session
        if self.workspace.evaluator.scoring is not None:
            return f"{sentence} {translate('The systems are being scored.')}"
        stale = any(one.stale for one in session.profile_systems())
        if session.read_only or (
            session.scored_systems and not session.describe_outdated() and not stale
        ):
            return sentence
        return f"{sentence} {translate('Press Ctrl+R to score.')}"

    def _count(self, severity: Severity) -> int:
        return sum(defect.severity is severity for defect in self.session.defects)

    def _show_options(self) -> None:
        self.options.show_options(self.session.options)
        before: QWidget = self.team.copy
        for field in self.options.fields.values():
            QWidget.setTabOrder(before, field.widget)
            before = field.widget

    def _show_statistics(self) -> None:
        session = self.session
        self.statistics.show_choices(stored_settings(session.desk) if session.has_desk else {})

    def _leave_record(self) -> None:
        self._record = None

    def _choose_record(self, number: int | None) -> None:
        """Show the published checks of an earlier record, or of the present state."""
        self._record = number
        self._show_checklist()

    def _show_checklist(self) -> None:
        task, session = self.session.task, self.session
        checks: Sequence[PublishedCheck] = ()
        record, role = session.check_record, task.submission_input().role
        if session.has_task and (record.files or record.time):
            paths = session.inputs().get(role, ())
            if self._record is not None:
                record = combine(session.desk.check_records()[: self._record + 1])
                paths = [Path(one.path) for one in record.files if one.role == role]
            checks = published_checks(task, paths, record)
        self.checklist.setVisible(bool(checks))
        clear_layout(self.checklist.body, keep=2)
        if checks:
            times = session.desk.check_times() if session.has_desk else []
            self.times.show_times(times, session.check_record.time, self._record)
        for check in checks:
            self.checklist.body.addWidget(PublishedCheckRow(check))

    def _show_file(self) -> None:
        """Show the message to the team of the current file, and its defects."""
        file = self.files.current_file()
        is_beside = self._has_side
        self.team.show_submission(file, self.session)
        if self._has_side != is_beside:
            self._refresh()
        if file is not None and not self.defects.list.hasFocus():
            self.defects.list.scroll_to_file(str(file.path))

    def _message_copied(self, team: str) -> None:
        self.message.emit(translate("The message to {team} was copied.", team=team))

    def _add(self) -> None:
        self.command_requested.emit("file.open")

    def _show_excerpt(self, defect: Defect | None) -> None:
        if defect is not None:
            self.excerpt.show_defect(defect, self.defects.list.place_of(defect))

    def _open_place(self, defect: Defect) -> None:
        self._show_excerpt(defect)
        show_file(defect.place.path)

    def _copy_defects(self) -> None:
        self.command_requested.emit("edit.copy")

    def selection_text(self, headers: bool) -> str:
        return self.defects.list.selected_text()

    def select_all(self) -> None:
        self.defects.list.selectAll()

    def reset_layout(self) -> None:
        self.view.reset_sizes()

    def layout_restorer(self) -> Callable[[], object]:
        return partial(self.view.restore_sizes, self.view.layout_sizes())

    def exports(self) -> Sequence[Export]:
        if not self.session.defects:
            return ()
        return (Export(translate("Defects as text …"), "*.txt", self._write_defects),)

    def _write_defects(self, path: Path) -> None:
        text = "\n".join(format_defects(self.session.defects))
        write_atomically(path, f"{text}\n".encode())
