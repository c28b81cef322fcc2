"""Base class of panels: views of all items of an evaluation, in place of its figures.

A competition names its panel in its declaration (`Presentation.panel`). The panel is placed above
the table of items.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from jurydesk.app.plots.plot_export import Marks, no_marks
from jurydesk.core.model.evaluation import BoolArray, Evaluation

if TYPE_CHECKING:
    from jurydesk.app.widgets.page_export import Export
    from jurydesk.core.tables.columns import Column

Systems = Mapping[str, Callable[[], Evaluation]]
"""Functions that load each system's evaluation; a worker's thread may call them."""


class Panel(QWidget):
    """View of one evaluation; it determines the rows and columns of the item table."""

    rows_changed = Signal()
    """`shown_rows`, or the cells of the table, have changed."""
    columns_changed = Signal()
    """`columns` has changed."""
    finding_changed = Signal()
    """The heading or the finding has changed."""
    table_requested = Signal()
    """The keyboard focus should move to the table."""
    message = Signal(object)
    option_changed = Signal(str, object)
    """An option of the competition should get another value."""

    row_hovered = Signal(object)
    """Row of the item under the mouse in a plot, or None."""
    row_chosen = Signal(object)
    """Row of the item chosen in a plot."""
    rows_brushed = Signal(object)
    """Rows (n,) of the items in a brushed rectangle, or None."""
    save_requested = Signal(object)
    """An export should be saved."""

    wide = 646
    """Unscaled width beside the list in a window of 1280."""
    shown_rows: BoolArray | None = None
    """Items (items,) that the table shows; None for all."""
    heading = ""
    finding = ""
    marks: Marks = staticmethod(no_marks)
    """Function that returns the settings which mark contradictions of systems in exports."""

    @property
    def least_width(self) -> int:
        """Width in pixels that it needs beside the list."""
        return self.minimumSizeHint().width()

    @property
    def least_height(self) -> int:
        """Height in pixels that it needs beside the list; 0 where it adapts to any."""
        return 0

    @abstractmethod
    def show_evaluation(self, evaluation: Evaluation, systems: Systems) -> None:
        """Show another evaluation; `systems` can be compared with it."""

    def show_compared(self, systems: Sequence[str]) -> None:
        """Show the curves of the systems that the board selects, too."""

    def prepare(self) -> None:
        """Create in advance what was left out at first."""

    def show_metric(self, name: str) -> None:
        """Show the part that belongs to a metric, if there is one."""

    def show_options(self, options: Any, *, editable: bool) -> None:
        """Follow the options in use; without `editable` the desk is read-only."""

    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """Return the columns of the item table."""

    def narrow_columns(self) -> tuple[Mapping[str, int], Sequence[str]]:
        """Return the texts that may be cut, with their least widths, and those to hide instead."""
        return {}, ()

    def initial_columns(self) -> frozenset[str]:
        """Return the number columns that are visible initially."""
        return frozenset()

    def initial_sorting(self) -> str:
        """Return the column by which the table is sorted initially, largest first."""
        return ""

    def context(self) -> object:
        """Return the panel's state for the inspector of an item."""
        return None

    def set_current(self, row: int) -> None:
        """Mark the selected item in the plots."""

    def set_hovered(self, row: int | None) -> None:
        """Mark the item under the mouse in the plots."""

    def clear_brush(self) -> None:
        """Remove the brushed rectangle."""

    def filter_bar(self) -> QWidget | None:
        """Return a control for the line above the table, beside the filter line."""
        return None

    def exports(self) -> Sequence[Export]:
        """Return the exports that are possible now."""
        return ()
