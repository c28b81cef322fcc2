"""Of several jobs of a kind only the newest counts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QObject

from app.jobs import Job, Jobs
from app.newest import Newest


class Asked(QObject):
    """Remembers what was found, and how often it was over."""

    def __init__(self) -> None:
        super().__init__()
        self.newest = Newest(self)
        self.newest.found.connect(self.find)
        self.newest.over.connect(self.end)
        self.found: list[object] = []
        self.ends = 0

    def find(self, result: object) -> None:
        assert self.newest.busy
        assert self.newest.asked is None
        self.found.append(result)

    def end(self) -> None:
        assert not self.newest.busy
        self.ends += 1


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    assert jobs.shut_down()


@pytest.fixture
def asked(qapp):
    return Asked()


def answering(result):
    return Job("Answering", lambda run, tell: result)


def test_the_result_and_then_the_end_are_told(qtbot, jobs, asked):
    assert not asked.newest.busy
    asked.newest.begin(answering("one"), jobs, "what?")
    assert asked.newest.busy
    assert asked.newest.asked == "what?"
    qtbot.waitUntil(lambda: asked.ends == 1)
    assert asked.found == ["one"]


def test_a_newer_one_stops_the_older_whose_result_is_let_go(qtbot, jobs, asked):
    def until_stopped(run, tell):
        while True:
            run.check()

    asked.newest.begin(Job("Going on", until_stopped), jobs)
    asked.newest.begin(answering("newer"), jobs)
    qtbot.waitUntil(lambda: jobs.idle)
    assert (asked.found, asked.ends) == (["newer"], 1)


@pytest.mark.parametrize("newer", [True, False], ids=["a newer one", "a stop"])
def test_a_result_that_was_on_its_way_is_let_go(qtbot, jobs, asked, newer):
    older = Job("Older", lambda run, tell: "older")
    asked.newest.begin(older, jobs)
    assert older.wait(10_000)  # its signals wait for the window's thread
    if newer:
        asked.newest.begin(answering("newer"), jobs)
    else:
        asked.newest.stop()
    qtbot.waitUntil(lambda: jobs.idle)
    QCoreApplication.processEvents()
    assert asked.found == (["newer"] if newer else [])
    assert asked.ends == int(newer)


def test_one_that_fails_is_over(qtbot, jobs, asked):
    asked.newest.begin(Job("Dividing", lambda run, tell: 1 / 0), jobs)
    qtbot.waitUntil(lambda: asked.ends == 1)
    assert asked.found == []


def test_what_fails_is_told_before_the_end(qtbot, jobs, asked):
    failures = []
    asked.newest.failed.connect(failures.append)

    def fail(run, tell):
        raise OSError("no disk")

    asked.newest.begin(Job("Failing", fail), jobs, "what?")
    qtbot.waitUntil(lambda: asked.ends == 1)
    assert [str(one) for one in failures] == ["no disk"]
    assert asked.found == []
    assert asked.newest.asked is None
