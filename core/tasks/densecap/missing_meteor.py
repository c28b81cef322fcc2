"""METEOR of records that the evaluation skipped, for the error analysis.

Everything comes from the items' evidence, so that a saved desk shows it without its input files.
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
from jurydesk.core.tasks.densecap.densecap_evidence import METEOR_PROFILE, Scene, caption_candidate
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, to_records
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ItemCaptions:
    """Captions (items,) of the detections and of the objects that they match.

    A missed object says nothing, and a detection without an object has no reference. Where it is
    not known which reference is the best one, it is the first.
    """

    said: tuple[str, ...]
    meant: tuple[str, ...]


def score_missing_meteor(
    items: ItemTable, run: Run, tell: Callable[[ItemCaptions], None]
) -> FloatArray:
    """Return METEOR (items,) of all records, including those needed only for error types.

    `tell` hears of the captions as soon as they are read. Raises Cancelled, and ResourceMissing
    where METEOR's language data are not installed.
    """
    records = to_records(items.columns)
    found = np.flatnonzero(items.columns["detection"] != UNCLAIMED)
    gaps = set(found[records_needing_meteor(records) & np.isnan(records.meteor)].tolist())
    said, meant = [""] * len(items), [""] * len(items)
    pairs: dict[int, tuple[str, list[str]]] = {}
    for row, caption, references, best in _texts(items, run):
        said[row], meant[row] = caption, references[max(best, 0)] if references else ""
        if row in gaps:
            pairs[row] = caption_candidate(caption), references
    tell(ItemCaptions(tuple(said), tuple(meant)))
    meteor = items.columns["meteor"].copy()
    if pairs:
        with language_data():
            meteor[list(pairs)] = score_many(list(pairs.values()), METEOR_PROFILE, run).scores
    return meteor


def _texts(items: ItemTable, run: Run) -> Iterator[tuple[int, str, list[str], int]]:
    """Yield row, caption, references and best reference of every item."""
    numbers = items.columns["detection"].astype(np.int64).tolist()
    objects = items.columns["object"].astype(np.int64).tolist()
    for rows in _by_image(items):
        run.report(rows[0], len(items), "Reading captions")
        scene = items.show(rows[0])
        if not isinstance(scene, Scene):
            continue
        references = [entry.references for entry in scene.objects]
        detections = {entry.number: entry for entry in scene.detections}
        for row in rows:
            entry = detections.get(numbers[row])
            meant = references[objects[row]] if objects[row] != NO_GROUP else []
            yield row, entry.caption if entry else "", meant, entry.reference if entry else 0


def _by_image(items: ItemTable) -> Iterator[list[int]]:
    """Yield the rows of every image that has any."""
    image = items.columns["image"]
    order = np.argsort(image, kind="stable")
    breaks = np.flatnonzero(np.diff(image[order])) + 1
    return (rows.tolist() for rows in np.split(order, breaks) if len(rows))
