"""Makes every type of Qt before another thread asks for one."""

from __future__ import annotations

from PySide6 import QtCore, QtGui, QtWidgets


def make_types() -> None:
    """Ask for every type once, which takes some 0.1 s, and nothing from then on.

    PySide makes a type when it is first asked for. pyqtgraph asks for all of them when it is
    imported, which happens in a thread; two threads that make types have crashed the program.
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
