"""Bulk METEOR: lines of `{"hyp", "refs"}` in, lines of `{"score", "stats", "matches"}` out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from core.defects import Defect, Place, error
from core.metrics.meteor import Batch, Config, Match, Meteor, Pair
from core.run.run import Run

SLICE = 20_000
"""Pairs that are held in memory at a time."""

ALIGNED = 500
"""Pairs that one thread aligns at a time."""

SHAPE = 'A line is a JSON object with "hyp", a text, and "refs", a list of texts.'


def read_slices(stream: BinaryIO, path: Path) -> Iterator[tuple[list[Pair], list[Defect]]]:
    """The pairs of a file, some thousands at a time, and what is wrong with their lines."""
    numbered = enumerate(stream, start=1)
    while lines := list(islice(numbered, SLICE)):
        read = [read_pair(line, Place(str(path), number)) for number, line in lines]
        yield (
            [pair for pair in read if not isinstance(pair, Defect)],
            [defect for defect in read if isinstance(defect, Defect)],
        )


def read_pair(line: bytes, place: Place) -> Pair | Defect:
    """The hypothesis and the references of one line, or what is wrong with it."""
    try:
        data = json.loads(line)
    except UnicodeDecodeError:
        return error(place, "The line is not UTF-8.", SHAPE)
    except (ValueError, RecursionError) as fault:
        return error(place, f"The line is no JSON: {getattr(fault, 'msg', fault)}.", SHAPE)
    if not isinstance(data, dict):
        return error(place, "The line is no JSON object.", SHAPE)
    hypothesis, references = data.get("hyp"), data.get("refs")
    if not isinstance(hypothesis, str):
        return error(place, '"hyp" is missing or no text.', SHAPE)
    if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
        return error(place, '"refs" is missing or no list of texts.', SHAPE)
    return hypothesis, references


def scored_lines(
    meteor: Meteor, pairs: Sequence[Pair], batch: Batch, config: Config, run: Run
) -> Iterator[bytes]:
    """A line for each pair: its score, its 23 counts, and the matches with its best reference."""

    def align(part: range) -> list[list[Match]]:
        return [best_matches(meteor, pairs[i], int(batch.references[i]), config) for i in part]

    parts = (range(i, min(i + ALIGNED, len(pairs))) for i in range(0, len(pairs), ALIGNED))
    aligned = run.map(align, parts, total=len(pairs), text="Aligning", size=len)
    rows = zip(batch.scores.tolist(), batch.rows.astype(int).tolist(), flat(aligned), strict=True)
    for score, stats, matches in rows:
        numbers = [
            [match.start, match.length, match.match_start, match.match_length, match.module]
            for match in matches
        ]
        yield json.dumps({"score": score, "stats": stats, "matches": numbers}).encode() + b"\n"


def best_matches(meteor: Meteor, pair: Pair, best: int, config: Config) -> list[Match]:
    """The matches with the best reference; none where there was no reference."""
    hypothesis, references = pair
    return [] if best < 0 else list(meteor.align(hypothesis, references[best], config).matches)


def flat(parts: Iterable[list[list[Match]]]) -> Iterator[list[Match]]:
    """The elements of the parts, in order."""
    for part in parts:
        yield from part
