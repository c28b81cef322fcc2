"""Creation of every Qt type before another thread asks for one."""

from __future__ import annotations

from PySide6 import QtCore, QtGui, QtWidgets


def create_qt_types() -> None:
    """Access every type once, which takes some 0.1 s, and nothing from then on.

    PySide creates a type when it is first accessed. pyqtgraph accesses all of them when it is
    imported, which happens in a thread; two threads that create types have crashed the program.
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
