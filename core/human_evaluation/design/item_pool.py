"""Pool of items for a plan, drawn from the systems of a desk."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from jurydesk.core.competition.rating_design import (
    PictureRef,
    RatedEntry,
    RatedItem,
    RatingPool,
    SystemOutput,
    human_name,
)
from jurydesk.core.competition.task import UNEXPLAINED, AnyTask
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.model.evaluation import ItemTable, Passage

IsAvailable = Callable[[PictureRef], bool]
View = Callable[[ItemTable, int], RatedEntry | None]

SAMPLE_ITEMS = 50
"""Number of items whose explanations are compared to find what all systems share."""


def rated_summaries(
    task: AnyTask, summaries: Sequence[Summary], systems: Sequence[str] = ()
) -> list[Summary]:
    """Return one evaluation of each system (of those named), in the first of its profiles."""
    order = {profile: place for place, profile in enumerate(task.scoring.profiles)}
    found: dict[str, Summary] = {}
    for one in sorted(summaries, key=lambda each: order.get(each.profile, len(order))):
        found.setdefault(one.system, one)
    listed = dict.fromkeys(one.system for one in summaries)
    return [found[name] for name in listed if not systems or name in systems]


def draw_pool(
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    count: int,
    *,
    human: bool,
    seed: int,
    is_available: IsAvailable,
    wanted: Collection[str] | None = None,
    check: Callable[[], None] = lambda: None,
) -> RatingPool:
    """Draw `count` items that all systems have (among those wanted), or all if there are fewer.

    Only drawn items are read. Items are skipped if an entry is a missing picture, and with `human`
    if there is no human text. `check` may raise to cancel.
    """
    tables = [desk.load(one.id, task.readers.load_evidence).items for one in summaries]
    places = list(map(_places, tables))
    common = [key for key in places[0] if all(key in other for other in places)] if places else []
    view = _view(task, tables, [[place[key] for place in places] for key in common[:SAMPLE_ITEMS]])
    dice = random.Random(f"items {seed}")  # noqa: S311 - a sample, no secret
    shown: dict[int, tuple[str, list[RatedEntry]]] = {}
    for at in dice.sample(range(len(common)), len(common)):
        if len(shown) == count:
            break
        check()
        rows = [place[common[at]] for place in places]
        if wanted is not None and isinstance(common[at], str) and common[at] not in wanted:
            continue
        entries = list(_entries(view, tables, rows, is_available))
        if len(entries) == len(tables) and (entries[0].human or not human):
            id = entries[0].item or tables[0].ids[rows[0]]
            if wanted is None or id in wanted:
                shown[at] = id, entries
    systems = [one.system for one in summaries]
    if human:
        systems.append(human_name(task.presentation.rating.entry_noun[1], systems))
    items = (_item(*shown[at], dice if human else None) for at in sorted(shown))
    return RatingPool(tuple(systems), tuple(items))


def _places(items: ItemTable) -> Mapping[str | int, int]:
    """Return a row per item, by its id or by the number of the evidence that several rows share."""
    keys = items.ids if items.evidence_of is None else items.evidence_of.tolist()
    places: dict[str | int, int] = {}
    for row, key in enumerate(keys):
        places.setdefault(key, row)
    return places


def _entries(
    view: View, tables: Sequence[ItemTable], rows: Sequence[int], is_available: IsAvailable
) -> Iterator[RatedEntry]:
    """Yield the entry of each system for an item, if there is something to rate."""
    for table, row in zip(tables, rows, strict=True):
        found = view(table, row)
        # An empty text is an answer; a missing picture is not.
        if found is not None and (
            found.entry.text
            or not found.entry.pictures
            or any(map(is_available, found.entry.pictures))
        ):
            yield found


def _view(task: AnyTask, tables: Sequence[ItemTable], sample: Sequence[Sequence[int]]) -> View:
    """Return the task's own view of an item, or one derived from the explanation.

    Its context is what is marked as shared, and what all systems have in common in the sample.
    """
    if task.presentation.rating.entry is not None:
        return task.presentation.rating.entry
    explained = [
        [_texts(task, table, row) for table, row in zip(tables, rows, strict=True)]
        for rows in sample
    ]
    every = {one.title: one.shared for row in explained for texts in row for one in texts}
    alike = {
        title
        for title in every
        if len(tables) > 1
        and all(
            len({tuple(one.text for one in texts if one.title == title) for texts in row}) == 1
            for row in explained
        )
    }
    marked = {title for title, shared in every.items() if shared}
    return partial(
        _explanation_entry, task, marked if alike | marked == set(every) else alike | marked
    )


def _texts(task: AnyTask, items: ItemTable, row: int) -> Sequence[Passage]:
    passages = task.explain(items.show(row))
    return () if [one.title for one in passages] == [UNEXPLAINED] else passages


def _explanation_entry(
    task: AnyTask, context: Collection[str], items: ItemTable, row: int
) -> RatedEntry | None:
    """Return the passages with these titles as context, and the others as the entry."""
    passages = _texts(task, items, row)
    own = [one for one in passages if one.title not in context]
    texts = [one.text if len(own) == 1 else f"{one.title}\n{one.text}" for one in own]
    shared = ((one.title, one.text) for one in passages if one.title in context and one.text)
    if not own:
        return None
    pictures = tuple(PictureRef(name) for one in passages for name in one.pictures)
    return RatedEntry(SystemOutput("\n\n".join(texts)), tuple(shared), pictures)


def _item(id: str, found: Sequence[RatedEntry], dice: random.Random | None) -> RatedItem:
    first = found[0]
    entries = [one.entry for one in found]
    if dice is not None:
        entries.append(SystemOutput(dice.choice(first.human)))
    return RatedItem(id, tuple(entries), first.pictures, first.context)
