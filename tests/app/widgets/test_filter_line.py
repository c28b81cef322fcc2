"""Filter line with the keyboard: chips, completion, errors and saved filters."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from jurydesk.app.widgets.filter_line import KEPT, FilterLine, change_without_undo
from jurydesk.core.tables.columns import NumberColumn, TextColumn

Key = Qt.Key
COLUMNS = [
    NumberColumn("ap", "", np.zeros(2)),
    NumberColumn("length", "", np.zeros(2)),
    TextColumn("kind", "", ("a", "b c")),
]


@pytest.fixture
def frame(qtbot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    QVBoxLayout(made)
    made.resize(600, 300)
    return made


@pytest.fixture
def line(qtbot, settings, frame) -> FilterLine:
    made = FilterLine("Find", live=True)
    frame.layout().addWidget(made)
    made.offer(COLUMNS, "Find items, or ap < 0.2")
    made.keep_filters(settings, "toy", change_without_undo)
    frame.show()
    qtbot.waitExposed(frame)
    made.field.setFocus()
    return made


def type_(line: FilterLine, text: str, *keys: Qt.Key) -> None:
    QTest.keyClicks(line.field, text)
    for key in keys:
        QTest.keyClick(line.field, key)


def test_a_valid_filter_applies_after_every_letter(line):
    asked = []
    line.changed.connect(asked.append)
    type_(line, "ap < 0.2")
    assert asked == ["a", "ap", "ap < 0", "ap < 0.", "ap < 0.2"]
    assert line.problem is None


def test_an_invalid_filter_changes_nothing_and_is_reported(line):
    type_(line, "ap < 0.2 ", Key.Key_Return)
    type_(line, "lenght < 8")
    assert line.in_force == "ap < 0.2 lenght"
    assert line.sentence.text() == (
        "No column “lenght”. Did you mean length? Tab takes it. Not applied yet."
    )
    assert line.sentence.isVisible()
    type_(line, "", Key.Key_Return)
    assert line.field.text() == "lenght < 8"
    assert line.field.hasFocus()


def test_tab_accepts_the_suggested_name(line):
    type_(line, "lenght < 8")
    type_(line, "", Key.Key_Escape)  # closes nothing: there is no completion of a number
    line.set_query("")
    type_(line, "lenght < 8", Key.Key_Tab)
    assert line.field.text() == "length < 8"
    assert line.field.hasFocus()
    assert line.in_force == "length < 8"


def test_enter_makes_a_chip_and_keeps_the_focus(line):
    type_(line, "harbour ap < 0.2", Key.Key_Return)
    assert line.conditions == ["ap < 0.2"]
    assert line.field.text() == "harbour"
    assert line.query == "ap < 0.2 harbour"
    assert line.field.hasFocus()


def test_a_click_on_a_chip_removes_it_and_backspace_edits_it(line):
    line.set_query("ap < 0.2 length > 3")
    QTest.mouseClick(line.chips[0], Qt.MouseButton.LeftButton)
    assert line.in_force == "length > 3"
    type_(line, "", Key.Key_Backspace)
    assert (line.conditions, line.field.text()) == ([], "length > 3")


def test_tab_completes_a_column_and_arrows_choose(line):
    type_(line, "le")
    assert line.completions.isVisible()
    type_(line, "", Key.Key_Tab)
    assert line.field.text() == "length "
    assert not line.completions.isVisible()
    line.clear()
    type_(line, "kind = ", Key.Key_Down, Key.Key_Tab)
    assert line.field.text() == 'kind = "b c" '


def test_completions_do_not_cover_the_sentence_that_says_what_is_wrong(qtbot, line):
    line.window().layout().addStretch(1)
    type_(line, "ap < 3 lenght < 3 k")  # an unknown column, and the beginning of another
    assert line.completions.isVisible()
    qtbot.wait(20)  # the layout makes room for the sentence
    sentence = line.sentence.mapTo(line.window(), line.sentence.rect().bottomLeft())
    assert line.completions.y() > sentence.y() > line.field.height()


def test_escape_closes_the_list_then_empties_the_line_then_leaves_it(qtbot, line):
    type_(line, "le", Key.Key_Escape)
    assert not line.completions.isVisible()
    assert line.field.text() == "le"
    type_(line, "", Key.Key_Escape)
    assert line.query == ""
    with qtbot.waitSignal(line.leave_requested, timeout=1000):
        type_(line, "", Key.Key_Escape)


def test_without_completions_tab_moves_the_focus(line):
    assert not line.field._may_complete()


def test_filters_are_saved_used_again_and_deleted(line):
    line.set_query("ap < 0.2")
    line.save_filter()
    line.clear()
    line.fill_menu()
    action = next(one for one in line.menu.actions() if one.data() == "ap < 0.2")
    action.trigger()
    assert line.in_force == "ap < 0.2"
    line.fill_menu()
    line.menu.actions()[0].trigger()
    assert line.filters() == []


class TestUndo:
    """Saved filters that are forgotten or pushed out, as their owner can undo it."""

    @pytest.fixture
    def changes(self, line, settings) -> list[tuple]:
        made = []

        def change(text, said, redo, undo) -> None:
            made.append((said, redo, undo))
            redo()

        line.keep_filters(settings, "toy", change)
        return made

    @staticmethod
    def save(line, *queries: str) -> None:
        for query in queries:
            line.set_query(query)
            line.save_filter()

    def test_a_forgotten_filter_returns_to_its_place_among_later_ones(self, line, changes):
        self.save(line, "ap < 0.1", "ap < 0.2", "ap < 0.3")
        line.set_query("ap < 0.2")
        line.forget_filter()
        ((said, _, undo),) = changes
        assert said == "The filter was forgotten: ap < 0.2"
        assert line.filters() == ["ap < 0.3", "ap < 0.1"]
        undo()
        assert line.filters() == ["ap < 0.3", "ap < 0.2", "ap < 0.1"]

    def test_the_filter_that_a_new_one_pushes_out_can_be_put_back(self, line, changes):
        self.save(line, *(f"ap < 0.{number:02d}" for number in range(KEPT + 1)))
        ((_, _, undo),) = changes
        assert "ap < 0.00" not in line.filters()
        undo()
        assert line.filters()[-1] == "ap < 0.00"


def test_ctrl_z_restores_a_cleared_filter_and_a_removed_condition(qtbot, line):
    line.set_query("ap < 0.2 length > 3 dog")
    type_(line, "", Key.Key_Escape)
    assert line.in_force == ""
    qtbot.keyClick(line.field, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert line.in_force == "ap < 0.2 length > 3 dog"
    qtbot.mouseClick(line.chips[0], Qt.MouseButton.LeftButton)
    assert line.in_force == "length > 3 dog"
    qtbot.keyClick(line.field, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert line.in_force == "ap < 0.2 length > 3 dog"


def test_ctrl_z_undoes_typing_before_anything_else(qtbot, line):
    line.set_query("ap < 0.2")
    line.clear()
    type_(line, "dog")
    qtbot.keyClick(line.field, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert line.in_force == ""


def test_a_slow_query_applies_on_enter(qtbot):
    line = FilterLine("Slice", live=False)
    qtbot.addWidget(line)
    line.offer(COLUMNS, "")
    asked = []
    line.changed.connect(asked.append)
    QTest.keyClicks(line.field, "ap < 0.2")
    assert asked == []
    QTest.keyClick(line.field, Key.Key_Return)
    assert asked == ["ap < 0.2"]
