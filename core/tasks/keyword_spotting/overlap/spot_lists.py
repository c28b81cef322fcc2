"""Relevant places of a competition, and the ranked lists of a system that are matched with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.metrics.spotting.claims import HIT, NONE, REPETITION, Verdicts, claim
from jurydesk.core.metrics.spotting.error_kinds import ErrorKinds, box_errors
from jurydesk.core.metrics.spotting.overlaps import Candidates, find_candidates
from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.metrics.spotting.spots import Spots, rank_spots
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.item_fields import Fields
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    ItemColumns,
    ShownRanks,
    columns_of_lists,
)
from jurydesk.core.tasks.keyword_spotting.overlap.protocol_choice import Protocol
from jurydesk.core.tasks.keyword_spotting.overlap.query_choice import QueryChoice
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import SpotFile

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MOST_BOXES, MOST_PAIRS = 100_000, 30_000_000
"""Listed boxes, and pairs with words of their pages, up to which other rules are tried too."""


@dataclass(frozen=True, eq=False)
class SpottingReferences:
    """Relevant places of a competition; `file` has those that decide, `words` all of them.

    A unit is a query, or a group of queries, that is averaged. `unit_of_query` is -1 for a word
    that is no query. `source` is the file as it was read.
    """

    path: str
    protocol: Protocol
    choice: QueryChoice
    file: SpotFile
    units: tuple[str, ...]
    unit_of_query: IntArray
    words: Spots
    source: SpotFile
    format: Literal["overlap"] = "overlap"
    fields: Mapping[str, Fields] = field(default_factory=dict)

    @classmethod
    def of(cls, file: SpotFile, protocol: Protocol, choice: QueryChoice) -> SpottingReferences:
        """Return the relevant places of a file; in blocks, equal ones are one."""
        renamed = file.rename(choice.names.apply(file.queries))
        spots = renamed.spots
        if protocol.rules.scored == "blocks":
            spots = _kept(spots, spots.first_of_equals())
        words = spots
        counts = np.bincount(spots.query, minlength=len(renamed.queries))
        units, numbers = number_units(renamed.queries, counts, choice, ())
        if not protocol.rules.sees_whole_page:
            spots = _kept(spots, numbers[spots.query] >= 0)
        found = replace(renamed, spots=spots)
        return cls(file.path, protocol, choice, found, units, numbers, words, file)

    @property
    def queries(self) -> tuple[str, ...]:
        """Queries, or groups of queries, that are averaged."""
        return self.units

    def keywords(self) -> IntArray | None:
        """Return None: queries of one word have one name."""
        return None

    @cached_property
    def counts(self) -> IntArray:
        """Number of relevant places (units,) of each unit."""
        units = self.unit_of_query[self.file.spots.query]
        return np.bincount(units[units >= 0], minlength=len(self.units))


def _kept(spots: Spots, kept: BoolArray) -> Spots:
    """Return the places in a mask; the same places, without a copy, if it has all of them."""
    return spots if kept.all() else spots.take(kept)


def number_units(
    queries: Sequence[str], counts: IntArray, choice: QueryChoice, known: Sequence[str]
) -> tuple[tuple[str, ...], IntArray]:
    """Return the units, the known ones first, and the number of each query's (-1 for none)."""
    units = {name: number for number, name in enumerate(known)}
    found = np.full(len(queries), NONE)
    for number, (name, count) in enumerate(zip(queries, counts.tolist(), strict=True)):
        unit = choice.unit(name, count)
        if unit is not None:
            found[number] = units.setdefault(unit, len(units))
    return tuple(units), found


class SpottingLists:
    """Ranked lists of one system: boxes or segments, matched with the relevant ones on demand."""

    def __init__(self, references: SpottingReferences, file: SpotFile, run: Run) -> None:
        self.path = file.path
        self.references = references
        self.source = file
        self.file = file.rename(references.choice.names.apply(file.queries))
        self.run = run
        self.queries = _extend(references.file.queries, self.file.queries)
        self.documents = _extend(references.file.documents, file.documents)
        counts = np.zeros(len(self.queries), np.int64)
        known = np.bincount(references.file.spots.query, minlength=len(references.file.queries))
        counts[: len(known)] = known
        self.units, self.unit_of_query = number_units(
            self.queries, counts, references.choice, references.units
        )
        self.matching = lru_cache(self._match)

    @property
    def relevant(self) -> Spots:
        """Relevant places, with those of words that are no queries."""
        return self.references.file.spots

    @property
    def is_ascending(self) -> bool:
        """Whether small scores are good: by the rules, or by the shape of the file."""
        order = self.references.protocol.rules.order
        return order == "asc" or (order == "desc" and self.file.order == "asc")

    @cached_property
    def listed(self) -> Spots:
        """Listed places of the queries that count, in the order of the file (or of its pages)."""
        query = _numbers(self.file.queries, self.queries)
        spots = self.file.spots.renumber(query, _numbers(self.file.documents, self.documents))
        spots = _kept(spots, self.unit_of_query[spots.query] >= 0)
        rules = self.references.protocol.rules
        if rules.claim == "best":
            pages = len(self.references.file.documents)
            spots = spots.take(np.argsort(spots.document, kind="stable"))
            spots = spots.take(spots.document < pages)
        if not (rules.top or rules.drop_first):
            return spots
        order = self._rank(spots, rules)
        order = order[np.argsort(spots.query[order], kind="stable")]
        rank = np.arange(len(order)) - np.searchsorted(spots.query[order], spots.query[order])
        kept = rank >= 1 if rules.drop_first else np.ones(len(rank), np.bool_)
        if rules.top:
            kept &= rank < rules.top + rules.drop_first
        return spots.take(np.sort(order[kept]))

    def _rank(self, spots: Spots, rules: SpottingRules) -> IntArray:
        order = "asc" if self.is_ascending else rules.order
        if rules.scored != "blocks":
            return rank_spots(spots, order)
        names = self._joint_order() if rules.places == "segments" else self._name_orders()
        return rank_spots(
            spots, order, query_order=names[0], document_order=names[1], single=rules.single
        )

    def _name_orders(self) -> tuple[IntArray, IntArray]:
        return _byte_order(self.queries), _byte_order(self.documents)

    def _joint_order(self) -> tuple[IntArray, IntArray]:
        """Return the numbers of queries and segments in one table, as they come in the files."""
        table: dict[str, int] = {}
        for file in (self.references.file, self.file):
            spots = file.spots
            units = [self.references.choice.unit(name, 1) for name in file.queries]
            for name in _names_by_line(file, spots, [unit is not None for unit in units]):
                table.setdefault(name, len(table))
        queries, documents = (
            np.array([table.get(name, 0) for name in names], np.int64)
            for names in (self.queries, self.documents)
        )
        return queries, documents

    def _match(self, profile: str) -> SpottingMatch:
        return self.run.call(self._matched, self.references.protocol.of_profile(profile))

    def _matched(self, rules: SpottingRules) -> SpottingMatch:
        ranked = self._rank(self.listed, rules)
        candidates = find_candidates(self.listed, self.relevant, rules)
        return SpottingMatch(self, rules, ranked, candidates)

    def hits(self, profile: str) -> Hits:
        """Return the hits of all queries of the relevance file, in its order, under a profile."""
        return self.matching(profile).hits()

    def ranked_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the first `SHOWN` items of the queries' lists, and every hit below them."""
        return self.matching(profile).ranked_items(queries)

    def missed_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the relevant items that the queries' lists lack (rank 0)."""
        return self.matching(profile).missed_items(queries)

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return what the lists suggest that the user did wrong."""
        from jurydesk.core.tasks.keyword_spotting.overlap.spotting_remarks import spotting_remarks

        return tuple(spotting_remarks(self, profile))


@dataclass(frozen=True, eq=False)
class SpottingMatch:
    """Lists of a system under rules: their order, the candidates, and the claims they lead to."""

    lists: SpottingLists
    rules: SpottingRules
    ranked: IntArray
    candidates: Candidates

    @cached_property
    def claims(self) -> Verdicts:
        """Verdict on each listed place."""
        return claim(
            self.candidates, self.lists.listed, self.lists.relevant, self.ranked, self.rules
        )

    @cached_property
    def kinds(self) -> ErrorKinds:
        """Kind of error of each listed box."""
        return box_errors(self.claims.verdict, self.lists.listed, self.lists.references.words)

    @property
    def is_large(self) -> bool:
        """Whether there are so many boxes that only the scores are computed."""
        listed, words = self.lists.listed, self.lists.references.words
        if len(listed) > MOST_BOXES:
            return True
        pages = max(len(self.lists.documents), 1)
        counts = (np.bincount(one.document, minlength=pages) for one in (listed, words))
        return int(np.prod(np.stack(list(counts)), axis=0).sum()) > MOST_PAIRS

    @cached_property
    def by_unit(self) -> tuple[IntArray, IntArray]:
        """Rows (n,) of the listed places by unit and from best to worst, and the unit of each."""
        units = self.lists.unit_of_query[self.lists.listed.query[self.ranked]]
        order = np.argsort(units, kind="stable")
        return self.ranked[order], units[order]

    @cached_property
    def as_one_list(self) -> IntArray:
        """Rows (n,) of all lists as one; ranks break ties by query, and then by the file."""
        if self.rules.scored == "blocks" or self.rules.order == "file":
            return self.ranked
        rows, units = self.by_unit
        rows = rows[units < len(self.lists.references.units)]
        scores = self.lists.listed.scores[rows]
        return rows[np.argsort(scores if self.lists.is_ascending else -scores, kind="stable")]

    def counted(self, rows: IntArray) -> BoolArray:
        """Return which of some rows have a rank: repetitions have none if they are ignored."""
        if self.rules.repeated == "miss":
            return np.ones(len(rows), np.bool_)
        found: BoolArray = self.claims.verdict[rows] != REPETITION
        return found

    @cached_property
    def relevant_counts(self) -> IntArray:
        """Number of relevant places (units,) of each unit, cut where the rules cut it."""
        counts = np.zeros(len(self.lists.units), np.int64)
        known = self.lists.references.counts
        counts[: len(known)] = known
        return np.minimum(counts, self.rules.top) if self.rules.limit_relevant else counts

    @property
    def scores(self) -> FloatArray:
        """Scores (n,) of the listed places as they are compared."""
        scores = self.lists.listed.scores
        return scores.astype(np.float32).astype(np.float64) if self.rules.single else scores

    def used_units(self) -> IntArray:
        """Return the units of the means: with a relevant place, or with a result as well."""
        relevant = self.relevant_counts > 0
        if self.rules.means_over == "listed":
            rows, units = self.by_unit
            relevant[units[self.counted(rows)]] = True
        return np.flatnonzero(relevant)

    def hits(self) -> Hits:
        """Return the hits of all units with a relevant place, in the order of the file."""
        count = len(self.lists.references.units)
        rows, units = self.by_unit
        inside = self.counted(rows) & (units < count)
        rows, units = rows[inside], units[inside]
        starts = np.searchsorted(units, np.arange(count + 1))
        rank = np.arange(len(rows)) - starts[units] + 1
        is_hit = self.claims.verdict[rows] == HIT
        hits = rank[is_hit]
        relevant = self.relevant_counts[:count]
        total = int(relevant.sum())
        return Hits(
            queries=self.lists.references.units,
            listed=np.diff(starts),
            starts=np.searchsorted(units[is_hit], np.arange(count + 1)),
            ranks=hits,
            first=hits,
            last=hits,
            gains=np.ones(len(hits)),
            relevant=np.ones(len(hits), np.bool_),
            judged_starts=np.concatenate([np.zeros(1, np.int64), np.cumsum(relevant)]),
            judged_gains=np.ones(total),
            judged_relevant=np.ones(total, np.bool_),
        )

    def ranked_items(self, units: IntArray) -> ItemColumns:
        """Return the first ranks of some units, with every hit, and what each box is."""
        rows, owners = self.by_unit
        starts = np.searchsorted(owners, units)
        lengths = np.searchsorted(owners, units, "right") - starts
        owner = np.repeat(np.arange(len(units)), lengths)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        found = rows[place + starts[owner]]
        is_hit = self.claims.verdict[found] == HIT
        shown = ShownRanks.of(lengths, owner[is_hit], place[is_hit] + 1)
        chosen = rows[starts[shown.owner] + shown.rank - 1]
        spots = self.lists.listed.take(chosen)
        target = self.claims.relevant[chosen]
        hit = self.claims.verdict[chosen] == HIT
        wanted = np.where(target >= 0, target, 0)
        relevant = self.lists.relevant
        if not len(relevant):
            target = np.full(len(chosen), NONE)
        near = relevant.boxes[wanted] if len(relevant) else np.zeros((len(chosen), 4), np.int64)
        near = np.where((target >= 0)[:, np.newaxis], near, -1)
        query = relevant.query[wanted] if len(relevant) else spots.query
        texts = [
            self.lists.queries[word] if at >= 0 else ""
            for word, at in zip(query.tolist(), target.tolist(), strict=True)
        ]
        documents = [self.lists.documents[number] for number in spots.document.tolist()]
        extra = {"box": spots.boxes, "near": near} if self.rules.places == "boxes" else {}
        return columns_of_lists(
            np.bincount(shown.owner, minlength=len(units)),
            shown.rank,
            documents,
            hit,
            np.where(hit, 1.0, np.nan),
            score=spots.scores,
            text=texts,
            overlap=self.claims.overlap[chosen],
            verdict=self.claims.verdict[chosen],
            **extra,
        )

    def missed_items(self, units: IntArray) -> ItemColumns:
        """Return the relevant places of some units that no listed one finds."""
        relevant = self.lists.relevant
        unit_of_spot = self.lists.unit_of_query[relevant.query]
        missed = np.flatnonzero(~self.claims.is_found & (unit_of_spot >= 0))
        order = missed[np.argsort(unit_of_spot[missed], kind="stable")]
        starts = np.searchsorted(unit_of_spot[order], units)
        lengths = np.searchsorted(unit_of_spot[order], units, "right") - starts
        owner = np.repeat(np.arange(len(units)), lengths)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        spots = relevant.take(order[place + starts[owner]])
        documents = [self.lists.documents[number] for number in spots.document.tolist()]
        count = len(spots)
        extra = {"box": spots.boxes} if self.rules.places == "boxes" else {}
        return columns_of_lists(
            lengths,
            np.zeros(count, np.int64),
            documents,
            np.zeros(count, np.bool_),
            np.ones(count),
            text=[self.lists.queries[number] for number in spots.query.tolist()],
            **extra,
        )


def _extend(known: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *names)))


def _numbers(names: Sequence[str], known: Sequence[str]) -> IntArray:
    places = {name: number for number, name in enumerate(known)}
    return np.array([places[name] for name in names], np.int64)


def _byte_order(names: Sequence[str]) -> IntArray:
    """Return the place of each name among all in the order of their bytes."""
    order = sorted(range(len(names)), key=lambda number: names[number].encode())
    found = np.empty(len(names), np.int64)
    found[order] = np.arange(len(names))
    return found


def _names_by_line(file: SpotFile, spots: Spots, wanted: Sequence[bool]) -> list[str]:
    """Return the names of segments and queries in the order in which lines bring them."""
    kept = spots.take(np.array(wanted, np.bool_)[spots.query]) if len(wanted) else spots
    found = []
    for names, numbers, after in (
        (file.documents, kept.document, 0),
        (file.queries, kept.query, 1),
    ):
        seen, first = np.unique(numbers, return_index=True)
        places = (2 * first + after).tolist()
        found += [(at, names[number]) for at, number in zip(places, seen.tolist(), strict=True)]
    return [name for _, name in sorted(found)]
