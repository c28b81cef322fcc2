"""Competition that takes sealed entries, made once for a file of tests, copied for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.sealed_entries import Contest


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    contest = Contest.make(tmp_path_factory.mktemp("contest"))
    with contest.desk:
        yield contest


@pytest.fixture
def contest(made: Contest, tmp_path: Path) -> Iterator[Contest]:
    copy = made.copy(tmp_path)
    with copy.desk:
        yield copy
