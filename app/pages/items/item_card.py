"""Card of the Items page with one item in its competition's inspector."""

from __future__ import annotations

import time
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from jurydesk.app.inspectors.inspector import InspectedItem, Inspector, inspected_item
from jurydesk.app.inspectors.inspector_registry import (
    PANELS,
    BrokenViewError,
    make_inspector,
    show_item,
)
from jurydesk.app.inspectors.other_systems import OtherSystemParts
from jurydesk.app.inspectors.panel import Panel, Systems
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, ElidedLabel, button, label, row_layout
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.language import translate, translate_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.model.evaluation import Evaluation


LOWEST = 160
LONG_SECONDS = 0.01
MAX_OTHER_SYSTEMS = 8
"""Maximum number of other systems shown beside the current one."""


class ItemCard(Card):
    """Item in its inspector, below its id and first numbers.

    Creating an inspector, and showing the item in it, each take a frame.
    """

    open_requested = Signal()
    close_requested = Signal()
    message = Signal(object)
    item_requested = Signal(str)
    evidence_stepped = Signal(int)
    rows_stepped = Signal(int, object)

    def __init__(self, frames: FrameQueue) -> None:
        super().__init__(padding=(14, 12))
        self.inspector: Inspector | None = None
        self.opened = False
        self.name = ElidedLabel("", "heading")
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.summary = ElidedLabel("", "muted", Qt.TextElideMode.ElideRight)
        self.toggle = button(
            translate("Open"),
            self._request_toggle,
            "small",
            translate("Show the item on the whole page  (Enter)"),
        )
        self.reason = label("", "muted", wrap=True)
        self._frames = frames
        self._task: AnyTask | None = None
        self._view, self._made = "", "not made"
        self._broken = ""
        self._folders: Inputs = {}
        self._shown: tuple[Evaluation, int, object] | None = None
        self._systems: Systems = {}
        self._others = OtherSystemParts(lambda evaluation: evaluation, self)
        self._others.arrived.connect(self._show_others)
        row = row_layout(self.name, self.summary, self.toggle, spacing=12)
        row.setStretch(1, 1)
        self.body.addLayout(row)
        self.body.addWidget(self.reason, 1, Qt.AlignmentFlag.AlignTop)
        theme().changed.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        return self.content_size().expandedTo(QSize(0, px(LOWEST)))

    def content_size(self) -> QSize:
        """Return the size below which parts of the card would be cut."""
        return super().minimumSizeHint()

    def use(
        self, task: AnyTask | None, folders: Inputs, systems: Systems = MappingProxyType({})
    ) -> None:
        """Use the inspector of that competition, with these folders.

        `systems` are those that the inspector may show beside the current one.
        """
        self._task, self._folders, self._systems = task, folders, systems
        self._view = task.presentation.inspector if task else ""
        self._shown = None

    def clear(self) -> None:
        self._shown = None
        self.name.show_text("")
        self.summary.show_text("")
        self.reason.hide()
        if self.inspector is not None:
            self.inspector.hide()

    def prepare(self) -> None:
        """Create the inspector in advance; it shows nothing yet."""
        self._make_inspector()
        if self.inspector is not None and self._shown is None:
            self.inspector.hide()

    def show_item(
        self,
        evaluation: Evaluation,
        row: int,
        summary: str,
        context: object = None,
        name: str = "",
    ) -> None:
        """Show an item with the panel's context, unless it is shown already.

        Without a name, its title is its id.
        """
        if self._is_shown(evaluation, row, context):
            return
        self._shown = (evaluation, row, context)
        fill = partial(self._fill, evaluation, row, summary, context, name)
        if self._frames.is_empty and self._made == self._view:
            fill()
        else:
            self._frames.add("item", fill)

    def _is_shown(self, evaluation: Evaluation, row: int, context: object) -> bool:
        if self._shown is None:
            return False
        shown, item, known = self._shown
        return shown is evaluation and item == row and known == context

    def _fill(
        self, evaluation: Evaluation, row: int, summary: str, context: object, name: str
    ) -> None:
        """Read an item and show it; after slow reading, in another frame."""
        began = time.thread_time()
        item, reason = self._inspect_item(evaluation, row, context)
        ids = evaluation.items.ids[row]
        show = partial(self._show, (name or ids, ids), summary, item, reason)
        if time.thread_time() - began > LONG_SECONDS:
            self._frames.add("item in sight", show)
        else:
            show()

    def _show(
        self, names: tuple[str, str], summary: str, item: InspectedItem | None, reason: str
    ) -> None:
        """Show an item with its title and its id."""
        self.name.setText(names[0])
        self.name.setToolTip(tip(*dict.fromkeys(names)))
        self.summary.show_text(summary)
        self._make_inspector()
        if self.inspector is not None:
            self.inspector.setVisible(item is not None)
            if item is not None:
                reason = translate_text(show_item(self.inspector, item) or self._broken)
                self._read_others()
        self.reason.setVisible(bool(reason))
        self.reason.setText(reason)

    def _read_others(self) -> None:
        """Show other systems' evidence of the item; systems that are not read yet follow later."""
        if self.inspector is None or not self.inspector.wants_others or self._shown is None:
            return
        own = self._shown[0].system
        systems = {name: load for name, load in self._systems.items() if name != own}
        self._others.read(dict(list(systems.items())[:MAX_OTHER_SYSTEMS]))
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
            found = None if place is None else self._inspect_item(other, place, context)[0]
            if found is not None:
                others[name] = found
        self.inspector.show_others(others)

    def _inspect_item(
        self, evaluation: Evaluation, row: int, context: object
    ) -> tuple[InspectedItem | None, str]:
        try:
            item = inspected_item(self._task, evaluation, row, self._folders, context)
        except DeskError as error:  # scored again by a job that has not reported yet
            return None, translate_text(str(error))
        return item, "" if item else translate("This desk contains no details of its items.")

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
        self.inspector.item_requested.connect(self.item_requested)
        self.inspector.evidence_stepped.connect(self.evidence_stepped)
        self.inspector.rows_stepped.connect(self.rows_stepped)
        self.body.addWidget(self.inspector, 1)

    def set_opened(self, opened: bool) -> None:
        """Set whether the item has the whole page."""
        self.opened = opened
        self.toggle.setText(translate("Close") if opened else translate("Open"))
        self.toggle.setToolTip(
            translate("Back to the table  (Esc)")
            if opened
            else translate("Show the item on the whole page  (Enter)")
        )

    def take_keyboard(self) -> None:
        """Focus the inspector as soon as it is there."""
        if self._frames.is_empty:
            self._focus()
        else:
            self._frames.add("keyboard", self._focus)

    def _focus(self) -> None:
        if self.inspector is not None and self.opened:
            self.inspector.setFocus()

    def _request_toggle(self) -> None:
        (self.close_requested if self.opened else self.open_requested).emit()


def _place(ids: Sequence[str], wanted: str) -> int | None:
    return ids.index(wanted) if wanted in ids else None


class PanelPlace(QObject):
    """Creates and removes the panel that a competition names; relays the panel's signals."""

    rows_changed = Signal()
    columns_changed = Signal()
    finding_changed = Signal()
    table_requested = Signal()
    message = Signal(object)
    option_changed = Signal(str, object)
    row_hovered = Signal(object)
    row_chosen = Signal(object)
    rows_brushed = Signal(object)
    save_requested = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.panel: Panel | None = None
        self._name = ""
        self._ready: tuple[str, Panel | None] = ("", None)

    def prepare(self, name: str, keeper: QWidget) -> None:
        """Create the panel of that name for `use`; a hidden child of `keeper` until then."""
        if name not in (self._name, self._ready[0]):
            made = self._take_ready_panel(name)
            self._ready = (name, made)
            if made is not None:
                made.hide()
                made.setParent(keeper)

    def complete(self) -> None:
        """Complete the prepared panel."""
        made = self._ready[1]
        if made is not None:
            made.prepare()

    def _take_ready_panel(self, name: str) -> Panel | None:
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
        """Use the panel of that name, or none; return whether it changed."""
        if name == self._name:
            return False
        self._name = name
        if self.panel is not None:
            self.panel.hide()
            self.panel.setParent(None)
            self.panel.deleteLater()
        self.panel = self._take_ready_panel(name)
        if self.panel is not None:
            self._connect(self.panel)
        return True

    def _connect(self, panel: Panel) -> None:
        panel.rows_changed.connect(self.rows_changed)
        panel.columns_changed.connect(self.columns_changed)
        panel.finding_changed.connect(self.finding_changed)
        panel.table_requested.connect(self.table_requested)
        panel.message.connect(self.message)
        panel.option_changed.connect(self.option_changed)
        panel.row_hovered.connect(self.row_hovered)
        panel.row_chosen.connect(self.row_chosen)
        panel.rows_brushed.connect(self.rows_brushed)
        panel.save_requested.connect(self.save_requested)
