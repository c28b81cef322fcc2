"""Report of exceptions in methods that Qt calls, before PySide meets them."""

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
    """Report exceptions of events, sizes and painting by `sys.excepthook`, whoever caused the call.

    Qt then gets what its own method returns. PySide (6.8 to 6.11) reports such an exception itself
    where Qt's event loop made the call. Where Python did, it keeps the exception to raise it later,
    but the process ends with SIGSEGV if a built-in function raised it (before Python 3.12 it is no
    object then) or if another one follows. Classes made from now on are concerned, those of
    plug-ins and of pyqtgraph, too.
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
        with suppress(NotImplementedError):  # a method that Qt leaves to its subclasses
            return getattr(super(cls, self), method.__name__)(*arguments, **named)
        return None

    return report
