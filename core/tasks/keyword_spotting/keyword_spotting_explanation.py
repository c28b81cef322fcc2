"""Explanations of queries and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import pairwise, repeat
from operator import add, attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import counted, fill, join_messages, name_list
from jurydesk.core.model.evaluation import BoolArray, FloatArray, Passage, ScoredItem
from jurydesk.core.model.evidence_columns import EvidenceColumns
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    ITEMS,
    MISSED,
    Box,
    RankedItem,
    RankedList,
    stored_box,
)

RAW_CURVES = ("precision_recall_101", "precision_recall_11", "recall_precision_mean")
"""Figures over recall in which a query's own points have a meaning."""
SHOWN_FIELDS = ("rank", "name", "hit", "gain", "box", "text")
TOP = 10
"""Maximum number of ranks listed one by one."""


_gain = attrgetter("gain")


def list_query(evidence: RankedList) -> ItemListEntry:
    """Return a query's word, id and image; the id alone if no relevant item has a word.

    The word is that of the most relevant item, of several the first, and so is the image.
    """
    known = [one for one in (*evidence.items, *evidence.missed) if one.gain > 0]
    named = [one for one in known if one.text]
    boxed = max([one for one in known if one.near or one.box], key=_gain, default=None)
    page, box = (boxed.name, boxed.near or boxed.box) if boxed else ("", None)
    word = max(named, key=_gain).text if named else evidence.query
    if word.casefold() == evidence.query.casefold():
        return ItemListEntry(evidence.query, page, box=box)
    return ItemListEntry(word, page, evidence.query, box)


def curve_points(figure: str, evidence: RankedList) -> tuple[FloatArray, FloatArray] | None:
    """Return recall and precision at each hit of a query, for the curves of both."""
    return evidence.points() if figure in RAW_CURVES else None


def explain_item(evidence: RankedList) -> Sequence[Passage]:
    """Return the top of the list with its hits, the ranks of later hits, and missed items."""
    return _explain(
        (evidence.listed, evidence.relevant, evidence.hits, len(evidence.missed)),
        [_line(one) for one in evidence.items if _is_top(one)],
        [str(one.rank) for one in evidence.items if one.hit and not _is_top(one)],
        list(map(_name, evidence.missed[:TOP])),
    )


def explain_rows(columns: EvidenceColumns, rows: Sequence[int]) -> list[Sequence[Passage]]:
    """Return what `explain_item` does, for lists of stored columns, without objects of whole lists.

    Raises ValueError for columns that contradict each other.
    """
    items, missed = ListedEntries(columns, ITEMS, rows), ListedEntries(columns, MISSED, rows)
    listed, relevant = (columns[name].values[rows].tolist() for name in ("listed", "relevant"))
    is_hit, is_top = items.values("hit") != 0, items.values("rank") <= TOP
    top, hits = items.select(is_top), items.select(is_hit).counts
    later = items.select(is_hit & ~is_top)
    later_ranks = later.of_lists(list(map(str, later.values("rank").tolist())))
    first_missed = missed.select(missed.places < TOP)
    return [
        _explain(counts, first, after, unlisted)
        for counts, first, after, unlisted in zip(
            zip(listed, relevant, hits, missed.counts, strict=True),
            top.of_lists(top.lines()),
            later_ranks,
            first_missed.of_lists(first_missed.names()),
            strict=True,
        )
    ]


class ListedEntries:
    """Entries of several ranked lists, in the order of the lists, of columns of evidence.

    `owner` and `places` (entries,) are the index of the list of each entry, and its own in the
    list.
    """

    def __init__(self, columns: EvidenceColumns, member: str, rows: Sequence[int]) -> None:
        self._columns = {
            name: columns[key] for name in SHOWN_FIELDS if (key := f"{member}_{name}") in columns
        }
        starts = columns[f"{member}_rank"].starts
        if any((one.starts != starts).any() for one in self._columns.values()):
            raise ValueError("the lists of columns have different lengths")
        counts = starts[1:][rows] - starts[:-1][rows]
        self.lists = len(rows)
        self.owner = np.repeat(np.arange(self.lists), counts)
        self.places = np.arange(len(self.owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        self._at = self.places + starts[:-1][rows][self.owner]

    def select(self, chosen: BoolArray) -> ListedEntries:
        """Return some entries, by a mask."""
        other = copy(self)
        other.owner, other.places = self.owner[chosen], self.places[chosen]
        other._at = self._at[chosen]
        return other

    @property
    def counts(self) -> list[int]:
        """Number of entries of each list."""
        found: list[int] = np.bincount(self.owner, minlength=self.lists).tolist()
        return found

    def values(self, name: str) -> npt.NDArray[Any]:
        """Return a column of numbers (entries, ...)."""
        return np.asarray(self._columns[name].values[self._at])

    def of_lists(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """Return a text of each entry by list."""
        ends = np.searchsorted(self.owner, np.arange(self.lists + 1)).tolist()
        return [texts[start:stop] for start, stop in pairwise(ends)]

    def names(self) -> Sequence[str]:
        """Return the name of each entry with its box and its word."""
        names = self._columns["name"].entries(self._at)
        boxes, texts = self._columns.get("box"), self._columns.get("text")
        if boxes is None and texts is None:
            return names
        places = map(stored_box, boxes.entries(self._at)) if boxes else repeat(None)
        return list(map(_placed, names, places, texts.entries(self._at) if texts else repeat("")))

    def lines(self) -> list[str]:
        """Return the line of each entry."""
        is_hit, gain = self.values("hit") != 0, self.values("gain")
        heads = map(_head, self.values("rank").tolist(), is_hit.tolist())
        lines = list(map(add, heads, self.names()))
        for at in np.flatnonzero(is_hit & (gain != 0) & (gain != 1)).tolist():
            lines[at] += _grade(gain[at])
        return lines


Counts = tuple[int, int, int, int]
"""Fields of `ListCounts`, which many lists share."""


class ListCounts(NamedTuple):
    """Numbers of listed and relevant items, of hits, and of relevant items that are not listed."""

    listed: int
    relevant: int
    hits: int
    missed: int

    @property
    def found(self) -> int:
        """Number of relevant items in the list."""
        return min(self.hits, self.relevant - self.missed)


def _explain(
    counts: Counts, first: Sequence[str], later: Sequence[str], missed: Sequence[str]
) -> Sequence[Passage]:
    ranked = Passage("First ranks", "\n".join(first), _note(counts, tuple(later[:3]), len(later)))
    if not missed:
        return (ranked,)
    more = counts[-1] - TOP
    note = fill("and {more:,} more", more) if more > 0 else ""
    return ranked, Passage("Never listed", "\n".join(missed), note)


@lru_cache(maxsize=4096)
def _note(numbers: Counts, later: tuple[str, ...], count: int) -> str:
    """Return the note on a list, with the first ranks of so many later hits.

    Many lists of a report have the same.
    """
    counts = ListCounts(*numbers)
    found = fill(
        "{found:,} of {relevant:,} relevant found, {listed:,} listed.",
        *(counts.found, counts.relevant, counts.listed),
    )
    notes = [found, *describe_repetitions(counts)]
    if later:
        notes.append(fill("Later hits at rank {name_list}.", name_list(later, count=count)))
    return join_messages(notes)


def describe_repetitions(evidence: RankedList | ListCounts) -> Iterator[str]:
    """Yield how many hits count a relevant item again, if any does."""
    repetitions = evidence.hits - evidence.found
    if repetitions == 1:
        yield "1 more hit counts a relevant item again."
    elif repetitions:
        yield fill("{repetitions:,} more hits count relevant items again.", repetitions)


def _is_top(item: RankedItem) -> bool:
    return item.rank <= TOP


def _line(one: RankedItem) -> str:
    grade = _grade(one.gain) if one.hit and one.gain not in (0.0, 1.0) else ""
    return f"{_head(one.rank, one.hit)}{_name(one)}{grade}"


@lru_cache(maxsize=4 * TOP)
def _head(rank: int, hit: bool) -> str:
    return f"{rank:>3} {'✓' if hit else '·'} "


def _grade(gain: float) -> str:
    return f"  grade {gain:g}"


def _name(item: RankedItem) -> str:
    return _placed(item.name, item.box, item.text)


def _placed(name: str, box: Box | None, text: str) -> str:
    word = f"  “{text}”" if text else ""
    if box is None:
        return f"{name}{word}"
    x, y, width, height = box
    return f"{name}  {x},{y} {width}×{height}{word}"


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Return the ranks that are hits in one profile only, and words that count once."""
    published, corrected = one.evidence, other.evidence
    if published is None or corrected is None:
        return ()
    kept = {item.rank for item in corrected.items if item.hit}
    apart = [item for item in published.items if item.hit and item.rank not in kept]
    again = [item for item in apart if _is_repeated(item, published.items)]
    elsewhere = [item for item in apart if item not in again]
    found = []
    if elsewhere:
        found.append(
            fill(
                "Rank {ranks} is a hit when published alone: a relevant word has the same "
                "box in another document.",
                _ranks(elsewhere),
            )
        )
    if again:
        found.append(
            fill(
                "Rank {ranks} is a hit when published alone: the same word is ranked higher "
                "in the list.",
                _ranks(again),
            )
        )
    if published.relevant != corrected.relevant:
        words = counted(published.relevant, "relevant word")
        found.append(
            fill(
                "{words} when published, {relevant:,} distinct when corrected.",
                words,
                corrected.relevant,
            )
        )
    return found


def _is_repeated(item: RankedItem, items: Sequence[RankedItem]) -> bool:
    key = (item.name, item.box)
    return any((other.name, other.box) == key and other.rank < item.rank for other in items)


def _ranks(items: Sequence[RankedItem]) -> str:
    return name_list([str(item.rank) for item in items])
