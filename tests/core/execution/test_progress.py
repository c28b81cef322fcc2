from __future__ import annotations

import pytest

from jurydesk.core.execution import progress
from jurydesk.core.execution.progress import Progress, ProgressReporter


def test_progress_is_reported_every_40_milliseconds_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([100.0, 100.03, 100.05, 100.06, 100.07])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    seen: list[Progress] = []
    reporter = ProgressReporter(seen.append)
    for done in (0, 1, 2, 3, 4):
        reporter.report(done, 4, "Reading", "", ())
    assert [one.done for one in seen] == [0, 2, 4]


def test_the_remaining_time_is_estimated_after_half_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([100.0, 100.25, 100.5])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    seen: list[Progress] = []
    reporter = ProgressReporter(seen.append)
    for done in (0, 1, 2):
        reporter.report(done, 10, "Reading", "images", ())
    assert [one.seconds_left for one in seen] == [None, None, 2.0]
    assert seen[-1].rate == "4.0 images/s"
