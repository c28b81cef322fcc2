"""Scripts that kill programs repeatedly, each run in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.processes.program import import_path

SEED = "20180601"


def report_of(module: str, folder: Path, rounds: int) -> dict[str, Any]:
    """Return the JSON report that a script prints after a number of rounds in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", module, str(folder), str(rounds), SEED],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": import_path()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report
