"""Evidence for one query: the ranked list with its hits, and missed relevant items."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import cast

from jurydesk.core.model.evaluation import Json

SHOWN = 200
"""Number of ranks stored of every list; hits below them are stored too."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class RankedItem:
    """Document or word of a ranked list, or a relevant one missing from it.

    `rank` is 1-based, and 0 for an item that was never listed. `box` is x, y, width, height in
    pixels of the page image `name`. `gain` is the graded relevance, and NaN where nobody judged
    the item. `score` is the system's own (`sim`), NaN where the format has none.
    """

    rank: int
    name: str
    hit: bool
    gain: float = float("nan")
    score: float = float("nan")
    box: Box | None = None
    text: str = ""

    def __eq__(self, other: object) -> bool:
        # A tuple takes a NaN for equal to itself, as dataclasses did before Python 3.13.
        return isinstance(other, RankedItem) and _fields_of(self) == _fields_of(other)


_fields_of = attrgetter("rank", "name", "hit", "gain", "score", "box", "text")


@dataclass(frozen=True, slots=True)
class RankedList:
    """Stored part of the ranked list of one query, with its values of measures.

    `items` are the first `SHOWN` ranks and every hit below; `listed` is the length of the whole
    list, `relevant` the number of relevant items. `values` are pairs of measure and value.
    """

    query: str
    listed: int
    relevant: int
    items: tuple[RankedItem, ...]
    missed: tuple[RankedItem, ...]
    values: tuple[tuple[str, float], ...]

    def to_json(self) -> Json:
        """Return the evidence as JSON values; columns instead of records, which compress well."""
        return {
            "query": self.query,
            "listed": self.listed,
            "relevant": self.relevant,
            "items": _columns(self.items),
            "missed": _columns(self.missed),
            "values": {name: _number(value) for name, value in self.values},
        }

    @classmethod
    def from_json(cls, data: Json) -> RankedList:
        """Return the evidence that `to_json` wrote."""
        return cls(
            query=data["query"],
            listed=data["listed"],
            relevant=data["relevant"],
            items=_items(data["items"]),
            missed=_items(data["missed"]),
            values=tuple((name, _value(value)) for name, value in data["values"].items()),
        )


def _columns(items: tuple[RankedItem, ...]) -> Json:
    columns: dict[str, Json] = {
        "rank": [item.rank for item in items],
        "name": [item.name for item in items],
        "hit": [int(item.hit) for item in items],
        "gain": [_number(item.gain) for item in items],
        "score": [_number(item.score) for item in items],
        "box": [item.box for item in items],
        "text": [item.text for item in items],
    }
    empty: dict[str, Json] = {"score": None, "box": None, "text": ""}
    return {
        name: column
        for name, column in columns.items()
        if name not in empty or any(value != empty[name] for value in column)
    }


def _items(columns: Json) -> tuple[RankedItem, ...]:
    count = len(columns["rank"])
    nothing = [None] * count
    rows = zip(
        columns["rank"],
        columns["name"],
        columns["hit"],
        columns["gain"],
        columns.get("score", nothing),
        columns.get("box", nothing),
        columns.get("text", [""] * count),
        strict=True,
    )
    return tuple(
        RankedItem(
            rank,
            name,
            bool(hit),
            _value(gain),
            _value(score),
            None if box is None else cast(Box, tuple(box)),
            text,
        )
        for rank, name, hit, gain, score, box, text in rows
    )


def _number(value: float) -> float | str | None:
    """Return a number as JSON: infinities become strings, NaN becomes null."""
    if value != value:
        return None
    return value if abs(value) != float("inf") else str(value)


def _value(number: float | str | None) -> float:
    return float("nan") if number is None else float(number)
