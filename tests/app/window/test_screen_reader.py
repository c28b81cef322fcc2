"""Screen reader: role, name and state of every control, and tables cell by cell."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from jurydesk.app.pages import PAGES
from support.windows.waiting import until_quiet

CELLS = 20
NO_ROLE = (QAccessible.Role.NoRole, QAccessible.Role.Client)


def focusable(top: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets in `top` that Tab or a click gives the focus."""
    for widget in top.findChildren(QWidget):
        takes_focus = widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        is_own = not widget.objectName().startswith("qt_")
        if takes_focus and is_own and widget.isVisible() and widget.focusProxy() is None:
            yield widget


def interface(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None, widget
    return found


def faults(top: QWidget) -> list[str]:
    """Return the missing roles, names and states of the focusable controls in `top`."""
    found = []
    for widget in focusable(top):
        read, name = interface(widget), type(widget).__name__
        if read.role() in NO_ROLE:
            found.append(f"{name} {widget.accessibleName()} has no role")
        if not read.text(QAccessible.Text.Name).strip():
            found.append(f"{name} in {type(widget.parent()).__name__} has no name")
        if not read.state().focusable and widget.isEnabled():
            found.append(f"{name} {widget.accessibleName()} is not said to take the focus")
        if read.state().disabled == widget.isEnabled():
            found.append(f"{name} {widget.accessibleName()} has a wrong state")
    return found


def test_every_control_of_every_page_has_role_name_and_state(scored):
    found = []
    for page in PAGES:
        scored.show_page(page.id)
        found += [f"{page.id}: {one}" for one in faults(scored)]
        assert_is_selected(scored.shell.sidebar)
        assert len(list(focusable(scored))) > (5 if page.id == "board" else 1)
    assert found == []


def assert_is_selected(sidebar: QAbstractItemView) -> None:
    """Check that the current page, and no other, is said to be selected."""
    row = sidebar.currentIndex().row()
    states = [interface(sidebar).child(n).state().selected for n in range(len(PAGES))]
    assert [n for n, selected in enumerate(states) if selected] == [row]


def test_tables_are_read_cell_by_cell_with_their_heads(scored, qtbot):
    for page in ("board", "items", "check"):
        scored.show_page(page)
        until_quiet(qtbot, scored)
        tables = [one for one in scored.page.findChildren(QTableView) if one.isVisible()]
        assert tables
        for table in tables:
            heads, cells = heads_and_cells(interface(table))
            assert len(heads) == table.model().columnCount()
            # One has no text: that of check marks.
            assert len([one for one in heads if one.strip()]) >= len(heads) - 1
            assert cells
            assert any(cells)


def heads_and_cells(table: QAccessibleInterface) -> tuple[list[str], list[str]]:
    """Return the names of a table's heads and of its first cells."""
    heads: list[str] = []
    cells: list[str] = []
    for number in range(table.childCount()):
        child = table.child(number)
        if child.role() == QAccessible.Role.ColumnHeader:
            heads.append(child.text(QAccessible.Text.Name))
        elif child.role() == QAccessible.Role.Cell and len(cells) < CELLS:
            cells.append(child.text(QAccessible.Text.Name))
    return heads, cells


def test_progress_is_a_progress_bar_with_a_name(window):
    bar = window.shell.strip.bar
    assert interface(bar).role() == QAccessible.Role.ProgressBar
    assert interface(bar).text(QAccessible.Text.Name) == "Progress"
