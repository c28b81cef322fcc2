"""What the jobs of the Models page do: plain functions over core that know no Qt.

Weights are checked in a child process: importing PyTorch would stall the window, and what a model
takes of memory goes with the process.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.itself import program
from app.work import answer
from core.run.weights import ROLES, Search, search
from core.run.weights_chosen import forget
from core.run.weights_hash import fingerprints

if TYPE_CHECKING:
    from app.jobs import Tell
    from core.run.run import Run


@dataclass(frozen=True, slots=True)
class Found:
    """What is found of every role, and why weights that were tried cannot be used, by role."""

    searches: tuple[Search, ...]
    unusable: dict[str, str]


def find_all(run: Run, tell: Tell) -> Found:
    """What is found of every role."""
    return Found(tuple(search(role.id, {}) for role in ROLES), {})


def hash_one(role: str, run: Run, tell: Tell) -> Found:
    """Compute the hashes of one role's files, which are remembered."""
    outcome = search(role, {})
    if outcome.found is not None:
        fingerprints(outcome.found, run.check)
    return find_all(run, tell)


def choose_one(role: str, path: Path, run: Run, tell: Tell) -> Found:
    """Check a file or folder; where it is sound it is a role's from now on, with its hashes."""
    reason = told(role, ask("--choose", f"{role}={path}", run=run))
    if reason:
        return Found(find_all(run, tell).searches, {role: reason})
    return hash_one(role, run, tell)


def check_one(role: str, run: Run, tell: Tell) -> Found:
    """Load what is found of a role, and say what is wrong with it."""
    reason = told(role, ask("--check", role, run=run))
    return Found(find_all(run, tell).searches, {role: reason})


def forget_one(role: str, run: Run, tell: Tell) -> Found:
    """Look for a role's weights in its folders again."""
    forget(role)
    return find_all(run, tell)


def convert_one(path: Path, target: Path, run: Run, tell: Tell) -> Found:
    """Write a file of weights as safetensors beside it."""
    ask("--convert", str(path), "--to", str(target), run=run)
    return find_all(run, tell)


def ask(*arguments: str, run: Run) -> dict[str, Any]:
    """What `jurydesk weights` says as JSON; OSError with its last line where it says nothing."""
    process = subprocess.Popen(  # noqa: S603 - this very program
        [*program(), "weights", *arguments, "--json", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    said = answer(process, run)
    try:
        found: dict[str, Any] = json.loads(said[said.index("{") :])
    except ValueError as fault:
        last = said.splitlines()[-1] if said else "The check came to no end."
        raise OSError(last.removeprefix("Error: ")) from fault
    return found


def told(role: str, said: dict[str, Any]) -> str:
    """Why a role's weights cannot be used; empty where they can."""
    rows = (row for row in said["weights"] if row["role"] == role)
    return next((row.get("unusable") or "" for row in rows), "")
