"""Files of `jurydesk meteor --pairs`: a JSON line per hypothesis, read and written in batches."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.metrics.meteor.batch import Batch, Pair
from jurydesk.core.model.defects import Defect, Place, error

try:
    from jurydesk.core.metrics.meteor._score_lines import score_lines as _compiled_lines
except ImportError:  # no compiler was at hand when the program was installed
    _compiled_lines = None

BATCH_PAIRS = 2_000
"""Number of pairs that are parsed at once."""

EXPECTED_LINE = 'Expected a JSON object with "hyp", a string, and "refs", a list of strings.'


def read_pair_batches(stream: BinaryIO, path: Path) -> Iterator[tuple[list[Pair], list[Defect]]]:
    """Yield the pairs of a file in batches, with the defects of their lines."""
    first = 1
    while lines := list(islice(stream, BATCH_PAIRS)):
        pairs = read_valid_pairs(lines)
        if pairs is not None:
            yield pairs, []
        else:
            read = [read_pair(line, path, number) for number, line in enumerate(lines, first)]
            yield (
                [pair for pair in read if not isinstance(pair, Defect)],
                [defect for defect in read if isinstance(defect, Defect)],
            )
        first += len(lines)


def read_valid_pairs(lines: Sequence[bytes]) -> list[Pair] | None:
    """Return the pairs of lines that are all valid, parsed at once; None if any may be invalid.

    A random text is placed between the lines. Only if each of them is found again at the top level
    was every line a JSON value of its own.
    """
    mark = os.urandom(16).hex()
    try:
        data = json.loads(b"[%b]" % f',"{mark}",'.encode().join(lines))
    except (ValueError, RecursionError):
        return None
    records, marks = data[::2], data[1::2]
    if len(records) != len(lines) or marks != [mark] * (len(lines) - 1):
        return None
    try:
        hypotheses, references = zip(*[(one["hyp"], one["refs"]) for one in records], strict=True)
    except (TypeError, KeyError, ValueError):
        return None
    if _types(hypotheses) != {str} or _types(references) != {list}:
        return None
    return (
        list(zip(hypotheses, references, strict=True))
        if _types(chain.from_iterable(references)) <= {str}
        else None
    )


def _types(values: Iterable[Any]) -> set[type]:
    return set(map(type, values))


def read_pair(line: bytes, path: Path, number: int) -> Pair | Defect:
    """Return the hypothesis and the references of a line, or its defect."""
    if not line.strip():
        return _line_error(path, number, "The line is empty.")
    try:
        data = json.loads(line)
    except UnicodeDecodeError:
        return _line_error(path, number, "The line is not UTF-8.")
    except (ValueError, RecursionError) as problem:
        return _line_error(
            path,
            number,
            fill("The line is not valid JSON: {getattr}.", getattr(problem, "msg", problem)),
        )
    if not isinstance(data, dict):
        return _line_error(path, number, "The line is not a JSON object.")
    fault = _fault(data)
    return (data["hyp"], data["refs"]) if fault is None else _line_error(path, number, fault)


def _fault(data: dict[str, Any]) -> str | None:
    references = data.get("refs")
    if not isinstance(data.get("hyp"), str):
        return '"hyp" is missing or not a string.'
    if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
        return '"refs" is missing or not a list of strings.'
    return None


def _line_error(path: Path, number: int, found: str) -> Defect:
    return error(Place(str(path), number), found, EXPECTED_LINE)


def score_lines(found: Batch) -> bytes:
    """Format a JSON line per hypothesis: its score, its 23 counts, its matches."""
    if _compiled_lines is None:
        return interpreted_score_lines(found)
    compiled: Callable[..., bytes] = _compiled_lines
    counts, matches = (np.ascontiguousarray(one, np.int32) for one in (found.rows, found.matches))
    return compiled(found.scores, counts, matches, found.lengths)


def interpreted_score_lines(found: Batch) -> bytes:
    """`score_lines` in Python; the compiled version is in `_score_lines.pyx`."""
    # Python writes numbers and lists of numbers as JSON does, and several times faster.
    rows = found.rows.astype(np.int64).tolist()
    lines = zip(found.scores.tolist(), rows, found.matches_by_hypothesis(), strict=True)
    return "".join(
        f'{{"score": {score!r}, "stats": {counts}, "matches": {matches}}}\n'
        for score, counts, matches in lines
    ).encode("ascii")
