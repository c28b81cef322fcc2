"""Installed plug-ins, and calls of the command line, for tests."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[3]

THEIRS = """
from dataclasses import dataclass, replace
from support import toy
from jurydesk.core.model.chunk import ChunkKind

@dataclass(frozen=True)
class Numbers:
    values: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.values)

def chunk(id):
    return ChunkKind(id, lambda settings, chunk, check: chunk, Numbers, Numbers, Numbers)

def task(id, title, chunk_id):
    scoring = replace(toy.TASK.scoring, chunks=(chunk(chunk_id),))
    return replace(toy.TASK, id=id, title=title, scoring=scoring)

FIRST = task("first", "First", "sums")
SECOND = task("second", "Second", "sums")
THIRD = task("vist", "Third", "others")

@dataclass(frozen=True)
class Options(toy.Options):
    guesses: str = ""

FOURTH = replace(toy.TASK, id="fourth", scoring=replace(toy.TASK.scoring, options=Options))
"""
"""A module with two competitions whose chunks have one id, and one with the id of ours."""


def plug_in(folder: Path, name: str, target: str, group: str = "jurydesk.tasks") -> Path:
    """Return a folder for `sys.path` with a distribution that provides `target`."""
    information = folder / f"jurydesk_{name}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: jurydesk-{name}\nVersion: 1.0\n"
    )
    (information / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    return folder


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def command(*arguments: object, path: tuple[Path, ...] = ()) -> list[str]:
    """Return the command line as a process, with more folders on `sys.path`."""
    code = (
        f"import sys; sys.path[:0] = {[str(folder) for folder in (ROOT, *path)]!r}\n"
        "from jurydesk.core.cli import main; sys.exit(main())"
    )
    return [sys.executable, "-c", code, *map(str, arguments)]


def process(
    *arguments: object, path: tuple[Path, ...] = (), stdout: IO[str] | int = subprocess.PIPE
) -> Outcome:
    """Return the outcome of the command line in a separate process."""
    done = subprocess.run(
        command(*arguments, path=path),
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=100,
        check=False,
    )
    return Outcome(done.returncode, done.stdout or "", done.stderr)
