"""Contract of inspectors: the views of one item, which a competition names in its declaration.

An inspector is tested by showing it an `InspectedItem` of the competition's own evidence.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from jurydesk.app.commands.export_notice import Export
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.model.evaluation import Evaluation, Evidence, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class InspectedItem:
    """Everything that an inspector gets of an item.

    `evidence` is the competition's own class, `values` the item's numbers by column. `folders` are
    the inputs of kind `"folder"` that were given and exist, by role. `context` is what the
    competition's panel adds, such as the thresholds that were chosen there. `task` is the
    declaration, None where this program does not have the competition. `columns` are the numbers
    of all items, for views that set one beside the others.
    """

    id: str
    system: str
    evidence: Evidence
    values: Mapping[str, float]
    folders: Inputs
    context: object = None
    task: AnyTask | None = None
    columns: Mapping[str, FloatArray] = field(default_factory=dict)


def inspected(
    task: AnyTask | None,
    evaluation: Evaluation,
    row: int,
    folders: Inputs,
    context: object = None,
) -> InspectedItem | None:
    """Return the item of that row as inspectors take it; None where the desk has no evidence."""
    items = evaluation.items
    evidence = items.show(row)
    if evidence is None:
        return None
    values = {name: float(column[row]) for name, column in items.columns.items()}
    system = evaluation.system
    identity = items.ids[row]
    return InspectedItem(identity, system, evidence, values, folders, context, task, items.columns)


class Inspector(QWidget):
    """Shows one item at a time; a subclass implements `show_item` with its kind of evidence.

    Keys that it does not use go on to the page, which steps from item to item.
    """

    message = Signal(str)
    """A short message for the user (what was copied, say)."""
    item_wanted = Signal(str)
    """Another item, by its id, that shares the evidence."""
    evidence_stepped = Signal(int)
    """The next item (1) or the one before (-1) that has other evidence."""

    wants_others = False
    """Whether it shows other systems beside the one that is looked at: `show_others` gets them."""
    least_width = 0
    """The width that it needs with an item, in pixels of the drawings; empty it may need less."""

    @abstractmethod
    def show_item(self, item: InspectedItem) -> None:
        """Show an item in place of the one before."""

    def show_others(self, others: Mapping[str, InspectedItem]) -> None:
        """Show what other systems have of the item that is shown, by their names."""

    def copied(self, headers: bool) -> str:
        """The selection as tab-separated text; empty where nothing is selected."""
        return ""

    def exports(self) -> Sequence[Export]:
        """What can be written to a file at present."""
        return ()

    def folder_of(self, item: InspectedItem, role: str) -> Path | None:
        """The folder that was given for a role."""
        folders = item.folders.get(role, ())
        return folders[0] if folders else None
