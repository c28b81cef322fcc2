"""Add-ons in the window: what each brings; they are added from a folder of wheels, and removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from jurydesk.app.jobs.job import Notify
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.widgets.parts import (
    WrappedLabel,
    button,
    clear_layout,
    label,
    row_layout,
    scrolled_rows,
    set_spacing,
)
from jurydesk.core.intake.add_ons import (
    AddOn,
    find_wheels,
    install,
    installed,
    plug_in_name,
    remove,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.tables.numbers import quantity, size

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

INTRODUCTION = translatable(
    "The neural add-on, whose wheels must have the hashes that this program lists, and plug-ins. "
    "Whatever changes here is in effect after the next start."
)
CONSENT = translatable(
    "{name} is a plug-in: its code may do all that you may. Install it only if you trust its maker."
)
BROUGHT = {
    "tasks": translatable("Competitions: {names}."),
    "commands": translatable("Commands: {names}."),
    "inspectors": translatable("Views of items: {names}."),
}
LONGEST, HEIGHT = 400, 260
"""Longest text of a stranger, height of the list, and that of all else in the sheet."""


@dataclass(frozen=True, slots=True)
class AddOnsFound:
    """Add-ons after an action, and the name of a plug-in that waits for the user's trust."""

    add_ons: tuple[AddOn, ...]
    waiting: str = ""


AddOnJobs = LatestJob[str, AddOnsFound]
"""Actions on add-ons; the latest one counts."""


def list_work(run: Run, notify: Notify) -> AddOnsFound:
    """Return the add-ons."""
    return AddOnsFound(tuple(installed()))


def install_work(place: Path, trusted: str, run: Run, notify: Notify) -> AddOnsFound:
    """Install the wheels of a folder, unless they are another plug-in than the trusted one."""
    name = plug_in_name(find_wheels(place, run.check))
    if name in ("", trusted):
        install(place, run.check, trusted=bool(name))
        name = ""
    return AddOnsFound(tuple(installed()), name)


def remove_work(name: str, run: Run, notify: Notify) -> AddOnsFound:
    """Remove an add-on."""
    remove(name, run.check)
    return AddOnsFound(tuple(installed()))


class AddOnsSheet(Sheet):
    """Lists the add-ons; a plug-in is installed after a second press of a button that names it."""

    def __init__(self, jobs: AddOnJobs, parent: QWidget) -> None:
        super().__init__(translate("Add-ons"), parent, width=640)
        self._jobs = jobs
        self._wheels, self._waiting = Path(), ""
        self.add_head(translate(INTRODUCTION))
        self.summary = label("", "heading", wrap=True)
        self.body.addWidget(self.summary)
        self.list, self.rows = scrolled_rows(translate("Add-ons"), 10)
        self.body.addWidget(self.list)
        self.add_button = button(
            translate("Add …"), self.choose, hint=translate("Choose a folder of wheels (*.whl)")
        )
        self.trust_button = button(translate("Install the plug-in"), self._trust)
        self.trust_button.hide()
        self.close_button = button(translate("Close"), self.close, "primary")
        self.body.addLayout(row_layout(self.add_button, self.trust_button, None, self.close_button))
        jobs.arrived.connect(self.show_found)
        jobs.refused.connect(self._refuse)
        self._start(translate("Searching for add-ons"), list_work)

    def initial_focus(self) -> QWidget:
        return self.close_button

    def fit(self, width: int) -> None:
        """Let the list scroll where the window has no room for all."""
        self.fit_rows(self.list, HEIGHT)

    def choose(self) -> None:
        """Ask for a folder of wheels, and install them."""
        name = QFileDialog.getExistingDirectory(self, translate("Folder of the wheels"))
        if name:
            self.add_wheels(Path(name))

    def add_wheels(self, place: Path, *, trusted: str = "") -> None:
        """Install the wheels of a folder; a plug-in but the trusted one asks for trust first."""
        self._wheels = place
        title = translate("Installing {name}", name=display_text(place.name, LONGEST))
        self._start(title, partial(install_work, place, trusted))

    def _trust(self) -> None:
        self.add_wheels(self._wheels, trusted=self._waiting)

    def remove_add_on(self, name: str) -> None:
        """Remove an add-on."""
        self._start(translate("Removing {name}", name=name), partial(remove_work, name))

    def _start(self, title: str, work: Callable[[Run, Notify], AddOnsFound]) -> None:
        self.trust_button.hide()
        self.summary.setText(f"{title} …")
        self.add_button.setEnabled(False)
        self._jobs.start(title, title, work, quiet=work is list_work)

    def show_found(self, found: AddOnsFound) -> None:
        """Show the add-ons, and ask for trust in a plug-in that waits for it."""
        self.add_button.setEnabled(True)
        self._waiting = found.waiting
        self.trust_button.setVisible(bool(found.waiting))
        count = quantity(len(found.add_ons), "add-on")
        text = translate("{count} installed.", count=count)
        if found.waiting:
            text = translate(CONSENT, name=display_text(found.waiting, LONGEST))
        self.summary.setText(text)
        clear_layout(self.rows)
        for one in found.add_ons:
            self.rows.addWidget(self._row(one))
        self.fit_again()

    def _row(self, one: AddOn) -> QWidget:
        row = QWidget()
        column = QVBoxLayout(row)
        set_spacing(column, 2)
        name = display_text(one.name, LONGEST)
        row.setAccessibleName(name)
        remover = button(translate("Remove"), partial(self.remove_add_on, one.name), "small")
        remover.setAccessibleName(translate("Remove {name}", name=name))
        column.addLayout(row_layout(label(name, "heading"), label(size(one.size)), None, remover))
        if one.trouble:
            column.addWidget(WrappedLabel(translate_text(one.trouble), "bad"))
        for line in add_on_sentences(one):
            column.addWidget(WrappedLabel(display_text(line, LONGEST), "small"))
        return row

    def _refuse(self, reason: str) -> None:
        self.add_button.setEnabled(True)
        self.summary.setText(display_text(translate_text(reason), LONGEST))


def add_on_sentences(one: AddOn) -> list[str]:
    """Return what an add-on brings, and its packages."""
    brought = [
        translate(BROUGHT[group], names=", ".join(names))
        for group, names in one.brings
        if group in BROUGHT
    ]
    packages = [translate("Packages: {names}.", names=", ".join(one.packages))]
    return [*brought, *(packages if one.packages else [])]
