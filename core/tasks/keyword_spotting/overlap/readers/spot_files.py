"""Contents of files of boxes, segments and tables, with names as they are spelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from jurydesk.core.metrics.spotting.spots import Spots, no_spots
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.keyword_spotting.overlap.readers.field_columns import FieldColumn
from jurydesk.core.tasks.keyword_spotting.trec.document_names import decode_name


@dataclass(frozen=True, slots=True, eq=False)
class SpotFile:
    """Places of a file, whose queries and documents are numbered in the order of the file.

    `holds` tells whether the places are boxes or segments. `order` is that of the scores where the
    shape decides it: `asc` for distances; `has_scores` is false for lists that are only ranked.
    """

    path: str
    queries: tuple[str, ...]
    documents: tuple[str, ...]
    spots: Spots
    holds: Literal["boxes", "segments"] = "boxes"
    order: Literal["desc", "asc"] = "desc"
    has_scores: bool = True

    def rename(self, queries: Sequence[str]) -> SpotFile:
        """Return the file with other names of its queries, of which several may be equal."""
        names, numbers = number_names(queries)
        same = np.arange(len(self.documents))
        return replace(self, queries=names, spots=self.spots.renumber(numbers, same))


@dataclass(frozen=True, slots=True, eq=False)
class LineFile:
    """Words of lines, as boxes (of their lines) on pages, or as segments (the lines)."""

    boxes: SpotFile
    segments: SpotFile


@dataclass(frozen=True, slots=True, eq=False)
class TableFile:
    """Rows (n,) of a table of events: numbers of words and lines, relevance, score and line."""

    path: str
    words: tuple[str, ...]
    places: tuple[str, ...]
    word: IntArray
    place: IntArray
    relevant: BoolArray
    scores: FloatArray
    lines: IntArray


def number_names(names: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    """Return the different names in their order, and the number of each."""
    known: dict[str, int] = {}
    numbers = [known.setdefault(name, len(known)) for name in names]
    return tuple(known), np.array(numbers, np.int64)


def spot_file(
    path: str,
    queries: FieldColumn,
    documents: FieldColumn,
    boxes: IntArray | None,
    scores: FloatArray | None,
    lines: IntArray,
) -> SpotFile:
    """Return the places of columns; segments without boxes, relevant places without scores."""
    query_names, query = queries.names()
    document_names, document = documents.names()
    count = len(lines)
    spots = Spots(
        query,
        document,
        np.zeros((count, 4), np.int64) if boxes is None else boxes,
        np.full(count, np.nan) if scores is None else scores,
        lines,
    )
    return SpotFile(
        path,
        tuple(map(decode_name, query_names)),
        tuple(map(decode_name, document_names)),
        spots,
        "segments" if boxes is None else "boxes",
    )


def listed_spots(
    path: str,
    queries: Sequence[str],
    documents: Sequence[str],
    boxes: Sequence[Sequence[int]] | None,
    lines: Sequence[int],
    scores: Sequence[float] | None = None,
) -> SpotFile:
    """Return the places of names and numbers."""
    query_names, query = number_names(queries)
    document_names, document = number_names(documents)
    count = len(lines)
    rows = np.zeros((count, 4)) if boxes is None else np.array(boxes, np.int64)
    return SpotFile(
        path,
        query_names,
        document_names,
        Spots(
            query,
            document,
            rows.astype(np.int64).reshape(count, 4),
            np.full(count, np.nan) if scores is None else np.array(scores, np.float64),
            np.array(lines, np.int64),
        ),
        "segments" if boxes is None else "boxes",
    )


def join_files(files: Sequence[SpotFile]) -> SpotFile:
    """Return the places of several files, such as pages, in their order."""
    if len(files) == 1:
        return files[0]
    queries, query = number_names([name for one in files for name in one.queries])
    documents, document = number_names([name for one in files for name in one.documents])
    parts = [no_spots()]
    at_query = at_document = 0
    for one in files:
        ends = at_query + len(one.queries), at_document + len(one.documents)
        numbers = query[at_query : ends[0]], document[at_document : ends[1]]
        parts.append(one.spots.renumber(*numbers))
        at_query, at_document = ends
    spots = Spots(
        *(
            np.concatenate([getattr(one, name) for one in parts])
            for name in ("query", "document", "boxes", "scores", "lines")
        )
    )
    return replace(files[0], queries=queries, documents=documents, spots=spots)
