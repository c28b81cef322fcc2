"""Two inspectors side by side, whose texts scroll together."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.pages.compare import compare_cards
from jurydesk.app.pages.compare.compare_cards import InspectorPairCard
from jurydesk.app.widgets.scroll import VerticalScrollArea


class TallText(Inspector):
    """Inspector that scrolls a text of a height."""

    def __init__(self, height: int) -> None:
        super().__init__()
        text = QWidget()
        text.setMinimumHeight(height)
        self.area = VerticalScrollArea()
        self.area.setWidget(text)
        QVBoxLayout(self).addWidget(self.area)

    def show_item(self, item: InspectedItem) -> None:
        """Show nothing else."""


def test_the_texts_of_both_sides_scroll_together_and_the_longer_one_to_its_end(qtbot, monkeypatch):
    heights = iter((2000, 1000))
    made = lambda view: (TallText(next(heights)), "")  # noqa: E731
    monkeypatch.setattr(compare_cards, "make_inspector", made)
    card = InspectorPairCard()
    qtbot.addWidget(card)
    for place in (0, 1):
        card.make_side(place)
    card.resize(1200, 400)
    card.show()
    longer, shorter = (side.area.verticalScrollBar() for side in card.inspectors)
    qtbot.waitUntil(lambda: longer.maximum() > shorter.maximum() > 100)
    longer.setValue(100)
    assert shorter.value() == 100
    shorter.setValue(50)
    assert longer.value() == 50
    longer.setValue(longer.maximum())
    assert (longer.value(), shorter.value()) == (longer.maximum(), shorter.maximum())
