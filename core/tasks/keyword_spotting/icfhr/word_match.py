"""Matching of listed words with relevant words, by the rules of each profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, WordResults

Column = npt.NDArray[np.integer[Any]]
Pairs = tuple[IntArray, IntArray]
"""Rows of the results and of the relevance file, in the order of both files."""

MOST_PAIRS = 2**21
PIECE = 2**16
_FACTORS = [np.uint64(pow(0x9E3779B97F4A7C15, 2 * n + 1, 2**64)) for n in range(8)]
_FILTER_BITS = np.uint64(18)
"""Bits of the filter: few false positives for 5,000 words, and it fits the CPU cache."""


def equal_rows(listed: Sequence[Column], judged: Sequence[Column]) -> Iterator[Pairs]:
    """Yield all pairs of rows with equal values in every column, a few million at a time.

    `judged` is the small side. A pair is proposed by a key of its values and then compared value
    by value, so that a collision of keys costs time and nothing else.
    """
    judged_keys = _keys(judged)
    order = np.argsort(judged_keys, kind="stable")
    ordered = judged_keys[order]
    rows = _possible_rows(listed, ordered)
    wanted = _keys([column[rows] for column in listed])
    lows, highs = np.searchsorted(ordered, wanted), np.searchsorted(ordered, wanted, side="right")
    for chunk in _chunks(highs - lows):
        counts = (highs - lows)[chunk]
        listed_rows = np.repeat(rows[chunk], counts)
        within = np.arange(len(listed_rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        judged_rows = order[np.repeat(lows[chunk], counts) + within]
        agree = np.ones(len(listed_rows), np.bool_)
        for left, right in zip(listed, judged, strict=True):
            agree &= left[listed_rows] == right[judged_rows]
        yield listed_rows[agree], judged_rows[agree]


def _keys(columns: Sequence[Column]) -> npt.NDArray[np.uint64]:
    keys = np.zeros(len(columns[0]), np.uint64)
    for column, factor in zip(columns, _FACTORS, strict=False):
        keys += column.astype(np.uint64) * factor
    return keys


def _possible_rows(
    columns: Sequence[Column], wanted: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    """Return the candidate rows: those whose key shares its leading bits with a wanted key.

    The columns are looked at in pieces that stay in the processor's cache.
    """
    shift = np.uint64(64) - _FILTER_BITS
    possible = np.zeros(2 ** int(_FILTER_BITS), np.bool_)
    possible[wanted >> shift] = True
    found = [np.empty(0, np.int64)]
    for start in range(0, len(columns[0]), PIECE):
        keys = _keys([column[start : start + PIECE] for column in columns])
        found.append(np.flatnonzero(possible[keys >> shift]) + start)
    return np.concatenate(found)


def _chunks(counts: IntArray) -> Iterator[slice]:
    """Yield ranges of rows that make about `MOST_PAIRS` pairs each."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + MOST_PAIRS, side="right")))
        yield slice(start, end)
        start = end


OVERLAP = 0.7  # of the relevant box, to be exceeded; ICFHR 2014 evaluation tool


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Hits of all queries of a relevance file, in its order, with their words.

    Row `j` of `hits.ranks` is the word `listed[j]` of the results and the word `judged[j]` of the
    relevance file. Query `i` lists the words `first[i]:first[i] + hits.listed[i]` of the results.
    `counted` are the words of the relevance file that `hits` judges, query by query. All of them
    are relevant for precision and AP; the gain is their relevance (missing: 1, in `icfhr` 0).
    """

    hits: Hits
    listed: IntArray
    judged: IntArray
    first: IntArray
    counted: IntArray


class Matcher:
    """Matcher of the words of a result file with a relevance file, under any profile."""

    def __init__(self, judgements: Judgements, results: WordResults) -> None:
        self._judgements = judgements
        self._results = results
        places = {query: index for index, query in enumerate(judgements.queries)}
        self._query_of_block = np.array([places[query] for query in results.queries], np.int64)
        self._lengths = np.diff(results.starts)
        self._query_of_judged = judgements.query_of_word()
        self._query_of_listed = np.repeat(self._query_of_block.astype(np.int32), self._lengths)
        documents = judgements.words.documents
        codes = {name: code for code, name in enumerate(documents)}
        shared = [codes.get(name, -1) for name in results.words.documents]
        self._judged_document = np.array(shared, np.int32)

    def match(self, profile: str) -> Matching:
        """Return the hits under the rules of a profile.

        `published`: the box is equal, whatever the document, and each repetition is a hit.
        `corrected`: document and box are equal, and the first alone is a hit. `icfhr`: the
        document is equal and more than 0.7 of the relevant box covered, one to one in rank order.
        """
        every = np.arange(len(self._judgements.words))
        if profile == "published":
            return self._make_matching(self.with_equal_box, every, 1.0)
        if profile == "corrected":
            distinct = np.flatnonzero(self._judgements.first_equal() == every)
            return self._make_matching(_first_listed(self.with_equal_document), distinct, 1.0)
        return self._make_matching(_match_one_to_one(self._overlapping_pairs()), every, 0.0)

    @cached_property
    def with_equal_box(self) -> Pairs:
        """Pairs of a listed word and a judged word of its query with an equal box.

        Of several judged words with this box the one of the same document is taken, if any.
        """
        listed, judged = self._equal_boxes
        elsewhere = ~self._same_document(listed, judged)
        return _first_judged(listed, judged, np.lexsort((judged, elsewhere, listed)))

    @cached_property
    def with_equal_document(self) -> Pairs:
        """Pairs of a listed and a judged word of its query with equal document and box."""
        listed, judged = self.with_equal_box
        same = self._same_document(listed, judged)
        return listed[same], judged[same]

    @property
    def listed_elsewhere(self) -> IntArray:
        """Pairs of a listed and a judged word with equal boxes, on different pages only."""
        listed, judged = self.with_equal_box
        return listed[~self._same_document(listed, judged)]

    @cached_property
    def _equal_boxes(self) -> Pairs:
        listed = (self._query_of_listed, *self._results.words.boxes.T)
        judged = (self._query_of_judged, *self._judgements.words.boxes.T)
        return _concatenate_pairs(equal_rows(listed, judged))

    def _same_document(self, listed: IntArray, judged: IntArray) -> BoolArray:
        documents = self._judged_document[self._results.words.document[listed]]
        same: BoolArray = documents == self._judgements.words.document[judged]
        return same

    def _overlapping_pairs(self) -> Pairs:
        documents = self._judged_document[self._results.words.document]
        listed = (self._query_of_listed, documents)
        judged = (self._query_of_judged, self._judgements.words.document)
        return _concatenate_pairs(
            self._covering_pairs(*pairs) for pairs in equal_rows(listed, judged)
        )

    def _covering_pairs(self, listed: IntArray, judged: IntArray) -> Pairs:
        covers = (
            covered_share(self._results.words.boxes[listed], self._judgements.words.boxes[judged])
            > OVERLAP
        )
        return listed[covers], judged[covers]

    def _make_matching(self, pairs: Pairs, counted: IntArray, missing: float) -> Matching:
        """Return `pairs` as hits by query and rank; `missing` is the gain without a grade."""
        order = np.lexsort((pairs[0], self._query_of_judged[pairs[1]]))
        listed, judged = pairs[0][order], pairs[1][order]
        queries = self._judgements.queries
        first = np.full(len(queries), -1, np.int64)
        first[self._query_of_block] = self._results.starts[:-1]
        lengths = np.zeros(len(queries), np.int64)
        lengths[self._query_of_block] = self._lengths
        gains = np.nan_to_num(self._judgements.relevance, nan=missing)
        query = self._query_of_judged[judged]
        ranks = listed - first[query] + 1
        hits = Hits(
            queries=queries,
            listed=lengths,
            starts=_starts(query, len(queries)),
            ranks=ranks,
            first=ranks,
            last=ranks,
            gains=gains[judged],
            relevant=np.ones(len(judged), np.bool_),
            judged_starts=_starts(self._query_of_judged[counted], len(queries)),
            judged_gains=gains[counted],
            judged_relevant=np.ones(len(counted), np.bool_),
        )
        return Matching(hits, listed, judged, first, counted)


def covered_share(
    boxes: np.ndarray[tuple[int, int], np.dtype[np.int32]],
    relevant: np.ndarray[tuple[int, int], np.dtype[np.int32]],
) -> FloatArray:
    """Return the covered share of each relevant box; boxes are (n, 4) as x, y, w, h."""
    left, right = boxes.astype(np.int64), relevant.astype(np.int64)
    low = np.maximum(left[:, :2], right[:, :2])
    high = np.minimum(left[:, :2] + left[:, 2:], right[:, :2] + right[:, 2:])
    common = np.maximum(high - low, 0)
    share: FloatArray = (common[:, 0] * common[:, 1]) / (right[:, 2] * right[:, 3])
    return share


def _concatenate_pairs(chunks: Iterable[Pairs]) -> Pairs:
    """Return all pairs, by listed and then by judged word."""
    nothing = np.empty(0, np.int64)
    listed, judged = zip((nothing, nothing), *chunks, strict=True)
    return np.concatenate(listed), np.concatenate(judged)


def _first_judged(listed: IntArray, judged: IntArray, order: IntArray) -> Pairs:
    """Return the first pair of each listed word in that order."""
    rows, firsts = np.unique(listed[order], return_index=True)
    return rows, judged[order][firsts]


def _first_listed(pairs: Pairs) -> Pairs:
    """Return the first pair of each judged word."""
    judged, firsts = np.unique(pairs[1], return_index=True)
    return pairs[0][firsts], judged


def _match_one_to_one(pairs: Pairs) -> Pairs:
    """Match greedily: each listed word takes the first free judged word."""
    taken: dict[int, int] = {}
    used: set[int] = set()
    for listed, judged in zip(pairs[0].tolist(), pairs[1].tolist(), strict=True):
        if listed not in used and judged not in taken:
            taken[judged] = listed
            used.add(listed)
    return np.array(list(taken.values()), np.int64), np.array(list(taken), np.int64)


def _starts(queries: IntArray, count: int) -> IntArray:
    """Return where the rows of each query begin, and the last one's end; `queries` is ascending."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(queries, minlength=count))])
