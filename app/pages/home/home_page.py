"""Home page: drop area, competitions that can be evaluated, recent desks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.jobs import job_functions
from jurydesk.app.jobs.job import Job
from jurydesk.app.jobs.responsiveness.preload import create_qt_types
from jurydesk.app.pages import PAGES
from jurydesk.app.pages.home.desks_card import DesksCard
from jurydesk.app.pages.home.guide_card import GuideCard, GuideLink
from jurydesk.app.pages.home.installation_card import InstallationCard
from jurydesk.app.pages.home.stage_bar import StageBar
from jurydesk.app.pages.page import MARGIN, Page
from jurydesk.app.state.desks import unsaved_desks
from jurydesk.app.state.next_step import Step, stage_details
from jurydesk.app.state.session import SessionPart
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.style.theme import colour, px, theme
from jurydesk.app.widgets.parts import (
    Card,
    button,
    clear_layout,
    hairline,
    has_room,
    label,
    scroll_area,
    set_spacing,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.app.pages.home.desk_card import DeskCard
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.competition.task_registry import BrokenTask, Registry


class DropArea(QFrame):
    """Dashed frame that invites to drop files; the whole window accepts them."""

    def __init__(self, choose: Callable[[], None]) -> None:
        super().__init__()
        advice = translate(
            "Reference data, submissions, or a saved desk. File types are detected by content."
        )
        texts = (
            label(translate("Drop files or folders here"), "heading", wrap=True),
            label(advice, "muted", wrap=True),
        )
        opener = button(translate("Open …"), choose, hint=translate("Open files or a desk  Ctrl+O"))
        self.setAccessibleName(translate("Drop files or folders here"))
        row = QHBoxLayout(self)
        row.addWidget(HomeListItem(texts, opener))
        set_spacing(row, 0, (20, 18, 20, 18))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour("faint"), 1)
        pen.setDashPattern([4, 4])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(10), px(10))


class HomeListItem(QWidget):
    """Lines of text with a button beside them."""

    def __init__(self, texts: Sequence[QLabel], opener: QPushButton | None = None) -> None:
        super().__init__()
        lines = QVBoxLayout()
        set_spacing(lines, 2)
        for text in texts:
            lines.addWidget(text)
        row = QHBoxLayout(self)
        set_spacing(row, 16)
        row.addLayout(lines, 1)
        if opener is not None:
            row.addWidget(opener, 0, Qt.AlignmentFlag.AlignVCenter)


class NextStepCard(Card):
    """Card with the next step, its button and the stages."""

    command_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__("", spacing=4)
        self.name = label("", "heading", wrap=True)
        self.sentence = label("", "muted", wrap=True)
        self.button = button("", self._run, "primary")
        self._command = ""
        self.stages = StageBar()
        self.body.addWidget(label(translate("Next step"), "small"))
        self.body.addWidget(HomeListItem((self.name, self.sentence), self.button))
        self.body.addWidget(self.stages)

    def show_step(self, step: Step, details: Sequence[str]) -> None:
        """Show a step, and the stages with what is known of each."""
        self._command = step.command
        self.name.setText(step.title)
        self.sentence.setText(step.sentence)
        self.sentence.setVisible(bool(step.sentence))
        self.button.setText(step.button)
        self.button.setVisible(bool(step.button))
        self.stages.show_place(step.place, details)

    def _run(self) -> None:
        self.command_requested.emit(self._command)


class TaskButton(QPushButton):
    """Button that opens the example of a task."""

    def __init__(self, task: AnyTask, begin: Callable[[AnyTask], object]) -> None:
        super().__init__(translate("Try the example"))
        self.setAccessibleName(
            translate("Try the example of {title}", title=translate_text(task.title))
        )
        self._task, self._begin = task, begin
        self.clicked.connect(self._begin_task)

    def _begin_task(self) -> None:
        self._begin(self._task)


def broken_row(broken: BrokenTask) -> HomeListItem:
    """Return a row for a plug-in that could not be loaded, with the error."""
    sentence = label(translate("{name} could not be loaded", name=broken.name), "bad", wrap=True)
    return HomeListItem((sentence, label(broken.error, "small", wrap=True)))


RECENT_WIDTH, NARROW = 320, 720
DAILY = translatable("Metrics and people judge the same entries: drop in a competition to begin.")
WELCOME = translatable(
    "Try the example of any competition with one click, or drop your own files "
    "here. No data leave this computer."
)
MAX_WIDTH = 16_777_215
"""Largest width of a Qt widget."""
SOON_NEEDED = (
    "jurydesk.core.desk",
    "jurydesk.core.execution.engine",
    "jurydesk.core.analysis.leaderboard",
    "jurydesk.core.intake.classify",
    *(page.module for page in PAGES),
    "jurydesk.app.plots.curve",
    "jurydesk.app.plots.bars",
)


class HomePage(Page):
    """Start page; nothing on it needs an open competition."""

    id = "home"
    title = translatable("Home")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._is_loaded = self._is_unfolded = False
        self.tasks = Card(translate("What can be evaluated"), spacing=10)
        self.tasks.body.addWidget(label(translate("The competitions are being loaded …"), "muted"))
        self.examples = button(translate("What can be evaluated …"), self._unfold_tasks)
        self.examples.hide()
        self.desk: DeskCard | None = None
        """Card of the open desk, made with the first one."""
        self.desks = DesksCard(workspace.jobs)
        self.installed = InstallationCard(self._show_models)
        self.task_buttons: dict[str, QPushButton] = {}
        inside = QWidget()
        self._columns = QHBoxLayout(inside)
        set_spacing(self._columns, 16)
        self.body.addWidget(
            scroll_area(inside), 1
        )  # still empty, because moved widgets are styled again
        left, right = QVBoxLayout(), QVBoxLayout()
        self._left, self._right = left, right
        self._columns.addLayout(left, 1)
        self._columns.addLayout(right)
        set_spacing(left, 16)
        self.next = NextStepCard()
        self.next.command_requested.connect(self.command_requested)
        left.addWidget(self.next)
        left.addWidget(DropArea(workspace.files.choose))
        left.addWidget(self.tasks)
        left.addWidget(self.examples, 0, Qt.AlignmentFlag.AlignLeft)
        left.addStretch(1)
        set_spacing(right, 16)
        right.addWidget(self.desks)
        right.addWidget(self.installed)
        self.guide = GuideCard()
        self.guide.command_requested.connect(self.command_requested)
        right.addWidget(self.guide)
        right.addStretch(1)
        theme().follow(self._scale)
        # One update for simultaneous changes, and none for a page that was left.
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._list_desks_in_sight)
        self.session.subscribe(SessionPart.COMPETITION, self._schedule_listing)
        files = workspace.files
        self.desks.opened.connect(files.open)
        self.desks.forgotten.connect(files.forget)
        self.desks.discarded.connect(files.discard)
        files.desks_changed.connect(self._schedule_listing)
        self._list_desks()

    def load_deferred(self) -> None:
        """Import the competitions and the other pages in a job, then list the competitions."""
        create_qt_types()
        job = Job(
            translate("Loading the competitions"),
            partial(job_functions.load_competitions, SOON_NEEDED),
            quiet=True,
        )
        job.succeeded.connect(self.list_tasks)
        self.workspace.jobs.start(job)

    def _find_installation(self) -> None:
        from jurydesk.app.pages.home.installation import find_installation

        job = Job(translate("Looking around"), find_installation, quiet=True)
        job.succeeded.connect(self.installed.show_installed)
        self.workspace.jobs.start(job)

    def activate(self) -> None:
        self._list_desks()
        if self._is_loaded:
            self._find_installation()
        if self.next.isVisible() and self.next.button.isVisible():
            self.next.button.setFocus()

    def list_tasks(self, found: Registry) -> None:
        """Show a row for each competition and each broken plug-in."""
        column = self.tasks.body
        clear_layout(column, keep=1)
        self.task_buttons = {}
        for task in found.tasks.values():
            column.addWidget(hairline())
            column.addWidget(self._task_row(task))
        for broken in found.broken:
            column.addWidget(hairline())
            column.addWidget(broken_row(broken))
        self._is_loaded = True
        self.desks.read_contents()
        self._find_installation()

    def _task_row(self, task: AnyTask) -> QWidget:
        from jurydesk.core.competition.examples import example_folder

        example = None
        if example_folder(task) is not None:
            example = self.task_buttons[task.id] = TaskButton(
                task, self.workspace.files.open_example
            )
        required = [translate_text(entry.label) for entry in task.inputs if entry.required]
        needed = ", ".join(map(_lower_first, required))
        texts = (
            label(translate_text(task.title), "heading", wrap=True),
            label(translate_text(task.summary), "muted", wrap=True),
            label(translate("Needs: {needed}", needed=needed), "small", wrap=True),
        )
        return HomeListItem(texts, example)

    def _schedule_listing(self) -> None:
        self._soon.start()

    def _list_desks_in_sight(self) -> None:
        if self.isVisible():
            self._list_desks()

    def _list_desks(self) -> None:
        open_now = self.session.desk.path.resolve() if self.session.has_desk else None
        recent = self.workspace.settings.recent()
        has_desks = self.desks.list_desks(unsaved_desks(), recent, open_now)
        if self.session.has_task:
            self.say(self._describe_desk())
        elif has_desks:
            self.say(translate(DAILY))
        else:
            self.say(translate(WELCOME), translate("Welcome to Jurydesk"))
        if self._is_loaded:
            self.desks.read_contents()

    def offer_step(self, step: Step) -> None:
        """Show the next step in its card; without a competition there is none."""
        self.next.setVisible(self.session.has_task or step.waits)
        unsaved = self.session.has_desk and self.workspace.desks.is_unsaved
        self.next.show_step(step, stage_details(self.session, unsaved=unsaved))
        self._show_desk()

    @property
    def has_step(self) -> bool:
        return not self.next.isHidden()

    def _follow_tab_order(self, desk: DeskCard) -> None:
        """Let the guide's links, which are older, follow the buttons of the desk above them."""
        stops: list[QWidget] = [*desk.findChildren(QPushButton)[-1:]]
        for one, following in pairwise([*stops, *self.guide.findChildren(GuideLink)]):
            self.setTabOrder(one, following)

    def _show_desk(self) -> None:
        """Show the open desk, and fold the competitions away while one is open."""
        is_open = self.session.has_task and self.session.has_desk
        if is_open and self.desk is None:
            from jurydesk.app.pages.home.desk_card import DeskCard

            self.desk = DeskCard(self.session)
            self.desk.command_requested.connect(self.command_requested)
            self._right.insertWidget(0, self.desk)
            self._follow_tab_order(self.desk)
            self._scale()
        self._place_desks(beside=not is_open)
        sentences = [str(one.found) for one in self.session.defects] if is_open else None
        self.installed.show_for(sentences)
        if self.desk is not None:
            self.desk.setVisible(is_open)
            if is_open and self.isVisible():
                self.desk.show_desk(unsaved=self.workspace.desks.is_unsaved)
        self._is_unfolded &= is_open
        self.tasks.setVisible(self._is_unfolded or not is_open)
        self.examples.setVisible(is_open and not self._is_unfolded)

    def _place_desks(self, *, beside: bool) -> None:
        """Place the list of desks at the right, or below the next step of the open desk."""
        column, place = (self._right, 0) if beside else (self._left, 1)
        if column.indexOf(self.desks) < 0:
            column.insertWidget(place, self.desks)
            self._scale()

    def _unfold_tasks(self) -> None:
        self._is_unfolded = True
        self.tasks.show()
        self.examples.hide()
        for first in list(self.task_buttons.values())[:1]:
            first.setFocus()

    def _describe_desk(self) -> str:
        """Say how many systems of the open desk are scored."""
        results, systems = self.session.state.results, self.session.profile_systems()
        if results.received and not results.hidden:
            return translate_text(results.received)
        if not systems:
            return translate("Nothing has been scored yet.")
        return translate("{systems} scored.", systems=quantity(len(systems), "system"))

    def _show_models(self) -> None:
        self.page_requested.emit("models")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scale()

    def _scale(self) -> None:
        room = self.width() - 2 * px(MARGIN)
        narrow = self.width() < px(NARROW) or not has_room(self._columns, room)
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._columns.setDirection(down if narrow else right)
        listed = self.desks if self._right.indexOf(self.desks) >= 0 else None
        if listed is None:
            self.desks.setMinimumWidth(0)
            self.desks.setMaximumWidth(MAX_WIDTH)
        for card in filter(None, (self.desk, listed, self.installed, self.guide)):
            card.setMinimumWidth(0 if narrow else px(RECENT_WIDTH))
            card.setMaximumWidth(MAX_WIDTH if narrow else px(RECENT_WIDTH))


def _lower_first(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
