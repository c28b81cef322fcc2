"""The order in which people expect names that hold numbers."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[list[tuple[int, str]], str]:
    """A sort key that puts `cv2` before `cv10`, and equal numbers in the order of their text."""
    parts = _NUMBER.split(name)
    return [_number(part) if index % 2 else (0, part) for index, part in enumerate(parts)], name


def _number(digits: str) -> tuple[int, str]:
    """Orders whole numbers of any length without converting them."""
    significant = digits.lstrip("0")
    return len(significant), significant
