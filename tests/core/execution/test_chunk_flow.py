"""Chunks run by the workers of one machine."""

from __future__ import annotations

import os
import signal
from collections import Counter
from dataclasses import replace
from threading import Thread

import numpy as np
import pytest

from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.chunk_flow import AHEAD, TRIES
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import CancelToken, ChunksPostponed, Run
from jurydesk.core.execution.workers.worker import WorkersLost
from jurydesk.core.model.chunk import ChunkRequest
from support.execution import square_chunks
from support.execution.cancellation import assert_a_cancel_does_not_wait_for_a_chunk
from support.execution.square_chunks import BY_PROCESSES, BY_THREADS, Numbers, request, squares


def values(results):
    return [value for part in results for value in part.values.tolist()]


@pytest.fixture
def trace(tmp_path):
    folder = tmp_path / "trace"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_are_in_order_whichever_worker_made_them(jobs):
    assert values(Run(jobs=jobs).each(request(20))) == squares(20)


def test_a_request_without_chunks_has_no_results():
    assert values(Run().each(request(0))) == []


def test_enough_work_that_holds_the_lock_runs_in_processes(trace, monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.workers.local_workers.WORTH_SECONDS", 0.5)
    with Run(jobs=2) as run:
        results = run.each(request(20, BY_PROCESSES, trace=str(trace), seconds=0.1))
        assert values(results) == squares(20)
    owners = Counter(path.name.split("-")[1] for path in trace.iterdir())
    # The first chunks show how long the work is.
    assert owners.pop(str(os.getpid())) <= AHEAD + 2
    assert 1 <= len(owners) <= 2


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")
def test_a_new_process_ignores_ctrl_c_from_its_start(trace, monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.workers.local_workers.WORTH_SECONDS", 0.0)
    monkeypatch.setattr(
        "jurydesk.core.execution.workers.local_workers._ignore_interrupt", os.getpid
    )  # a message would arrive too late
    with Run(jobs=2) as run:
        results = run.each(request(12, BY_PROCESSES, trace=str(trace), seconds=0.05))
        first = [next(results) for _ in range(8)]
        owners = {int(path.name.split("-")[1]) for path in trace.iterdir()} - {os.getpid()}
        assert owners
        for owner in owners:
            os.kill(owner, signal.SIGINT)
        assert values([*first, *results]) == squares(12)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_short_work_that_holds_the_lock_starts_no_process(trace):
    with Run(jobs=2) as run:
        assert values(run.each(request(3, BY_PROCESSES, trace=str(trace)))) == squares(3)
    assert {path.name.split("-")[1] for path in trace.iterdir()} == {str(os.getpid())}


@pytest.mark.parametrize(("limit", "threads"), [(3, 0), (2, 1)])
def test_a_single_small_chunk_runs_on_the_thread_of_the_caller(monkeypatch, limit, threads):
    started: list[Thread] = []
    start = Thread.start
    monkeypatch.setattr(Thread, "start", lambda self: (started.append(self), start(self)))
    work = replace(BY_THREADS, inline_limit=limit)
    with Run(jobs=1) as run:
        assert values(run.each(request(1, work))) == squares(1)
    assert len(started) == threads


def test_progress_counts_items_in_their_unit():
    reported: list[Progress] = []
    run = Run(jobs=2, progress=reported.append)
    list(run.each(request(20)))
    assert (reported[-1].done, reported[-1].total, reported[-1].unit) == (60, 60, "numbers")


def test_an_exception_of_a_chunk_is_raised_unchanged():
    bad = ChunkRequest(
        BY_THREADS, square_chunks.Settings(), [Numbers(np.array([-1.0]))], "Squaring"
    )
    with pytest.raises(ZeroDivisionError, match="negative"):
        list(Run().each(bad))


def test_only_a_few_chunks_are_in_flight_at_a_time():
    """Check that chunks are requested lazily, however many there are."""

    class Counted(list):
        asked = 0

        def __iter__(self):
            for entry in super().__iter__():
                Counted.asked += 1
                yield entry

    one = request(500)
    many = ChunkRequest(one.kind, one.settings, Counted(one.chunks), one.text)
    results = Run(jobs=2).each(many)
    Counted.asked = 0
    next(results)
    counted_for_the_total = 500
    assert Counted.asked - counted_for_the_total <= (AHEAD + 1) * 2
    results.close()


def test_a_cancellation_is_noticed_while_a_long_chunk_runs(tmp_path):
    token = CancelToken()
    run = Run(cancel=token, jobs=1)
    assert_a_cancel_does_not_wait_for_a_chunk(run, token, tmp_path / "gate")


class TestCachedChunks:
    def test_a_stopped_run_resumes(self, tmp_path, trace):
        cache = FolderCache(tmp_path / "cache")
        first = Run(jobs=1, cache=cache).each(request(10, trace=str(trace)))
        for _ in range(4):
            next(first)
        first.close()
        before = {path.name.split("-")[0] for path in trace.iterdir()}
        again = Run(jobs=1, cache=cache).each(request(10, trace=str(trace)))
        assert values(again) == squares(10)
        scored = [path.name.split("-")[0] for path in trace.iterdir()]
        assert {"0", "3", "6", "9"} <= before
        assert all(scored.count(name) == 1 for name in ("0", "3", "6", "9"))

    def test_a_chunk_is_identified_by_content_settings_and_version(self, monkeypatch):
        one = request(1)
        key = one.key(one.chunks[0])
        assert one.key(Numbers(one.chunks[0].values.copy())) == key
        assert one.key(Numbers(one.chunks[0].values + 1)) != key
        other = request(1, seconds=0.1)
        assert other.key(one.chunks[0]) != key
        monkeypatch.setattr("jurydesk.core.model.chunk.__version__", "0.0.0")
        assert one.key(one.chunks[0]) != key

    def test_damaged_statistics_are_computed_again(self, tmp_path):
        cache = FolderCache(tmp_path / "cache")
        one = request(2)
        for chunk in one.chunks:
            cache.put(one.key(chunk), b"no statistics")
        assert values(Run(cache=cache).each(one)) == squares(2)


class TestPostponed:
    def test_chunks_are_recorded_and_not_scored(self, trace):
        noted = []
        run = Run(postpone=noted.append)
        with pytest.raises(ChunksPostponed):
            run.each(request(4, trace=str(trace)))
        assert [len(one.chunks) for one in noted] == [4]
        assert list(trace.iterdir()) == []

    def test_only_chunks_that_are_not_cached_are_postponed(self, tmp_path):
        cache = FolderCache(tmp_path / "cache")
        half = request(4)
        half = ChunkRequest(half.kind, half.settings, half.chunks[:2], half.text)
        first = Run(cache=cache, jobs=1).each(half)
        next(first)
        first.close()
        noted = []
        with pytest.raises(ChunksPostponed):
            Run(cache=cache, postpone=noted.append).each(request(4))
        assert len(noted[0].chunks) < 4

    def test_parallel_requests_are_all_recorded(self):
        noted = []
        run = Run(postpone=noted.append)
        with pytest.raises(ChunksPostponed):
            run.gather(lambda: run.each(request(2)), lambda: 1, lambda: run.each(request(3)))
        assert [len(one.chunks) for one in noted] == [2, 3]

    def test_without_postponement_functions_run_in_sequence(self):
        run = Run()
        first, second = run.gather(lambda: values(run.each(request(2))), lambda: "second")
        assert (first, second) == (squares(2), "second")


def test_a_chunk_that_crashes_every_process_is_abandoned_with_a_message(trace, monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.workers.local_workers.WORTH_SECONDS", 0.0)
    with (
        Run(jobs=2) as run,
        pytest.raises(WorkersLost, match=f"crashed its worker {TRIES} times"),
    ):
        list(run.each(request(15, BY_PROCESSES, deadly=30.0, trace=str(trace))))


class CountedKeys(FolderCache):
    """An empty cache that records requests."""

    def __init__(self, folder):
        super().__init__(folder)
        self.asked = []

    @property
    def is_empty(self):
        return not self.folder.exists()

    def get(self, key):
        self.asked.append(key)
        return super().get(key)


def test_an_empty_cache_is_not_read_and_a_later_run_reads_what_a_stopped_one_stored(tmp_path):
    cache, asked = CountedKeys(tmp_path / "cache"), request(4)
    results = Run(jobs=1, cache=cache).each(asked)
    first = [next(results), next(results)]
    results.close()
    assert cache.asked == []
    kept = [key for key in map(asked.key, asked.chunks) if cache.get(key) is not None]
    assert len(kept) >= len(first)
    cache.asked.clear()
    assert values(Run(jobs=1, cache=cache).each(asked)) == squares(4)
    assert cache.asked == [asked.key(chunk) for chunk in asked.chunks]
