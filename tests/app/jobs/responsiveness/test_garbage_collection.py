"""Reference cycles are collected on the window's thread alone."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from jurydesk.app.jobs.job import Job, Jobs
from jurydesk.app.jobs.responsiveness import garbage_collection
from jurydesk.app.jobs.responsiveness.garbage_collection import GarbageCollection


class Node:
    """Object that refers to itself, as widgets and their slots do."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    assert jobs.shut_down()


@pytest.fixture
def watch(jobs):
    watch = GarbageCollection(jobs)
    watch.start()
    yield watch
    watch.stop()


def test_the_settings_of_python_are_restored(jobs):
    watch = GarbageCollection(jobs)
    watch.start()
    assert not gc.isenabled()
    watch.freeze()
    watch.stop()
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()


def test_garbage_is_not_collected_in_the_thread_of_a_job(qtbot, jobs, watch):
    collected = []

    def note(phase, info):
        collected.append(threading.get_ident())

    gc.callbacks.append(note)
    try:
        job = Job("Making cycles", lambda run, notify: [Node() for _ in range(5000)])
        jobs.start(job)
        qtbot.waitUntil(job.isFinished)
    finally:
        gc.callbacks.remove(note)
    assert set(collected) <= {threading.get_ident()}


def test_cycles_are_collected_at_the_next_check(watch):
    node = Node()
    gone = weakref.ref(node)
    ballast = [[] for _ in range(garbage_collection.MIN_OBJECTS)]
    del node
    watch.collect()
    assert gone() is None
    assert len(ballast) == garbage_collection.MIN_OBJECTS


def test_no_collection_happens_while_a_job_holds_many_new_objects(qtbot, jobs, watch):
    end = threading.Event()
    jobs.start(Job("Waiting", lambda run, notify: end.wait()))
    node = Node()
    gone = weakref.ref(node)
    ballast = [[] for _ in range(garbage_collection.QUICK_OBJECTS + 1)]
    del node
    watch.collect()
    assert gone() is not None
    end.set()
    qtbot.waitUntil(lambda: jobs.idle)
    watch.collect()
    assert gone() is None
    assert len(ballast) > garbage_collection.QUICK_OBJECTS


def test_very_many_new_objects_are_frozen_and_not_collected(watch):
    node = Node()
    gone = weakref.ref(node)
    ballast = [[] for _ in range(garbage_collection.FREEZE_OBJECTS + 1)]
    del node
    watch.collect()
    assert gone() is not None
    assert gc.get_freeze_count() > len(ballast)
    assert gc.get_count()[0] < garbage_collection.MIN_OBJECTS
