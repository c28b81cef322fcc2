"""The card of the Items page that shows one item in its competition's inspector."""

from __future__ import annotations

import time
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from jurydesk.app.inspectors.inspector import InspectedItem, Inspector, inspected
from jurydesk.app.inspectors.inspector_registry import (
    PANELS,
    BrokenViewError,
    make_inspector,
    show_item,
)
from jurydesk.app.inspectors.other_systems import Others
from jurydesk.app.inspectors.panel import Panel, Systems
from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.parts import Card, ElidedLabel, button, label, row_layout
from jurydesk.core.desk.errors import DeskError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.model.evaluation import Evaluation


LOWEST = 150
LONG_SECONDS = 0.01
MOST_OTHERS = 8
"""So many other systems stand beside the one that is looked at."""


class ItemCard(Card):
    """One item in its inspector, below its name and its first numbers.

    An inspector that has to be made first waits for its turn, and so does what it shows.
    """

    asked_open = Signal()
    asked_close = Signal()
    message = Signal(str)
    item_wanted = Signal(str)
    evidence_stepped = Signal(int)

    def __init__(self, frames: FrameQueue, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(14, 12))
        self.inspector: Inspector | None = None
        self.opened = False
        self.name = ElidedLabel("", "heading")
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.in_short = ElidedLabel("", "muted", Qt.TextElideMode.ElideRight)
        self.toggle = button("Open", self._toggled, "small", "Give it the whole page  (Enter)")
        self.nothing = label("", "muted", wrap=True)
        self._frames = frames
        self._task: AnyTask | None = None
        self._view, self._made = "", "not made"
        self._broken = ""
        self._folders: Inputs = {}
        self._shown: tuple[Evaluation, int, object] | None = None
        self._systems: Systems = {}
        self._others = Others(lambda evaluation: evaluation, self)
        self._others.arrived.connect(self._show_others)
        row = row_layout(self.name, self.in_short, self.toggle, spacing=12)
        row.setStretch(1, 1)
        self.body.addLayout(row)
        self.body.addWidget(self.nothing, 1, Qt.AlignmentFlag.AlignTop)
        self._scale()
        theme().changed.connect(self._scale)

    def _scale(self) -> None:
        self.setMinimumHeight(px(LOWEST))

    def use(
        self, task: AnyTask | None, folders: Inputs, systems: Systems = MappingProxyType({})
    ) -> None:
        """Show items from now on in the inspector of that competition, with these folders.

        `systems` are those that it may show beside the one that is looked at.
        """
        self._task, self._folders, self._systems = task, folders, systems
        self._view = task.presentation.inspector if task else ""
        self._shown = None

    def clear(self) -> None:
        self._shown = None
        self.name.show_text("")
        self.in_short.show_text("")
        self.nothing.hide()
        if self.inspector is not None:
            self.inspector.hide()

    def get_ready(self) -> None:
        """Make the inspector before anybody waits for it; it shows nothing yet."""
        self._make_inspector()
        if self.inspector is not None and self._shown is None:
            self.inspector.hide()

    def show_item(
        self, evaluation: Evaluation, row: int, in_short: str, context: object = None
    ) -> None:
        """Show an item with what it should know of its panel, unless it is there already."""
        if self._is_shown(evaluation, row, context):
            return
        self._shown = (evaluation, row, context)
        fill = partial(self._fill, evaluation, row, in_short, context)
        if self._frames.is_empty and self._made == self._view:
            fill()
        else:
            self._frames.add("item", fill)

    def _is_shown(self, evaluation: Evaluation, row: int, context: object) -> bool:
        if self._shown is None:
            return False
        shown, item, known = self._shown
        return shown is evaluation and item == row and known == context

    def _fill(self, evaluation: Evaluation, row: int, in_short: str, context: object) -> None:
        """Read an item and show it; where reading takes long, showing is a turn of its own."""
        began = time.thread_time()
        item, reason = self._inspected(evaluation, row, context)
        show = partial(self._show, evaluation.items.ids[row], in_short, item, reason)
        if time.thread_time() - began > LONG_SECONDS:
            self._frames.add("item in sight", show)
        else:
            show()

    def _show(self, name: str, in_short: str, item: InspectedItem | None, reason: str) -> None:
        self.name.show_text(name)
        self.in_short.show_text(in_short)
        self._make_inspector()
        if self.inspector is not None:
            self.inspector.setVisible(item is not None)
            if item is not None:
                reason = show_item(self.inspector, item) or self._broken
                self._want_others()
        self.nothing.setVisible(bool(reason))
        self.nothing.setText(reason)

    def _want_others(self) -> None:
        """Show what other systems have of the item; those not read yet come a moment later."""
        if self.inspector is None or not self.inspector.wants_others or self._shown is None:
            return
        own = self._shown[0].system
        systems = {name: load for name, load in self._systems.items() if name != own}
        self._others.read(dict(list(systems.items())[:MOST_OTHERS]))
        if self._others.parts:
            self._show_others()

    def _show_others(self) -> None:
        if self._shown is None or self.inspector is None or not self.inspector.wants_others:
            return
        evaluation, row, context = self._shown
        others = {}
        for name, other in self._others.parts.items():
            ids, wanted = other.items.ids, evaluation.items.ids[row]
            place = row if row < len(ids) and ids[row] == wanted else _place(ids, wanted)
            found = None if place is None else self._inspected(other, place, context)[0]
            if found is not None:
                others[name] = found
        self.inspector.show_others(others)

    def _inspected(
        self, evaluation: Evaluation, row: int, context: object
    ) -> tuple[InspectedItem | None, str]:
        """What the inspector shows; else None, and the reason."""
        try:
            item = inspected(self._task, evaluation, row, self._folders, context)
        except DeskError as error:  # scored again meanwhile, by a job whose end is not told yet
            return None, str(error)
        return item, "" if item else "This desk keeps no details of its items."

    def _make_inspector(self) -> None:
        if self._made == self._view:
            return
        if self.inspector is not None:
            self.inspector.hide()
            self.body.removeWidget(self.inspector)
            self.inspector.deleteLater()
        self._made = self._view
        self.inspector, self._broken = make_inspector(self._view)
        self.inspector.message.connect(self.message)
        self.inspector.item_wanted.connect(self.item_wanted)
        self.inspector.evidence_stepped.connect(self.evidence_stepped)
        self.body.addWidget(self.inspector, 1)

    def set_opened(self, opened: bool) -> None:
        """Say whether the item has the whole page; then it also has the keyboard."""
        self.opened = opened
        self.toggle.setText("Close" if opened else "Open")
        self.toggle.setToolTip(
            "Back to the table  (Esc)" if opened else "Give it the whole page  (Enter)"
        )

    def take_keyboard(self) -> None:
        """Give the keyboard to what shows the item, as soon as it is there."""
        if self._frames.is_empty:
            self._focus()
        else:
            self._frames.add("keyboard", self._focus)

    def _focus(self) -> None:
        if self.inspector is not None and self.opened:
            self.inspector.setFocus()

    def _toggled(self) -> None:
        (self.asked_close if self.opened else self.asked_open).emit()


def _place(ids: Sequence[str], wanted: str) -> int | None:
    return ids.index(wanted) if wanted in ids else None


class PanelPlace(QObject):
    """Makes the panel that a competition names, and removes it; signals are the panel's own."""

    rows_changed = Signal()
    columns_changed = Signal()
    retold = Signal()
    left = Signal()
    message = Signal(str)
    option_changed = Signal(str, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.panel: Panel | None = None
        self._name = ""
        self._ready: tuple[str, Panel | None] = ("", None)

    def get_ready(self, name: str, keeper: QWidget) -> None:
        """Make the panel of that name, which `use` takes; a widget keeps it until then."""
        if name not in (self._name, self._ready[0]):
            made = self._take(name)
            self._ready = (name, made)
            if made is not None:
                made.hide()
                made.setParent(keeper)

    def complete(self) -> None:
        """Let the panel that is ready make what it left out."""
        made = self._ready[1]
        if made is not None:
            made.get_ready()

    def _take(self, name: str) -> Panel | None:
        """The panel of that name that is ready, else a new one."""
        ready, made = self._ready
        self._ready = ("", None)
        if ready == name:
            return made
        if made is not None:
            made.deleteLater()
        try:
            return PANELS.make(name)
        except BrokenViewError as error:
            self.message.emit(str(error))
            return None

    def use(self, name: str) -> bool:
        """Have the panel of that name, or none; whether that is another one."""
        if name == self._name:
            return False
        self._name = name
        if self.panel is not None:
            self.panel.hide()
            self.panel.setParent(None)
            self.panel.deleteLater()
        self.panel = self._take(name)
        if self.panel is not None:
            self._connect(self.panel)
        return True

    def _connect(self, panel: Panel) -> None:
        panel.rows_changed.connect(self.rows_changed)
        panel.columns_changed.connect(self.columns_changed)
        panel.retold.connect(self.retold)
        panel.left.connect(self.left)
        panel.message.connect(self.message)
        panel.option_changed.connect(self.option_changed)
