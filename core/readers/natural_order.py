"""Natural sort order of names that contain numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

DIGITS = re.compile(r"([0-9]+)")

NaturalKey = tuple[tuple[int, int, str, str], ...]


def natural_key(name: str) -> NaturalKey:
    """Return a sort key under which `q2` precedes `q10`; numbers may have any length."""
    texts_and_numbers = DIGITS.split(name)
    return tuple(
        _number_key(part) if i % 2 else (0, 0, part, "")
        for i, part in enumerate(texts_and_numbers)
        if part
    )


def _number_key(digits: str) -> tuple[int, int, str, str]:
    significant = digits.lstrip("0")
    return 1, len(significant), significant, digits


def natural_order(names: Sequence[str]) -> list[int]:
    """Return the indices that sort the names in natural order."""
    return sorted(range(len(names)), key=lambda i: natural_key(names[i]))
