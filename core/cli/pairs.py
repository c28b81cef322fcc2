"""Bulk METEOR: lines of `{"hyp", "refs"}` in, lines of `{"score", "stats", "matches"}` out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.defects import Defect, Place, error
from core.metrics.meteor.batch import AlignedBatch, Pair

SLICE = 20_000
"""Pairs that are held in memory at a time."""

SHAPE = 'A line is a JSON object with "hyp", a text, and "refs", a list of texts.'


def read_slices(stream: BinaryIO, path: Path) -> Iterator[tuple[list[Pair], list[Defect]]]:
    """The pairs of a file, some thousands at a time, and what is wrong with their lines."""
    numbered = enumerate(stream, start=1)
    while lines := list(islice(numbered, SLICE)):
        read = [read_pair(line, path, number) for number, line in lines]
        yield (
            [pair for pair in read if not isinstance(pair, Defect)],
            [defect for defect in read if isinstance(defect, Defect)],
        )


def read_pair(line: bytes, path: Path, number: int) -> Pair | Defect:
    """The hypothesis and the references of one line, or what is wrong with it."""
    if not line.strip():
        return _wrong(path, number, "The line is empty.")
    try:
        data = json.loads(line)
    except UnicodeDecodeError:
        return _wrong(path, number, "The line is not UTF-8.")
    except (ValueError, RecursionError) as fault:
        return _wrong(path, number, f"The line is no JSON: {getattr(fault, 'msg', fault)}.")
    if not isinstance(data, dict):
        return _wrong(path, number, "The line is no JSON object.")
    hypothesis, references = data.get("hyp"), data.get("refs")
    if not isinstance(hypothesis, str):
        return _wrong(path, number, '"hyp" is missing or no text.')
    if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
        return _wrong(path, number, '"refs" is missing or no list of texts.')
    return hypothesis, references


def _wrong(path: Path, number: int, found: str) -> Defect:
    return error(Place(str(path), number), found, SHAPE)


def scored_lines(found: AlignedBatch) -> bytes:
    """A line for each hypothesis: its score, its 23 counts, its matches.

    Numbers and lists of them are written in Python as in JSON, and several times faster.
    """
    rows = found.batch.rows.astype(np.int64).tolist()
    lines = zip(found.batch.scores.tolist(), rows, found.matches, strict=True)
    return "".join(
        f'{{"score": {score!r}, "stats": {counts}, "matches": {matches}}}\n'
        for score, counts, matches in lines
    ).encode("ascii")
