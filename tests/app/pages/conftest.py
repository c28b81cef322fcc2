"""What tests of several pages need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jurydesk.app.jobs.job import Jobs


@pytest.fixture
def jobs(qapp) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    assert made.shut_down()


@pytest.fixture
def failures(jobs: Jobs) -> list[Exception]:
    """What went wrong in jobs."""
    found: list[Exception] = []
    jobs.failed.connect(found.append)
    return found
