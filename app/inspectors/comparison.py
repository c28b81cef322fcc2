"""Base class of comparisons: views of one item of two systems, in place of two inspectors."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtWidgets import QWidget

from jurydesk.app.inspectors.inspector import InspectedItem


class Comparison(QWidget):
    """View of one item of two systems, named as the inspector of its competition.

    The built-in comparison `vist` is the class `COMPARISON` of `vist/vist_comparison.py`. A plug-in
    registers its class as an entry point of the group `jurydesk.comparisons`.
    """

    least_width = 0
    """Minimum width beside a list, in unscaled pixels."""

    @abstractmethod
    def show_names(self, systems: tuple[str, str], values: tuple[str, str]) -> None:
        """Take the names of both systems, each with its value of the items that follow.

        They are shown with these, not above the items before.
        """

    @abstractmethod
    def show_items(self, first: InspectedItem, second: InspectedItem) -> None:
        """Show the item of both systems."""
