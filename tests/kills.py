"""Scripts that kill programs again and again, each run as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SEED = "20180601"


def report_of(script: str, folder: Path, rounds: int) -> dict[str, Any]:
    """What a script (its path) prints of so many rounds in a folder."""
    done = subprocess.run(
        [sys.executable, script, str(folder), str(rounds), SEED],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report
