"""Form of a rating plan: the place of its titles."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFormLayout, QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.pages.rate.plan_form import (
    MANY_SYSTEMS,
    PlanForm,
    RatableSystems,
    break_lines,
)
from jurydesk.app.style.theme import px, theme
from jurydesk.core.competition.task_registry import registry


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


def offer(qtbot: QtBot, form: PlanForm, systems: int) -> None:
    names = {f"{number}.json": f"system {number}" for number in range(systems)}
    form.offer(registry().tasks["vist"], RatableSystems(names, None), {}, 0)
    qtbot.waitUntil(lambda: all(tick.isVisible() for tick in form.systems))


def top(form: PlanForm, widget: QWidget) -> int:
    return widget.mapTo(form, QPoint(0, 0)).y()


class TestManySystems:
    @pytest.mark.parametrize("width", [1000, 300])
    def test_the_button_stands_above_most_of_them(self, qtbot, form, width) -> None:
        offer(qtbot, form, 60)
        set_width(form, width)
        assert form.seed.geometry().bottom() < top(form, form.make) < top(form, form.systems[20])

    @pytest.mark.parametrize("width", [1000, 300])
    def test_the_focus_moves_down_the_columns(self, qtbot, form, width) -> None:
        offer(qtbot, form, 60)
        set_width(form, width)
        first, focused = form.systems[0], []
        widget = first
        while not focused or widget is not first:
            if widget.isVisibleTo(form) and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                focused.append(widget)
            widget = widget.nextInFocusChain()
        left = [one for one in focused if one in form.systems]
        assert left == form.systems
        right = [one for one in focused if one in (*form.numbers.values(), form.seed, form.make)]
        assert right == [*form.numbers.values(), form.seed, form.make]

    def test_the_focus_begins_at_the_top(self, qtbot, form) -> None:
        qtbot.waitUntil(form.isActiveWindow)
        offer(qtbot, form, 60)
        set_width(form, 1000)
        form.focus_first()
        assert form.systems[0].hasFocus()
        set_width(form, 300)
        form.focus_first()
        assert form.numbers["sequences"].hasFocus()

    def test_few_systems_come_first_again(self, qtbot, form) -> None:
        offer(qtbot, form, 60)
        set_width(form, 300)
        offer(qtbot, form, MANY_SYSTEMS)
        set_width(form, 300)
        assert top(form, form.systems[-1]) < form.seed.y() < top(form, form.make)


def test_a_long_title_of_a_check_box_has_several_lines(qtbot, form) -> None:
    offer(qtbot, form, 2)
    set_width(form, 1000)
    title = form.human.text()
    assert form.human.accessibleName() == title
    set_width(form, 230)
    assert form.human.text().count("\n") >= 1
    assert form.human.text().split() == title.split()
    assert form.human.minimumSizeHint().width() <= form.human.width()
    assert form.human.accessibleName() == title


def test_lines_break_only_between_words(form) -> None:
    metrics = form.fontMetrics()
    width = metrics.horizontalAdvance("three words")
    assert break_lines("three words of incomprehensibility a b", metrics, width) == (
        "three words\nof\nincomprehensibility\na b"
    )
    assert break_lines("", metrics, width) == ""
