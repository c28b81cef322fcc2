"""Redaction of reference data: the facts that a participant's checker needs, without the gold.

A competition exports facts, and rebuilds from them reference data of the type that its reader
returns, without the gold. The submission reader runs unchanged on these, so that participants get
the same defects as the organiser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Json

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

ReferenceT = TypeVar("ReferenceT")


@dataclass(frozen=True, slots=True)
class RedactionFact:
    """Fact for participants; `says` describes its value in a sentence."""

    name: str
    says: str
    value: Json


@dataclass(frozen=True, slots=True, eq=False)
class Redaction(Generic[ReferenceT]):
    """Conversion of a competition's reference data to facts without gold, and back.

    Attributes:
        facts: Returns the facts of reference data.
        reference: Returns reference data from facts; raises LookupError, TypeError or ValueError
            for invalid ones.
        options: Names of options that affect defects.
        unable: Sentences about defects that need the gold and are therefore not checked.
        scripts: Scripts of the browser checker, if there is one: names of files in
            `resources/web/kit`, or paths of files of a package. The last one defines `checker`;
            beside it, `<its name>_recognizer.js` may define `recognize`, the counterpart of
            `Readers.sniff` on pages for all competitions.
        remarks: Returns what a participant's program can see beside the submission, such as its
            pictures, as `Scoring.remarks` does for the organiser.
    """

    facts: Callable[[ReferenceT], Sequence[RedactionFact]]
    reference: Callable[[Mapping[str, Json]], ReferenceT]
    options: tuple[str, ...] = ()
    unable: tuple[str, ...] = ()
    scripts: tuple[str | Path, ...] = ()
    remarks: Callable[[ReferenceT, Any, Any, Run], Iterable[Defect]] = (
        lambda references, submission, options, run: ()
    )


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
