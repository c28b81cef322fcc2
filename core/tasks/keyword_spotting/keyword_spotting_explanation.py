"""Explanations of queries and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.language import counted, fill, join_messages, name_list
from jurydesk.core.model.evaluation import FloatArray, Passage, ScoredItem
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList

RAW_CURVES = ("precision_recall_101", "precision_recall_11", "recall_precision_mean")
"""Figures over recall in which a query's own points have a meaning."""
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
    first = [item for item in evidence.items if item.rank <= TOP]
    later = [str(item.rank) for item in evidence.items if item.hit and item.rank > TOP]
    notes = [
        fill(
            "{found:,} of {relevant:,} relevant found, {listed:,} listed.",
            evidence.found,
            evidence.relevant,
            evidence.listed,
        ),
        *describe_repetitions(evidence),
    ]
    if later:
        notes.append(fill("Later hits at rank {name_list}.", name_list(later)))
    ranked = Passage("First ranks", "\n".join(map(_line, first)), join_messages(notes))
    if not evidence.missed:
        return (ranked,)
    missed = "\n".join(map(_name, evidence.missed[:TOP]))
    more = len(evidence.missed) - TOP
    return (
        ranked,
        Passage("Never listed", missed, fill("and {more:,} more", more) if more > 0 else ""),
    )


def describe_repetitions(evidence: RankedList) -> Iterator[str]:
    """Yield how many hits count a relevant item again, if any does."""
    repetitions = evidence.hits - evidence.found
    if repetitions == 1:
        yield "1 more hit counts a relevant item again."
    elif repetitions:
        yield fill("{repetitions:,} more hits count relevant items again.", repetitions)


def _line(item: RankedItem) -> str:
    mark = "✓" if item.hit else "·"
    gain = f"  grade {item.gain:g}" if item.hit and item.gain not in (0.0, 1.0) else ""
    return f"{item.rank:>3} {mark} {_name(item)}{gain}"


def _name(item: RankedItem) -> str:
    text = f"  “{item.text}”" if item.text else ""
    if item.box is None:
        return f"{item.name}{text}"
    x, y, width, height = item.box
    return f"{item.name}  {x},{y} {width}×{height}{text}"


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
