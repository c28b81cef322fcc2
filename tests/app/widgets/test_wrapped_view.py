"""Views of wrapped text: their tooltips and their layouts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QApplication, QToolTip

from jurydesk.app.widgets.wrapped_view import WrappedView


class Halves(WrappedView[int]):
    """Tells of its left half only."""

    laid_out: tuple[int, ...] = ()
    """Widths of all layouts so far."""

    def set_in_lines(self, width: int) -> int:
        self.laid_out = (*self.laid_out, width)
        return width // 2

    def height_of(self, placed: int) -> int:
        return 20

    def paint(self, painter: QPainter, top: int, bottom: int) -> None:
        pass

    def tooltip_at(self, x: float, y: float) -> str | None:
        return "left" if x < self.place(self.width()) else None


@pytest.mark.parametrize(("x", "told"), [(10, ["left"]), (90, [])])
def test_a_place_that_tells_something_has_a_tooltip(qtbot, monkeypatch, x: int, told: list[str]):
    found: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, widget: found.append(text))
    view = Halves("halves")
    qtbot.addWidget(view)
    view.resize(100, 20)
    place = QPoint(x, 5)
    event = QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place))
    QApplication.sendEvent(view, event)
    assert found == told


def test_the_layouts_of_the_latest_widths_are_kept_until_the_text_changes(qtbot):
    view = Halves("halves")
    qtbot.addWidget(view)
    assert [view.place(width) for width in (2, 4, 6, 8, 2, 4, 6, 8)] == [1, 2, 3, 4] * 2
    assert view.laid_out == (2, 4, 6, 8)
    view.place(10)
    view.place(8)
    assert view.laid_out == (2, 4, 6, 8, 10)
    view.place(2)
    assert view.laid_out == (2, 4, 6, 8, 10, 2)
    view.lay_out()
    view.place(8)
    assert view.laid_out == (2, 4, 6, 8, 10, 2, 8)
