"""Report of exceptions in methods that Qt calls, before PySide handles them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import FunctionType
from typing import Any

OVERRIDES = frozenset(
    ("event", "eventFilter", "heightForWidth", "minimumSizeHint", "paint", "sizeHint")
)
"""Methods that Qt calls besides those whose name ends with `Event`; none is a slot of Qt."""


def report_exceptions_of_overrides() -> None:
    """Send exceptions raised in event handlers, size hints and painting to `sys.excepthook`.

    Qt then gets what its own method returns. PySide (6.8 to 6.11) does so itself if Qt's event loop
    called the method. If Python code caused the call, PySide stores the exception to raise it
    later, and the process ends with SIGSEGV if a built-in function raised it (before Python 3.12,
    it is not yet an object) or if another one follows. This applies to every class defined from now
    on, also in plug-ins and in pyqtgraph.
    """
    from shiboken6 import Shiboken

    qt_object: Any = Shiboken.Object

    def report_of_overrides(cls: type, /, **options: Any) -> None:
        super(qt_object, cls).__init_subclass__(**options)
        for name, method in list(vars(cls).items()):
            if type(method) is FunctionType and is_override(cls, name):
                setattr(cls, name, _reporting(cls, method))

    qt_object.__init_subclass__ = classmethod(report_of_overrides)


def is_override(cls: type, name: str) -> bool:
    """Return whether a class of Qt has a method of this name, which Qt calls."""
    if name not in OVERRIDES and not name.endswith("Event"):
        return False
    return any(base.__module__.startswith("PySide6.") and hasattr(base, name) for base in cls.mro())


def _reporting(cls: type, method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def report(self: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return method(self, *arguments, **named)
        except Exception:  # noqa: BLE001 - all are reported
            sys.excepthook(*sys.exc_info())
        # PySide raises this for a pure virtual method of Qt, which has no value to fall back on.
        with suppress(NotImplementedError):
            return getattr(super(cls, self), method.__name__)(*arguments, **named)
        return None

    return report
