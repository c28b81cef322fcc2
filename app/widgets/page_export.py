"""Export of a page or view, offered in the File menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Export:
    """A file that a page can write; `pattern` is a file dialog's (`*.csv`)."""

    title: str
    pattern: str
    write: Callable[..., None]
    slow: bool = False
    """`write` then runs in a job with the path, the run and `notify`, and must not use widgets."""
