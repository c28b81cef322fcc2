"""Large systems are read in a job and compared when they arrive."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.pages.compare import sides
from jurydesk.app.pages.compare.compare_page import ComparePage
from jurydesk.app.state.session import Session
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from support.windows.evaluations import AP, TASK
from support.windows.stored_session import damage, stored
from support.windows.workspaces import make_workspace

SYSTEMS = ("alpha", "beta", "gamma")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "large.jurydesk"


@pytest.fixture
def session(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with stored(path, SYSTEMS, monkeypatch) as made:
        yield made


@pytest.fixture
def page(qtbot: QtBot, session: Session, jobs: Jobs, monkeypatch) -> ComparePage:
    monkeypatch.setattr(sides, "QUICK_ITEMS", 10)
    made = ComparePage(make_workspace(session, jobs))
    qtbot.addWidget(made)
    made.resize(1096, 718)
    made.show()
    return made


@pytest.fixture
def reading_may_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Block all reading until the event is set."""
    may_end = threading.Event()
    read = sides.read_sides

    def read_then(*arguments):
        may_end.wait()
        return read(*arguments)

    monkeypatch.setattr(sides, "read_sides", read_then)
    yield may_end
    may_end.set()


def names(page: ComparePage) -> Sequence[str]:
    return [name.text() for name in page.view.inspectors_card.names]


def test_the_page_reports_reading_and_compares_the_result(
    qtbot: QtBot, page: ComparePage, reading_may_end: threading.Event
) -> None:
    page.activate()
    qtbot.waitUntil(lambda: page.finding == "Both systems are being read.")
    qtbot.waitUntil(page.view.isHidden)
    assert page.items is None
    reading_may_end.set()
    qtbot.waitUntil(lambda: page.comparison is not None)
    qtbot.waitUntil(lambda: page.view.frames.is_empty)
    assert page.pair.metric_name
    assert page.view.table.table_model.rowCount() == len(page.items.ids)
    assert page.view.isVisible()


def test_only_the_last_requested_pair_is_shown(qtbot: QtBot, page: ComparePage) -> None:
    page.activate()
    page.pair.choose("beta", "gamma")
    page.pair.chosen.emit()
    qtbot.waitUntil(lambda: page.comparison is not None)
    assert (page.comparison.first.system, page.comparison.second.system) == ("beta", "gamma")


def test_returning_to_known_systems_reads_nothing(
    qtbot: QtBot, page: ComparePage, jobs: Jobs
) -> None:
    page.activate()
    qtbot.waitUntil(lambda: page.comparison is not None and jobs.idle)
    page.swap()
    assert page.items is not None
    qtbot.waitUntil(lambda: page.comparison is not None and jobs.idle)


def test_closing_the_desk_while_reading_is_no_error(
    qtbot: QtBot, page: ComparePage, session: Session, jobs: Jobs
) -> None:
    page.activate()
    session.use(None)
    qtbot.waitUntil(lambda: jobs.idle)
    assert page.items is None


def test_a_damaged_desk_is_reported_and_ends_the_waiting(
    qtbot: QtBot, page: ComparePage, path: Path, jobs: Jobs, failures
) -> None:
    damage(path)
    page.activate()
    qtbot.waitUntil(lambda: page.finding.startswith("large.jurydesk is damaged: "))
    qtbot.waitUntil(lambda: jobs.idle)
    assert failures == []


def test_a_pair_just_replaced_by_a_job_is_waited_for(
    qtbot: QtBot, page: ComparePage, path: Path, session: Session, monkeypatch
) -> None:
    monkeypatch.setattr(sides, "QUICK_ITEMS", 1000)
    with Desk.open(path) as desk:
        page.activate()
        taken = desk.remove(session.summary(page.systems[0]).id)
        qtbot.waitUntil(lambda: page.view.frames.is_empty)
        assert page.comparison is None
        assert desk.put_back(taken)
    session.refresh()
    qtbot.waitUntil(lambda: page.comparison is not None)


def test_scores_that_the_items_do_not_give_are_said_beside_the_comparison(session, path) -> None:
    with Desk.open(path) as desk, desk.writing() as rows:
        rows.execute("UPDATE evaluation SET scores = replace(scores, '0.', '0.9') WHERE id = 2")
    desk = session.desk
    pair = tuple(desk.load(one.id) for one in desk.evaluations()[:2])
    found = sides.pair_test(
        TASK, AP, pair[0].profile, pair, desk.evaluations(), desk, Run(), lambda _: None
    )
    said = [one for one in found.remarks(("query", "queries")) if "its items give" in one]
    assert said
    assert all(one.startswith("beta, ") for one in said)
