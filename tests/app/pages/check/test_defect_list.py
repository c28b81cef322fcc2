"""List of defects in narrow windows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QHBoxLayout, QWidget

from jurydesk.app.pages.check.defect_list import DefectCard, lines_of_defect
from jurydesk.core.language import reason
from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.defects import Place, error, note, warning

PLACE = Place("run.json")
FOUND = [error(PLACE, "a")] * 123 + [warning(PLACE, "b")] * 1456 + [note(PLACE, "c")] * 7


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(("width", "rows"), [(260, 2), (440, 1), (520, 1), (800, 1)])
def test_every_filter_is_whole_at_every_width(qtbot, width: int, rows: int) -> None:
    outside = QWidget()
    qtbot.addWidget(outside)
    card = DefectCard()
    QHBoxLayout(outside).addWidget(card)
    outside.layout().setContentsMargins(0, 0, 0, 0)
    outside.resize(width, 400)
    outside.show()
    card.show_defects(FOUND, "")
    qtbot.waitUntil(lambda: card.width() == width)
    outside.layout().activate()
    chips = list(card.filters.values())
    assert all(chip.width() >= chip.sizeHint().width() for chip in chips)
    assert max(chip.mapTo(card, chip.rect().bottomRight()).x() for chip in chips) < width
    assert len({chip.mapTo(card, chip.rect().topLeft()).y() for chip in chips}) == rows
    assert card.copy.isVisible() == (width == 800)


def test_what_to_do_comes_before_what_was_found():
    told = error(PLACE, "The story is missing.", "One is expected.", "Add the story.")
    assert lines_of_defect(told) == ("Add the story.", "The story is missing. One is expected.")
    other = replace(told, hint="Ask the author of the file.")
    assert lines_of_defect(other)[0] == "Ask the author of the file."
    why = reason("They are scored as they are.")
    for explained in (
        warning(PLACE, "2 names are alike.", "", why),
        warning(PLACE, "2 names are alike.", "", decode_message(encode_message(why))),
        note(PLACE, "2 names are alike.", "They are scored as they are."),
    ):
        assert lines_of_defect(explained) == ("2 names are alike.", "They are scored as they are.")
