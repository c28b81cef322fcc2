"""Splitter that shows one part at a time where there is no room for all of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from jurydesk.app.widgets.folding_splitter import FoldingSplitter


class Trio(FoldingSplitter):
    """One part at the left, two at the right."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal, "Part")
        self.left, self.upper, self.lower = QWidget(), QWidget(), QWidget()
        self.right = QSplitter(Qt.Orientation.Vertical)
        self.right.addWidget(self.upper)
        self.right.addWidget(self.lower)
        self.addWidget(self.left)
        self.addWidget(self.right)

    def parts(self):
        return (("left", self.left), ("upper", self.upper), ("lower", self.lower))

    def visible(self) -> list[str]:
        return [title for title, part in self.parts() if part.isVisible()]


@pytest.fixture
def trio(qtbot):
    page, made = QWidget(), Trio()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(made.switch)
    column.addWidget(made)
    qtbot.addWidget(page)
    page.resize(800, 600)
    page.show()
    qtbot.waitExposed(page)
    made.page = page  # which must not be collected
    return made


def test_all_parts_are_shown_where_there_is_room(trio):
    assert trio.visible() == ["left", "upper", "lower"]
    assert trio.switch.isHidden()


@pytest.mark.parametrize(("width", "height"), [(500, 600), (800, 220)])
def test_one_part_is_shown_without_room_in_a_direction(qtbot, trio, width, height):
    trio.window().resize(width, height)
    qtbot.waitUntil(lambda: trio.visible() == ["left"])
    assert trio.switch.isVisible()
    assert not trio.right.isVisible()


def test_a_click_or_an_arrow_key_shows_another_part(qtbot, trio):
    trio.window().resize(500, 600)
    qtbot.waitUntil(lambda: trio.visible() == ["left"])
    qtbot.keyClick(trio.switch, Qt.Key.Key_Right)
    assert trio.visible() == ["upper"]
    trio.window().resize(800, 600)
    qtbot.waitUntil(lambda: trio.visible() == ["left", "upper", "lower"])
    assert trio.switch.isHidden()


def test_the_splitter_shrinks_to_the_part_that_is_shown(qtbot, trio):
    trio.lower.setMinimumHeight(400)
    trio.window().resize(500, 300)
    qtbot.waitUntil(lambda: trio.visible() == ["left"])
    assert trio.minimumSizeHint().height() < 400
    trio.switch.choose(2)
    assert trio.minimumSizeHint().height() == 400


def test_a_hidden_splitter_has_no_switch(qtbot, trio):
    trio.window().resize(500, 600)
    qtbot.waitUntil(trio.switch.isVisible)
    trio.hide()
    trio.window().resize(480, 590)
    QCoreApplication.processEvents()
    assert trio.switch.isHidden()
    trio.show()
    assert trio.switch.isVisible()
    assert trio.visible() == ["left"]


def test_a_switch_beside_a_title_leaves_it_half_of_the_width_and_no_height(qtbot, trio):
    trio.window().resize(500, 600)
    qtbot.waitUntil(trio.switch.isVisible)
    rooms = []
    trio.switch.set_room = rooms.append
    trio.arrange()
    trio.is_switch_above = False
    trio.arrange()
    assert rooms == [trio.width(), trio.width() // 2]


def test_the_sizes_of_all_parts_are_restored(trio):
    trio.setSizes([300, 500])
    trio.right.setSizes([400, 200])
    before = trio.layout_sizes()
    trio.setSizes([500, 300])
    trio.right.setSizes([200, 400])
    changed = trio.layout_sizes()
    assert all(one != other for one, other in zip(before, changed, strict=True))
    trio.restore_sizes(before)
    assert trio.layout_sizes() == before


def test_the_part_that_is_shown_alone_is_announced(qtbot, trio):
    parts = (trio.left, trio.upper, trio.lower)
    alone = []
    trio.part_changed.connect(lambda: alone.append([trio.is_alone(part) for part in parts]))
    trio.window().resize(500, 600)
    qtbot.waitUntil(trio.switch.isVisible)
    trio.switch.choose(2)
    trio.window().resize(800, 600)
    qtbot.waitUntil(trio.switch.isHidden)
    assert alone == [[True, False, False], [False, False, True], [False, False, False]]


class Shrinking(QWidget):
    """Part that needs less room from when the switch is shown, as a text that wraps elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.switch: QWidget | None = None
        self.height_needed = 400

    def minimumSizeHint(self) -> QSize:
        if self.switch is not None and not self.switch.isHidden():
            self.height_needed = 10
        return QSize(10, self.height_needed)


def test_parts_that_fit_once_the_switch_is_shown_hide_it_again(qtbot, trio):
    part = Shrinking()
    trio.right.replaceWidget(1, part)
    trio.lower, part.switch = part, trio.switch
    part.show()
    trio.arrange()
    trio.window().resize(800, 450)
    qtbot.waitUntil(lambda: part.height_needed == 10)
    qtbot.waitUntil(lambda: trio.visible() == ["left", "upper", "lower"])
    assert trio.switch.isHidden()
    assert not trio.switch.isVisible()
