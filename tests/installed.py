"""Plug-ins as if they were installed, and the command line as if it were called."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def plug_in(folder: Path, name: str, target: str) -> Path:
    """A folder for `sys.path` with a distribution that offers `target` as a competition."""
    information = folder / f"jurydesk_{name}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: jurydesk-{name}\nVersion: 1.0\n"
    )
    (information / "entry_points.txt").write_text(f"[jurydesk.tasks]\n{name} = {target}\n")
    return folder


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def process(*arguments: object, path: tuple[Path, ...] = (), **options: object) -> Outcome:
    """The command line in a process of its own, with more folders on its `sys.path`."""
    code = (
        f"import sys; sys.path[:0] = {[str(folder) for folder in path]!r}\n"
        "from core.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, **options
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
