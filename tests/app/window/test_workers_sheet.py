"""A cluster is set in the preferences, and the job strip shows its workers."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from jurydesk.app.jobs.job import Job, Jobs
from jurydesk.app.sheets.preferences import PreferencesSheet
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.session import Session
from jurydesk.app.state.settings import Settings
from jurydesk.app.window.job_strip import JobStrip
from jurydesk.app.window.workers_sheet import SHOWN, WorkersSheet
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.workers.worker import Worker

WORKERS = (
    Worker("tcp://desk-a:4001", "working", 12, 6.0),
    Worker("tcp://desk-b:4001", "waiting", 0, 0.0),
    Worker("tcp://desk-c:4001", "gone", 3, 1.5),
)


@pytest.fixture
def window(qtbot):
    parent = QWidget()
    parent.resize(900, 700)
    qtbot.addWidget(parent)
    parent.show()
    return parent


@pytest.fixture
def strip(window):
    jobs = Jobs(window)
    strip = JobStrip(jobs, window)
    strip.resize(900, 34)
    strip.show()
    return strip


@pytest.fixture
def job(qtbot, strip):
    """Return a job that reports on request, and ends with the test."""
    leave = threading.Event()
    job = Job("Scoring", lambda run, notify: leave.wait(20))
    strip._jobs.start(job)
    yield job
    with qtbot.waitSignal(job.ended):
        leave.set()


def progress(workers):
    return Progress(3, 10, "Scoring METEOR", 4.0, workers=workers)


def test_the_strip_counts_the_present_workers(strip, job):
    assert strip.workers.isHidden()
    job.progressed.emit(progress(WORKERS))
    assert strip.workers.text() == "2 workers"
    assert strip.workers.isVisible()


def test_local_work_shows_no_workers(strip, job):
    job.progressed.emit(progress(()))
    assert strip.workers.isHidden()


def test_the_key_on_the_worker_count_opens_a_line_for_each_worker(qtbot, window, strip, job):
    job.progressed.emit(progress(WORKERS))
    strip.workers.setFocus()
    qtbot.keyClick(strip.workers, Qt.Key.Key_Space)
    sheet = window.findChild(WorkersSheet)
    assert sheet.isVisible()
    assert sheet.texts() == [
        ["tcp://desk-a:4001", "working", "12", "0.50"],
        ["tcp://desk-b:4001", "waiting", "0", ""],
        ["tcp://desk-c:4001", "gone", "3", "0.50"],
    ]
    later = (Worker("tcp://desk-a:4001", "waiting", 13, 6.5), *WORKERS[1:])
    job.progressed.emit(progress(later))
    assert sheet.texts()[0] == ["tcp://desk-a:4001", "waiting", "13", "0.50"]
    qtbot.keyClick(sheet.done, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_many_workers_are_summarized_below(window):
    sheet = WorkersSheet(window)
    sheet.show_workers(tuple(Worker(f"tcp://10.0.0.{n}:1") for n in range(SHOWN + 5)))
    assert len(sheet.texts()) == SHOWN
    assert sheet.more.text() == "and 5 more workers"


class TestPreferences:
    @pytest.fixture
    def settings(self, tmp_path):
        return Settings(tmp_path / "window.ini")

    @pytest.fixture
    def evaluator(self, window, settings):
        session = Session(window)
        return Evaluator(session, Jobs(window), window)

    @pytest.fixture
    def sheet(self, window, evaluator, settings):
        sheet = PreferencesSheet(evaluator, settings, window)
        sheet.open()
        return sheet

    def test_a_scheduler_address_is_accepted_and_stored(self, qtbot, sheet, evaluator, settings):
        qtbot.keyClicks(sheet.scheduler, "tcp://desk-a:8786")
        qtbot.keyClick(sheet.scheduler, Qt.Key.Key_Return)
        assert evaluator.scheduler == settings.text("scheduler") == "tcp://desk-a:8786"
        assert sheet.problem.isHidden()

    def test_an_invalid_address_is_reported_and_not_accepted(self, qtbot, sheet, evaluator):
        qtbot.keyClicks(sheet.scheduler, "desk a")
        qtbot.keyClick(sheet.scheduler, Qt.Key.Key_Return)
        assert evaluator.scheduler == ""
        assert sheet.problem.isVisible()
        sheet.scheduler.clear()
        qtbot.keyClick(sheet.scheduler, Qt.Key.Key_Return)
        assert sheet.problem.isHidden()

    def test_pictures_are_sent_with_the_work_unless_a_path_is_shared(
        self, sheet, evaluator, settings
    ):
        assert evaluator.data == "chunks"
        sheet.data.setCurrentIndex(1)
        assert evaluator.data == settings.text("data") == "paths"
