"""Dry run of a scoring program in the layout of Codabench, before anything is uploaded."""

from __future__ import annotations

import io
import json
import math
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.export.platforms.codabench_export import PROGRAM, REFERENCES
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import UsageError

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

LIMIT_SECONDS = 600
"""Time limit of one submission on the public queue."""
METADATA = b"exitCode: 0\nelapsedTime: 1\n"
DAMAGED = {"empty": b"", "binary": bytes(range(256)) * 4, "other": b"This is no submission.\n"}


Attempt = tuple[Callable[[Path], None], Mapping[str, float] | None, str]
"""How the entry is laid out, the numbers wanted (None: a refusal), and its name."""


@dataclass(frozen=True, slots=True)
class DryRun:
    """Outcome of a dry run: how many runs were as expected, and what ended it, if anything."""

    runs: int
    problem: str = ""


def run_dry(
    members: Mapping[str, bytes],
    systems: Mapping[str, tuple[Path, Mapping[str, float]]],
    run: Run,
) -> DryRun:
    """Run the program for each system, in every layout for the first, and for damaged entries.

    `systems` has the file and the wanted numbers by column of each. Raises Cancelled, and
    UsageError in a packaged program, which has no Python.
    """
    if getattr(sys, "frozen", False):
        raise UsageError(translatable("The dry run needs Python: export with an installation."))
    runs = 0
    with tempfile.TemporaryDirectory(prefix="jurydesk-dry-") as temporary:
        folder = Path(temporary)
        for name, part in (("program", PROGRAM), ("ref", REFERENCES)):
            with zipfile.ZipFile(io.BytesIO(members[part])) as archive:
                archive.extractall(folder / name)  # our own archive
        tried = [
            (fill("{system}, {layout}", system, layout), make, path, numbers)
            for place, (system, (path, numbers)) in enumerate(systems.items())
            for layout, make in list(LAYOUTS.items())[: None if place == 0 else 1]
        ]
        attempts: list[Attempt] = [
            (partial(make, path=path), numbers, label) for label, make, path, numbers in tried
        ]
        suffix = next((path.suffix for path, _ in systems.values()), ".txt")
        attempts += [
            (
                partial(_damaged, name=f"entry{suffix}", content=content),
                None,
                fill("damaged entry {name}", name),
            )
            for name, content in DAMAGED.items()
        ]
        for write, numbers, label in attempts:
            run.report(runs, len(attempts), translatable("Trying the scoring program"))
            if problem := _try(folder, write, numbers, label):
                return DryRun(runs, problem)
            runs += 1
    return DryRun(runs)


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


def _try(
    folder: Path,
    write: Callable[[Path], None],
    wanted: Mapping[str, float] | None,
    label: str,
) -> str:
    """Run the program once; return what differs from the numbers, or from a refusal if None."""
    with tempfile.TemporaryDirectory(dir=folder) as one:
        source, target = Path(one) / "input", Path(one) / "output"
        (source / "res").mkdir(parents=True)
        target.mkdir()
        (source / "ref").symlink_to(folder / "ref")
        write(source / "res")
        try:
            done = subprocess.run(  # noqa: S603 - our own program
                # Without site packages: only what the program brings along.
                [sys.executable, "-I", "-S", "score.py", str(source), str(target)],
                cwd=folder / "program",
                env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
                capture_output=True,
                timeout=LIMIT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return fill("{label}: the program ran more than {limit} s.", label, LIMIT_SECONDS)
        scores = target / "scores.json"
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        if wanted is None:
            refused = done.returncode == 1 and not scores.exists()
            return "" if refused else fill("{label}: it was not refused.", label)
        if done.returncode or not scores.exists():
            reason = said[0][:300] if said else "-"
            return fill(
                "{label}: the program ended with {code}: {said}", label, done.returncode, reason
            )
        found = json.loads(scores.read_text("utf-8"))
        for key, number in wanted.items():
            if found.get(key) != number or not math.isfinite(number):
                return fill(
                    "{label}: {key} is {found}, on the desk {wanted}.",
                    *(label, key, str(found.get(key)), repr(number)),
                )
    return ""
