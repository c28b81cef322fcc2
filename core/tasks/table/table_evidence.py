"""Evidence of an item of a table: its texts, those of the system, slices and picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from jurydesk.core.competition.rating_design import PictureRef, RatedEntry, SystemOutput
from jurydesk.core.competition.task import ItemListEntry
from jurydesk.core.model.evaluation import ItemTable, Json, Passage
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    EvidenceRow,
)
from jurydesk.core.tasks.table.table_reader import TableSystem

SLICE, TEXT, SHARED, REFERENCE = "slice:", "text:", "shared:", "reference:"
PICTURE = "picture"
"""Beginnings of the names of columns of evidence, before the title."""
MOST_TITLES = 40
"""Texts of an item of each kind; a block of evidence has at most 100 columns."""


@dataclass(frozen=True, slots=True)
class TableEvidence:
    """Texts of an item by the names of the columns of evidence."""

    texts: Mapping[str, str]

    @classmethod
    def from_row(cls, row: EvidenceRow) -> TableEvidence:
        """Return the evidence of a stored row; TypeError for other values."""
        if not all(isinstance(text, str) for text in row.values()):
            raise TypeError("the texts of an item are no texts")
        return cls(dict(row))

    def to_json(self) -> Json:
        """Return the texts by name."""
        return dict(self.texts)

    def titled(self, kind: str) -> dict[str, str]:
        """Return the texts of a kind by title."""
        named = self.texts.items()
        return {name.removeprefix(kind): text for name, text in named if name.startswith(kind)}

    @property
    def picture(self) -> str:
        """Name of the picture file; empty without one."""
        return self.texts.get(PICTURE, "")


def evidence_of(system: TableSystem) -> ColumnEvidence | None:
    """Return the evidence of the items of a system; None if its table has no texts."""
    facts = system.facts
    shared = {
        **_named(SLICE, facts.slices),
        **_named(SHARED, facts.shared),
        **_named(REFERENCE, facts.references),
        **({} if facts.pictures is None else {PICTURE: facts.pictures}),
    }
    own = _named(TEXT, system.texts)
    parts = [part for part in (shared, own) if part]
    return ColumnEvidence(partial(_columns, parts), TableEvidence.from_row) if parts else None


def _named(kind: str, texts: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    return {f"{kind}{title}": cells for title, cells in list(texts.items())[:MOST_TITLES]}


def _columns(parts: Sequence[Mapping[str, Sequence[str]]]) -> tuple[EvidenceColumns, ...]:
    return tuple(
        EvidenceColumns({name: EvidenceColumn.texts(cells) for name, cells in part.items()})
        for part in parts
    )


def explain_item(evidence: object) -> tuple[Passage, ...]:
    """Return the texts of an item: those that systems share, then the system's, then slices."""
    if not isinstance(evidence, TableEvidence):
        return ()
    shown = []
    if name := evidence.picture:
        shown.append(Passage("Picture", name, shared=True, pictures=(name,)))
    known = {**evidence.titled(SHARED), **evidence.titled(REFERENCE)}
    shown += [Passage(name, text, shared=True) for name, text in known.items()]
    shown += [Passage(name, text) for name, text in evidence.titled(TEXT).items()]
    shown += [Passage(name, text, shared=True) for name, text in evidence.titled(SLICE).items()]
    return tuple(shown)


def list_item(evidence: object) -> ItemListEntry:
    """Return the first text of an item that all systems share, and its picture."""
    if not isinstance(evidence, TableEvidence):
        return ItemListEntry("")
    texts = [*evidence.titled(SHARED).values(), *evidence.titled(TEXT).values()]
    return ItemListEntry(next(filter(None, texts), ""), evidence.picture)


def rated_text(table: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's text for rating; None if the table has none."""
    evidence = table.show(row)
    if not isinstance(evidence, TableEvidence):
        return None
    texts = evidence.titled(TEXT)
    pictures = (PictureRef(evidence.picture),) if evidence.picture else ()
    if not any(texts.values()):
        return None
    title, *others = texts
    shown = texts[title] if not others else "\n".join(filter(None, texts.values()))
    context = tuple((name, text) for name, text in evidence.titled(SHARED).items() if text)
    return RatedEntry(SystemOutput(shown), context, pictures)


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the slices of the items by title, computed on demand."""
    first = items.show(0) if len(items) else None
    if not isinstance(first, TableEvidence):
        return {}

    def cells(title: str) -> list[str]:
        shown = (items.show(row) for row in range(len(items)))
        return [
            one.texts.get(f"{SLICE}{title}", "") if isinstance(one, TableEvidence) else ""
            for one in shown
        ]

    return {title: partial(cells, title) for title in first.titled(SLICE)}
