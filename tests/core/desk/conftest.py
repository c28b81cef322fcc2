"""Desks to read and to write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from support.desks.toy_desk import Scored, scored_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk.create(tmp_path / "toy.jurydesk") as desk:
        yield desk


@pytest.fixture
def scored(tmp_path: Path) -> Iterator[Scored]:
    with scored_desk(tmp_path / "work") as scored:
        yield scored
