"""Base class of inspectors: views of one item, named in a competition's declaration.

To test an inspector, show it an `InspectedItem` with the competition's own evidence.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from jurydesk.core.model.stamp import Stamp, input_places

if TYPE_CHECKING:
    from jurydesk.app.tables.large_copy import LargeCopy
    from jurydesk.app.widgets.page_export import Export
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.model.evaluation import Evaluation, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class InspectedItem:
    """Data of an item for an inspector.

    `evidence` is the competition's own class, `values` the item's numbers by column. `folders` are
    the existing inputs of kind `"folder"`, by role. `context` is state of the competition's panel,
    such as its thresholds. `task` is the declaration, None if the competition is not installed.
    `columns` are the numbers of all items, for comparisons. `beside` are the folders of the
    result's inputs, as its stamp has them. `show` returns the evidence of any of the items by its
    row, also on a worker's thread.
    """

    id: str
    system: str
    evidence: Any
    values: Mapping[str, float]
    folders: Inputs
    context: object = None
    task: AnyTask | None = None
    columns: Mapping[str, FloatArray] = field(default_factory=dict)
    beside: Sequence[Path] = ()
    show: Callable[[int], Any] | None = None


def inspected_item(
    task: AnyTask | None,
    evaluation: Evaluation,
    row: int,
    folders: Inputs,
    context: object = None,
) -> InspectedItem | None:
    """Return the item of that row for an inspector; None if the desk has no evidence."""
    items = evaluation.items
    evidence = items.show(row)
    if evidence is None:
        return None
    values = {name: float(column[row]) for name, column in items.columns.items()}
    system = evaluation.system
    identity = items.ids[row]
    return InspectedItem(
        identity,
        system,
        evidence,
        values,
        folders,
        context,
        task,
        items.columns,
        input_places(Stamp.from_json(evaluation.stamp)) if evaluation.stamp else (),
        items.show,
    )


class Inspector(QWidget):
    """View of one item; a subclass implements `show_item` for its kind of evidence.

    Unused keys are passed on to the page, which steps from item to item.
    """

    message = Signal(object)
    """A short message for the user (what was copied, say)."""
    item_requested = Signal(str)
    """The id of another item with the same evidence."""
    evidence_stepped = Signal(int)
    """The next item (1) or the previous one (-1) with different evidence."""
    rows_stepped = Signal(int, object)
    """The next (1) or the previous (-1) of the items of a mask (items,)."""

    wants_others = False
    """True if `show_others` should receive the item of other systems."""
    least_width = 0
    """Minimum width with an item, in unscaled pixels."""

    @abstractmethod
    def show_item(self, item: InspectedItem) -> None:
        """Show another item."""

    def show_others(self, others: Mapping[str, InspectedItem]) -> None:
        """Show the item of other systems, by their names."""

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selection as tab-separated text; empty without a selection."""
        return ""

    def exports(self) -> Sequence[Export]:
        """Return the exports that are possible now."""
        return ()

    def folder_of(self, item: InspectedItem, role: str) -> Path | None:
        """Return the first folder given for a role."""
        folders = item.folders.get(role, ())
        return folders[0] if folders else None
