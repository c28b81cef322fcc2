"""Creation of all Qt types before another thread needs one."""

from __future__ import annotations

from PySide6 import QtCore, QtGui, QtWidgets


def create_qt_types() -> None:
    """Access every type once, which takes about 0.1 s.

    PySide creates a type on first access. Importing pyqtgraph, which happens in a job, accesses all
    of them; two threads that create types at once have crashed the program.
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
