"""The toy competition as an installed package, with a reference file and three submissions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from jurydesk.core.competition.task_registry import registry
from support import toy
from support.plug_ins.installation import plug_in


class Files(NamedTuple):
    truth: Path
    near: Path
    far: Path
    broken: Path


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Files]:
    monkeypatch.syspath_prepend(plug_in(tmp_path / "site", "toy", "support.toy:TASK"))
    registry.cache_clear()
    ids = "abcdefgh"
    numbers = {key: float(place) for place, key in enumerate(ids)}
    broken = tmp_path / "broken.txt"
    broken.write_text("a 1\nb two\n")
    yield Files(
        toy.write(tmp_path / "truth.txt", numbers),
        toy.write(tmp_path / "near.txt", {key: value + 0.25 for key, value in numbers.items()}),
        toy.write(tmp_path / "far.txt", {key: value + 0.5 for key, value in numbers.items()}),
        broken,
    )
    registry.cache_clear()
