"""Evidence for one query: the ranked list with its hits, and missed relevant items."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.model.evidence_columns import EvidenceColumn, EvidenceRow
from jurydesk.core.model.json_codec import from_json
from jurydesk.core.tasks.item_fields import fields_of_row

SHOWN = 200
"""Number of ranks stored of every list; hits below them are stored too."""

SHOWN_VALUES = ("ap", "precAt5", "precAt10", "ndcg", "Rprec", "recip_rank")
"""Measures shown with a ranked list."""

Box = tuple[int, int, int, int]
UNKNOWN = float("nan")
"""Overlap of an item whose format has none; one object, which a tuple takes for equal."""

Candidacies = tuple[tuple[float, ...], tuple[int, ...], tuple[int, ...], tuple[float, ...]]
CANDIDACIES = ("scores", "pair_rank", "pair_target", "pair_overlap")
"""Evidence columns of scores and of pairs of listed and relevant boxes."""

ItemColumns = dict[str, EvidenceColumn]
"""Columns of the ranked items of several lists, by field of `RankedItem`."""

ITEMS, MISSED = "items", "missed"
"""Beginnings of the names of the columns of ranked items."""


@dataclass(frozen=True, slots=True)
class RankedItem:
    """Document or word of a ranked list, or a relevant one missing from it.

    `rank` is 1-based, and 0 for an item that was never listed. `box` is x, y, width, height in
    pixels of the page image `name`. `gain` is the graded relevance, and NaN where nobody judged
    the item. `score` is the system's own (`sim`), NaN where the format has none.

    Under a protocol by overlap, `verdict` tells hits from repetitions and false positives (a number
    of `claims.py`), `near` is the relevant box that it is compared with, and `overlap` their
    overlap; `text` is the word of that box.
    """

    rank: int
    name: str
    hit: bool
    gain: float = float("nan")
    score: float = float("nan")
    box: Box | None = None
    text: str = ""
    near: Box | None = None
    overlap: float = UNKNOWN
    verdict: int | None = None

    def __eq__(self, other: object) -> bool:
        # A tuple takes a NaN for equal to itself, as dataclasses did before Python 3.13.
        return isinstance(other, RankedItem) and _fields_of(self) == _fields_of(other)


FIELDS = ("rank", "name", "hit", "gain", "score", "box", "text", "near", "overlap", "verdict")
_fields_of = attrgetter(*FIELDS)


@dataclass(frozen=True, slots=True)
class RankedList:
    """Stored part of the ranked list of one query, with its values of measures.

    `items` are the first `SHOWN` ranks and every hit below; `listed` is the length of the whole
    list, `relevant` the number of relevant items. `values` are pairs of measure and value.
    Where equal scores share a point of the curve, `recalls` and `precisions` are those points.
    Of boxes, `kinds` are the kinds of errors by rank (`error_kinds.py`), `rules` those of the
    protocol as JSON, and `candidates` the scores by rank, and rank, target and overlap of pairs.
    Of a table without `rules`, these are the scores and the ranks of the relevant events. `fields`
    are the query's columns in the table of queries.
    """

    query: str
    listed: int
    relevant: int
    items: tuple[RankedItem, ...]
    missed: tuple[RankedItem, ...]
    values: tuple[tuple[str, float], ...]
    recalls: tuple[float, ...] = ()
    precisions: tuple[float, ...] = ()
    kinds: tuple[int, ...] = ()
    rules: str = ""
    candidates: Candidacies = ((), (), (), ())
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_candidates(self) -> bool:
        """Whether the claims can be made again at another overlap."""
        return bool(self.rules and self.candidates[0])

    @property
    def has_events(self) -> bool:
        """Whether the list is of a table, whose events can be cut at another score."""
        return bool(not self.rules and self.candidates[0])

    def points(self) -> tuple[FloatArray, FloatArray]:
        """Return recall and precision at each hit (n,), or at each score that has one."""
        if self.recalls:
            return np.array(self.recalls), np.array(self.precisions)
        ranks = np.array([item.rank for item in self.items if item.hit][: self.relevant], float)
        found = np.arange(1, len(ranks) + 1)
        return found / max(self.relevant, 1), found / ranks

    @property
    def hits(self) -> int:
        """Number of hits, which a published program can count several times for one item."""
        return sum(item.hit for item in self.items)

    @property
    def found(self) -> int:
        """Number of relevant items in the list."""
        return min(self.hits, self.relevant - len(self.missed))

    @classmethod
    def from_row(cls, row: EvidenceRow) -> RankedList:
        """Load the evidence of a query from evidence columns."""
        items, missed = (
            ranked_items({name: row[key] for name, key in _keys(member) if key in row})
            for member in (ITEMS, MISSED)
        )
        found = cls(
            query=row["query"],
            listed=row["listed"],
            relevant=row["relevant"],
            items=items,
            missed=missed,
            values=tuple((name, row[name]) for name in SHOWN_VALUES if name in row),
            recalls=tuple(row.get("recalls", ())),
            precisions=tuple(row.get("precisions", ())),
            kinds=tuple(row.get("kinds", ())),
            rules=row.get("rules", ""),
            candidates=tuple(tuple(row.get(name, ())) for name in CANDIDACIES),  # type: ignore[arg-type]
            fields=fields_of_row(row),
        )
        found.require_sound_lists()
        return found

    def require_sound_lists(self) -> None:
        """Raise ValueError if the stored lists contradict each other: a desk may be forged."""
        scores, ranks, targets, overlaps = self.candidates
        most = self.relevant + len(self.missed) + len(ranks)
        if (
            len(self.recalls) != len(self.precisions)
            or not len(ranks) == len(targets) == len(overlaps)
            or any(not 0 < rank <= len(scores) for rank in ranks)
            or any(one > other for one, other in pairwise(ranks))
            or any(not 0 <= target < most for target in targets)
            or any(one.rank > len(scores) > 0 for one in self.items)
        ):
            raise ValueError("the stored list of a query is damaged")
        if self.rules:
            from_json(SpottingRules, json.loads(self.rules))


def list_columns(items: ItemColumns, missed: ItemColumns) -> dict[str, EvidenceColumn]:
    """Return the columns of the items and the missed items of ranked lists, by unique names."""
    return {
        key: columns[name]
        for member, columns in ((ITEMS, items), (MISSED, missed))
        for name, key in _keys(member)
        if name in columns
    }


def _keys(member: str) -> list[tuple[str, str]]:
    """Return each field of a ranked item with the name of its evidence column."""
    return [(name, f"{member}_{name}") for name in FIELDS]


def columns_of_lists(
    counts: IntArray,
    rank: IntArray,
    names: Sequence[str],
    hit: BoolArray,
    gain: FloatArray,
    **others: npt.NDArray[Any] | Sequence[str],
) -> ItemColumns:
    """Return the columns of the items (n,) of several lists of `counts` items each."""
    columns = {"rank": rank, "name": names, "hit": hit, "gain": gain, **others}
    return {
        name: EvidenceColumn(column, counts)
        if isinstance(column, np.ndarray)
        else EvidenceColumn.texts(column, counts)
        for name, column in columns.items()
    }


@dataclass(frozen=True, slots=True, eq=False)
class ShownRanks:
    """Ranks (n,) that are stored of several lists, with the index (n,) of the list of each."""

    owner: IntArray
    rank: IntArray

    @classmethod
    def of(cls, listed: IntArray, hit_owner: IntArray, hit_rank: IntArray) -> ShownRanks:
        """Return the first `SHOWN` ranks of each list and the ranks of all hits."""
        counts = np.minimum(listed, SHOWN)
        owner = np.repeat(np.arange(len(listed)), counts)
        rank = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
        below = hit_rank > SHOWN
        owner = np.concatenate([owner, hit_owner[below]])
        rank = np.concatenate([rank, hit_rank[below]])
        order = np.lexsort((rank, owner))
        return cls(owner[order], rank[order])

    def find(self, owner: IntArray, rank: IntArray) -> IntArray:
        """Return the index of each pair of list and rank, all of which are shown."""
        size = int(self.rank.max(initial=0)) + 1
        return np.searchsorted(self.owner * size + self.rank, owner * size + rank)


def ranked_items(columns: Mapping[str, Any]) -> tuple[RankedItem, ...]:
    """Return the ranked items of a list from its columns by field."""
    count = len(columns["rank"])
    rows = zip(
        columns["rank"],
        columns["name"],
        columns["hit"],
        columns["gain"],
        columns.get("score", [float("nan")] * count),
        columns.get("box", [None] * count),
        columns.get("text", [""] * count),
        columns.get("near", [None] * count),
        columns.get("overlap", [UNKNOWN] * count),
        columns.get("verdict", [None] * count),
        strict=True,
    )
    return tuple(
        RankedItem(
            *(
                rank,
                name,
                bool(hit),
                gain,
                score,
                box and stored_box(box),
                text,
                near and stored_box(near),
            ),
            *others,
        )
        for rank, name, hit, gain, score, box, text, near, *others in rows
    )


def stored_box(numbers: Sequence[int]) -> Box | None:
    """Return a box; None without one, which a column of boxes stores as negative sizes."""
    return None if numbers[2] < 0 else cast(Box, tuple(numbers))
