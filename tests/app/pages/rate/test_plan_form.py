"""Form of a rating plan: the place of its titles."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFormLayout, QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.pages.rate.plan_form import PlanForm
from jurydesk.app.style.theme import px, theme


@pytest.fixture
def form(qtbot: QtBot) -> PlanForm:
    made = PlanForm()
    qtbot.addWidget(made)
    made.show()
    return made


def set_width(form: PlanForm, width: int) -> None:
    form.arrange(width)
    form.layout().activate()
    form.resize(width, form.heightForWidth(width))
    assert form.width() == width


def rows(form: PlanForm) -> list[tuple[QWidget, QWidget]]:
    """Return the titles with their fields."""
    (layout,) = form.findChildren(QFormLayout)
    fields = [*form.numbers.values(), form.seed]
    return [(layout.labelForField(field), field) for field in fields]


def titles_beside(form: PlanForm) -> set[bool]:
    return {title.geometry().right() < field.x() for title, field in rows(form)}


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
class TestTitles:
    def test_all_titles_stand_beside_their_numbers_or_all_above(self, form, zoom) -> None:
        theme().set_zoom(zoom)
        places = []
        for width in (230, 300, 500, 576, 600, 700, 1000):
            set_width(form, px(width))
            assert len(titles_beside(form)) == 1, f"at a width of {width}"
            places += titles_beside(form)
        assert places == sorted(places)
        assert {*places} == {False, True}

    def test_no_title_and_no_number_is_cut(self, form, zoom) -> None:
        theme().set_zoom(zoom)
        for width in (230, 300, 576, 1000):
            set_width(form, px(width))
            for title, field in rows(form):
                assert title.width() >= title.minimumSizeHint().width()
                assert field.width() >= field.minimumSizeHint().width()
                assert field.geometry().right() < form.width()
            words = form.fontMetrics().horizontalAdvance(form.seed.placeholderText())
            assert form.seed.width() >= words + form.fontMetrics().height()


def test_the_titles_change_their_place_with_the_zoom(qtbot, form) -> None:
    set_width(form, 420)
    assert titles_beside(form) == {True}
    theme().set_zoom(2.0)
    qtbot.waitUntil(lambda: titles_beside(form) == {False})


def test_the_button_stands_under_the_systems_and_in_one_column_under_the_numbers(form) -> None:
    set_width(form, 1000)
    assert form.make.mapTo(form, QPoint(0, 0)).y() < form.seed.y()
    set_width(form, 300)
    assert form.make.mapTo(form, QPoint(0, 0)).y() > form.seed.geometry().bottom()


def test_long_sentences_under_the_systems_have_their_height(form) -> None:
    sentence = "a sentence that needs several lines of the narrow column " * 3
    form.summary.setText(sentence)
    form.photos.setText(sentence)
    set_width(form, 500)
    assert titles_beside(form) == {True}
    for text in (form.summary, form.photos):
        assert text.height() >= text.heightForWidth(text.width()) > 2 * text.fontMetrics().height()
