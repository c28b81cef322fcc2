"""The language that items are sought in: words to find, and conditions such as `ap < 0.2`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import BoolArray

Numbers = Mapping[str, npt.NDArray[Any]]
"""Number columns by their names without case; two names may be of one column."""
Texts = Mapping[str, Sequence[str]]
"""Texts without case, by what they are called."""

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
# A word, and what makes a condition of it: what is none is passed over at once.
_PART = re.compile(
    r"(?P<name>[^\s<>=≤≥!]++)(?:\s*+(?P<sign><=|>=|!=|[<>=≤≥])\s*"
    r'(?P<value>"[^"]*"|[-−+]?[\d.]+(?:e[-+]?\d+)?(?!\S)|[^\s<>=≤≥!]+))?',
    re.IGNORECASE,
)
_SIGN = re.compile("[<>=≤≥]")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a query asks of one column; `name` without case, `value` as it was written."""

    name: str
    sign: str
    value: str

    @property
    def number(self) -> float | None:
        """The value as a number, where it is one."""
        try:
            return float(self.value.replace("−", "-"))
        except ValueError:
            return None


def parse_conditions(query: str) -> list[Condition]:
    """What looks like a condition in a query, whether or not there is such a column."""
    return [_condition(part) for part in _PART.finditer(query) if part["sign"]]


def free_words(query: str) -> list[str]:
    """What is left of a query without all that looks like a condition."""
    return _PART.sub(lambda part: " " if part["sign"] else part[0], query).casefold().split()


def split_query(query: str) -> tuple[list[str], str]:
    """Return what looks like a condition, as it was written, and the rest of a query."""
    found = [part[0].strip() for part in _PART.finditer(query) if part["sign"]]
    return found, " ".join(_PART.sub(lambda part: " " if part["sign"] else part[0], query).split())


def _condition(match: re.Match[str]) -> Condition:
    return Condition(match["name"].casefold(), match["sign"], match["value"].strip('"').casefold())


def match_rows(query: str, rows: int, numbers: Numbers, texts: Texts) -> BoolArray | None:
    """Which rows (rows,) fit every part of `query`; None where it asks for nothing.

    A condition compares a number column, or with `=` and `!=` a text; an undefined number fits
    none. Whatever is no condition is a word that one of the texts of the row must contain.
    """
    masks: list[BoolArray] = []

    def taken(match: re.Match[str]) -> str:
        mask = _fitting(_condition(match), numbers, texts) if match["sign"] else None
        if mask is None:
            return match[0]
        masks.append(mask)
        return " "

    words = _PART.sub(taken, query).casefold().split()
    masks.extend(_containing(word, rows, texts) for word in words)
    return np.logical_and.reduce(masks) if masks else None


def unmatched_conditions(query: str, numbers: Numbers, texts: Texts) -> list[str]:
    """The parts that look like conditions and compare nothing, which are sought as words.

    A sign stands twice or without a value, a text is asked to be less, a number to be a text.
    """
    found: list[str] = []

    def taken(match: re.Match[str]) -> str:
        if not match["sign"]:
            return match[0]
        if _fitting(_condition(match), numbers, texts) is None:
            found.append(match[0])
        return " "

    rest = _PART.sub(taken, query).split()
    return [*found, *(word for word in rest if _SIGN.search(word))]


def _fitting(condition: Condition, numbers: Numbers, texts: Texts) -> BoolArray | None:
    """Which rows meet a condition; None where it is of no column that there is."""
    values, number = numbers.get(condition.name), condition.number
    if values is not None and number is not None:
        fits: BoolArray = _COMPARE[condition.sign](values, number) & (values == values)
        return fits
    own = texts.get(condition.name)
    if own is None or condition.sign not in ("=", "!="):
        return None
    same: BoolArray = np.fromiter((text == condition.value for text in own), bool, len(own))
    return same if condition.sign == "=" else ~same


def _containing(word: str, rows: int, texts: Texts) -> BoolArray:
    found = [np.fromiter((word in text for text in own), bool, rows) for own in texts.values()]
    return np.logical_or.reduce(found) if found else np.zeros(rows, dtype=bool)
