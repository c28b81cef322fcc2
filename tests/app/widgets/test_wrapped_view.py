"""Views of wrapped text: their tooltips."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QApplication, QToolTip

from jurydesk.app.widgets.wrapped_view import WrappedView


class Halves(WrappedView[int]):
    """Tells of its left half only."""

    def set_in_lines(self, width: int) -> int:
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
