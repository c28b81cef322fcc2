"""Filter language for items: words to find, and conditions such as `ap < 0.2`."""

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
"""Number columns by casefolded name; two names may refer to one column."""
Texts = Mapping[str, Sequence[str]]
"""Casefolded texts by name."""

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
# A word, optionally with an operator and a value; possessive quantifiers prevent backtracking.
_PART = re.compile(
    r"(?P<name>[^\s<>=≤≥!]++)(?:\s*+(?P<sign><=|>=|!=|[<>=≤≥])\s*"
    r'(?P<value>"[^"]*"|[-−+]?[\d.]+(?:e[-+]?\d+)?(?!\S)|[^\s<>=≤≥!]+))?',
    re.IGNORECASE,
)
_SIGN = re.compile("[<>=≤≥]")


@dataclass(frozen=True, slots=True)
class Condition:
    """Condition on a column; `name` is casefolded, `value` as written."""

    name: str
    sign: str
    value: str

    @property
    def number(self) -> float | None:
        """Value as a number, or None."""
        try:
            return float(self.value.replace("−", "-"))
        except ValueError:
            return None


def parse_conditions(query: str) -> list[Condition]:
    """Return everything in a query that has the form of a condition, known column or not."""
    return [_condition(part) for part in _PART.finditer(query) if part["sign"]]


def free_words(query: str) -> list[str]:
    """Return the words of a query outside conditions."""
    return _PART.sub(lambda part: " " if part["sign"] else part[0], query).casefold().split()


def split_query(query: str) -> tuple[list[str], str]:
    """Return the conditions of a query as written, and the rest of the query."""
    found = [part[0].strip() for part in _PART.finditer(query) if part["sign"]]
    return found, " ".join(_PART.sub(lambda part: " " if part["sign"] else part[0], query).split())


def _condition(match: re.Match[str]) -> Condition:
    return Condition(match["name"].casefold(), match["sign"], match["value"].strip('"').casefold())


def match_rows(query: str, rows: int, numbers: Numbers, texts: Texts) -> BoolArray | None:
    """Return a mask (rows,) of the rows that match every part of `query`; None if it is empty.

    A condition compares a number column, or a text with `=` and `!=`; an undefined number never
    matches. Any other part is a word that one of the texts of the row must contain.
    """
    masks: list[BoolArray] = []

    def replace_condition(match: re.Match[str]) -> str:
        mask = _matching_rows(_condition(match), numbers, texts) if match["sign"] else None
        if mask is None:
            return match[0]
        masks.append(mask)
        return " "

    words = _PART.sub(replace_condition, query).casefold().split()
    masks.extend(_rows_containing(word, rows, texts) for word in words)
    return np.logical_and.reduce(masks) if masks else None


def unmatched_conditions(query: str, numbers: Numbers, texts: Texts) -> list[str]:
    """Return the parts that look like conditions but are searched for as words.

    Examples are a doubled operator, a missing value, `<` for a text column, and a text for a number
    column.
    """
    found: list[str] = []

    def replace_condition(match: re.Match[str]) -> str:
        if not match["sign"]:
            return match[0]
        if _matching_rows(_condition(match), numbers, texts) is None:
            found.append(match[0])
        return " "

    rest = _PART.sub(replace_condition, query).split()
    return [*found, *(word for word in rest if _SIGN.search(word))]


def _matching_rows(condition: Condition, numbers: Numbers, texts: Texts) -> BoolArray | None:
    """Return the rows that meet a condition; None if its column does not exist."""
    values, number = numbers.get(condition.name), condition.number
    if values is not None and number is not None:
        fits: BoolArray = _COMPARE[condition.sign](values, number) & (values == values)
        return fits
    own = texts.get(condition.name)
    if own is None or condition.sign not in ("=", "!="):
        return None
    same: BoolArray = np.fromiter((text == condition.value for text in own), bool, len(own))
    return same if condition.sign == "=" else ~same


def _rows_containing(word: str, rows: int, texts: Texts) -> BoolArray:
    found = [np.fromiter((word in text for text in own), bool, rows) for own in texts.values()]
    return np.logical_or.reduce(found) if found else np.zeros(rows, dtype=bool)
