"""The window has one table view: every list of rows is a `Table` of a `TableModel`."""

from __future__ import annotations

import re
from pathlib import Path

import jurydesk.app

BASES = {
    "QAbstractItemModel",
    "QAbstractListModel",
    "QAbstractTableModel",
    "QHeaderView",
    "QListView",
    "QListWidget",
    "QSortFilterProxyModel",
    "QStyledItemDelegate",
    "QTableView",
    "QTableWidget",
    "QTreeView",
    "QTreeWidget",
}
"""Qt's classes of models and views, and of what they are made of."""
CLASS = re.compile(r"^class (\w+)\(([^)]*)\):", re.MULTILINE)
OWN = {
    "Completions": "a menu of words below the filter line, which never takes the focus",
    "CommandDelegate": "a menu of commands, some of which cannot be chosen",
    "PageDelegate": "the menu of pages",
    "Sidebar": "the menu of pages",
}
"""Classes outside `app/tables` with the reason why they are no tables of data."""


def test_only_the_tables_define_models_views_and_delegates():
    (folder,) = map(Path, jurydesk.app.__path__)
    found = {
        name
        for path in folder.rglob("*.py")
        if path.parent.name != "tables"
        for name, bases in CLASS.findall(path.read_text(encoding="utf-8"))
        if BASES & set(bases.replace(",", " ").split())
    }
    assert found == OWN.keys()
