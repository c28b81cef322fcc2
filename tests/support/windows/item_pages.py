"""Pages over evaluations in memory, as over a read-only desk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from pytestqt.qtbot import QtBot

from jurydesk.app.pages.items.items_page import ItemsPage
from jurydesk.app.state.session import Session
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.desk.summary import Summary
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.workflow.desk_state import DeskState
from support.windows.workspaces import make_workspace


@cache
def empty_desk() -> Desk:
    """Return a desk without results, which sessions over evaluations in memory share."""
    return Desk.create(Path(mkdtemp(dir=os.environ["JURYDESK_HOME"])) / "empty.jurydesk")


class Looking(Session):
    """A read-only session with these evaluations of a task."""

    def __init__(self, task: AnyTask, evaluations: Iterable[Evaluation]) -> None:
        super().__init__()
        self._desk = empty_desk()
        self.state = DeskState(task=task, options=task.scoring.options())
        self.evaluations = {one.system: one for one in evaluations}

    @property
    def read_only(self) -> bool:
        return True

    def profile_systems(self) -> tuple[Summary, ...]:
        return tuple(
            Summary(key, one.system, one.profile, one.scores, "", False, "", len(one.items))
            for key, one in enumerate(self.evaluations.values(), 1)
        )

    def evaluation(self, system: str) -> Evaluation | None:
        return self.evaluations.get(system)


def items_page(qtbot: QtBot, session: Session) -> ItemsPage:
    """Return the Items page of a session, in front."""
    return show_items_page(qtbot, ItemsPage(make_workspace(session)))


def show_items_page(qtbot: QtBot, page: ItemsPage) -> ItemsPage:
    """Return the page in front after its queued work is done."""
    qtbot.addWidget(page)
    page.resize(1280, 830)
    page.show()
    page.activate()
    run_queued_work(qtbot, page)
    return page


def run_queued_work(qtbot: QtBot, page: ItemsPage) -> None:
    """Do all queued work of the page."""
    qtbot.waitUntil(lambda: page.view.frames.is_empty)
