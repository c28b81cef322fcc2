"""Home: where to drop files, what can be evaluated, and the desks opened last."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app import work
from app.desks import recovered
from app.format import moment
from app.jobs import Job
from app.pages import PAGES
from app.pages.page import Page
from app.services import Services
from app.session import Session
from app.theme import colour, px, theme
from app.widgets.parts import Card, Elided, beside, button, empty, hairline, label, scrolling

if TYPE_CHECKING:
    from core.tasks.registry import AnyTask, BrokenTask, Registry

RECENT_WIDTH = 320
SOON_NEEDED = (
    "core.desk",
    "core.run.engine",
    "core.board",
    "app.intake",
    *(page.module for page in PAGES),
    "app.views.curve",
    "app.views.bars",
)


class HomePage(Page):
    """Everything begins here; nothing on it needs a competition to be open."""

    id = "home"
    title = "Home"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._services: Services | None = None
        self.say("Metrics and people judge the same entries: drop in a competition to begin.")
        self.tasks = Card("What can be evaluated")
        self.tasks.body.addWidget(label("The competitions are being loaded …", "muted"))
        self.desks = Card("Desks")
        self.task_buttons: dict[str, QPushButton] = {}
        left = QVBoxLayout()
        left.setSpacing(px(16))
        left.addWidget(self._drop_area())
        left.addWidget(self.tasks)
        left.addStretch(1)
        right = QVBoxLayout()
        right.addWidget(self.desks)
        right.addStretch(1)
        inside = QWidget()
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(px(16))
        columns.addLayout(left, 1)
        columns.addLayout(right)
        self.body.addWidget(scrolling(inside), 1)
        self._scale()
        theme().changed.connect(self._scale)
        session.desk_changed.connect(self._list_desks)
        session.competition_changed.connect(self._list_desks)

    def join(self, services: Services) -> None:
        self._services = services
        self._list_desks()

    def settle(self) -> None:
        """List the competitions; they and the other pages are imported in a thread."""
        if self._services is not None:
            job = Job("Loading the competitions", partial(work.prepare, SOON_NEEDED), quiet=True)
            job.succeeded.connect(self.list_tasks)
            self._services.evaluator.jobs.start(job)

    def arrive(self) -> None:
        self._list_desks()

    def _drop_area(self) -> QFrame:
        area = DropArea()
        row = QHBoxLayout(area)
        row.setContentsMargins(px(20), px(18), px(20), px(18))
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        texts.addWidget(label("Drop files or folders here", "heading"))
        advice = "Reference data, submissions, or a saved desk. Each file is told by its content."
        texts.addWidget(label(advice, "muted", wrap=True))
        row.addLayout(texts, 1)
        row.addWidget(button("Open …", self._choose, hint="Open files or a desk  Ctrl+O"))
        return area

    # What can be evaluated

    def list_tasks(self, found: Registry) -> None:
        """Show a row for each competition, and for each plug-in that is broken."""
        column = self.tasks.body
        empty(column, keep=1)
        column.setSpacing(px(10))
        for task in found.tasks.values():
            column.addWidget(hairline())
            column.addLayout(self._task_row(task))
        for broken in found.broken:
            column.addWidget(hairline())
            column.addLayout(_broken_row(broken))

    def _task_row(self, task: AnyTask) -> QHBoxLayout:
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        texts.addWidget(label(task.title, "heading"))
        texts.addWidget(label(task.summary, "muted", wrap=True))
        needed = ", ".join(_lower_first(entry.label) for entry in task.inputs if entry.required)
        texts.addWidget(label(f"Needs: {needed}", "small", wrap=True))
        row = QHBoxLayout()
        row.setSpacing(px(16))
        row.addLayout(texts, 1)
        if task.example:
            example = TaskButton(task, self)
            self.task_buttons[task.id] = example
            row.addWidget(example, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def try_example(self, task: AnyTask) -> None:
        """Open the example competition of a task."""
        if self._services is not None:
            self._services.files.open_example(task)

    # Desks

    def _list_desks(self) -> None:
        if self._services is None:
            return
        empty(self.desks.body, keep=1)
        now = datetime.now()
        kept = [(desk.path, "Not saved yet", desk.when) for desk in recovered()]
        recent = [
            (path, path.stem, datetime.fromtimestamp(path.stat().st_mtime))
            for path in self._services.settings.recent()
        ]
        for path, name, when in [*kept, *recent]:
            self.desks.body.addWidget(DeskRow(path, name, moment(when, now), self))
        if not kept and not recent:
            sentence = "No saved desk yet. A desk is one file that keeps a whole competition."
            self.desks.body.addWidget(label(sentence, "muted", wrap=True))

    def open_desk(self, path: Path) -> None:
        """Open a desk of the list."""
        if self._services is not None:
            self._services.files.open(path)

    def _choose(self) -> None:
        if self._services is not None:
            self._services.files.choose()

    def _scale(self) -> None:
        self.desks.setFixedWidth(px(RECENT_WIDTH))


class DropArea(QFrame):
    """A dashed frame that invites files; the whole window takes them."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colour("faint"), 1)
        pen.setDashPattern([4, 4])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(10), px(10))


class TaskButton(QPushButton):
    """Starts the example competition of one task."""

    def __init__(self, task: AnyTask, page: HomePage) -> None:
        super().__init__("Try the example")
        self.setAccessibleName(f"Try the example of {task.title}")
        self._task, self._page = task, page
        self.clicked.connect(self._try)

    def _try(self) -> None:
        self._page.try_example(self._task)


class DeskRow(QPushButton):
    """One desk: its name, its folder, and when it was last written."""

    def __init__(self, path: Path, name: str, when: str, page: HomePage) -> None:
        super().__init__()
        self.setProperty("kind", "row")
        self.setAccessibleName(f"{name}, {when}")
        self.setToolTip(str(path))
        self.setFixedHeight(px(48))
        self._path, self._page = path, page
        title = Elided(name, "heading")
        place = Elided(str(path.parent), "tiny")
        texts = QVBoxLayout(self)
        texts.setContentsMargins(px(8), px(4), px(8), px(4))
        texts.setSpacing(0)
        first = beside(title)
        first.addWidget(label(when, "tiny"))
        texts.addLayout(first)
        texts.addWidget(place)
        for part in (title, place):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(self._open)

    def _open(self) -> None:
        self._page.open_desk(self._path)


def _broken_row(broken: BrokenTask) -> QVBoxLayout:
    texts = QVBoxLayout()
    texts.setSpacing(px(2))
    texts.addWidget(label(f"{broken.name} could not be loaded", "bad"))
    texts.addWidget(label(broken.error, "small", wrap=True))
    return texts


def _lower_first(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
