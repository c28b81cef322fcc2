"""Reference cycles are collected on the window's thread alone."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import pytest

from app import steady
from app.jobs import Job, Jobs
from app.steady import Steady


class Node:
    """Something that refers to itself, as widgets and their slots do."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def jobs(qapp):
    jobs = Jobs()
    yield jobs
    assert jobs.shut_down()


@pytest.fixture
def watch(jobs):
    watch = Steady(jobs)
    watch.start()
    yield watch
    watch.stop()


def test_python_is_left_as_it_was(jobs):
    before = sys.getswitchinterval()
    watch = Steady(jobs)
    watch.start()
    assert not gc.isenabled()
    assert sys.getswitchinterval() < before
    watch.set_aside()
    watch.stop()
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()
    assert sys.getswitchinterval() == before


def test_a_job_collects_nothing(qtbot, jobs, watch):
    collected = []

    def note(phase, info):
        collected.append(threading.get_ident())

    gc.callbacks.append(note)
    try:
        job = Job("Making cycles", lambda run, tell: [Node() for _ in range(5000)])
        jobs.start(job)
        qtbot.waitUntil(job.isFinished)
    finally:
        gc.callbacks.remove(note)
    assert set(collected) <= {threading.get_ident()}


def test_cycles_are_collected_at_the_next_look(watch):
    node = Node()
    gone = weakref.ref(node)
    ballast = [[] for _ in range(steady.WORTH_A_LOOK)]
    del node
    watch.collect()
    assert gone() is None
    assert len(ballast) == steady.WORTH_A_LOOK


def test_nothing_is_looked_through_while_a_job_holds_many_new_objects(qtbot, jobs, watch):
    end = threading.Event()
    jobs.start(Job("Waiting", lambda run, tell: end.wait()))
    node = Node()
    gone = weakref.ref(node)
    ballast = [[] for _ in range(steady.FEW + 1)]
    del node
    watch.collect()
    assert gone() is not None
    end.set()
    qtbot.waitUntil(lambda: jobs.idle)
    watch.collect()
    assert gone() is None
    assert len(ballast) > steady.FEW


def test_very_many_new_objects_are_set_aside_unseen(watch):
    node = Node()
    gone = weakref.ref(node)
    ballast = [[] for _ in range(steady.MANY + 1)]
    del node
    watch.collect()
    assert gone() is not None
    assert gc.get_freeze_count() > len(ballast)
    assert gc.get_count()[0] < steady.WORTH_A_LOOK
