"""Chunks run by a Dask cluster on loopback, whose workers and scheduler are killed."""

from __future__ import annotations

import gc
import math
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.chunk_flow import AHEAD
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import CancelToken, Run
from jurydesk.core.execution.workers.dask_workers import Cluster, dask_opener
from jurydesk.core.execution.workers.worker import WorkersLost
from support.execution.cancellation import assert_a_cancel_does_not_wait_for_a_chunk
from support.execution.dask_cluster import loopback
from support.execution.square_chunks import PATIENCE_SECONDS, request, squares, wait_until
from support.processes.program import import_path
from support.suite.samples import sample_size

pytest.importorskip("distributed")

from distributed import Client
from distributed.comm import CommClosedError

pytestmark = pytest.mark.timeout(240)

KILLS = sample_size(2, of=5)
IN_FLIGHT = (AHEAD + 1) * 2
BEGUN = {"executing", "cancelled", "memory"}
"""States of tasks on a worker that it will not begin."""
EMPTY_SECONDS = 2.0
"""Time after which no message of a client that has stopped sending is expected."""


def values(results):
    return [value for part in results for value in part.values.tolist()]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with loopback(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def trace(tmp_path):
    folder = tmp_path / "trace"
    folder.mkdir()
    return folder


def numbers_of(trace):
    """Return the first numbers of all chunks that were begun."""
    return {path.name.split("-")[0] for path in trace.iterdir()}


def there(address, **more):
    return Run(workers=dask_opener(address, "chunks"), **more)


def wait_until_all_are_known(client, least):
    """Wait until the scheduler knows all chunks of a client, which are `least` or more.

    It builds tasks in a thread of its own, and ignores the release of one that is not built yet:
    such a chunk is run.
    """

    def all_are_known():
        known = client.run_on_scheduler(lambda dask_scheduler: [*dask_scheduler.tasks])
        return len(client.futures) >= least and set(client.futures) <= set(known)

    wait_until(all_are_known)


def wait_until_nothing_waits(address):
    """Wait until the scheduler has no chunks and no worker has any before it, for a while.

    Chunks that were sent before they were abandoned may still be on their way to the scheduler, and
    a busy worker may wait for the settings of chunks, which then are not in its queue yet.
    """
    empty_since = math.inf
    with Client(address, timeout=PATIENCE_SECONDS, set_as_default=False) as client:

        def nothing_waits():
            nonlocal empty_since
            known = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
            states = client.run(
                lambda dask_worker: [one.state for one in dask_worker.state.tasks.values()]
            )
            now = time.monotonic()
            is_empty = not known and all(set(found) <= BEGUN for found in states.values())
            empty_since = min(empty_since, now) if is_empty else math.inf
            return now - empty_since > EMPTY_SECONDS

        wait_until(nothing_waits)


def test_results_of_other_processes_are_in_order(cluster, trace):
    with there(cluster.address) as run:
        assert values(run.each(request(30, trace=str(trace), seconds=0.01))) == squares(30)
        assert run.place == "a Dask cluster"
    owners = {int(path.name.split("-")[1]) for path in trace.iterdir()}
    assert owners == {worker.pid for worker in cluster.workers}


def test_progress_shows_which_worker_runs_what(cluster, tmp_path):
    reported: list[Progress] = []
    gate = tmp_path / "gate"

    def notify(progress):
        reported.append(progress)
        if {worker.doing for worker in progress.workers} == {"Squaring"}:
            gate.touch()

    with there(cluster.address, progress=notify) as run:
        list(run.each(request(40, seconds=0.08, gate=str(gate))))
        wait_until(lambda: {worker.doing for worker in run.workers.status()} == {"waiting"})
    workers = reported[-1].workers
    assert len(workers) == 2
    assert sum(worker.chunks for worker in workers) == 40
    assert all(worker.seconds / worker.chunks > 0.07 for worker in workers)


def test_an_exception_of_a_chunk_is_raised_unchanged(cluster):
    bad = request(3)
    bad.chunks[1].values[0] = -1.0
    with there(cluster.address) as run, pytest.raises(ZeroDivisionError, match="negative"):
        list(run.each(bad))


def test_only_a_few_chunks_are_in_flight_at_a_time(cluster, trace):
    """Check that the driver's memory does not grow with the number of chunks."""
    sent = []

    class Noted(Cluster):
        def submit(self, request, chunk, check):
            sent.append(chunk)
            return super().submit(request, chunk, check)

    taken = 0
    with Run(workers=lambda: Noted(cluster.address)) as run:
        for _ in run.each(request(200)):
            taken += 1
            assert len(sent) - taken < IN_FLIGHT
    assert len(sent) == taken == 200


def test_a_result_counts_though_its_worker_dies_on_arrival(cluster, monkeypatch):
    """Check that the local result is used although the scheduler would run the task again."""
    gather = Client._gather_remote

    async def gather_and_lose(client, *arguments):
        response = await gather(client, *arguments)
        for key in response["data"]:
            client._handle_lost_data(key)
        return response

    monkeypatch.setattr(Client, "_gather_remote", gather_and_lose)
    with there(cluster.address) as run:
        assert values(run.each(request(10))) == squares(10)


def test_a_broken_connection_while_fetching_a_result_changes_nothing(cluster, trace, monkeypatch):
    gather = Client._gather_remote
    broken = []

    async def gather_or_break(client, *arguments):
        response = await gather(client, *arguments)
        if not broken:
            broken.append(response)
            raise CommClosedError("in <TCP>: Stream is closed")
        return response

    monkeypatch.setattr(Client, "_gather_remote", gather_or_break)
    with there(cluster.address) as run:
        assert values(run.each(request(10, trace=str(trace)))) == squares(10)
    assert broken
    assert len([*trace.iterdir()]) > 10


def test_a_missing_file_on_a_worker_is_an_error_of_the_work(cluster, tmp_path):
    nowhere = request(3, trace=str(tmp_path / "nowhere"))
    with there(cluster.address) as run, pytest.raises(FileNotFoundError, match="nowhere"):
        list(run.each(nowhere))


def test_an_abandoned_run_releases_its_chunks(cluster, trace, tmp_path):
    gate = tmp_path / "gate"
    with there(cluster.address) as run:
        results = run.each(request(40, trace=str(trace), gate=str(gate)))
        next(results)
        try:
            # On a busy machine, one of the workers may count alone.
            wait_until_all_are_known(run.workers._client, AHEAD)
            # One worker may have claimed all chunks that wait.
            wait_until(lambda: len([*trace.iterdir()]) > 1)
            # Workers may have begun others before the first, and have lost patience with the gate.
            before = numbers_of(trace)
            results.close()
            wait_until_nothing_waits(cluster.address)
        finally:
            gate.touch()
        assert values(run.each(request(5))) == squares(5)
    assert "0" in before
    more = numbers_of(trace) - before
    assert len(more) <= len(cluster.workers), sorted(path.name for path in trace.iterdir())


def test_unclaimed_results_do_not_prevent_the_end_of_their_cluster(cluster):
    with there(cluster.address) as run:
        results = run.each(request(40, seconds=0.02))
        next(results)
    results.close()


def test_a_cancellation_is_noticed_while_a_long_chunk_runs(cluster, tmp_path):
    token = CancelToken()
    with there(cluster.address, cancel=token) as run:
        assert_a_cancel_does_not_wait_for_a_chunk(run, token, tmp_path / "gate")


def test_another_version_on_a_worker_is_reported(cluster, monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.workers.dask_workers.__version__", "0.0.1")
    with (
        there(cluster.address) as run,
        pytest.raises(WorkersLost, match=r"has Jurydesk .*, and this is 0\.0\.1"),
    ):
        list(run.each(request(2)))


def test_an_address_without_a_scheduler_is_reported(monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.workers.dask_workers.CONNECT_SECONDS", 0.5)
    with (
        there("tcp://127.0.0.1:9") as run,
        pytest.raises(WorkersLost, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"),
    ):
        list(run.each(request(2)))


@pytest.mark.parametrize("repeated", [1 << 16, 0], ids=["small settings", "large settings"])
def test_a_killed_worker_and_a_late_one_change_nothing(tmp_path, trace, repeated, monkeypatch):
    monkeypatch.setattr(
        "jurydesk.core.execution.workers.dask_workers.MOST_REPEATED_BYTES", repeated
    )
    with loopback(tmp_path / "cluster") as own, there(own.address) as run:
        results = run.each(request(100, trace=str(trace), seconds=0.05))
        found = [next(results) for _ in range(5)]
        own.start_worker()
        own.wait_for_workers(3)
        own.workers[0].kill()
        found += results
        assert values(found) == squares(100)
    owners = {int(path.name.split("-")[1]) for path in trace.iterdir()}
    assert owners == {worker.pid for worker in own.workers}


def test_kills_at_random_moments_change_nothing(tmp_path, trace, caplog):
    dice = random.Random(10)
    over = threading.Event()
    killed = Counter()

    with loopback(tmp_path / "cluster", workers=3) as own:

        def kill_and_replace():
            while killed["workers"] < KILLS and not over.wait(dice.uniform(0.2, 0.8)):
                alive = [worker for worker in own.workers if worker.poll() is None]
                if len(alive) >= 2:
                    dice.choice(alive[:2]).kill()  # usually one that has joined
                    killed["workers"] += 1
                    own.start_worker()

        killer = threading.Thread(target=kill_and_replace)
        killer.start()
        rounds = 0
        try:
            with there(own.address) as run:
                while killed["workers"] < KILLS:
                    assert values(run.each(request(60, seconds=0.02))) == squares(60)
                    rounds += 1
                assert values(run.each(request(60))) == squares(60)
        finally:
            over.set()
            killer.join()
    assert killed["workers"] == KILLS
    assert rounds >= 1
    gc.collect()
    caplog.clear()  # Dask reports requests to the killed workers when they are forgotten


def test_a_lost_scheduler_ends_the_run_with_a_message_and_the_run_resumes(tmp_path, trace):
    cache = FolderCache(tmp_path / "cache")
    whole = request(12, trace=str(trace), seconds=0.02)
    found = []
    with loopback(tmp_path / "cluster") as own, there(own.address, cache=cache) as run:
        results = run.each(whole)
        found += [next(results) for _ in range(6)]
        own.processes[0].kill()
        with pytest.raises(WorkersLost, match=r"went away.*start the run again to resume"):
            found += results
    before = {path.name.split("-")[0] for path in trace.iterdir()}
    kept = {f"{3 * number}" for number in range(6)}
    assert kept <= before
    for path in trace.iterdir():
        path.unlink()
    assert values(Run(cache=cache).each(whole)) == squares(12)
    assert kept & {path.name.split("-")[0] for path in trace.iterdir()} == set()


def test_a_long_time_without_workers_ends_the_run_with_a_message(tmp_path):
    with loopback(tmp_path / "cluster", workers=1) as own:
        own.workers[0].kill()
        opened = Run(workers=lambda: Cluster(own.address, patience=1.5))
        with opened as run, pytest.raises(WorkersLost, match=r"has no worker\. Start one with"):
            list(run.each(request(2)))


def test_a_run_without_a_scheduler_never_imports_distributed():
    code = (
        "import sys; from jurydesk.core.execution.run import Run; "
        "from support.execution import square_chunks; "
        "assert list(Run(jobs=2).each(square_chunks.request(5))); "
        "print({'dask', 'distributed', 'tornado'} & set(sys.modules))"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": import_path()},
        timeout=60,
        check=False,
    )
    assert outcome.stdout == "set()\n", outcome.stderr


def test_a_tls_scheduler_is_used_with_the_certificates_of_dask_s_configuration(monkeypatch):
    monkeypatch.setattr("jurydesk.core.execution.workers.dask_workers.CONNECT_SECONDS", 0.5)
    with (
        there("tls://127.0.0.1:9") as run,
        pytest.raises(WorkersLost, match=r"at tls://127\.0\.0\.1:9\. For tls:// Dask's own config"),
    ):
        list(run.each(request(1)))
