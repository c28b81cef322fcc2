"""A large evaluation is read in a job and shown when it arrives."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.pages.items import items_page
from jurydesk.app.pages.items.items_page import ItemsPage
from jurydesk.app.state.session import Session
from support.windows.stored_session import damage, stored
from support.windows.workspaces import make_workspace

SYSTEMS = ("alpha", "beta")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "large.jurydesk"


@pytest.fixture
def session(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(items_page, "QUICK_ITEMS", 10)
    with stored(path, SYSTEMS, monkeypatch) as made:
        yield made


@pytest.fixture
def page(qtbot: QtBot, session: Session, jobs: Jobs) -> ItemsPage:
    made = ItemsPage(make_workspace(session, jobs))
    qtbot.addWidget(made)
    made.show()
    return made


def test_only_the_last_chosen_system_is_shown(
    qtbot: QtBot, page: ItemsPage, session: Session
) -> None:
    page.activate()
    session.select(system="beta")
    qtbot.waitUntil(lambda: page.evaluation is not None)
    assert page.evaluation.system == "beta"
    by_name = {summary.system: summary.id for summary in session.profile_systems()}
    assert by_name["alpha"] not in session.evaluation_cache


def test_closing_the_desk_while_reading_is_no_error(
    qtbot: QtBot, page: ItemsPage, session: Session, jobs: Jobs, monkeypatch, failures
) -> None:
    may_read = threading.Event()
    read = items_page.load_evaluation

    def read_then(*arguments):
        may_read.wait()
        return read(*arguments)

    monkeypatch.setattr(items_page, "load_evaluation", read_then)
    page.activate()
    session.use(None)
    may_read.set()
    qtbot.waitUntil(lambda: jobs.idle)
    assert failures == []
    assert page.evaluation is None


def test_the_page_reports_reading_and_then_shows_the_items(qtbot: QtBot, page: ItemsPage) -> None:
    page.activate()
    assert page.heading.text() == "alpha"
    assert page.finding == "The items are being read."
    assert not page.view.isVisible()
    qtbot.waitUntil(lambda: page.evaluation is not None and page.view.frames.is_empty)
    assert page.view.isVisible()
    assert page.evaluation.system == "alpha"


def test_a_damaged_desk_is_reported_and_ends_the_waiting(
    qtbot: QtBot, page: ItemsPage, path: Path, jobs: Jobs, failures
) -> None:
    damage(path)
    page.activate()
    qtbot.waitUntil(lambda: page.finding.startswith("large.jurydesk is damaged: "))
    qtbot.waitUntil(lambda: jobs.idle)
    assert page.heading.text() == "alpha"
    assert failures == []
