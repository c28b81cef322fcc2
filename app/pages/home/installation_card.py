"""Card of installed and missing parts: METEOR, PyTorch, models, device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import (
    Card,
    WrappedLabel,
    button,
    clear_layout,
    hairline,
    label,
    set_spacing,
)

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Tell
    from jurydesk.core.cli.commands.running.doctor import DoctorFinding
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class InstallationPart:
    """Part of the installation; `hint` holds details such as a folder."""

    name: str
    is_present: bool
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Installation:
    """METEOR's parts and PyTorch, the models by title, and the folder of models."""

    parts: tuple[InstallationPart, ...]
    models: tuple[InstallationPart, ...]
    folder: Path


def find_installation(run: Run, notify: Tell) -> Installation:
    """Find all parts without importing PyTorch; the work of a job."""
    from jurydesk.core.cli.commands.running.doctor import find_package, meteor_aligner
    from jurydesk.core.neural.weights.weight_roles import FOLDER, ROLES, find_weights
    from jurydesk.core.system.extras import install_hint
    from jurydesk.core.system.paths import data_folder

    torch = find_package(
        "torch", "absent", f"not installed. For neural metrics: {install_hint('neural')}."
    )
    parts = [_of_meteor(one) for one in meteor_aligner()]
    parts.append(InstallationPart("PyTorch", torch.state == "ok", torch.text))
    models = []
    for role in ROLES:
        run.check()
        outcome = find_weights(role.id, {})
        if outcome.found is None:
            models.append(InstallationPart(role.title, False, "missing", outcome.reason))
        else:
            models.append(InstallationPart(role.title, True, "found", str(outcome.found.path)))
    return Installation(tuple(parts), tuple(models), data_folder() / FOLDER)


def _of_meteor(found: DoctorFinding) -> InstallationPart:
    """Return a finding of `doctor` in the words of the card."""
    is_present = found.state == "ok"
    if found.name == "aligner" or not is_present:
        return InstallationPart(f"METEOR's {found.name}", is_present, found.text, found.text)
    text = "ready" if Path(found.text).is_file() else "prepared when they are first needed"
    return InstallationPart("METEOR's language data", is_present, text, found.text)


DETECTING = "detecting …"


class InstallationCard(Card):
    """Card of the device, METEOR, PyTorch and models; `show_models` opens their page."""

    def __init__(self, show_models: Callable[[], object]) -> None:
        super().__init__("On this computer", spacing=8)
        self._show_models = show_models
        self._device = label(DETECTING, wrap=True)
        self.body.addWidget(InstallationLine("Device", self._device))

    def show_device(self, line: str) -> None:
        """Show the device, without the aligner, which has its own line."""
        self._device.setText(line.rpartition(" · ")[0])

    def show_installed(self, found: Installation) -> None:
        clear_layout(self.body, keep=2)
        for part in found.parts:
            self.body.addWidget(InstallationLine(part.name, state_of(part)))
        self.body.addWidget(hairline())
        self.body.addWidget(InstallationLine("Models", models_line(found.models)))
        where = WrappedLabel(f"A model's file goes into its folder in {found.folder}.", "tiny")
        self.body.addWidget(where)
        opener = button("Models …", self._show_models, "small", "What each model is for")
        self.body.addWidget(opener, 0, Qt.AlignmentFlag.AlignLeft)


class InstallationLine(QWidget):
    """Name in small letters with a text below."""

    def __init__(self, name: str, text: QLabel) -> None:
        super().__init__()
        self.setAccessibleName(f"{name}: {text.text()}")
        column = QVBoxLayout(self)
        set_spacing(column, 0)
        column.addWidget(label(name, "tiny"))
        column.addWidget(text)


def state_of(part: InstallationPart) -> QLabel:
    """Return a label with the state of a part, or how to install it."""
    line = label(part.text, "" if part.is_present else "muted", wrap=True)
    line.setToolTip(tip(part.hint))
    return line


def models_line(models: Sequence[InstallationPart]) -> QLabel:
    """Return a label with found and missing models; the tooltip lists details."""
    found = [one.name for one in models if one.is_present]
    missing = [one.name for one in models if not one.is_present]
    sentences = [f"Found: {', '.join(found)}."] if found else []
    if missing:
        sentences.append(f"Missing: {', '.join(missing)}. Only their metrics need them.")
    line = label(" ".join(sentences), wrap=True)
    line.setToolTip(tip("\n\n".join(f"{one.name}: {one.hint}" for one in models)))
    return line
