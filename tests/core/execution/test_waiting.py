"""Work that finishes or fails exactly when one turn of waiting ends."""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import replace

import pytest

from jurydesk.core.execution.run import Run
from support.execution import square_chunks
from support.execution.square_chunks import BY_THREADS, squares

PATIENCE_SECONDS = 60


@pytest.fixture
def late(monkeypatch):
    """Return the set of futures that finish just after their first turn of waiting."""
    result, given_up = Future.result, set()

    def tardy(future, timeout=None):
        if future in given_up:
            return result(future, timeout)
        given_up.add(future)
        wait([future], PATIENCE_SECONDS)
        raise TimeoutError

    monkeypatch.setattr(Future, "result", tardy)
    return given_up


def expire(*_):
    raise TimeoutError("the work's own")


def test_work_that_finishes_as_a_turn_ends_is_used(late):
    run = Run(jobs=2)
    assert run.call(sum, [1, 2]) == 3
    assert list(run.map(abs, [-1, 2, -3])) == [1, 2, 3]
    assert [
        value for part in run.each(square_chunks.request(5)) for value in part.values
    ] == squares(5)
    assert len(late) == 1 + 3 + 5


@pytest.mark.parametrize("is_late", [False, True], ids=["in time", "as a turn ends"])
def test_a_timeout_error_of_the_work_itself_is_raised(is_late, request):
    if is_late:
        request.getfixturevalue("late")
    run = Run(jobs=1)
    chunks = square_chunks.request(2, replace(BY_THREADS, score=expire))
    for work in (
        lambda: run.call(expire),
        lambda: list(run.map(expire, [1])),
        lambda: list(run.each(chunks)),
    ):
        with pytest.raises(TimeoutError, match="the work's own"):
            work()
