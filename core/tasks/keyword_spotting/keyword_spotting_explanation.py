"""Explanations of queries and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import counted, fill, join_messages, name_list
from jurydesk.core.model.evaluation import FloatArray, Passage, ScoredItem
from jurydesk.core.model.evidence_columns import EvidenceRow
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
SHOWN_FIELDS = ("rank", "name", "gain", "box", "text")
TOP = 10
"""Maximum number of ranks listed one by one."""


def list_query(evidence: RankedList) -> ItemListEntry:
    """Return a query's word and its id; the id alone if no relevant item has a word.

    The word is that of the most relevant item, of several the first.
    """
    known = [one for one in (*evidence.items, *evidence.missed) if one.text and one.gain > 0]
    if not known:
        return ItemListEntry(evidence.query)
    word = max(known, key=lambda one: one.gain).text
    is_named = word.casefold() == evidence.query.casefold()
    return ItemListEntry(evidence.query if is_named else f"{word} · {evidence.query}")


def curve_points(figure: str, evidence: RankedList) -> tuple[FloatArray, FloatArray] | None:
    """Return recall and precision at each hit of a query, for the curves of both."""
    return evidence.points() if figure in RAW_CURVES else None


def explain_item(evidence: RankedList) -> Sequence[Passage]:
    """Return the top of the list with its hits, the ranks of later hits, and missed items."""
    return _explain(
        ListCounts(evidence.listed, evidence.relevant, evidence.hits, len(evidence.missed)),
        [_line(one.rank, one.hit, one.gain, _name(one)) for one in evidence.items if _is_top(one)],
        [str(one.rank) for one in evidence.items if one.hit and not _is_top(one)],
        list(map(_name, evidence.missed[:TOP])),
    )


EXPLAINED = frozenset(
    (
        *("listed", "relevant", f"{ITEMS}_hit"),
        *(f"{member}_{name}" for member in (ITEMS, MISSED) for name in SHOWN_FIELDS),
    )
)
"""Columns of evidence that `explain_row` needs."""


def explain_row(row: EvidenceRow) -> Sequence[Passage]:
    """Return what `explain_item` does, without the objects of the whole list."""
    ranks, hits = row[f"{ITEMS}_rank"], row[f"{ITEMS}_hit"]
    top = [place for place, rank in enumerate(ranks) if rank <= TOP]
    gains, names = row[f"{ITEMS}_gain"], _names_of_row(row, ITEMS, len(ranks))
    missed = len(row[f"{MISSED}_rank"])
    return _explain(
        ListCounts(row["listed"], row["relevant"], sum(map(bool, hits)), missed),
        [_line(ranks[at], bool(hits[at]), gains[at], names[at]) for at in top],
        [str(rank) for rank, hit in zip(ranks, hits, strict=True) if hit and rank > TOP],
        _names_of_row(row, MISSED, TOP),
    )


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
    counts: ListCounts, first: Sequence[str], later: Sequence[str], missed: Sequence[str]
) -> Sequence[Passage]:
    ranked = Passage("First ranks", "\n".join(first), _note(counts, name_list(later)))
    if not missed:
        return (ranked,)
    more = counts.missed - TOP
    note = fill("and {more:,} more", more) if more > 0 else ""
    return ranked, Passage("Never listed", "\n".join(missed), note)


@lru_cache(maxsize=4096)
def _note(counts: ListCounts, later: str) -> str:
    """Return the note on a list; many lists of a report have the same."""
    found = fill(
        "{found:,} of {relevant:,} relevant found, {listed:,} listed.",
        *(counts.found, counts.relevant, counts.listed),
    )
    notes = [found, *describe_repetitions(counts)]
    if later:
        notes.append(fill("Later hits at rank {name_list}.", later))
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


def _line(rank: int, hit: bool, gain: float, name: str) -> str:
    grade = f"  grade {gain:g}" if hit and gain not in (0.0, 1.0) else ""
    return f"{rank:>3} {'✓' if hit else '·'} {name}{grade}"


def _name(item: RankedItem) -> str:
    return _placed(item.name, item.box, item.text)


def _names_of_row(row: EvidenceRow, member: str, count: int) -> Sequence[str]:
    """Return the first items' names with boxes and words, of a row of evidence."""
    names: Sequence[str] = row[f"{member}_name"][:count]
    boxes, texts = row.get(f"{member}_box"), row.get(f"{member}_text")
    if boxes is None and texts is None:
        return names
    places = map(stored_box, boxes) if boxes else repeat(None)
    return list(map(_placed, names, places, texts or repeat("")))


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
