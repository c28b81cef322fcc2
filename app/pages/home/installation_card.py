"""Card of installed and missing parts: METEOR, PyTorch, models, device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from jurydesk.core.language import translatable, translate

if TYPE_CHECKING:
    from jurydesk.app.pages.home.installation import Installation, InstallationPart


DETECTING = translatable("detecting …")


class InstallationCard(Card):
    """Card of the device, METEOR, PyTorch and models; `show_models` opens their page."""

    def __init__(self, show_models: Callable[[], object]) -> None:
        super().__init__(translate("On this computer"), spacing=8)
        self._show_models = show_models
        self._device = label(translate(DETECTING), wrap=True)
        self._device_line = InstallationLine(translate("Device"), self._device)
        self.body.addWidget(self._device_line)
        self._found: Installation | None = None
        self._sentences: Sequence[str] | None = None

    def show_device(self, line: str) -> None:
        """Show the device, without the aligner, which has its own line."""
        self._device.setText(line.rpartition(" · ")[0])

    def show_installed(self, found: Installation) -> None:
        """Show all parts, or those that the open desk lacks."""
        self._found = found
        self._lay_out()

    def show_for(self, sentences: Sequence[str] | None) -> None:
        """Show only the parts that an open desk lacks, by its sentences; None shows all."""
        if sentences != self._sentences:
            self._sentences = sentences
            self._lay_out()

    def _lay_out(self) -> None:
        found, sentences = self._found, self._sentences
        parts = found.parts if found else ()
        models = found.models if found else ()
        if sentences is not None:
            parts, models = (
                tuple(one for one in several if one.is_lacked_by(sentences))
                for several in (parts, models)
            )
        self._device_line.setVisible(sentences is None)
        self.setVisible(sentences is None or bool(parts or models))
        clear_layout(self.body, keep=2)
        for part in parts:
            self.body.addWidget(InstallationLine(part.name, state_of(part)))
        if found is not None and (models or sentences is None):
            self._add_models(models, found.folder)

    def _add_models(self, models: Sequence[InstallationPart], folder: Path) -> None:
        self.body.addWidget(hairline())
        self.body.addWidget(InstallationLine(translate("Models"), models_line(models)))
        where = WrappedLabel(
            translate("A model's file goes into its folder in {folder}.", folder=folder),
            "tiny",
        )
        self.body.addWidget(where)
        opener = button(
            translate("Models …"), self._show_models, "small", translate("Purpose of each model")
        )
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
    sentences = [translate("Found: {names}.", names=", ".join(found))] if found else []
    if missing:
        sentences.append(
            translate("Missing: {names}. Only their metrics need them.", names=", ".join(missing))
        )
    line = label(" ".join(sentences), wrap=True)
    line.setToolTip(tip("\n\n".join(f"{one.name}: {one.hint}" for one in models)))
    return line
