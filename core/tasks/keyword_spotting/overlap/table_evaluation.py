"""Evaluation of tables of events, as kws-assessment computes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from jurydesk.core.language import counted, fill, reason, translatable
from jurydesk.core.metrics.spotting.event_table import (
    NOT_FOUND,
    EventTable,
    Levels,
    table_scores,
    word_precisions,
)
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import (
    Curve,
    Evaluation,
    FloatArray,
    IntArray,
    ItemTable,
    Score,
)
from jurydesk.core.model.evidence_columns import ColumnEvidence, EvidenceColumn, EvidenceColumns
from jurydesk.core.tasks.item_fields import Fields
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    RankedList,
    ShownRanks,
    columns_of_lists,
    list_columns,
)
from jurydesk.core.tasks.keyword_spotting.overlap.protocol_choice import Protocol
from jurydesk.core.tasks.keyword_spotting.overlap.query_choice import QueryChoice
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import (
    SpotFile,
    TableFile,
    number_names,
)
from jurydesk.core.tasks.keyword_spotting.overlap.spotting_figures import marked_curve

if TYPE_CHECKING:
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions


@dataclass(frozen=True, slots=True, eq=False)
class TableReferences:
    """Relevance of a table: with the results (`segments` is None), or apart from them.

    `words` is the word list, if there is one, whose pairs with all lines are events.
    """

    path: str
    protocol: Protocol
    choice: QueryChoice
    words: tuple[str, ...] | None = None
    segments: SpotFile | None = None
    format: Literal["overlap"] = "overlap"
    fields: Mapping[str, Fields] = field(default_factory=dict)

    @property
    def queries(self) -> tuple[str, ...]:
        """Words of the list, if there is one."""
        return self.words or ()

    def keywords(self) -> IntArray | None:
        """Return None: each word is a keyword."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class TableLists:
    """Events of one system: `file` has those of all words, `words` are the ones that count."""

    references: TableReferences
    file: TableFile
    words: tuple[str, ...]
    events: EventTable
    rows: IntArray

    @property
    def path(self) -> str:
        """Path of the file, for the places of defects."""
        return self.file.path


def join_table(references: TableReferences, listed: SpotFile) -> TableFile:
    """Return the table of segments that are listed and those that are relevant.

    A relevant pair that is not listed gets the score -1, for not found.
    """
    relevant = references.segments
    words = dict.fromkeys((*(relevant.queries if relevant else ()), *listed.queries))
    places = dict.fromkeys((*(relevant.documents if relevant else ()), *listed.documents))
    files = (listed,) if relevant is None else (listed, relevant)
    known = {name: number for number, name in enumerate(words)}
    spots = {name: number for number, name in enumerate(places)}
    size = max(len(spots), 1)
    keys = []
    for file in files:
        query = np.array([known[name] for name in file.queries], np.int64)[file.spots.query]
        place = np.array([spots[name] for name in file.documents], np.int64)[file.spots.document]
        keys.append(query * size + place)
    wanted = np.unique(keys[1]) if relevant is not None else np.empty(0, np.int64)
    missed = np.setdiff1d(wanted, keys[0])
    key = np.concatenate([keys[0], missed])
    return TableFile(
        listed.path,
        tuple(words),
        tuple(places),
        key // size,
        key % size,
        np.concatenate([np.isin(keys[0], wanted), np.ones(len(missed), np.bool_)]),
        np.concatenate([listed.spots.scores, np.full(len(missed), NOT_FOUND)]),
        np.concatenate([listed.spots.lines, np.zeros(len(missed), np.int64)]),
    )


def table_lists(
    references: TableReferences, file: TableFile, options: KeywordSpottingOptions
) -> TableLists:
    """Return the events of the words that count; other words' lines count as lines."""
    choice = references.choice
    names = choice.names.apply(file.words)
    counts = np.bincount(file.word[file.relevant], minlength=len(names))
    listed = None if references.words is None else dict.fromkeys(references.words)
    kept = [
        (listed is None or name in listed) and choice.unit(name, count) is not None
        for name, count in zip(names, counts.tolist(), strict=True)
    ]
    inside = [name for name, is_kept in zip(names, kept, strict=True) if is_kept]
    words, _ = number_names([*(listed or ()), *inside])
    numbers = {name: number for number, name in enumerate(words)}
    number = np.array([numbers.get(name, -1) for name in names], np.int64)
    is_kept = np.array(kept, np.bool_)
    rows = np.flatnonzero(is_kept[file.word]) if len(names) else np.empty(0, np.int64)
    word = number[file.word[rows]] if len(names) else np.empty(0, np.int64)
    scores = file.scores[rows]
    lowest = NOT_FOUND if options.keep_negative else 0.0
    scores = np.where(scores < 0, lowest, scores)
    added = np.zeros(len(words), np.int64)
    if listed is not None:
        lines = len(file.places) if options.lines is None else options.lines
        added = lines - np.bincount(word, minlength=len(words))
    events = EventTable(word, file.relevant[rows], scores, added)
    return TableLists(references, file, words, events, rows)


def evaluate_table(lists: TableLists, options: KeywordSpottingOptions) -> Evaluation:
    """Return the measures of a table, with a row for each word."""
    corrected = options.profile == "corrected"
    rules = lists.references.protocol.rules
    scores, levels = table_scores(lists.events, rules, corrected=corrected)
    scores["ap"] = scores["MAP"]
    values = word_precisions(lists.events, rules, corrected=corrected)
    events = np.bincount(lists.events.word, minlength=len(lists.words))
    relevant = np.bincount(lists.events.word[lists.events.relevant], minlength=len(lists.words))
    count = int((~np.isnan(values)).sum())
    spread = float(np.nanstd(values)) if count else float("nan")
    columns = {
        **dict.fromkeys(("MAP", "AP", "ap"), values),
        "relevant": relevant.astype(np.float64),
        "events": events.astype(np.float64),
    }
    return Evaluation(
        task="keyword-spotting",
        system="",
        profile=options.profile,
        scores=tuple(
            Score(name, value, count, spread if name in ("MAP", "ap") else float("nan"))
            for name, value in scores.items()
        ),
        items=ItemTable(
            ids=lists.words,
            columns=columns,
            evidence=ColumnEvidence(partial(_evidence, lists, values), RankedList.from_row),
            noun="query",
        ),
        figures=(_level_curve(levels),) if len(levels.scores) else (),
        defects=tuple(table_remarks(lists)),
    )


def _level_curve(levels: Levels) -> Curve:
    title = translatable("Precision and recall over the scores")
    return marked_curve(levels.recall, levels.precision, "recall_precision_levels", title)


def _evidence(lists: TableLists, values: FloatArray) -> tuple[EvidenceColumns]:
    """Return the evidence columns of the words: their lines, from the highest score down."""
    events = lists.events
    found = np.flatnonzero(events.score >= 0)
    order = found[np.lexsort((-events.score[found], events.word[found]))]
    count = len(lists.words)
    listed = np.bincount(events.word[order], minlength=count)
    starts = np.cumsum(listed) - listed
    rank = np.arange(len(order)) - np.repeat(starts, listed) + 1
    is_hit = events.relevant[order]
    shown = ShownRanks.of(listed, events.word[order][is_hit], rank[is_hit])
    chosen = order[starts[shown.owner] + shown.rank - 1]
    missed = np.flatnonzero((events.score < 0) & events.relevant)
    missed = missed[np.argsort(events.word[missed], kind="stable")]

    def columns(rows: IntArray, owner: IntArray, ranks: IntArray) -> dict[str, EvidenceColumn]:
        places = lists.file.place[lists.rows[rows]].tolist()
        relevant = events.relevant[rows]
        return columns_of_lists(
            np.bincount(owner, minlength=count),
            ranks,
            [lists.file.places[place] for place in places],
            relevant & (ranks > 0),
            relevant.astype(np.float64),
            score=events.score[rows],
        )

    relevant = np.bincount(events.word[events.relevant], minlength=count)
    return (
        EvidenceColumns(
            {
                "query": EvidenceColumn.texts(lists.words),
                "listed": EvidenceColumn(listed),
                "relevant": EvidenceColumn(relevant),
                **list_columns(
                    columns(chosen, shown.owner, shown.rank),
                    columns(missed, events.word[missed], np.zeros(len(missed), np.int64)),
                ),
                "ap": EvidenceColumn(values),
                "scores": EvidenceColumn(events.score[order], listed),
                **_relevant_ranks(events.word[order][is_hit], rank[is_hit], count),
            }
        ),
    )


def _relevant_ranks(owner: IntArray, rank: IntArray, count: int) -> dict[str, EvidenceColumn]:
    """Return the ranks of the relevant events of `count` words, in the columns of pairs."""
    counts = np.bincount(owner, minlength=count)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    return {
        "pair_rank": EvidenceColumn(rank, counts),
        "pair_target": EvidenceColumn(np.arange(len(rank)) - starts, counts),
        "pair_overlap": EvidenceColumn(np.ones(len(rank)), counts),
    }


def table_remarks(lists: TableLists) -> Iterator[Defect]:
    """Yield pairs that are twice in the table, and whether missed words seem to be left out."""
    file, rows = lists.file, lists.rows
    key = file.word[rows] * max(len(file.places), 1) + file.place[rows]
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[inverse] != np.arange(len(key)))
    if len(again):
        one = int(again[0])
        line, before = int(file.lines[rows[one]]), int(file.lines[rows[first[inverse[one]]]])
        found = fill(
            "{pairs} twice in the table (line {line} repeats line {before}).",
            counted(len(again), "pair of line and word is", "pairs of line and word are"),
            line,
            before,
        )
        place = Place(file.path, line)
        yield warning(place, found, "Each row counts.", "Remove the repetitions.", count=len(again))
    events = lists.events
    if (
        len(events.score)
        and events.relevant.any()
        and not (events.score[events.relevant] <= 0).any()
    ):
        found = "Every relevant pair of the table has a score above 0."
        hint = reason(
            "A missed pair must be there with score -1; one that is left out does not count."
        )
        yield warning(Place(file.path), found, "Are missed words left out?", hint)
