"""Sizes of what is clicked, and the order in which Tab goes through a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QMenuBar,
    QPushButton,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionSpinBox,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from jurydesk.app.pages import PAGES
from jurydesk.app.widgets.parts import number_box
from support.windows.waiting import until_quiet

LEAST_TARGET = 24
"""Width and height of a target in pixels (WCAG 2.2, 2.5.8)."""
TARGETS = (QAbstractButton, QComboBox, QLineEdit, QSlider)
"""Scroll bars are not among them: the wheel and keys do the same."""


def small_targets(top: QWidget) -> list[str]:
    """Return the visible targets in `top` that are too narrow or too low."""
    shown = [one for one in top.findChildren(QWidget) if not one.visibleRegion().isEmpty()]
    sizes = [(describe(one), one.size()) for one in shown if isinstance(one, TARGETS)]
    for one in shown:
        sizes += [(f"{describe(one)}, {part}", size) for part, size in parts_of(one)]
    return [
        f"{name}: {size.width()} x {size.height()}"
        for name, size in sizes
        if min(size.width(), size.height()) < LEAST_TARGET
    ]


def parts_of(widget: QWidget) -> Iterator[tuple[str, QSize]]:
    """Yield the name and size of each part of a widget that is clicked on its own."""
    if isinstance(widget, QAbstractSpinBox):
        yield from arrows_of(widget)
    elif isinstance(widget, QHeaderView):
        sections = range(widget.count()) if widget.sectionsClickable() else range(0)
        for section in sections:
            if not widget.isSectionHidden(section):
                length = widget.sectionSize(section)
                across = widget.orientation() == Qt.Orientation.Horizontal
                size = QSize(length, widget.height()) if across else QSize(widget.width(), length)
                yield f"section {section}", size
    elif isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            yield f"tab {tab}", widget.tabRect(tab).size()
    elif isinstance(widget, QMenuBar):
        for action in widget.actions():
            if action.isVisible():
                yield f"menu {action.text()}", widget.actionGeometry(action).size()
    elif isinstance(widget, QAbstractItemView):
        yield from rows_of(widget)


def arrows_of(box: QAbstractSpinBox) -> Iterator[tuple[str, QSize]]:
    if box.buttonSymbols() == QAbstractSpinBox.ButtonSymbols.NoButtons:
        return
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    inside = box.rect()
    for name, part in (
        ("up", QStyle.SubControl.SC_SpinBoxUp),
        ("down", QStyle.SubControl.SC_SpinBoxDown),
    ):
        control = QStyle.ComplexControl.CC_SpinBox
        yield (
            name,
            box.style().subControlRect(control, option, part, box).intersected(inside).size(),
        )


def rows_of(view: QAbstractItemView) -> Iterator[tuple[str, QSize]]:
    """Yield the rows in sight of a list, tree or table."""
    model, width = view.model(), view.viewport().width()
    for row in range(model.rowCount() if model is not None else 0):
        height = view.visualRect(model.index(row, 0)).height()
        if isinstance(view, QTableView):
            height = view.rowHeight(row)
        elif isinstance(view, QTreeView) and view.isRowHidden(row, view.rootIndex()):
            continue
        if height:
            yield f"row {row}", QSize(width, height)
        if row > 50:
            return


def describe(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or text}"


def backward_steps(page: QWidget) -> list[str]:
    """Return the steps of Tab in `page` that go up, or left in the same row."""
    stops, widget = [], page.nextInFocusChain()
    while widget is not page:
        takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        if takes_tab and page.isAncestorOf(widget) and not widget.visibleRegion().isEmpty():
            stops.append((widget, QRect(widget.mapTo(page, QPoint()), widget.size())))
        widget = widget.nextInFocusChain()
    return [
        f"{describe(one)} -> {describe(following)}"
        for (one, here), (following, there) in pairwise(stops)
        if is_above(there, here) or is_left_in_row(there, here)
    ]


def is_above(one: QRect, other: QRect) -> bool:
    """Return whether a rectangle ends above another in the same column."""
    return (
        one.bottom() < other.top() and one.left() <= other.right() and other.left() <= one.right()
    )


def is_left_in_row(one: QRect, other: QRect) -> bool:
    return one.right() < other.left() and abs(one.center().y() - other.center().y()) < 8


def test_every_target_of_every_page_is_large_enough(scored, qtbot):
    found = []
    for page in PAGES:
        scored.show_page(page.id)
        until_quiet(qtbot, scored)
        found += [f"{page.id}: {one}" for one in small_targets(scored)]
    assert "\n".join(found) == ""


def test_tab_goes_down_and_right_on_every_page(scored, qtbot):
    found = []
    for page in PAGES:
        scored.show_page(page.id)
        until_quiet(qtbot, scored)
        found += [f"{page.id}: {one}" for one in backward_steps(scored.page)]
    assert "\n".join(found) == ""


def test_the_arrows_of_a_number_box_are_beside_each_other_and_large_enough(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    box = number_box("Raters", 1, 9, 3)
    box.setParent(page)
    box.setGeometry(0, 0, 110, 30)
    with qtbot.waitExposed(page):
        page.show()
    assert small_targets(page) == []
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(98, 15))
    assert box.value() == 4
    for _ in range(2):
        qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(74, 15))
    assert box.value() == 2


def test_a_small_part_of_a_target_is_found(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    box, rows = QSpinBox(page), QListWidget(page)
    box.setStyleSheet("QSpinBox::up-button { width: 16px }")
    box.setGeometry(0, 0, 90, 30)
    rows.addItem("row")
    rows.setStyleSheet("QListWidget::item { height: 20px; padding: 0; margin: 0; border: 0 }")
    rows.setGeometry(0, 60, 80, 90)
    page.resize(100, 200)
    with qtbot.waitExposed(page):
        page.show()
    small = small_targets(page)
    assert any(one.startswith("QSpinBox , up: 16 x") for one in small)
    assert any(one.startswith("QListWidget , row 0:") for one in small)


def test_a_small_target_and_a_backward_step_are_found(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    lower, upper = QPushButton("lower", page), QPushButton("upper", page)
    lower.setStyleSheet("min-height: 0; max-height: 23px; padding: 0; border: 0")
    lower.setGeometry(0, 60, 80, 23)
    upper.setGeometry(0, 0, 80, 30)
    page.resize(100, 100)
    with qtbot.waitExposed(page):
        page.show()
    assert small_targets(page) == ["QPushButton lower: 80 x 23"]
    assert backward_steps(page) == ["QPushButton lower -> QPushButton upper"]
