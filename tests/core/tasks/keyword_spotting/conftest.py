"""What the files of a competition are read beside."""

from __future__ import annotations

from pathlib import Path

import pytest
from icfhr_files import JUDGED, read_relevance

from core.tasks.keyword_spotting.xml_words import Judgements


@pytest.fixture
def judgements(tmp_path: Path) -> Judgements:
    found = read_relevance(tmp_path, JUDGED).data
    assert found is not None
    return found
