"""Card of a competition's options."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

from jurydesk.app.pages.check.options_card import OptionsCard
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions


def test_choices_are_shown_by_title_and_chosen_by_name(qtbot):
    card = OptionsCard()
    qtbot.addWidget(card)
    card.show_options(FusionBrainOptions())
    box = card.fields["subtask"].widget
    assert isinstance(box, QComboBox)
    shown = [box.itemText(place) for place in range(box.count())]
    assert (shown[0], shown[-1]) == ("all six", "Text recognition")
    box.setCurrentIndex(len(shown) - 1)
    with qtbot.waitSignal(card.changed) as changed:
        box.activated.emit(len(shown) - 1)
    assert changed.args == ["subtask", "text_recognition"]
