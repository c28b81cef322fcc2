"""Of several jobs of a kind only the latest counts, and only for the desk of its start."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QObject

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.jobs.latest_job import FAULT, DeskJob, LatestJob
from jurydesk.core.desk.errors import EvaluationGoneError
from jurydesk.core.model.evaluation import UsageError


class Listener(QObject):
    """Records what a job reports, in order."""

    def __init__(self, jobs: Jobs, session: object = None, limit: int = 1) -> None:
        super().__init__()
        if session is None:
            self.job = LatestJob(self, jobs, limit=limit)
        else:
            self.job = DeskJob(self, session, jobs, limit=limit)
        self.heard: list[object] = []
        self.job.arrived.connect(self.heard.append)
        self.job.refused.connect(self.heard.append)
        self.job.ended.connect(self.end)

    def end(self) -> None:
        assert not self.job.is_busy
        self.heard.append("end")


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    assert jobs.shut_down()


@pytest.fixture
def listener(jobs):
    return Listener(jobs)


def answer(text):
    return lambda run, notify: text


def until_cancelled(run, notify):
    while True:
        run.check()


def test_a_result_arrives_before_the_end(qtbot, listener):
    listener.job.start("key", "Answering", answer("one"))
    assert (listener.job.is_busy, listener.job.is_pending) == (True, True)
    qtbot.waitUntil(lambda: listener.heard == ["one", "end"])
    assert (listener.job.is_busy, listener.job.is_pending) == (False, False)


def test_starting_a_job_cancels_the_previous_one(qtbot, jobs, listener):
    listener.job.start("first", "Going on", until_cancelled)
    listener.job.start("second", "Answering", answer("newer"))
    qtbot.waitUntil(lambda: jobs.idle)
    assert listener.heard == ["newer", "end"]


@pytest.mark.parametrize("newer", [True, False], ids=["another start", "a cancel"])
def test_a_finished_result_that_was_not_delivered_yet_is_discarded(qtbot, jobs, listener, newer):
    listener.job.start("first", "Answering", answer("older"))
    assert listener.job._job.wait(10_000)  # its signals wait for the window's thread
    if newer:
        listener.job.start("second", "Answering", answer("newer"))
    else:
        listener.job.cancel()
    qtbot.waitUntil(lambda: jobs.idle)
    QCoreApplication.processEvents()
    assert listener.heard == (["newer", "end"] if newer else [])
    assert listener.job.cached_result("first") is None


def test_a_known_result_is_returned_at_once(qtbot, jobs, listener):
    begun = []

    def work(run, notify):
        begun.append(1)
        return "one"

    assert listener.job.request("key", "Answering", work) is None
    assert listener.job.request("key", "Answering", work) is None
    qtbot.waitUntil(lambda: jobs.idle)
    assert listener.job.request("key", "Answering", work) == "one"
    assert (jobs.idle, begun) == (True, [1])


def test_only_the_last_results_stay_in_memory(qtbot, jobs):
    listener = Listener(jobs, limit=2)
    for key in "abc":
        listener.job.start(key, "Answering", answer(key))
        qtbot.waitUntil(lambda: jobs.idle)
    assert listener.job.results() == ["b", "c"]
    assert [listener.job.cached_result(key) for key in "abc"] == [None, "b", "c"]
    listener.job.clear()
    assert listener.job.results() == []


def test_a_result_of_the_previous_desk_never_arrives(qtbot, jobs):
    session = SimpleNamespace(desk_number=1)
    listener = Listener(jobs, session)
    may_end = threading.Event()
    listener.job.start("key", "Answering", lambda run, notify: may_end.wait() and "late")
    session.desk_number = 2
    may_end.set()
    qtbot.waitUntil(lambda: jobs.idle)
    assert listener.heard == ["end"]
    assert listener.job.cached_result("key") is None


def test_a_result_of_the_previous_desk_is_not_known(qtbot, jobs):
    session = SimpleNamespace(desk_number=1)
    listener = Listener(jobs, session)
    listener.job.start("key", "Answering", answer("one"))
    qtbot.waitUntil(lambda: jobs.idle)
    assert listener.job.cached_result("key") == "one"
    session.desk_number = 2
    assert listener.job.cached_result("key") is None
    assert listener.job.results() == []


@pytest.mark.parametrize("error", [UsageError("No such column."), OSError("No disk.")])
def test_an_error_that_the_user_can_correct_is_a_refusal(qtbot, jobs, listener, error, failures_of):
    def fail(run, notify):
        raise error

    failures = failures_of(jobs)
    listener.job.start("key", "Failing", fail)
    qtbot.waitUntil(lambda: listener.heard == [str(error), "end"])
    assert failures == []


def test_a_fault_of_the_program_is_reported_as_one(qtbot, jobs, listener, failures_of):
    failures = failures_of(jobs)
    listener.job.start("key", "Dividing", lambda run, notify: 1 / 0)
    qtbot.waitUntil(lambda: listener.heard == [FAULT, "end"])
    assert [type(one) for one in failures] == [ZeroDivisionError]


def test_a_result_removed_from_the_desk_is_not_a_failure(qtbot, jobs, listener, failures_of):
    def fail(run, notify):
        raise EvaluationGoneError("It was scored again.")

    failures = failures_of(jobs)
    listener.job.start("key", "Reading", fail)
    qtbot.waitUntil(lambda: listener.heard == ["end"])
    assert failures == []


@pytest.fixture
def failures_of():
    def collect(jobs):
        found = []
        jobs.failed.connect(found.append)
        return found

    return collect
