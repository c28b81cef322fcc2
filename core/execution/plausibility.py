"""What no honest submission does: answers that are references, one text for all, odd lengths.

None of this is an error. Each is a warning with its evidence, for the organiser to look at.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.model.defects import Defect, Place, counted, name_list, warning
from jurydesk.core.model.evaluation import SubmissionText

FEWEST = 10
"""Of fewer items nothing is said."""
LONG = 8
"""A text of so many words is hardly written twice by chance."""
COPIED_SHARE = 0.02
CONSTANT_SHARE = 0.5
LENGTHS_APART = 2.5
"""So many times as long or as short as the references is odd."""
SHOWN_LETTERS = 60

_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """A text with its references, all as their words in lower case."""

    id: str
    text: str
    references: tuple[str, ...]

    @property
    def length(self) -> int:
        return _length(self.text)


def plausibility_defects(path: Path, written: Iterable[SubmissionText]) -> tuple[Defect, ...]:
    """Everything odd about the texts of one submission, part by part (a sub-task is one)."""
    parts: dict[str, list[_Item]] = defaultdict(list)
    for one in written:
        words, references = _words(one.text), tuple(map(_words, one.references))
        parts[one.part].append(_Item(one.item, words, references))
    place = Place(str(path))
    return tuple(
        defect
        for part, items in parts.items()
        if len(items) >= FEWEST
        for defect in _of_part(place, f"{part}: " if part else "", items)
    )


def _of_part(place: Place, part: str, items: Sequence[_Item]) -> Iterator[Defect]:
    yield from _copied(place, part, items)
    yield from _quoting(place, part, items)
    yield from _constant(place, part, items)
    yield from _lengths(place, part, items)


def _words(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))


def _length(words: str) -> int:
    return words.count(" ") + 1 if words else 0


def _copied(place: Place, part: str, items: Sequence[_Item]) -> Iterator[Defect]:
    """Long texts that are a reference of their item, word for word."""
    same = [item.id for item in items if item.length >= LONG and item.text in item.references]
    if len(same) > COPIED_SHARE * len(items):
        yield warning(
            place,
            f"{part}{_of_all(len(same), items)} word for word a reference: {name_list(same)}.",
            f"Texts of {LONG} words or more hardly agree by chance.",
            "Ask whether the reference data were known to the team.",
            count=len(same),
        )


def _quoting(place: Place, part: str, items: Sequence[_Item]) -> Iterator[Defect]:
    """Texts that hold a long reference of their item, and more."""
    holding = [
        item.id
        for item in items
        if any(
            _length(reference) >= LONG and reference != item.text and reference in item.text
            for reference in item.references
        )
    ]
    if len(holding) > COPIED_SHARE * len(items):
        yield warning(
            place,
            f"{part}{_of_all(len(holding), items, verb=('holds', 'hold'))} a whole reference and "
            f"more: {name_list(holding)}.",
            "",
            "Ask whether the reference data were known to the team.",
            count=len(holding),
        )


def _constant(place: Place, part: str, items: Sequence[_Item]) -> Iterator[Defect]:
    """One text for most items."""
    ((text, count),) = Counter(item.text for item in items).most_common(1)
    if count <= CONSTANT_SHARE * len(items) or _is_right_so_often(text, items):
        return
    shown = text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}…"
    what = f'the same text, "{shown}"' if text else "empty"
    yield warning(
        place,
        f"{part}{_of_all(count, items)} {what}.",
        "",
        "Look whether the system answers at all.",
        count=count,
    )


def _is_right_so_often(text: str, items: Sequence[_Item]) -> bool:
    right = sum(text in item.references for item in items)
    return right > CONSTANT_SHARE * len(items)


def _lengths(place: Place, part: str, items: Sequence[_Item]) -> Iterator[Defect]:
    """Texts that are much longer or shorter than the references."""
    with_references = [item for item in items if item.references]
    if len(with_references) < FEWEST:
        return
    from statistics import median  # takes longer to import than to compute

    own = median(item.length for item in with_references)
    theirs = median(_length(one) for item in with_references for one in item.references)
    if theirs * LENGTHS_APART < own or (own and own * LENGTHS_APART < theirs):
        yield warning(
            place,
            f"{part}Half of the texts have {own:g} words or more, half of the references "
            f"{theirs:g} or more.",
            "Some measures reward one or the other.",
            "Compare a measure that does not, or look at the items.",
        )


def _of_all(count: int, items: Sequence[_Item], verb: tuple[str, str] = ("is", "are")) -> str:
    return f"{count:,} of {counted(len(items), 'text')} {verb[count != 1]}"
