"""What of this computer the program can use: aligner, devices, PyTorch, models."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.jobs import Tell
    from core.cli.commands.doctor import Finding
    from core.run.run import Run


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is there or not; `hint` says more, such as where a file goes."""

    name: str
    there: bool
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Installed:
    """METEOR's parts and PyTorch; the models by their titles; where models go."""

    parts: tuple[Part, ...]
    models: tuple[Part, ...]
    folder: Path


def look(run: Run, tell: Tell) -> Installed:
    """Look at all of it, without the wait for PyTorch's import; a job's work."""
    from core.cli.commands.doctor import is_there, meteor
    from core.extras import remedy
    from core.paths import data_folder
    from core.run.weights import FOLDER, ROLES, search

    torch = is_there("torch", "absent", f"not here. For neural metrics: {remedy('neural')}.")
    parts = [_of_meteor(one) for one in meteor()]
    parts.append(Part("PyTorch", torch.state == "ok", torch.text))
    models = []
    for role in ROLES:
        run.check()
        outcome = search(role.id, {})
        if outcome.found is None:
            models.append(Part(role.title, False, "missing", outcome.reason))
        else:
            models.append(Part(role.title, True, "found", str(outcome.found.path)))
    return Installed(tuple(parts), tuple(models), data_folder() / FOLDER)


def _of_meteor(found: Finding) -> Part:
    """A finding of the doctor's, in the words of somebody who looks at a window."""
    there = found.state == "ok"
    if found.name == "aligner" or not there:
        return Part(f"METEOR's {found.name}", there, found.text, found.text)
    text = "ready" if Path(found.text).is_file() else "prepared when they are first needed"
    return Part("METEOR's language data", there, text, found.text)
