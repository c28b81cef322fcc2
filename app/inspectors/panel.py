"""Contract of panels: views of all items of an evaluation, in the place of its figures.

A competition names its panel in its declaration (`Presentation.panel`); it stands above the table
of items.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from jurydesk.core.model.evaluation import BoolArray, Evaluation

if TYPE_CHECKING:
    from jurydesk.app.commands.export_notice import Export
    from jurydesk.app.tables.columns import Column

Systems = Mapping[str, Callable[[], Evaluation]]
"""How each system's evaluation is loaded; a worker's thread may do it."""


class Panel(QWidget):
    """Explores one evaluation; it says which items the table shows, and in which columns."""

    rows_changed = Signal()
    """Other items are wanted in the table, or their cells have changed (`shown_rows`)."""
    columns_changed = Signal()
    """The columns are others now (`columns`)."""
    retold = Signal()
    """The heading or the finding has changed."""
    left = Signal()
    """The keyboard wants to go on to the table."""
    message = Signal(str)
    option_changed = Signal(str, object)
    """An option of the competition should have another value."""

    shown_rows: BoolArray | None = None
    """The items (items,) that the table shows; None for all."""
    heading = ""
    finding = ""

    @abstractmethod
    def show_evaluation(self, evaluation: Evaluation, systems: Systems) -> None:
        """Explore another evaluation; `systems` are all that it may be compared with."""

    def get_ready(self) -> None:
        """Make what was left out at first, so that nobody waits for it."""

    def show_metric(self, name: str) -> None:
        """Show the part that a metric stands for, where there is one."""

    def show_options(self, options: Any, *, editable: bool) -> None:
        """Follow the options in use; without `editable` the desk can only be looked at."""

    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns of the items' table."""

    def shown_at_first(self) -> frozenset[str]:
        """The number columns that the table begins with."""
        return frozenset()

    def sorted_by(self) -> str:
        """The column that sorts the table at first, the largest above."""
        return ""

    def context(self) -> object:
        """What the inspector of an item should know of the panel's state."""
        return None

    def filter_bar(self) -> QWidget | None:
        """A control for the line above the table, beside the search."""
        return None

    def exports(self) -> Sequence[Export]:
        """What can be written to a file at present."""
        return ()
