"""Records of ICFHR 2014 files: words on pages, judged or ranked, by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.item_fields import Fields

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """Words on pages: `documents[document[i]]` is the page of word `i`.

    `boxes` is (n, 4): x, y, width, height in pixels. `lines` is the line of each word in its file.
    """

    documents: tuple[str, ...]
    document: Int32Array
    boxes: Int32Array
    lines: Int32Array

    def __len__(self) -> int:
        return len(self.document)

    def take(self, rows: IntArray | BoolArray) -> PageWords:
        """Return some of the words, by their rows or by a mask."""
        return PageWords(self.documents, self.document[rows], self.boxes[rows], self.lines[rows])

    def names(self) -> list[str]:
        """Return the document of every word."""
        return [self.documents[number] for number in self.document.tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class WordsByQuery:
    """Words of a file of either kind: query `i` holds the words `starts[i]:starts[i + 1]`.

    `lines` is where each query begins. `relevance` (NaN where the file gives none) and `texts`
    belong to the words of a relevance file, and are empty for a result file, as are `fields`: the
    further attributes of each query's tag.
    """

    queries: tuple[str, ...]
    lines: tuple[int, ...]
    starts: IntArray
    words: PageWords
    relevance: FloatArray
    texts: tuple[str, ...]
    fields: Mapping[str, Fields] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """Relevance file with queries in natural order: query `i` judges `starts[i]:starts[i + 1]`.

    `relevance` is NaN where the file gives none; `texts` is the transcription, empty where absent.
    """

    path: str
    queries: tuple[str, ...]
    starts: IntArray
    words: PageWords
    relevance: FloatArray
    texts: tuple[str, ...]
    fields: Mapping[str, Fields] = field(default_factory=dict)

    @property
    def format(self) -> Literal["xml"]:
        """Format of the file."""
        return "xml"

    def query_of_word(self) -> IntArray:
        """Return the query that judges each word."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))

    def keywords(self) -> IntArray:
        """Return the number of every query's keyword: queries with the same words share it."""
        words = self.words
        numbers: dict[frozenset[bytes] | int, int] = {}
        rows = np.column_stack([words.document, words.boxes])
        found = np.empty(len(self.queries), np.int64)
        for query, (start, stop) in enumerate(pairwise(self.starts.tolist())):
            own = frozenset(row.tobytes() for row in rows[start:stop])
            found[query] = numbers.setdefault(own or query, len(numbers))
        return found

    def first_equal(self) -> IntArray:
        """Return for each word the first with the same query, document and box."""
        words = self.words
        return first_equal(self.query_of_word(), words.document, *words.boxes.T)


@dataclass(frozen=True, slots=True, eq=False)
class WordResults:
    """Result file: query `i` ranks the words `starts[i]:starts[i + 1]`, the best first.

    Only queries of the relevance file are included, in the order of the result file.
    """

    path: str
    queries: tuple[str, ...]
    starts: IntArray
    words: PageWords


def first_equal(*columns: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Return for each row of the columns the first row with equal values."""
    order = np.lexsort(columns)
    if not len(order):
        return order
    changes = [column[order][1:] != column[order][:-1] for column in columns]
    is_first = np.concatenate([np.ones(1, np.bool_), np.logical_or.reduce(changes)])
    first = np.empty(len(order), np.int64)
    first[order] = order[is_first][np.cumsum(is_first) - 1]
    return first
