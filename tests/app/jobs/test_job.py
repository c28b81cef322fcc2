"""Jobs: results, failures and ends arrive on the GUI thread."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from jurydesk.app.jobs.job import Job, Jobs, view_jobs
from jurydesk.core.system import memory


class Listener(QObject):
    """Records what arrives, and on which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[str, object]] = []
        self.threads: set[int] = set()

    def listen(self, job: Job) -> None:
        job.succeeded.connect(self.success)
        job.failed.connect(self.failure)
        job.stopped.connect(self.stop)
        job.partial_result.connect(self.notify)
        job.progressed.connect(self.progress)
        job.ended.connect(self.over)

    def success(self, value) -> None:
        self._note("succeeded", value)

    def failure(self, value) -> None:
        self._note("failed", value)

    def stop(self) -> None:
        self._note("stopped", None)

    def notify(self, value) -> None:
        self._note("told", value)

    def progress(self, value) -> None:
        self._note("progress", value.done)

    def over(self, job) -> None:
        self._note("over", job)

    def _note(self, kind: str, value: object) -> None:
        self.heard.append((kind, value))
        self.threads.add(threading.get_ident())


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    assert jobs.shut_down()


def test_messages_of_a_job_arrive_in_order_on_the_gui_thread(qtbot, jobs):
    def work(run, notify):
        run.report(1, 2, "counting")
        notify("half")
        return threading.get_ident()

    listener = Listener()
    job = Job("Counting", work)
    listener.listen(job)
    jobs.start(job)
    qtbot.waitUntil(lambda: ("over", job) in listener.heard)
    kinds = [kind for kind, _ in listener.heard]
    assert kinds == ["progress", "told", "succeeded", "over"]
    assert listener.heard[2][1] != threading.get_ident()
    assert listener.threads == {threading.get_ident()}
    assert jobs.visible() is None


def test_a_failure_is_delivered_as_a_signal_and_not_raised(qtbot, jobs):
    def work(run, notify):
        raise ZeroDivisionError("nothing to divide by")

    listener = Listener()
    job = Job("Dividing", work)
    listener.listen(job)
    with qtbot.waitSignal(jobs.failed) as failed:
        jobs.start(job)
    assert isinstance(failed.args[0], ZeroDivisionError)
    qtbot.waitUntil(lambda: ("over", job) in listener.heard)
    assert "succeeded" not in dict(listener.heard)


def test_a_failure_of_a_slot_is_raised_on_the_window_s_thread(qtbot):
    def work(run, notify):
        raise ZeroDivisionError("nothing to divide by")

    with qtbot.captureExceptions() as raised:
        view_jobs().start(Job("Dividing", work))
        qtbot.waitUntil(lambda: view_jobs().idle and bool(raised))
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]


def test_a_cancelled_job_stops_without_a_result(qtbot, jobs):
    def work(run, notify):
        while True:
            run.check()
            time.sleep(0.001)

    listener = Listener()
    job = Job("Waiting", work)
    listener.listen(job)
    jobs.start(job)
    job.cancel()
    qtbot.waitUntil(lambda: ("over", job) in listener.heard)
    assert [kind for kind, _ in listener.heard] == ["stopped", "over"]


def test_a_job_object_exists_until_its_thread_has_ended(qtbot, jobs):
    with qtbot.waitSignal(jobs.changed):
        jobs.start(Job("Short", lambda run, notify: time.sleep(0.05)))
    assert jobs.visible().title == "Short"
    qtbot.waitUntil(lambda: jobs.visible() is None)


def test_quiet_jobs_are_not_shown(qtbot, jobs):
    job = Job("Looking for devices", lambda run, notify: time.sleep(0.02), quiet=True)
    jobs.start(job)
    assert jobs.visible() is None
    qtbot.waitUntil(job.isFinished)


def test_many_short_jobs_leave_nothing_behind(qtbot, jobs):
    for _ in range(50):
        jobs.start(Job("Short", lambda run, notify: None))
    qtbot.waitUntil(lambda: jobs.visible() is None)


def test_the_arenas_of_memory_are_limited_before_a_thread_starts(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(memory, "limit_arenas", lambda: seen.append("limited"))
    jobs = Jobs()
    with qtbot.waitSignal(jobs.start(Job("work", lambda run, notify: seen.append("work"))).ended):
        pass
    assert seen == ["limited", "work"]
