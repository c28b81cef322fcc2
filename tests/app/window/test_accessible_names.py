"""Every control of the window and of its sheets has a name for screen readers."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QProgressBar,
    QTextEdit,
    QWidget,
)

CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox),
    *(QLineEdit, QProgressBar, QTextEdit),
)
SHEETS = ("help.guide", "help.keys", "help.palette", "help.about", "edit.preferences", "run.rules")


def unnamed(widget: QWidget) -> list[str]:
    """Return the visible controls without an accessible name."""
    controls = [one for one in widget.findChildren(QWidget) if isinstance(one, CONTROLS)]
    return [
        f"{type(one).__name__} {one.objectName()}"
        for one in controls
        if one.isVisible()
        and not one.objectName().startswith("qt_")
        and not QAccessible.queryAccessibleInterface(one).text(QAccessible.Text.Name).strip()
    ]


@pytest.mark.parametrize("page", ["home", "check", "board", "items"])
def test_controls_of_a_page_have_names(scored, page):
    scored.show_page(page)
    assert unnamed(scored) == []


@pytest.mark.parametrize("command", SHEETS)
def test_controls_of_a_sheet_have_names(scored, command):
    scored.actions_.run(command)
    assert scored.views.sheet is not None
    assert unnamed(scored.views.sheet) == []
