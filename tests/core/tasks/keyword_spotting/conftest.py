"""Options and files for the readers of ranked lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements
from support.files.icfhr import JUDGED, read_relevance
from support.files.trec import QRELS, RUN, WAYS, Pair, read_in_one_way, write_pair


@pytest.fixture
def judgements(tmp_path: Path) -> Judgements:
    found = read_relevance(tmp_path, JUDGED).data
    assert found is not None
    return found


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read everything by both readers: compiled, and line by line."""
    read_in_one_way(request.param, monkeypatch)


@pytest.fixture
def write(tmp_path: Path) -> type[Pair]:
    def pair(qrels: str | bytes = QRELS, run: str | bytes = RUN) -> Pair:
        return write_pair(tmp_path, qrels, run)

    return pair  # type: ignore[return-value]
