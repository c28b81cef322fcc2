from __future__ import annotations

import os

import pytest

from support.kills import rating_kills
from support.kills.kill_script import report_of


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_program_killed_a_hundred_times_loses_no_answer_shown_as_saved(tmp_path):
    report = report_of(rating_kills.__name__, tmp_path, 100)
    assert report["rounds"] == 100
    # The kills happen during the rating.
    assert report["hit"] >= 50
    assert report["events"] >= report["hit"]
