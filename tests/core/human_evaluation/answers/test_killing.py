from __future__ import annotations

import os

import pytest

from support.kills import rating_kills
from support.kills.kill_script import report_of
from support.suite.samples import sample_size


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_program_killed_again_and_again_loses_no_answer_shown_as_saved(tmp_path):
    kills = sample_size(25, of=100)
    report = report_of(rating_kills.__name__, tmp_path, kills)
    assert report["rounds"] == kills
    # The kills happen during the rating.
    assert report["hit"] >= kills // 2
    assert report["events"] >= report["hit"]
