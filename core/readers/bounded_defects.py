"""Bounded collection of defects: the first are stored, the others counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, Severity, error

MOST = 10_000
"""Defects stored one by one: several times the number of items of a competition."""
MOST_OF_A_KIND = 200
MOST_CAUSES = 1000
"""Causes whose defects are counted apart beyond those stored."""
FIX_HINT = "Fix the first ones and check again."

_WEIGHT = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


def remainder_defect(worst: Defect, count: int) -> Defect:
    """Return a defect that represents `count` others, with the severity and place of the worst."""
    found = fill("{count:,} more defects were found.", count)
    return Defect(worst.severity, worst.place, found, "", FIX_HINT, count)


class BoundedDefects:
    """Collection of a file's defects whose memory is bounded.

    The first `most` are stored. Beyond them, defects of each cause are counted and condensed with
    those stored; where the count alone matters, `summarize` returns the defect that represents the
    others, from the first one of the highest severity and their total count.
    """

    def __init__(
        self,
        defects: Iterable[Defect] = (),
        most: int = MOST,
        summarize: Callable[[Defect, int], Defect] | None = None,
    ) -> None:
        self._most, self._summarize = most, summarize
        self._defects: list[Defect] = []
        self._worst: Defect | None = None
        self._more = 0
        self._counts: dict[tuple[str, ...], int] = {}
        self._firsts: dict[tuple[str, ...], Defect] = {}
        self.extend(defects)

    def __bool__(self) -> bool:
        return bool(self._defects)

    def append(self, defect: Defect) -> None:
        """Store a defect, or count it after the first `most`."""
        if len(self._defects) < self._most:
            self._defects.append(defect)
            return
        if self._summarize is None and self._is_counted_by_cause(defect):
            return
        self._more += defect.count  # may represent others itself
        if self._worst is None or _WEIGHT[defect.severity] > _WEIGHT[self._worst.severity]:
            self._worst = defect

    def _is_counted_by_cause(self, defect: Defect) -> bool:
        cause = _cause(defect)
        if cause not in self._firsts and len(self._firsts) == MOST_CAUSES:
            return False
        self._firsts.setdefault(cause, defect)
        self._counts[cause] = self._counts.get(cause, 0) + defect.count
        return True

    def extend(self, defects: Iterable[Defect]) -> None:
        """Append defects one at a time, so that a generator's defects are never all in memory."""
        for defect in defects:
            self.append(defect)

    def to_tuple(self) -> tuple[Defect, ...]:
        """Return the stored defects, and what represents those that were only counted."""
        found = tuple(self._defects)
        if self._firsts:
            stored, tail = Counter(map(_cause, found)), []
            for cause, first in self._firsts.items():
                more = self._counts[cause] - first.count
                if stored[cause] > _ALIKE or not more:
                    found = (*found, replace(first, count=self._counts[cause]))
                else:
                    told = fill("There are {count:,} more of this kind.", more)
                    rest = Defect(first.severity, first.place, told, "", FIX_HINT, more)
                    tail += [first, rest]
            found = (*condense_defects(found), *tail)
        if self._worst is None:
            return found
        summarize = self._summarize or remainder_defect
        return (*found, summarize(self._worst, self._more))


def defects_of_a_kind(
    defects: Iterable[Defect], place: Place, noun: str, plural: str = ""
) -> BoundedDefects:
    """Return the first defects of one kind, then an error at `place` that counts the others."""

    def summarize(worst: Defect, count: int) -> Defect:
        return error(
            place,
            fill(
                "{count} like these.", counted(count, f"more {noun}", plural and f"more {plural}")
            ),
        )

    return BoundedDefects(defects, MOST_OF_A_KIND, summarize)


_ALIKE = 10
"""Defects of one cause listed one by one."""
_VARYING = re.compile(r'"[^"]*"|(?<![^ "])[^ "0-9]*[0-9][^ "]*')


def condense_defects(defects: Iterable[Defect]) -> tuple[Defect, ...]:
    """Return the first defects of each cause, and one that counts and places the others.

    Defects have one cause if they differ only in names in quotation marks, or words with digits.
    """
    given = tuple(defects)
    if len(given) <= _ALIKE:
        return given
    kinds: dict[tuple[str, ...], list[Defect]] = {}
    for defect in given:
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
