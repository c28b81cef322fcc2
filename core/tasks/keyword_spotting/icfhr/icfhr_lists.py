"""Ranked lists of a system in ICFHR XML, matched with the relevance file."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.metrics.ranking.hits import rows_of_groups
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tasks.keyword_spotting.icfhr.word_match import Matcher, Matching
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, WordResults
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    ItemColumns,
    ShownRanks,
    columns_of_lists,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

SAMPLED_WORDS = 1000
SHORT = 10
"""Number of words that precAt10 needs."""


class XmlLists:
    """Ranked lists of one system, matched under each profile on demand."""

    def __init__(self, judgements: Judgements, results: WordResults, run: Run) -> None:
        self.path = results.path
        self._judgements = judgements
        self._results = results
        self._run = run
        self._matcher = Matcher(judgements, results)
        self._matching = lru_cache(self._match)

    def hits(self, profile: str) -> Hits:
        """Return the hits of all queries of the relevance file, in its order, under a profile."""
        return self._matching(profile).hits

    def _match(self, profile: str) -> Matching:
        return self._run.call(self._matcher.match, profile)

    def ranked_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the first `SHOWN` items of the queries' lists, and every hit below them."""
        matching = self._matching(profile)
        rows, starts = rows_of_groups(matching.hits.starts, queries)
        owner = np.repeat(np.arange(len(queries)), np.diff(starts))
        ranks = matching.hits.ranks[rows]
        shown = ShownRanks.of(matching.hits.listed[queries], owner, ranks)
        words = self._results.words.take(matching.first[queries][shown.owner] + shown.rank - 1)
        places = shown.find(owner, ranks)
        hit = np.zeros(len(words), np.bool_)
        hit[places] = True
        gain = np.full(len(words), np.nan)
        gain[places] = matching.hits.gains[rows]
        texts = [""] * len(words)
        for place, row in zip(places.tolist(), matching.judged[rows].tolist(), strict=True):
            texts[place] = self._judgements.texts[row]
        counts = np.bincount(shown.owner, minlength=len(queries))
        return columns_of_lists(
            counts, shown.rank, words.names(), hit, gain, box=words.boxes, text=texts
        )

    def missed_items(self, queries: IntArray, profile: str) -> ItemColumns:
        """Return the relevant items that the queries' lists lack (rank 0)."""
        matching = self._matching(profile)
        judged, starts = rows_of_groups(matching.hits.judged_starts, queries)
        lacks = ~np.isin(matching.counted[judged], matching.judged)
        owner = np.repeat(np.arange(len(queries)), np.diff(starts))[lacks]
        rows = matching.counted[judged[lacks]]
        words = self._judgements.words.take(rows)
        return columns_of_lists(
            np.bincount(owner, minlength=len(queries)),
            np.zeros(len(rows), np.int64),
            words.names(),
            np.zeros(len(rows), np.bool_),
            matching.hits.judged_gains[judged[lacks]],
            box=words.boxes,
            text=[self._judgements.texts[row] for row in rows.tolist()],
        )

    @property
    def count(self) -> int:
        """Number of listed words."""
        return len(self._results.words)

    def names_of(self, query: int) -> tuple[list[str], list[str]]:
        """Return the documents of the listed and of the judged words of a query."""
        listed, judged = self._rows_of(query)
        return self._results.words.take(listed).names(), self._judgements.words.take(judged).names()

    def nearest_boxes(self, query: int) -> tuple[int, str, str] | None:
        """Return the smallest difference of boxes on a page in pixels, and both boxes as text."""
        listed, judged = self._rows_of(query)
        own, its = self._results.words.take(listed), self._judgements.words.take(judged)
        is_same = np.array(own.names(), object)[:, None] == np.array(its.names(), object)[None]
        boxes, others = own.boxes.astype(np.int64), its.boxes.astype(np.int64)
        distances = np.abs(boxes[:, None] - others[None]).max(axis=2)
        if not is_same.any():
            return None
        distances = np.where(is_same, distances, np.iinfo(np.int64).max)
        one, other = np.unravel_index(int(distances.argmin()), distances.shape)
        found = int(distances[one, other])
        return found, str(boxes[one].tolist()), str(others[other].tolist())

    def _rows_of(self, query: int) -> tuple[IntArray, IntArray]:
        """Return the first listed words and the judged words of a query, by its number."""
        matching, judgements = self._matching("published"), self._judgements
        first, length = int(matching.first[query]), int(matching.hits.listed[query])
        last = first + min(length, SAMPLED_WORDS)
        judged = np.arange(*judgements.starts[query : query + 2])[:SAMPLED_WORDS]
        return np.arange(first, last), judged

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return where the profiles differ on this file, and lists that are short."""
        if profile == "icfhr":
            return self._short_lists(profile)
        return (
            *self._listed_elsewhere_defects(profile),
            *self._repeated_word_defects(profile),
            *self._short_lists(profile),
        )

    def _listed_elsewhere_defects(self, profile: str) -> tuple[Defect, ...]:
        rows = self._matcher.listed_elsewhere
        if profile != "published" or not len(rows):
            return ()
        found = fill(
            "{words_have} the box of a relevant word on another page, in {queries_phrase}.",
            counted(len(rows), "word has", "words have"),
            self._queries_phrase(rows),
        )
        expected = "Each counts as a hit, because the published program ignores the document."
        hint = reason("--profile corrected asks for the same document.")
        return (warning(self._place(rows[0]), found, expected, hint, count=len(rows)),)

    def _repeated_word_defects(self, profile: str) -> tuple[Defect, ...]:
        listed, judged = self._matcher.with_equal_document
        rows = listed[_is_repeated(judged)]
        if not len(rows):
            return ()
        found = fill(
            "{relevant_words_are} listed again, in {queries_phrase}.",
            counted(len(rows), "relevant word is", "relevant words are"),
            self._queries_phrase(rows),
        )
        expected, hint = "Each repetition is a miss.", ""
        if profile == "published":
            expected = "Each repetition is a hit in the published program; AP can exceed 1."
            hint = reason("--profile corrected counts the first alone.")
        return (warning(self._place(rows[0]), found, expected, hint, count=len(rows)),)

    def _short_lists(self, profile: str) -> tuple[Defect, ...]:
        hits = self.hits(profile)
        short = np.flatnonzero((hits.listed > 0) & (hits.listed < SHORT))
        if not len(short):
            return ()
        names = name_list([f'"{hits.queries[index]}"' for index in short.tolist()])
        queries = counted(len(short), "query lists", "queries list")
        found = fill("{queries} fewer than {short} words: {names}.", queries, SHORT, names)
        hint = {
            "published": "Misses fill up the list; rusteval itself stops at such a file.",
            "corrected": "Misses fill up the list.",
            "icfhr": "Precision is divided by the length of the list.",
        }[profile]
        first = int(self._matching(profile).first[short[0]])
        return (note(self._place(first), found, hint, count=len(short)),)

    def _place(self, row: int | np.int64) -> Place:
        return Place(self.path, int(self._results.words.lines[row]))

    def _queries_phrase(self, rows: IntArray) -> str:
        found = np.searchsorted(self._results.starts, rows, side="right") - 1
        blocks = sorted(set(found.tolist()))
        names = name_list([f'"{self._results.queries[index]}"' for index in blocks])
        return fill("query {names}", names) if len(blocks) == 1 else fill("queries {names}", names)


def _is_repeated(judged: IntArray) -> BoolArray:
    """Return which rows name a judged word that an earlier row has named."""
    repeated = np.ones(len(judged), np.bool_)
    repeated[np.unique(judged, return_index=True)[1]] = False
    return repeated
