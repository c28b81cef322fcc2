"""Dry run of a scoring program in the platforms' layouts, before anything is uploaded."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.export.platforms.engine_package import LIMIT_SECONDS, reason_in, write_members
from jurydesk.core.export.platforms.package_source import ScoredSystem
from jurydesk.core.language import fill, translatable

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

METADATA = b"exitCode: 0\nelapsedTime: 1\n"
DAMAGED = {
    "empty": b"",
    "binary": bytes(range(256)) * 4,
    "other": b"This is no submission.\n",
    "unfinished": b'{"a": ["b", ',
}
"""Entries of which a competition may accept one, such as an empty list."""
LEAST_DAMAGED = 3

Attempt = tuple[Callable[[Path], None], Mapping[str, float] | None, str]
"""How the entry is laid out, the numbers wanted (None: a refusal), and its name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """End of one run of a program: exit code, what it said of errors, and numbers by column."""

    code: int = 0
    said: str = ""
    scores: Mapping[str, float] | None = None
    timed_out: bool = False


Score = Callable[[Path], Outcome]
"""Function that scores the submission in a folder."""
Wanted = Callable[[ScoredSystem], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class DryRun:
    """Outcome of a dry run: how many runs were as expected, and what ended it, if anything."""

    runs: int
    problem: str = ""


def run_dry(
    score: Score,
    systems: Mapping[str, ScoredSystem],
    wanted: Wanted,
    run: Run,
    damaged: Mapping[str, bytes] = DAMAGED,
) -> DryRun:
    """Score each system, the first in every layout, and damaged entries, with a program.

    `score` runs the program; `wanted` are the numbers of each system by column, and `damaged` the
    entries that it must refuse. Raises Cancelled.
    """
    tried = [
        (fill("{system}, {layout}", name, layout), make, system)
        for place, (name, system) in enumerate(systems.items())
        for layout, make in list(LAYOUTS.items())[: None if place == 0 else 1]
    ]
    if len(damaged) < LEAST_DAMAGED:
        return DryRun(0, fill("Only {count} damaged entries are refused.", len(damaged)))
    attempts: list[Attempt] = [
        (partial(make, path=system.path), wanted(system), label) for label, make, system in tried
    ]
    suffix = next((one.path.suffix for one in systems.values()), ".txt")
    attempts += [
        (partial(_damaged, name=f"entry{suffix}", content=content), None,
         fill("damaged entry {name}", name))
        for name, content in damaged.items()
    ]  # fmt: skip
    for runs, (write, numbers, label) in enumerate(attempts):
        run.report(runs, len(attempts), translatable("Trying the scoring program"))
        with tempfile.TemporaryDirectory(prefix="jurydesk-dry-") as folder:
            res = Path(folder)
            write(res)
            if problem := difference(score(res), numbers, label):
                return DryRun(runs, problem)
    return DryRun(len(attempts))


def _damaged(res: Path, name: str, content: bytes) -> None:
    (res / name).write_bytes(content)


def _flat(res: Path, path: Path) -> None:
    shutil.copy(path, res / path.name)


def _in_folder(res: Path, path: Path) -> None:
    (res / "my results").mkdir()
    _flat(res / "my results", path)


def _with_system_files(res: Path, path: Path) -> None:
    _flat(res, path)
    (res / "__MACOSX").mkdir()
    (res / "__MACOSX" / f"._{path.name}").write_bytes(b"\0\5\x16\7")
    (res / ".DS_Store").write_bytes(b"\0")


def _with_metadata(res: Path, path: Path) -> None:
    _flat(res, path)
    (res / "metadata").write_bytes(METADATA)


LAYOUTS: dict[str, Callable[..., None]] = {
    "as a file": _flat,
    "in a folder": _in_folder,
    "with files of macOS": _with_system_files,
    "with metadata": _with_metadata,
}


def difference(outcome: Outcome, wanted: Mapping[str, float] | None, label: str) -> str:
    """Return what differs from the wanted numbers, or from a refusal if None."""
    if outcome.timed_out:
        return fill("{label}: the program ran more than {limit} s.", label, LIMIT_SECONDS)
    if wanted is None:
        refused = outcome.code == 1 and outcome.scores is None
        return "" if refused else fill("{label}: it was not refused.", label)
    if outcome.code or outcome.scores is None:
        said = outcome.said
        return fill("{label}: the program ended with {code}: {said}", label, outcome.code, said)
    for key, number in wanted.items():
        if outcome.scores.get(key) != number or not math.isfinite(number):
            return fill(
                "{label}: {key} is {found}, on the desk {wanted}.",
                *(label, key, str(outcome.scores.get(key)), repr(number)),
            )
    return ""


@contextmanager
def installed_program(
    members: Mapping[str, bytes], references: Mapping[str, bytes]
) -> Iterator[Score]:
    """Yield a function that runs the `score.py` of members in a clean environment."""
    with tempfile.TemporaryDirectory(prefix="jurydesk-program-") as temporary:
        folder = Path(temporary)
        write_members(folder / "program", members)
        write_members(folder / "ref", references)
        yield partial(_score, folder)


def _score(folder: Path, res: Path) -> Outcome:
    with tempfile.TemporaryDirectory(dir=folder) as one:
        source, target = Path(one) / "input", Path(one) / "output"
        source.mkdir()
        target.mkdir()
        (source / "ref").symlink_to(folder / "ref")
        shutil.copytree(res, source / "res")
        done = run_clean(["score.py", str(source), str(target)], folder / "program")
        scores = target / "scores.json"
        if scores.exists():
            return replace(done, scores=json.loads(scores.read_text("utf-8")))
        return done


def run_clean(arguments: Sequence[str], folder: Path) -> Outcome:
    """Run Python in a folder, without site packages, network settings and a home."""
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            # Without site packages: only what the program brings along.
            [sys.executable, "-I", "-S", *arguments],
            cwd=folder,
            env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
            capture_output=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(timed_out=True)
    return Outcome(done.returncode, reason_in(done.stderr))
