from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.kills import command_kills, desk_races, scoring_kills
from support.kills.kill_script import report_of
from support.suite.samples import sample_size


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_program_killed_again_and_again_leaves_a_valid_desk_that_can_be_completed(
    tmp_path: Path,
) -> None:
    kills = sample_size(12, of=50)
    report = report_of(scoring_kills.__name__, tmp_path, kills)
    assert len(report["found"]) == kills
    assert report["finally"] == scoring_kills.SYSTEMS
    assert report["complete"]
    # The kills hit the scoring itself: some left nothing, some a part, some all.
    assert any(0 <= count < scoring_kills.SYSTEMS for count in report["found"])


def test_programs_that_create_one_desk_at_once_lose_nothing(tmp_path):
    """Many more rounds: `tests/bench/kills.md`."""
    report = report_of(desk_races.__name__, tmp_path, sample_size(3, of=8))
    assert (report["lost"], report["other ends"], report["files left"]) == (0, 0, 0)
    assert (
        report["ended with 0"] + report["told why"] + report["refused files"] == report["programs"]
    )


def test_commands_that_were_killed_are_finished_by_the_next_run(tmp_path):
    report = report_of(command_kills.__name__, tmp_path, sample_size(3, of=6))
    assert (report["lost"], report["not finished afterwards"]) == (0, 0)
