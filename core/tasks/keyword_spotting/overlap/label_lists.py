"""Ranked lists of labelled words, as PHOCNet ranks them: items of an equal label are relevant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.metrics.spotting.spots import rank_spots
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tasks.item_fields import Fields
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    ItemColumns,
    ShownRanks,
    columns_of_lists,
)
from jurydesk.core.tasks.keyword_spotting.overlap.protocol_choice import Protocol
from jurydesk.core.tasks.keyword_spotting.overlap.query_choice import QueryChoice
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import SpotFile


@dataclass(frozen=True, slots=True, eq=False)
class LabelReferences:
    """Labels of the items of a competition by their names."""

    path: str
    protocol: Protocol
    choice: QueryChoice
    labels: dict[str, str]
    format: Literal["overlap"] = "overlap"
    fields: Mapping[str, Fields] = field(default_factory=dict)

    @classmethod
    def of(cls, file: SpotFile, protocol: Protocol, choice: QueryChoice) -> LabelReferences:
        """Return the labels of a file, spelled as they are compared."""
        names = choice.names.apply(file.queries)
        pairs = zip(file.spots.document.tolist(), file.spots.query.tolist(), strict=True)
        labels = {file.documents[item]: names[label] for item, label in pairs}
        return cls(file.path, protocol, choice, labels)

    @property
    def queries(self) -> tuple[str, ...]:
        """Return no query: the results name them."""
        return ()

    def keywords(self) -> IntArray | None:
        """Return None: the results name the queries."""
        return None

    def label_of_query(self, query: str) -> str:
        """Return the label of an item, or a query that is a label itself."""
        known = self.labels.get(query)
        return self.choice.names.apply([query])[0] if known is None else known


@dataclass(frozen=True, slots=True, eq=False)
class LabelRanking:
    """Listed rows (n,) by query and rank, the query of each, and whether its label is equal."""

    rows: IntArray
    owner: IntArray
    is_hit: BoolArray


class LabelLists:
    """Ranked lists of items of one system."""

    def __init__(self, references: LabelReferences, file: SpotFile) -> None:
        self.path = file.path
        self.references = references
        self._file = file
        self._ranking = lru_cache(self._rank)
        choice = references.choice
        self._kept = np.array(
            [choice.unit(references.label_of_query(name), 1) is not None for name in file.queries],
            np.bool_,
        )
        self.queries = tuple(
            name for name, is_kept in zip(file.queries, self._kept, strict=True) if is_kept
        )

    def _rank(self, profile: str) -> LabelRanking:
        """Return the lists; the first of each is left out if the rules ask for it.

        Corrected leaves out the item that is the query, wherever it is ranked.
        """
        spots, file, rules = self._file.spots, self._file, self.references.protocol.rules
        place = np.cumsum(self._kept) - 1
        order = rank_spots(spots, rules.order)
        order = order[self._kept[spots.query[order]]]
        order = order[np.argsort(spots.query[order], kind="stable")]
        owner = place[spots.query[order]]
        if rules.drop_first and profile == "corrected":
            same = np.array([name in file.documents for name in file.queries], np.bool_)
            items = {name: number for number, name in enumerate(file.documents)}
            own = np.array([items.get(name, -1) for name in file.queries], np.int64)
            kept = ~same[spots.query[order]] | (spots.document[order] != own[spots.query[order]])
        else:
            rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
            kept = rank >= int(rules.drop_first)
        order, owner = order[kept], owner[kept]
        if rules.top:
            inside = np.arange(len(owner)) - np.searchsorted(owner, owner) < rules.top
            order, owner = order[inside], owner[inside]
        labels = self.references.labels
        wanted = [self.references.label_of_query(name) for name in self.queries]
        given = [labels.get(name) for name in file.documents]
        names = {name: number for number, name in enumerate(dict.fromkeys([*wanted, *given]))}
        of_query = np.array([names[one] for one in wanted], np.int64)
        of_item = np.array([names[one] for one in given], np.int64)
        is_hit = np.zeros(0, np.bool_)
        if len(order):
            known = np.array([one is not None for one in given], np.bool_)
            items_listed = spots.document[order]
            is_hit = (of_query[owner] == of_item[items_listed]) & known[items_listed]
        return LabelRanking(order, owner, is_hit)

    def hits(self, profile: str) -> Hits:
        """Return the hits of all listed queries; what is relevant is what the list has."""
        found = self._ranking(profile)
        count = len(self.queries)
        starts = np.searchsorted(found.owner, np.arange(count + 1))
        rank = np.arange(len(found.owner)) - starts[found.owner] + 1
        hits = rank[found.is_hit]
        of_hits = np.searchsorted(found.owner[found.is_hit], np.arange(count + 1))
        ones = np.ones(len(hits))
        are = np.ones(len(hits), np.bool_)
        return Hits(
            self.queries, np.diff(starts), of_hits, hits, hits, hits, ones, are, of_hits, ones, are
        )

    def ranked_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the first `SHOWN` items of the queries' lists, and every hit below them."""
        found = self._ranking(profile)
        starts = np.searchsorted(found.owner, queries)
        lengths = np.searchsorted(found.owner, queries, "right") - starts
        owner = np.repeat(np.arange(len(queries)), lengths)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        is_hit = found.is_hit[place + starts[owner]]
        shown = ShownRanks.of(lengths, owner[is_hit], place[is_hit] + 1)
        at = starts[shown.owner] + shown.rank - 1
        rows = found.rows[at]
        names = [self._file.documents[item] for item in self._file.spots.document[rows].tolist()]
        labels = self.references.labels
        return columns_of_lists(
            np.bincount(shown.owner, minlength=len(queries)),
            shown.rank,
            names,
            found.is_hit[at],
            np.where(found.is_hit[at], 1.0, np.nan),
            score=self._file.spots.scores[rows],
            text=[labels.get(name, "") for name in names],
        )

    def missed_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return no items: what is relevant is what the list has."""
        nothing = np.empty(0, np.int64)
        none = np.zeros(len(queries), np.int64)
        return columns_of_lists(none, nothing, [], np.empty(0, np.bool_), np.empty(0), text=[])

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return a warning for listed items without a label."""
        unknown = [name for name in self._file.documents if name not in self.references.labels]
        if not unknown:
            return ()
        count = counted(len(unknown), "listed item has", "listed items have")
        found = fill("{items} no label: {names}.", count, name_list(unknown))
        effect = "They are relevant for no query."
        hint = "Check that both files name the items alike."
        return (warning(Place(self.path), found, effect, hint, count=len(unknown)),)
