"""METEOR of records that the evaluation skipped, for the error analysis.

Computed from the items' evidence: a saved desk needs no input files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.detection.average_precision import NO_GROUP
from jurydesk.core.metrics.detection.error_analysis import records_needing_meteor
from jurydesk.core.metrics.meteor import score_many
from jurydesk.core.model.evaluation import FloatArray, ItemTable
from jurydesk.core.tasks.densecap.caption_texts import caption_candidate
from jurydesk.core.tasks.densecap.densecap_evidence import METEOR_PROFILE, Scene
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, to_records
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ItemCaptions:
    """Captions and best references (items,), "" for missed objects or without an object.

    Where the best reference is unknown, it is the first.
    """

    captions: tuple[str, ...]
    references: tuple[str, ...]


def score_missing_meteor(
    items: ItemTable, run: Run, on_captions: Callable[[ItemCaptions], None]
) -> FloatArray:
    """Return METEOR (items,) of all records, including those needed only for error types.

    Args:
        items: Items of an evaluation.
        run: Progress and cancellation.
        on_captions: Called with the captions before METEOR is computed.

    Raises:
        Cancelled: The run was cancelled.
        ResourceMissing: METEOR's language data are not installed.
    """
    records = to_records(items.columns)
    detections = np.flatnonzero(items.columns["detection"] != UNCLAIMED)
    missing = detections[records_needing_meteor(records) & np.isnan(records.meteor)]
    unscored = set(missing.tolist())
    captions, best_references = [""] * len(items), [""] * len(items)
    pairs: dict[int, tuple[str, list[str]]] = {}
    for row, caption, references, best in _texts(items, run):
        captions[row] = caption
        best_references[row] = references[max(best, 0)] if references else ""
        if row in unscored:
            pairs[row] = caption_candidate(caption), references
    on_captions(ItemCaptions(tuple(captions), tuple(best_references)))
    meteor = items.columns["meteor"].copy()
    if pairs:
        with language_data():
            meteor[list(pairs)] = score_many(list(pairs.values()), METEOR_PROFILE, run).scores
    return meteor


def complete_columns(items: ItemTable, run: Run) -> dict[str, FloatArray]:
    """Return METEOR (items,) of all records as a column; raises as `score_missing_meteor`."""
    return {"meteor": score_missing_meteor(items, run, lambda captions: None)}


def _texts(items: ItemTable, run: Run) -> Iterator[tuple[int, str, list[str], int]]:
    """Yield row, caption, references and best reference of every item."""
    numbers = items.columns["detection"].astype(np.int64).tolist()
    objects = items.columns["object"].astype(np.int64).tolist()
    for rows in _rows_by_image(items):
        run.report(rows[0], len(items), "Reading captions")
        scene = items.show(rows[0])
        if not isinstance(scene, Scene):
            continue
        references = [entry.references for entry in scene.objects]
        detections = {entry.number: entry for entry in scene.detections}
        for row in rows:
            entry = detections.get(numbers[row])
            texts = references[objects[row]] if objects[row] != NO_GROUP else []
            yield row, entry.caption if entry else "", texts, entry.reference if entry else 0


def _rows_by_image(items: ItemTable) -> Iterator[list[int]]:
    """Yield the rows of every image with items."""
    image = items.columns["image"]
    order = np.argsort(image, kind="stable")
    breaks = np.flatnonzero(np.diff(image[order])) + 1
    return (rows.tolist() for rows in np.split(order, breaks) if len(rows))
