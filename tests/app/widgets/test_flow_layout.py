"""Layout of rows that wrap."""

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.style.theme import px
from jurydesk.app.widgets.flow_layout import SPACING, FlowLayout


def show_buttons(qtbot: QtBot, width: int) -> tuple[QWidget, list[QPushButton]]:
    whole = QWidget()
    qtbot.addWidget(whole)
    buttons = [QPushButton("button") for _ in range(4)]
    for button in buttons:
        button.setFixedSize(100, 30)
    whole.setLayout(FlowLayout(*buttons))
    whole.resize(width, 300)
    whole.show()
    return whole, buttons


def test_widgets_share_one_row_where_there_is_room(qtbot: QtBot) -> None:
    whole, buttons = show_buttons(qtbot, 500)
    assert {button.y() for button in buttons} == {0}
    assert whole.sizeHint().width() == 400 + 3 * px(SPACING)
    assert whole.sizeHint().height() == 30


def test_a_widget_that_does_not_fit_is_in_the_next_row(qtbot: QtBot) -> None:
    whole, buttons = show_buttons(qtbot, 220)
    assert [button.x() for button in buttons] == 2 * [0, 100 + px(SPACING)]
    assert [button.y() for button in buttons] == [0, 0, 30 + px(SPACING), 30 + px(SPACING)]
    assert whole.heightForWidth(220) == 60 + px(SPACING)
    assert whole.minimumSizeHint().width() == 100


def test_hidden_widgets_take_no_space(qtbot: QtBot) -> None:
    whole, buttons = show_buttons(qtbot, 220)
    buttons[0].hide()
    whole.layout().activate()
    assert [button.y() for button in buttons[1:]] == [0, 0, 30 + px(SPACING)]
