"""Layout faults of a window: each as a sentence that names the widget."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from itertools import combinations
from typing import cast

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QScrollArea,
    QScrollBar,
    QSlider,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.inspector import Inspector
from jurydesk.app.pages.leaderboard.leaderboard_model import score_interval
from jurydesk.app.pages.leaderboard.leaderboard_table import BoardView
from jurydesk.app.pages.leaderboard.name_cell import TWO_LINED
from jurydesk.app.plots.plot import Plot
from jurydesk.app.style.distinct_names import DOTS
from jurydesk.app.style.theme import TINY, font, px
from jurydesk.app.tables.table_view import Table, TableHeader
from jurydesk.app.widgets.folding_splitter import FoldingSplitter
from jurydesk.app.widgets.name_box import ElidedBox, edit_width
from jurydesk.app.widgets.page_label import PageLabel
from jurydesk.app.widgets.parts import ElidedLabel
from jurydesk.app.widgets.scroll import SharedScrollBar, TwoWayScrollArea
from jurydesk.app.window.main_window import Window
from jurydesk.core.tables.columns import NumberColumn
from support.windows.waiting import until_drawn
from support.windows.wheel import turn_wheel

CONTROLS = (QAbstractButton, QLabel, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractItemView)
"""What a user reads or uses: the parts that must neither be cut nor lie on each other."""
SETTLED_MS = 2000
"""After so long a page that is drawn in several turns looks as it will."""
FLOATING = 40
"""Room above the first table of a card that no padding explains, in unscaled pixels."""
LEAST_AREA = 36
"""Height of a plot's area below which its curves cannot be told apart, in unscaled pixels."""
LISTS, LEAST_ROWS, LEAST_WINDOW = ("items", "compare"), 12, (1024, 700)
"""Pages with a list of items, its least number of rows in sight, and unscaled size of a window."""
CELL_MARGIN = 10
"""Unscaled pixels that the board leaves at both sides of a number."""
LONG_NUMBER = re.compile(r"\d[.,]\d{9}")
"""Decimals beyond those that tell two numbers of a sentence apart."""
OFF = 100_000
"""What is cut by an area that does not scroll there is put so far away, in pixels."""


def faults(window: QWidget) -> list[str]:
    """Return what is outside the window, cut, overlapping, twice the same, or out of place."""
    found = [*shown_widgets(window)]
    controls = [*parts(found)]
    return [
        *outside(window, controls),
        *cut_texts(controls),
        *overlaps(found),
        *double_bars(found),
        *floating(found),
        *flat_plots(found),
        *double_heads(found),
        *few_rows(window),
        *joined_names(found),
        *long_numbers(found),
    ]


def settled_faults(qtbot: QtBot, window: Window) -> list[str]:
    """Return the faults that are left when the pages have drawn themselves."""
    found: list[str] = []

    def is_in_order() -> bool:
        found[:] = faults(window)
        return not found

    until_drawn(qtbot, window)
    window.toast.hide()
    with suppress(qtbot.TimeoutError):
        qtbot.waitUntil(is_in_order, timeout=SETTLED_MS)
    return found


def folded_parts(page: QWidget) -> Iterator[str]:
    """Show the parts of a page that has no room for all of them in turn; yield their names."""
    for splitter in page.findChildren(FoldingSplitter):
        if splitter.switch.isVisible():
            kept = splitter.kept_parts()
            titles = [title for title, part in splitter.parts() if part not in kept]
            for place, title in enumerate(titles):
                splitter.switch.choose(place)
                yield title
            splitter.switch.choose(0)


def shown_widgets(top: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets in `top`, parents first; hidden ones hide what they contain."""
    for child in top.children():
        if isinstance(child, QWidget) and child.isVisible():
            if is_shown(child):
                yield child
            yield from shown_widgets(child)


def is_shown(widget: QWidget) -> bool:
    """Return whether a widget is part of the window and visible now."""
    if not widget.isVisible() or widget.isWindow() or not widget.width() or not widget.height():
        return False
    return not widget.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents) or isinstance(
        widget, QLabel
    )


def parts(widgets: list[QWidget]) -> Iterator[QWidget]:
    """Yield controls that are not part of another control."""
    for widget in widgets:
        if isinstance(widget, CONTROLS) and not isinstance(widget, QHeaderView):
            above = ancestors(widget)
            if not any(isinstance(one, CONTROLS) and is_whole(one) for one in above):
                yield widget


def is_whole(control: QWidget) -> bool:
    """Return whether a control lays out its own parts, as a combo box its line edit."""
    return isinstance(control, QComboBox | QAbstractSpinBox | QLineEdit | QAbstractItemView)


def ancestors(widget: QWidget) -> list[QWidget]:
    """Return the parents of a widget up to its window."""
    found = []
    above = widget.parentWidget()
    while above is not None:
        found.append(above)
        above = None if above.isWindow() else above.parentWidget()
    return found


def place(widget: QWidget) -> QRect:
    """Return the widget's rectangle in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def outside(window: QWidget, controls: list[QWidget]) -> list[str]:
    """Return controls that cannot be scrolled into view."""
    found = []
    page = QRect(QPoint(0, 0), window.size())
    for widget in controls:
        rect = place(widget)
        for area in ancestors(widget):
            if isinstance(area, QScrollArea):
                rect = scrolled_to(rect, area)
        if not page.contains(rect):
            found.append(f"{name(widget)} is off the window: {rect}")
    return found


def scrolled_to(rect: QRect, area: QScrollArea) -> QRect:
    """Return the place of a rectangle when the area has scrolled to it, as far as possible."""
    view = place(area.viewport())
    never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    can_scroll = area.verticalScrollBarPolicy() != never or shared_bar(area) is not None
    if area.verticalScrollBar().maximum() > 0 and can_scroll:
        rect = QRect(rect.left(), view.top(), rect.width(), min(rect.height(), view.height()))
    if area.horizontalScrollBar().maximum() > 0 and area.horizontalScrollBarPolicy() != never:
        rect = QRect(view.left(), rect.top(), min(rect.width(), view.width()), rect.height())
    hidden = not view.adjusted(-1, -1, 1, 1).contains(rect)
    return rect.translated(OFF, OFF) if hidden else rect


def shared_bar(area: QAbstractScrollArea) -> SharedScrollBar | None:
    """Return the visible scroll bar that an area shares with others."""
    bars = area.window().findChildren(SharedScrollBar)
    return next((bar for bar in bars if area in bar.areas and is_shown(bar)), None)


def cut_texts(controls: list[QWidget]) -> list[str]:
    """Return texts that are cut and have no tooltip."""
    found = []
    for widget in controls:
        if isinstance(widget, QLabel):
            found += _cut_label(widget)
        elif isinstance(widget, QAbstractButton) and widget.text():
            if widget.width() < widget.minimumSizeHint().width():
                found.append(f"{name(widget)} is squeezed")
            if widget.height() + 1 < widget.minimumSizeHint().height():
                found.append(f"{name(widget)} is {widget.height()} px high")
        elif isinstance(widget, QComboBox):
            room = widget.width() - 2 * widget.fontMetrics().height()
            text = widget.currentText()
            is_cut = widget.fontMetrics().horizontalAdvance(text) > room
            if is_cut and escape(text) not in widget.toolTip():
                found.append(f"{name(widget)} is cut: {text}")
            painted = widget.elided_text() if isinstance(widget, ElidedBox) else text
            # Qt's own size of a list can be a pixel short of its text.
            if widget.fontMetrics().horizontalAdvance(painted) > edit_width(widget) + 2:
                found.append(f"{name(widget)} is cut at its arrow: {painted}")
        elif isinstance(widget, QLineEdit):
            text = widget.text() or widget.placeholderText()
            room = widget.width() - widget.fontMetrics().height()
            is_cut = widget.fontMetrics().horizontalAdvance(text) > room
            if is_cut and not widget.hasFocus() and escape(text) not in widget.toolTip():
                found.append(f"{name(widget)} is cut: {text}")
        elif isinstance(widget, QTableView):
            found += _cut_titles(widget) + _cut_cells(widget)
            if isinstance(widget, BoardView):
                found += _uneven_rows(widget)
    return found


def _cut_label(label: QLabel) -> list[str]:
    text, room, metrics = label.text(), label.contentsRect(), label.fontMetrics()
    if not text or label.textFormat() == Qt.TextFormat.RichText:
        return []
    if label.wordWrap():
        needed = label.heightForWidth(label.width()) - (label.height() - room.height())
        if needed > room.height() + 2:
            return [f"{name(label)} needs {needed} px of height and has {room.height()}"]
        # A page label breaks long names, too.
        words = [] if isinstance(label, PageLabel) else text.split()
        widest = max((metrics.horizontalAdvance(word) for word in words), default=0)
    else:
        if room.height() + 2 < metrics.height():
            return [f"{name(label)} is {room.height()} px high"]
        widest = max(metrics.horizontalAdvance(line) for line in text.splitlines() or [""])
    if widest > room.width() + 1 and not has_tip(label):
        return [f"{name(label)} is cut without a tool tip"]
    return []


def has_tip(widget: QWidget) -> bool:
    """Return whether the widget, or the button it lies on, has a tooltip with more text."""
    above = [widget, *ancestors(widget)[:2]]
    return any(one.toolTip() for one in above)


def _cut_titles(table: QTableView) -> list[str]:
    header, model = table.horizontalHeader(), table.model()
    if header.isHidden() or model is None:
        return []
    found = []
    for section in range(header.count()):
        if header.isSectionHidden(section):
            continue
        title = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        width = header.sectionSize(section)
        longest = max(map(header.fontMetrics().horizontalAdvance, title.split() or [""]))
        tip = model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        if longest > width and not tip:
            found.append(f"{name(table)}: the head “{title}” is cut without a tool tip")
        left = header.sectionViewportPosition(section)
        shift = header.viewport().mapTo(table, QPoint(left, 0)).x()
        column = table.viewport().mapTo(table, QPoint(table.columnViewportPosition(section), 0)).x()
        if shift != column:
            found.append(f"{name(table)}: the head “{title}” stands {column - shift} px off")
    return found


def _cut_cells(table: QTableView) -> list[str]:
    model = table.model()
    if model is None:
        return []
    found = []
    first = max(table.rowAt(0), 0)
    last = table.rowAt(table.viewport().height() - 1)
    last = model.rowCount() - 1 if last < 0 else last
    for row in range(first, min(last, first + 8) + 1):
        for column in range(model.columnCount()):
            if table.isColumnHidden(column):
                continue
            index = model.index(row, column)
            text = str(index.data() or "")
            is_cut = table.fontMetrics().horizontalAdvance(text) > table.columnWidth(column)
            if is_cut and not index.data(Qt.ItemDataRole.ToolTipRole):
                found.append(f"{name(table)}: “{text}” is cut without a tool tip")
    return found


def _uneven_rows(table: BoardView) -> list[str]:
    """Return rows of different heights, and intervals that are wider than their cell."""
    found = []
    metrics, model = QFontMetrics(font(TINY)), table.board_model
    heights = {table.rowHeight(row) for row in range(model.rowCount())}
    if len(heights) > 1:
        found.append(f"{name(table)} has rows of different heights: {sorted(heights)}")
    if table.verticalHeader().defaultSectionSize() < px(TWO_LINED):
        return found
    for number, column in enumerate(model.columns):
        if not isinstance(column, NumberColumn) or column.best is None:
            continue
        if table.isColumnHidden(number):
            continue
        room = table.columnWidth(number) - 2 * px(CELL_MARGIN)
        for row in model.rows.tolist():
            text = score_interval(column, row)
            if metrics.horizontalAdvance(text) > room:
                found.append(f"{name(table)}: the interval “{text}” is cut")
    return found


def floating(widgets: list[QWidget]) -> list[str]:
    """Return tables in taller cards that have lost their place at the top."""
    found = []
    for widget in widgets:
        above = widget.parentWidget()
        if isinstance(widget, QTableView) and above is not None and above.layout() is not None:
            gap = widget.y() - above.contentsRect().top()
            others = [one for one in above.children() if isinstance(one, QWidget)]
            first = all(one.y() >= widget.y() for one in others if one.isVisible())
            if first and gap > px(FLOATING):
                found.append(f"{name(widget)} stands {gap} px below the top of its card")
    return found


def flat_plots(widgets: list[QWidget]) -> list[str]:
    """Return plots whose area is too low to be read."""
    found = []
    for widget in widgets:
        if isinstance(widget, Plot):
            height = round(widget.getViewBox().height())
            if height < px(LEAST_AREA):
                found.append(f"{name(widget)} is {height} px high")
    return found


def double_heads(widgets: list[QWidget]) -> list[str]:
    """Return heads of different columns of a table that look the same."""
    found = []
    for table in widgets:
        if isinstance(table, Table) and not table.horizontalHeader().isHidden():
            header = cast(TableHeader, table.horizontalHeader())
            shown = [n for n in range(header.count()) if not header.isSectionHidden(n)]
            heads = Counter(" ".join(header.shown_lines(section)) for section in shown)
            twice = [head for head, times in heads.items() if head and times > 1]
            found += [f"{name(table)}: two columns have the head “{head}”" for head in twice]
    return found


def few_rows(window: QWidget) -> list[str]:
    """Return lists of items with few rows in sight in a window of the least size, or more."""
    page = getattr(window, "page", None)
    if page is None or page.id not in LISTS or not page.isVisible():
        return []
    table = page.view.table
    is_large = window.width() >= px(LEAST_WINDOW[0]) and window.height() >= px(LEAST_WINDOW[1])
    if not is_shown(table) or not is_large or not table.model().rowCount():
        return []
    seen = table.viewport().height() // table.rowHeight(0)
    wanted = min(LEAST_ROWS, table.model().rowCount())
    return [f"{name(table)} shows {seen} rows of {wanted}"] if seen < wanted else []


def joined_names(widgets: list[QWidget]) -> list[str]:
    """Return different texts that are cut to the same one."""
    found: dict[str, set[str]] = {}
    for widget in widgets:
        whole, painted = "", ""
        if isinstance(widget, ElidedBox):
            whole, painted = widget.currentText(), widget.elided_text()
        elif isinstance(widget, ElidedLabel):
            whole, painted = widget.text(), widget.shown_text()
        if painted.strip(DOTS):
            found.setdefault(painted, set()).add(whole)
    return [
        f"{len(texts)} texts are cut to “{painted}”"
        for painted, texts in found.items()
        if len(texts) > 1
    ]


def long_numbers(widgets: list[QWidget]) -> list[str]:
    """Return texts with more decimals than anybody reads, but for what participants wrote."""
    labels = [
        one
        for one in widgets
        if isinstance(one, QLabel)
        and not any(isinstance(above, Inspector) for above in ancestors(one))
    ]
    return [f"{name(one)} has a long number" for one in labels if LONG_NUMBER.search(one.text())]


def wheel_changes(window: QWidget) -> list[str]:
    """Return controls without focus that the wheel changes."""
    found = []
    for widget in list(shown_widgets(window)):
        if not isinstance(widget, QComboBox | QAbstractSpinBox | QSlider):
            continue
        if not widget.hasFocus() and window.rect().contains(place(widget).center()):
            before = setting(widget)
            for turns in (1, -1):
                turn_wheel(widget, turns)
                if setting(widget) != before:
                    found.append(f"{name(widget)} is changed by the wheel")
                    break
    return found


def setting(control: QComboBox | QAbstractSpinBox | QSlider) -> object:
    """Return what a control is set to."""
    if isinstance(control, QComboBox):
        return control.currentIndex()
    return control.value() if isinstance(control, QSlider) else control.text()


def overlaps(widgets: list[QWidget]) -> list[str]:
    """Return controls that overlap."""
    found = []
    siblings: dict[QWidget, list[QWidget]] = {}
    for widget in widgets:
        above = widget.parentWidget()
        if above is not None and above.layout() is not None:
            siblings.setdefault(above, []).append(widget)
    for several in siblings.values():
        for one, other in combinations(several, 2):
            shared = one.geometry().intersected(other.geometry())
            is_shared = shared.width() > 1 and shared.height() > 1
            if is_shared and in_layout(one) and in_layout(other):
                found.append(f"{name(one)} overlaps {name(other)} by {shared.size()}")
    return found


def in_layout(widget: QWidget) -> bool:
    """Return whether a layout places the widget; floating widgets place themselves."""
    above = widget.parentWidget()
    layout = None if above is None else above.layout()
    inside = () if layout is None else (layout, *layout.findChildren(QLayout))
    return any(one.indexOf(widget) >= 0 for one in inside)


def double_bars(widgets: list[QWidget]) -> list[str]:
    """Return scroll bars within an area that scrolls in the same direction, and wide pages."""
    found = []
    for widget in widgets:
        if isinstance(widget, TwoWayScrollArea) and widget.horizontalScrollBar().maximum() > 0:
            more = widget.horizontalScrollBar().maximum()
            found.append(f"{name(widget)} is {more} px wider than the window")
    for widget in widgets:
        if not isinstance(widget, QScrollBar) or widget.maximum() <= widget.minimum():
            continue
        own = widget if isinstance(widget, SharedScrollBar) else _area(widget)
        if own is None or not is_shown(own):
            continue
        for area in ancestors(own):
            if not isinstance(area, QAbstractScrollArea):
                continue
            vertical = widget.orientation() is Qt.Orientation.Vertical
            outer = area.verticalScrollBar() if vertical else area.horizontalScrollBar()
            if outer.isVisible() and outer.maximum() > 0:
                way = "down" if vertical else "sideways"
                found.append(f"{name(own)} scrolls {way} within {name(area)}, which does too")
    return found


def _area(bar: QScrollBar) -> QAbstractScrollArea | None:
    for above in ancestors(bar):
        if isinstance(above, QAbstractScrollArea):
            return above
    return None


def name(widget: QWidget) -> str:
    """Return a widget's class, label and place."""
    reported = widget.accessibleName() or widget.objectName()
    if isinstance(widget, QLabel | QAbstractButton):
        reported = widget.text()[:60] or reported
    page = next(
        (one.objectName() for one in ancestors(widget) if one.objectName()[:5] == "page-"), ""
    )
    return f"{page} {type(widget).__name__} “{reported}”".strip()
