"""What can be written to a file: offered by views and pages, written from the File menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Export:
    """Something that a page can write to a file: `pattern` as file dialogs take it (`*.csv`).

    What takes long is `slow`: it is written on another thread, and knows no widget.
    """

    title: str
    pattern: str
    write: Callable[..., None]
    slow: bool = False
    """`write` then takes the path, the run and `tell`, as jobs do after their own arguments."""
