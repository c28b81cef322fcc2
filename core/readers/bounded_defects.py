"""Bounded collection of defects: the first are stored, the others counted by cause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from jurydesk.core.language import fill, join_messages, name_list
from jurydesk.core.model.defects import Defect, Severity

MOST = 10_000
"""Defects stored one by one: several times the number of items of a competition."""
MOST_CAUSES = 1000
"""Causes whose defects are counted apart beyond those stored."""
FIX_HINT = "Fix the first ones and check again."

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}
_OTHERS = ("",)
"""Key of defects whose causes are too many to be counted apart."""


@dataclass(slots=True)
class _Alike:
    """First defect of a cause beyond those stored, and the number of all beyond them."""

    first: Defect
    count: int = 0

    def defect(self) -> Defect:
        """Return the first defect, with a sentence that counts the others."""
        more = self.count - self.first.count
        if not more:
            return self.first
        others = fill("There are {count:,} more of this kind.", more)
        return replace(
            self.first, found=join_messages([self.first.found, others]), count=self.count
        )

    def remainder(self) -> Defect:
        """Return a defect with the severity and place of the first that counts all."""
        found = fill("{count:,} more defects were found.", self.count)
        return Defect(self.first.severity, self.first.place, found, "", FIX_HINT, self.count)


class BoundedDefects:
    """Collection of a file's defects whose memory is bounded.

    The first `MOST` are stored. Beyond them, the first of each cause is stored and the others are
    counted.
    """

    def __init__(self, defects: Iterable[Defect] = ()) -> None:
        self._defects: list[Defect] = []
        self._alike: dict[tuple[str, ...], _Alike] = {}
        self.extend(defects)

    def __bool__(self) -> bool:
        return bool(self._defects)

    def append(self, defect: Defect) -> None:
        """Store a defect, or count it after the first ones."""
        if len(self._defects) < MOST:
            self._defects.append(defect)
        else:
            self._count(_cause(defect), defect, defect.count)

    def _count(self, cause: tuple[str, ...], defect: Defect, count: int) -> None:
        if cause not in self._alike and len(self._alike) >= MOST_CAUSES:
            cause = _OTHERS
        known = self._alike.setdefault(cause, _Alike(defect))
        known.count += count
        if _WEIGHT[defect.severity] > _WEIGHT[known.first.severity]:
            known.first = defect

    def extend(self, defects: Iterable[Defect]) -> None:
        """Append defects one at a time, so that a generator's defects are never all in memory."""
        for defect in defects:
            self.append(defect)

    def join(self, other: BoundedDefects) -> None:
        """Append what another collection has stored and counted."""
        self.extend(other._defects)
        for cause, alike in other._alike.items():
            self._count(cause, alike.first, alike.count)

    def to_tuple(self) -> tuple[Defect, ...]:
        """Return the stored defects; if others were counted, each cause with the count of all."""
        if not self._alike:
            return tuple(self._defects)
        stored = Counter(map(_cause, self._defects))
        begun = {cause for cause in self._alike if stored[cause] > _ALIKE}
        counted = (replace(self._alike[one].first, count=self._alike[one].count) for one in begun)
        return (
            *condense_defects((*self._defects, *counted)),
            *(
                alike.remainder() if cause == _OTHERS else alike.defect()
                for cause, alike in self._alike.items()
                if cause not in begun
            ),
        )


_ALIKE = 10
"""Defects of one cause listed one by one."""
_VARYING = re.compile(r'"[^"]*"|(?<![^ "])[^ "0-9]*[0-9][^ "]*')


def condense_defects(defects: Iterable[Defect]) -> tuple[Defect, ...]:
    """Return the first defects of each cause, and one that counts and places the others.

    Defects have one cause if they differ only in names in quotation marks, or words with digits.
    Those that count others already stay as they are.
    """
    given = tuple(defects)
    if len(given) <= _ALIKE:
        return given
    kinds: dict[tuple[str, ...], list[Defect]] = {}
    for defect in given:
        if defect.hint != FIX_HINT:
            kinds.setdefault(_cause(defect), []).append(defect)
    others = {id(alike[_ALIKE]): alike[_ALIKE:] for alike in kinds.values() if alike[_ALIKE + 1 :]}
    hidden = {id(defect) for alike in others.values() for defect in alike[1:]}
    return tuple(
        _summary(others[id(defect)]) if id(defect) in others else defect
        for defect in given
        if id(defect) not in hidden
    )


def _cause(defect: Defect) -> tuple[str, ...]:
    place = defect.place
    path = re.sub("[0-9]+", "#", place.json_path or "")
    texts = (_VARYING.sub("#", text) for text in (defect.found, defect.expected))
    return (defect.severity, place.path, path, *texts)


def _summary(alike: list[Defect]) -> Defect:
    first = alike[0]
    count = sum(defect.count for defect in alike)
    lines = [str(defect.place.line) for defect in alike if defect.place.line is not None]
    paths = [defect.place.json_path for defect in alike if defect.place.json_path]
    found = fill("There are {count:,} more of this kind.", count)
    if lines:
        found = fill(
            "There are {count:,} more of this kind, on lines {names}.",
            *(count, name_list(lines, count=count)),
        )
    elif paths:
        found = fill(
            "There are {count:,} more of this kind, at {names}.",
            count,
            name_list(paths, count=count),
        )
    return Defect(first.severity, first.place, found, "", FIX_HINT, count)
