from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import killing
import pytest

ROOT = Path(killing.__file__).resolve().parent.parent


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_program_killed_fifty_times_leaves_a_sound_desk_that_can_be_completed(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, killing.__file__, str(tmp_path), "50", "20180601"],
        # The root is named: beside killing.py, the folder tests/core would be found as `core`.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert len(report["found"]) == 50
    assert report["finally"] == killing.SYSTEMS
    assert report["complete"]
    # The kills hit the scoring itself: some left nothing, some a part, some all.
    assert any(0 <= count < killing.SYSTEMS for count in report["found"])
