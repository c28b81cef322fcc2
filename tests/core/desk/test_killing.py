from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.kills import scoring_kills
from support.kills.kill_script import report_of


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_program_killed_fifty_times_leaves_a_valid_desk_that_can_be_completed(
    tmp_path: Path,
) -> None:
    report = report_of(scoring_kills.__name__, tmp_path, 50)
    assert len(report["found"]) == 50
    assert report["finally"] == scoring_kills.SYSTEMS
    assert report["complete"]
    # The kills hit the scoring itself: some left nothing, some a part, some all.
    assert any(0 <= count < scoring_kills.SYSTEMS for count in report["found"])
