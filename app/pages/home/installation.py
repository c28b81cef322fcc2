"""Installed and missing parts, found by a job: METEOR, PyTorch, models."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import translate, translate_text
from jurydesk.core.language.message import Message

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Notify
    from jurydesk.core.cli.commands.running.doctor import DoctorFinding
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class InstallationPart:
    """Part of the installation; `hint` holds details such as a folder."""

    name: str
    is_present: bool
    text: str
    hint: str = ""

    def is_lacked_by(self, sentences: Sequence[str]) -> bool:
        """Return whether it is missing, and one of a desk's sentences names it."""
        word = re.compile(rf"\b{re.escape(self.name)}\b")
        return not self.is_present and any(map(word.search, sentences))


@dataclass(frozen=True, slots=True)
class Installation:
    """METEOR's parts and PyTorch, the models by title, and the folder of models."""

    parts: tuple[InstallationPart, ...]
    models: tuple[InstallationPart, ...]
    folder: Path


def find_installation(run: Run, notify: Notify) -> Installation:
    """Find all parts without importing PyTorch; the work of a job."""
    from jurydesk.core.cli.commands.running.doctor import find_package, meteor_aligner
    from jurydesk.core.neural.weights.weight_roles import FOLDER, ROLES, find_weights
    from jurydesk.core.system.extras import install_hint
    from jurydesk.core.system.paths import data_folder

    torch = find_package(
        "torch",
        "absent",
        translate(
            "not installed. For neural metrics: {install_hint}.",
            install_hint=install_hint("neural"),
        ),
    )
    parts = [_meteor_part(one) for one in meteor_aligner()]
    parts.append(InstallationPart("PyTorch", torch.state == "ok", torch.text))
    models = []
    for role in ROLES:
        run.check()
        outcome, title = find_weights(role.id, {}), translate_text(role.title)
        if outcome.found is None:
            reason = translate_text(outcome.reason)
            models.append(InstallationPart(title, False, translate("missing"), reason))
        else:
            found = str(outcome.found.path)
            models.append(InstallationPart(title, True, translate("found"), found))
    return Installation(tuple(parts), tuple(models), data_folder() / FOLDER)


def _meteor_part(found: DoctorFinding) -> InstallationPart:
    """Return a finding of `doctor` in the words of the card."""
    is_present, data = found.state == "ok", translate("METEOR's language data")
    if found.name == "aligner" or not is_present:
        names = {"aligner": translate("METEOR's aligner"), "language data": data}
        is_compiled = found.text == "compiled"
        text = translate("compiled") if is_compiled else translate_text(found.text)
        name = names.get(found.name, f"METEOR's {found.name}")
        return InstallationPart(name, is_present, text, text)
    is_ready = not isinstance(found.text, Message)  # but the path of its index
    text = translate("ready" if is_ready else "prepared when they are first needed")
    return InstallationPart(data, is_present, text, translate_text(found.text))
