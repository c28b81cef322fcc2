"""A large evaluation is read beside the window's thread, and shown as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from stored import damage, stored

from app.jobs import Jobs
from app.pages import items_reading
from app.pages.items import ItemsPage
from app.pages.items_reading import Reading
from app.session import Session
from core.desk import DeskError

SYSTEMS = ("alpha", "beta")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "large.jurydesk"


@pytest.fixture
def session(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(items_reading, "QUICK_ITEMS", 10)
    with stored(path, SYSTEMS, monkeypatch) as made:
        yield made


@pytest.fixture
def reading(session: Session, jobs: Jobs) -> Reading:
    made = Reading(session)
    made.join(jobs)
    return made


def test_it_arrives_and_stays_in_memory(qtbot: QtBot, reading: Reading, jobs: Jobs) -> None:
    with qtbot.waitSignal(reading.arrived):
        assert reading.of("alpha") is None
    found = reading.of("alpha")
    assert found is not None
    assert found.system == "alpha"
    assert reading.of("alpha") is found
    qtbot.waitUntil(lambda: jobs.idle)


def test_asking_again_does_not_begin_again(qtbot: QtBot, reading: Reading, monkeypatch) -> None:
    begun = []
    read = items_reading.keyed
    monkeypatch.setattr(items_reading, "keyed", lambda *known: begun.append(known) or read(*known))
    with qtbot.waitSignal(reading.arrived):
        assert reading.of("alpha") is None
        assert reading.of("alpha") is None
    assert len(begun) == 1


def test_only_the_newest_question_is_answered(qtbot: QtBot, reading: Reading, session) -> None:
    with qtbot.waitSignal(reading.arrived):
        assert reading.of("alpha") is None
        assert reading.of("beta") is None
    assert reading.of("beta") is not None
    by_name = {summary.system: summary.id for summary in session.shown()}
    assert by_name["alpha"] not in session.loaded


def test_a_system_that_nobody_scored_is_not_read(reading: Reading) -> None:
    assert reading.of("nobody") is None


def test_a_desk_that_is_closed_meanwhile_is_no_fault(
    qtbot: QtBot, reading: Reading, session: Session, jobs: Jobs, monkeypatch
) -> None:
    may_read = threading.Event()
    read = items_reading.keyed

    def read_then(*known):
        may_read.wait()
        return read(*known)

    monkeypatch.setattr(items_reading, "keyed", read_then)
    failed = []
    jobs.failed.connect(failed.append)
    assert reading.of("alpha") is None
    session.use(None)
    may_read.set()
    qtbot.waitUntil(lambda: jobs.idle)
    assert failed == []


def test_the_page_says_that_it_reads_and_then_shows_the_items(
    qtbot: QtBot, session: Session, jobs: Jobs
) -> None:
    page = ItemsPage(session)
    page.reading.join(jobs)
    qtbot.addWidget(page)
    page.show()
    page.arrive()
    assert page.heading.text() == "alpha"
    assert page.finding == "The items are being read."
    assert not page.view.isVisible()
    qtbot.waitUntil(lambda: page.evaluation is not None and page.view.turns.idle)
    assert page.view.isVisible()
    assert page.evaluation.system == "alpha"


def test_what_a_damaged_desk_says_is_told_and_nobody_goes_on_waiting(
    qtbot: QtBot, session: Session, path: Path, jobs: Jobs, failures
) -> None:
    damage(path)
    page = ItemsPage(session)
    page.reading.join(jobs)
    qtbot.addWidget(page)
    page.show()
    page.arrive()
    qtbot.waitUntil(lambda: page.finding == "The items could not be read.")
    qtbot.waitUntil(lambda: jobs.idle)
    assert page.heading.text() == "alpha"
    (error,) = failures
    assert isinstance(error, DeskError)
    assert str(error).startswith("large.jurydesk is damaged: ")
