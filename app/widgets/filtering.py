"""Validation and completion of filter queries while they are typed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.analysis import item_query as language
from jurydesk.core.language import translate
from jurydesk.core.tables.columns import Column, NumberColumn

MOST_COMPLETIONS = 8
MOST_VALUES = 200
"""Columns with more different values have no completion of values."""
SAMPLED = 5000
_VALUE = re.compile(r'(?P<name>[^\s<>=≤≥!]+)\s*(?P<sign>!=|=)\s*(?P<value>"[^"]*|[^\s<>=≤≥!"]*)$')
_WORD = re.compile(r"[^\s<>=≤≥!]+$")
SIGNS = "<, <=, >, >=, = or !="


def filter_name(name: str) -> str:
    """Return the name of a column in the filter language, which has no spaces and signs."""
    return re.sub(r"[\s<>=≤≥!\"]+", "_", name.strip())


@dataclass(frozen=True, slots=True)
class Problem:
    """The invalid part of a query, a message, and the column name that was probably meant."""

    part: str
    sentence: str
    meant: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """A text that replaces the last `length` characters of what was typed."""

    text: str
    title: str
    length: int


def find_problem(query: str, columns: Sequence[Column]) -> Problem | None:
    """Return the first invalid condition of a query, or None."""
    numbers = {key: np.empty(0) for one in columns if one.numeric for key in _keys(one)}
    texts: dict[str, Sequence[str]] = {
        key: () for one in columns if not one.numeric for key in _keys(one)
    }
    odd = language.unmatched_conditions(query, numbers, texts)
    if not odd:
        return None
    found = language.parse_conditions(odd[0])
    if not found:
        message = translate(
            "“{odd}” is no condition: write NAME, then {signs}, then a value.",
            odd=odd[0],
            signs=SIGNS,
        )
        return Problem(odd[0], message)
    condition = found[0]
    if condition.name in numbers:
        return Problem(
            odd[0],
            translate(
                "“{value}” is no number to compare {name} with.",
                value=condition.value,
                name=condition.name,
            ),
        )
    if condition.name in texts:
        message = translate("{name} is a text: compare it with = or != only.", name=condition.name)
        return Problem(odd[0], message)
    known = {key: filter_name(one.name) for one in columns for key in _keys(one)}
    near = difflib.get_close_matches(condition.name, known, n=1)
    meant = known[near[0]] if near else ""
    advice = (
        translate("Did you mean {meant}? Tab takes it.", meant=meant) if meant else _names(columns)
    )
    return Problem(
        condition.name,
        f"{translate('No column “{name}”.', name=condition.name)} {advice}",
        meant,
    )


def find_completions(typed: str, columns: Sequence[Column]) -> list[Completion]:
    """Return completions of the text before the cursor: columns, or values of a text column."""
    value = _VALUE.search(typed)
    if value is not None:
        own = [one for one in columns if value["name"].casefold() in _keys(one)]
        start = value["value"].strip('"').casefold()
        texts = [text for one in own for text in _different_texts(one) if start in text.casefold()]
        texts.sort(key=lambda text: not text.casefold().startswith(start))
        length = len(value["value"])
        return [Completion(_quote(one), "", length) for one in texts[:MOST_COMPLETIONS]]
    word = _WORD.search(typed)
    if word is None:
        return []
    start = word[0].casefold()
    found = [one for one in columns if any(start in key for key in _keys(one))]
    found.sort(key=lambda one: not any(key.startswith(start) for key in _keys(one)))
    return [
        Completion(filter_name(one.name), one.title if one.numeric else "", len(word[0]))
        for one in found[:MOST_COMPLETIONS]
        if filter_name(one.name).casefold() != start
    ]


def _keys(column: Column) -> set[str]:
    """Return the names of a column; columns of numbers are found by their titles, too."""
    titles = {column.title.casefold()} if column.numeric and column.title else set()
    return {filter_name(column.name).casefold(), *titles}


def _different_texts(column: Column) -> Sequence[str]:
    """Return the different texts of a column; none if there are too many."""
    if isinstance(column, NumberColumn):
        return ()
    known = range(min(len(column.values), SAMPLED))
    found = dict.fromkeys(column.values[row] for row in known)
    return tuple(found) if len(found) <= MOST_VALUES else ()


def _quote(text: str) -> str:
    return f'"{text}"' if re.search(r"[\s<>=≤≥!]", text) else text


def _names(columns: Sequence[Column]) -> str:
    names = [filter_name(one.name) for one in columns]
    more = ", …" if len(names) > MOST_COMPLETIONS else ""
    return (
        translate("There are: {names}.", names=", ".join(names[:MOST_COMPLETIONS]) + more)
        if names
        else ""
    )
