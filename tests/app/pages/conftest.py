"""What tests of several pages need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.jobs import Jobs


@pytest.fixture
def jobs(qapp) -> Iterator[Jobs]:
    made = Jobs()
    yield made
    assert made.shut_down()
