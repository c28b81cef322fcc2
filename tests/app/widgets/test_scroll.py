"""A column that scrolls downwards is never narrower than what it holds."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.widgets.scroll import Scroll


def test_what_is_held_is_never_cut_off_sideways(qtbot: QtBot) -> None:
    area = Scroll()
    qtbot.addWidget(area)
    content = QWidget()
    content.setMinimumSize(300, 4000)
    area.setWidget(content)
    area.resize(area.minimumSizeHint().width(), 200)
    area.show()
    assert area.viewport().width() >= 300
    assert area.minimumSizeHint().height() < 4000
