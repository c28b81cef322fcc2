"""Ranked lists of a system in ICFHR XML, matched with the relevance file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.model.defects import Defect, Place, counted, name_list, note, warning
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tasks.keyword_spotting.icfhr.word_match import Matcher, Matching
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, WordResults
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import SHOWN, RankedItem

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

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

    def ranked(self, query: int, profile: str) -> Sequence[RankedItem]:
        """Return the first `SHOWN` items of a query's list, and every hit below them."""
        matching = self._matching(profile)
        hits = _hits_of(matching, query)
        ranks_hit = matching.hits.ranks[hits].tolist()
        judged = {rank: hits.start + index for index, rank in enumerate(ranks_hit)}
        shown = range(1, min(int(matching.hits.listed[query]), SHOWN) + 1)
        ranks = sorted({*shown, *judged})
        return [self._item(matching, query, rank, judged.get(rank)) for rank in ranks]

    def missed(self, query: int, profile: str) -> Sequence[RankedItem]:
        """Return the relevant items that a query's list lacks (rank 0)."""
        matching = self._matching(profile)
        counted = slice(*matching.hits.judged_starts[query : query + 2].tolist())
        found = set(matching.judged[_hits_of(matching, query)].tolist())
        words, texts = self._judgements.words, self._judgements.texts
        rows, gains = matching.counted[counted], matching.hits.judged_gains[counted]
        return [
            RankedItem(0, words.name(row), False, gain, box=words.box(row), text=texts[row])
            for row, gain in zip(rows.tolist(), gains.tolist(), strict=True)
            if row not in found
        ]

    def _item(self, matching: Matching, query: int, rank: int, hit: int | None) -> RankedItem:
        row = int(matching.first[query]) + rank - 1
        words = self._results.words
        name, box = words.name(row), words.box(row)
        if hit is None:
            return RankedItem(rank, name, False, box=box)
        text = self._judgements.texts[matching.judged[hit]]
        return RankedItem(rank, name, True, float(matching.hits.gains[hit]), box=box, text=text)

    def defects(self, profile: str) -> tuple[Defect, ...]:
        """Return where the profiles differ on this file, and lists that are short."""
        if profile == "icfhr":
            return self._short_lists(profile)
        return (*self._elsewhere(profile), *self._repeated(profile), *self._short_lists(profile))

    def _elsewhere(self, profile: str) -> tuple[Defect, ...]:
        rows = self._matcher.listed_elsewhere
        if profile != "published" or not len(rows):
            return ()
        found = (
            f"{counted(len(rows), 'word has', 'words have')} the box of a relevant word "
            f"on another page, in {self._queries_of(rows)}."
        )
        expected = "Each counts as a hit, because the published program ignores the document."
        hint = "--profile corrected asks for the same document."
        return (warning(self._place(rows[0]), found, expected, hint, count=len(rows)),)

    def _repeated(self, profile: str) -> tuple[Defect, ...]:
        listed, judged = self._matcher.with_equal_document
        rows = listed[_is_repeated(judged)]
        if not len(rows):
            return ()
        found = (
            f"{counted(len(rows), 'relevant word is', 'relevant words are')} listed again, "
            f"in {self._queries_of(rows)}."
        )
        expected, hint = "Each repetition is a miss.", ""
        if profile == "published":
            expected = "Each repetition is a hit in the published program; AP can exceed 1."
            hint = "--profile corrected counts the first alone."
        return (warning(self._place(rows[0]), found, expected, hint, count=len(rows)),)

    def _short_lists(self, profile: str) -> tuple[Defect, ...]:
        hits = self.hits(profile)
        short = np.flatnonzero((hits.listed > 0) & (hits.listed < SHORT))
        if not len(short):
            return ()
        names = name_list([f'"{hits.queries[index]}"' for index in short.tolist()])
        queries = counted(len(short), "query lists", "queries list")
        found = f"{queries} fewer than {SHORT} words: {names}."
        hint = {
            "published": "Misses fill up the list; rusteval itself stops at such a file.",
            "corrected": "Misses fill up the list.",
            "icfhr": "Precision is divided by the length of the list.",
        }[profile]
        first = int(self._matching(profile).first[short[0]])
        return (note(self._place(first), found, hint, count=len(short)),)

    def _place(self, row: int | np.int64) -> Place:
        return Place(self.path, int(self._results.words.lines[row]))

    def _queries_of(self, rows: IntArray) -> str:
        found = np.searchsorted(self._results.starts, rows, side="right") - 1
        blocks = sorted(set(found.tolist()))
        names = name_list([f'"{self._results.queries[index]}"' for index in blocks])
        return f"query {names}" if len(blocks) == 1 else f"queries {names}"


def _hits_of(matching: Matching, query: int) -> slice:
    start, stop = matching.hits.starts[query : query + 2].tolist()
    return slice(start, stop)


def _is_repeated(judged: IntArray) -> BoolArray:
    """Return which rows name a judged word that an earlier row has named."""
    repeated = np.ones(len(judged), np.bool_)
    repeated[np.unique(judged, return_index=True)[1]] = False
    return repeated
