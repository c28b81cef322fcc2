"""Export of rankings and pairs in trec_eval's format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from jurydesk.core.execution.run import Run
from jurydesk.core.language import failure_reason, fill
from jurydesk.core.metrics.retrieval_ranks import best_candidates, fold_ranges
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.retrieval.pairs import Similarities

MOST = 1000
"""Candidates of a query that are written."""


def write_rankings(
    similarities: Similarities, folds: int, folder: Path, run: Run
) -> Iterator[Defect]:
    """Write runs and judgements of both directions; yield a warning if it fails.

    Names are padded with zeros, because trec_eval breaks ties by name.
    """
    stem = Path(similarities.path).stem
    owner = similarities.pairs.image_of_caption
    i2t: list[bytes] = []
    t2i: list[bytes] = []
    for first, stop in fold_ranges(similarities.pairs.images, folds):
        gallery = similarities.gallery(first, stop)
        images, captions = best_candidates(gallery, MOST, lambda done: run.check())
        order = gallery.order
        i2t += _lines("image", np.arange(first, stop), "caption", order[images[0]], images[1])
        t2i += _lines("caption", order, "image", captions[0] + first, captions[1])
    pairs = list(enumerate(owner.tolist()))
    written = {
        f"{stem}.i2t.run": i2t,
        f"{stem}.t2i.run": t2i,
        f"{stem}.i2t.qrels": _judgements([(f"image{i:07}", f"caption{j:07}") for j, i in pairs]),
        f"{stem}.t2i.qrels": _judgements([(f"caption{j:07}", f"image{i:07}") for j, i in pairs]),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in written.items():
            write_atomically(folder / name, partial(_write, lines))
    except OSError as fault:
        found = fill("The rankings were not written: {value}.", failure_reason(fault))
        yield warning(Place(str(folder)), found)


def _write(lines: Sequence[bytes], file: BinaryIO) -> None:
    file.writelines(lines)


def _lines(
    query: str, queries: IntArray, candidate: str, found: IntArray, values: FloatArray
) -> Iterator[bytes]:
    for number, candidates, scores in zip(queries.tolist(), found, values, strict=True):
        for rank, (one, score) in enumerate(
            zip(candidates.tolist(), scores.tolist(), strict=True), start=1
        ):
            line = f"{query}{number:07} Q0 {candidate}{one:07} {rank} {score!r} jurydesk\n"
            yield line.encode("ascii")


def _judgements(pairs: Sequence[tuple[str, str]]) -> list[bytes]:
    return [f"{query} 0 {candidate} 1\n".encode("ascii") for query, candidate in sorted(pairs)]
