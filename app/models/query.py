"""The search line above a table: words to find, and conditions such as `ap < 0.2`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from app.models.columns import Column, NumberColumn, TextColumn
from core.model import BoolArray

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    "≤": operator.le,
    ">=": operator.ge,
    "≥": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "!=": operator.ne,
    "=": operator.eq,
}
_CONDITION = re.compile(
    r"(?P<name>[^\s<>=≤≥!]+)\s*(?P<sign><=|>=|!=|[<>=≤≥])\s*(?P<value>[-−+]?[\d.]+(?:e[-+]?\d+)?)",
    re.IGNORECASE,
)


def matching(query: str, columns: Sequence[Column]) -> BoolArray | None:
    """Which rows (n,) fit every part of `query`; None where it asks for nothing.

    A condition compares a number column, found by its name or title without case; an undefined
    number fits none. Whatever is no condition is a word that a text of the row must contain.
    """
    numbers = _by_name(columns)
    masks: list[BoolArray] = []

    def condition(match: re.Match[str]) -> str:
        column = numbers.get(match["name"].casefold())
        value = _number(match["value"])
        if column is None or value is None:
            return match[0]
        values = column.values
        fits = _COMPARE[match["sign"]](values, value)
        masks.append(fits & (values == values))
        return " "

    words = _CONDITION.sub(condition, query).casefold().split()
    masks.extend(_containing(word, columns) for word in words)
    return np.logical_and.reduce(masks) if masks else None


def _by_name(columns: Sequence[Column]) -> dict[str, NumberColumn]:
    found = [column for column in columns if isinstance(column, NumberColumn)]
    titles = {column.title.casefold(): column for column in found}
    return titles | {column.name.casefold(): column for column in found}


def _number(text: str) -> float | None:
    try:
        return float(text.replace("−", "-"))
    except ValueError:
        return None


def _containing(word: str, columns: Sequence[Column]) -> BoolArray:
    texts = [column.folded for column in columns if isinstance(column, TextColumn)]
    found = [np.fromiter((word in text for text in folded), bool, len(folded)) for folded in texts]
    if found:
        return np.logical_or.reduce(found)
    return np.zeros(len(columns[0].values) if columns else 0, dtype=bool)
