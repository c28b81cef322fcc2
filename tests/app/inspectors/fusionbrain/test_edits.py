"""A recognised text with its edits: painting and description for screen readers."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.fusionbrain.fusionbrain_inspector import EditsView, answer_summary
from jurydesk.app.style.theme import colour
from jurydesk.core.metrics.edit_distance import edits


@pytest.fixture
def view(qtbot: QtBot) -> EditsView:
    view = EditsView()
    qtbot.addWidget(view)
    view.resize(300, 120)
    return view


@pytest.mark.parametrize(
    ("recognised", "accepted", "said"),
    [
        ("ДОМ", "ДОМ", "There are no edits."),
        ("МЛОКО", "МОЛОКО", "1 edit: “О” is missing."),
        ("АПТХЕКА", "АПТЕКА", "1 edit: “Х” is superfluous."),
        ("ХЛЕВ", "ХЛЕБ", "1 edit: “В” should be “Б”."),
        ("КОT", "ТОК", "2 edits: “К” should be “Т”, “T” should be “К”."),
    ],
)
def test_the_edits_are_stated_in_a_sentence(
    view: EditsView, recognised: str, accepted: str, said: str
) -> None:
    view.show_edits(tuple(edits(recognised, accepted)))
    assert view.accessibleDescription() == said


def test_every_letter_has_its_own_cell(view: EditsView) -> None:
    view.show_edits(tuple(edits("МЛОКО", "МОЛОКИ")))
    assert [(c.kind, c.recognised, c.accepted) for c in view.cells] == [
        ("equal", "М", ""),
        ("insert", "", "О"),
        ("equal", "Л", ""),
        ("equal", "О", ""),
        ("equal", "К", ""),
        ("replace", "О", "И"),
    ]


def test_a_right_text_has_no_tint_and_a_wrong_one_has(view: EditsView) -> None:
    view.show_edits(tuple(edits("ДОМ", "ДОМ")))
    assert colour("bad").name() not in inks(view)
    view.show_edits(tuple(edits("ДЫМ", "ДОМ")))
    assert colour("bad").name() in inks(view)
    assert colour("good").name() in inks(view)


def inks(view: EditsView) -> set[str]:
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    size = image.size()
    return {
        image.pixelColor(x, y).name() for x in range(size.width()) for y in range(size.height())
    }


def test_a_long_text_takes_more_lines_in_less_room(view: EditsView) -> None:
    view.show_edits(tuple(edits("кот " * 40, "кит " * 40)))
    assert view.heightForWidth(200) > view.heightForWidth(1000)


def test_invisible_characters_have_a_symbol(view: EditsView) -> None:
    assert answer_summary(tuple(edits("а\u202e", "а"))) == "1 edit: “\ufffd” is superfluous."
