"""The outline of reference data: what a checker of submissions needs, and no gold.

A competition gives its own outline as facts, and makes of them reference data of the same type
as its reader, with everything that is gold left out. The submission's reader then runs on these
unchanged, so that it tells what it tells the organiser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from jurydesk.core.model.evaluation import Json

ReferenceT = TypeVar("ReferenceT")


@dataclass(frozen=True, slots=True)
class RedactionFact:
    """One thing that leaves the organiser's machine: `says` is a sentence about its value."""

    name: str
    says: str
    value: Json


@dataclass(frozen=True, slots=True, eq=False)
class Redaction(Generic[ReferenceT]):
    """How a competition's reference data become facts without gold, and these become data again.

    `reference` raises LookupError, TypeError or ValueError on facts that are none. `options` are
    those that decide what is a defect. `unable` are sentences about defects that need the gold,
    which the checker therefore leaves out. `scripts` are the checker for browsers, where there is
    one: names of files in `resources/web/kit`, or paths of files of a package. The last has the
    function `checker`; beside it, `<its name>_recognizer.js` may have the function `recognize`, the
    twin of `Readers.sniff` on the pages of all competitions.
    """

    facts: Callable[[ReferenceT], Sequence[RedactionFact]]
    reference: Callable[[Mapping[str, Json]], ReferenceT]
    options: tuple[str, ...] = ()
    unable: tuple[str, ...] = ()
    scripts: tuple[str | Path, ...] = ()


def text(value: Json) -> str:
    """Return the value, which must be text."""
    if not isinstance(value, str):
        raise TypeError(f"text is expected, not {type(value).__name__}")
    return value


def require_texts(values: Json) -> tuple[str, ...]:
    """Return the values, which must be a list of texts."""
    return tuple(text(value) for value in items(values))


def items(values: Json) -> list[Json]:
    """Return the values, which must be a list."""
    if not isinstance(values, list):
        raise TypeError(f"a list is expected, not {type(values).__name__}")
    return values


def require_whole_number(value: Json) -> int:
    """Return the value, which must be a whole number."""
    if type(value) is not int:
        raise TypeError(f"a whole number is expected, not {type(value).__name__}")
    return value


def require_boolean(value: Json) -> bool:
    """Return the value, which must be true or false."""
    if not isinstance(value, bool):
        raise TypeError(f"true or false is expected, not {type(value).__name__}")
    return value
