"""Python and the program in separate processes, with their own home and no display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SECONDS = 100
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def import_path() -> str:
    """Return a PYTHONPATH with which another process finds the package `support` too."""
    return os.pathsep.join(filter(None, (str(ROOT / "tests"), os.environ.get("PYTHONPATH"))))


def run(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return the outcome of Python with these arguments; `environment` adds to ours."""
    kept = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    own = {"JURYDESK_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**kept, **own, **environment},
        timeout=SECONDS,
        check=False,
    )
