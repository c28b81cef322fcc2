"""Places of queries: relevant or listed boxes on pages, or segments."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

Float32Array = npt.NDArray[np.float32]
WORD = 0xFFFFFFFF
"""Largest unsigned number of 32 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Places of queries, in the order of a file.

    `query` and `document` (n,) are numbers of names; `boxes` (n, 4) are x, y, width and height,
    zeros for segments, whose document is the segment. `scores` (n,) are NaN for relevant places,
    `lines` (n,) are those of the file.
    """

    query: IntArray
    document: IntArray
    boxes: IntArray
    scores: FloatArray
    lines: IntArray

    def __len__(self) -> int:
        return len(self.query)

    def take(self, rows: IntArray | BoolArray) -> Spots:
        """Return some of the places, by their rows or by a mask."""
        return Spots(
            self.query[rows],
            self.document[rows],
            self.boxes[rows],
            self.scores[rows],
            self.lines[rows],
        )

    def renumber(self, query: IntArray, document: IntArray) -> Spots:
        """Return the places with other numbers of queries and documents, by the old ones."""
        return replace(self, query=query[self.query], document=document[self.document])

    def first_of_equals(self) -> BoolArray:
        """Return which places (n,) have no equal before them in the file."""
        keys = (*self.boxes.T, self.document, self.query)
        order = np.lexsort(keys)
        again = np.ones(max(len(order) - 1, 0), np.bool_)
        for key in keys:
            again &= key[order][1:] == key[order][:-1]
        is_first = np.ones(len(order), np.bool_)
        is_first[order[1:][again]] = False
        return is_first


def no_spots() -> Spots:
    """Return no places at all."""
    number = np.empty(0, np.int64)
    return Spots(number, number, np.empty((0, 4), np.int64), np.empty(0), number)


def rank_spots(
    listed: Spots,
    order: str,
    *,
    query_order: IntArray | None = None,
    document_order: IntArray | None = None,
    single: bool = False,
) -> IntArray:
    """Return the rows (n,) from the best to the worst.

    Equal scores keep the order of the file; with the order of the names of queries and documents
    they are in the descending order of query, document and box (kws-eval), and `asc` reverses all.
    """
    if order == "file":
        return np.arange(len(listed))
    scores = listed.scores.astype(np.float32) if single else listed.scores
    if query_order is None or document_order is None:
        return np.argsort(scores if order == "asc" else -scores, kind="stable")
    names = query_order[listed.query] * (int(document_order.max(initial=0)) + 1)
    names += document_order[listed.document]
    rows = np.argsort(scores, kind="stable")
    ties = np.flatnonzero(np.diff(scores[rows]) == 0)
    if len(ties):
        tied = np.zeros(len(rows), np.bool_)
        tied[ties] = tied[ties + 1] = True
        places = np.flatnonzero(tied)
        some = rows[places]
        keys = *listed.boxes[some].T[::-1], names[some], scores[some]
        rows[places] = some[np.lexsort(keys)]
    return rows if order == "asc" else rows[::-1].copy()
