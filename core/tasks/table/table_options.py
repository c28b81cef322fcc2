"""Options of a table of results: which column is what, and how scores are read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from jurydesk.core.competition.task import Policy
from jurydesk.core.language import translatable
from jurydesk.core.model.options import option

PUBLISHED = "published"
Kind = Literal["0/1", "share", "count", "real"]
KINDS: tuple[Kind, ...] = ("0/1", "share", "count", "real")
LAYOUTS = ("auto", "rows", "systems", "items")
MISSING = ("skip", "zero", "error")
REPEATS = ("error", "mean", "first", "last")
LAYOUT_TITLES = {
    "auto": translatable("found by itself"),
    "rows": translatable("a row for each item of a system"),
    "systems": translatable("a column for each system"),
    "items": translatable("a column for each item"),
}
MISSING_TITLES = {
    "skip": translatable("left out of the mean"),
    "zero": translatable("count as 0"),
    "error": translatable("an error"),
}
REPEATS_TITLES = {
    "error": translatable("an error"),
    "mean": translatable("their mean"),
    "first": translatable("the first counts"),
    "last": translatable("the last counts"),
}
UNLIMITED = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options of a table of results; an empty column is found by its name or its content."""

    profile: str = option(PUBLISHED, "The scores as the table has them.", choices=(PUBLISHED,))
    map: str = option(
        "auto",
        "Program that wrote the files, for its column map; none takes the columns as they are.",
        label="Written by",
        form="NAME",
    )
    layout: str = option(
        "auto",
        "What a table has: a row for each item of a system (rows), or a column for each of its "
        "systems or items.",
        label="Layout",
        choices=LAYOUTS,
        titles=LAYOUT_TITLES,
    )
    system: str = option("", "Column of the system.", label="System", form="COLUMN")
    item: str = option("", "Column of the item.", label="Item", form="COLUMN")
    score: tuple[str, ...] = option(
        (), "Columns of scores, the ranking one first.", label="Scores", form="COLUMN"
    )
    metric: str = option(
        "", "Column with the name of each row's metric.", label="Metric", form="COLUMN"
    )
    group: str = option("", "Column of the group.", label="Group", form="COLUMN")
    slice: tuple[str, ...] = option((), "Columns of slices.", label="Slices", form="COLUMN")
    weight: str = option("", "Column of the weights of items.", label="Weight", form="COLUMN")
    text: str = option("", "Column of the systems' texts.", label="Text", form="COLUMN")
    reference: str = option("", "Column of true texts.", label="Reference", form="COLUMN")
    picture: str = option("", "Column of picture files.", label="Picture", form="COLUMN")
    lower: tuple[str, ...] = option(
        (), "Scores of which less is better.", label="Less is better", form="NAME"
    )
    higher: tuple[str, ...] = option(
        (), "Scores of which more is better.", label="More is better", form="NAME"
    )
    range: tuple[str, ...] = option(
        (), "Range of a score: acc=0:1.", label="Ranges", form="NAME=LOW:HIGH"
    )
    kind: tuple[str, ...] = option(
        (),
        "Kind of a score: 0/1, share (0 to 1), count, or real.",
        label="Kinds",
        form="NAME=KIND",
    )
    missing: str = option(
        "skip",
        "Missing scores and items are left out of the mean, count as 0, or are an error.",
        label="Missing scores",
        choices=MISSING,
        titles=MISSING_TITLES,
    )
    repeats: str = option(
        "error",
        "Several rows of a system and item: an error, their mean, or the first or last.",
        label="Repeated rows",
        choices=REPEATS,
        titles=REPEATS_TITLES,
    )

    def ranges(self) -> dict[str, tuple[float, float]]:
        """Return the given ranges by score; a damaged one is left out, see `faults`."""
        found = {}
        for name, text in _pairs(self.range):
            low, _, high = text.partition(":")
            try:
                limits = float(low), float(high)
            except ValueError:
                continue
            if limits[0] < limits[1]:
                found[name] = limits
        return found

    def kinds(self) -> dict[str, Kind]:
        """Return the given kinds by score."""
        return {name: kind for name, text in _pairs(self.kind) for kind in KINDS if kind == text}

    def faults(self) -> Iterator[str]:
        """Yield each range or kind that cannot be read."""
        ranges, kinds = self.ranges(), self.kinds()
        yield from (text for text in self.range if text.rpartition("=")[0] not in ranges)
        yield from (text for text in self.kind if text.rpartition("=")[0] not in kinds)


def _pairs(texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for text in texts:
        name, equals, value = text.rpartition("=")
        if equals:
            yield name, value


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the other treatments of missing scores."""
    current = settings.get("missing", "skip")
    return tuple(
        Policy("Missing scores", title, {"missing": value})
        for value, title in (("skip", "left out"), ("zero", "count 0"))
        if value != current
    )
