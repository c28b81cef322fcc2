from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import rating_kills

ROOT = Path(rating_kills.__file__).resolve().parent.parent


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_program_killed_a_hundred_times_loses_no_answer_that_was_called_saved(tmp_path):
    done = subprocess.run(
        [sys.executable, rating_kills.__file__, str(tmp_path), "100", "20180601"],
        # The root is named: beside the script, the folder tests/core would be found as `core`.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["rounds"] == 100
    # The kills hit the rating itself.
    assert report["hit"] >= 50
    assert report["events"] >= report["hit"]
