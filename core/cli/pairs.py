"""Bulk METEOR: lines of `{"hyp", "refs"}` in, lines of `{"score", "stats", "matches"}` out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from core.defects import Defect, Place, error
from core.metrics.meteor.scorer import Best, Pair

SLICE = 20_000
"""Pairs that are held in memory at a time."""

BLOCK = 1_000
"""Lines that are written at a time."""

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


def scored_lines(found: Iterable[Best]) -> Iterator[bytes]:
    """A line for each hypothesis: its score, its 23 counts, its matches; in blocks of lines."""
    found = iter(found)
    while block := list(islice(found, BLOCK)):
        lines = (
            json.dumps(
                {
                    "score": best.parts.score,
                    "stats": list(best.counts),
                    "matches": [list(match) for match in best.matches],
                }
            )
            for best in block
        )
        yield "".join(f"{line}\n" for line in lines).encode()
