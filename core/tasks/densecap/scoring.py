"""Scoring one system: match every image, describe what decides, average."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.defects import Defect, Place, counted, note
from core.metrics import dense_map
from core.metrics.dense_map import (
    METEOR_THRESHOLDS,
    NO_GROUP,
    OVERLAP_THRESHOLDS,
    AveragePrecisions,
    Records,
)
from core.model import Axis, Evaluation, Heatmap, Score
from core.tasks.densecap.describing import describe
from core.tasks.densecap.detections import paired
from core.tasks.densecap.ground_truth import GroundTruth, profile_of
from core.tasks.densecap.items import item_table
from core.tasks.densecap.options import DenseCapOptions
from core.tasks.densecap.regions import Regions

if TYPE_CHECKING:
    from core.run.run import Run


def evaluate(truth: GroundTruth, found: Regions, options: DenseCapOptions, run: Run) -> Evaluation:
    """The 37 numbers of one system, with one item for every detection and every missed object."""
    profile = profile_of(options)
    images = dict(paired(truth.regions, found))
    described = describe(truth, found, images, profile, run)
    records = described.records
    aps = run.call(dense_map.average_precisions, records, profile)
    scores = (Score(name, value, len(records.image)) for name, value in aps.named().items())
    return Evaluation(
        task="densecap",
        system="",
        profile=profile,
        scores=tuple(scores),
        items=item_table(truth, found, images, described, profile),
        figures=(heatmap(aps),),
        defects=tuple(_where_profiles_differ(records, found.path)),
    )


def _where_profiles_differ(records: Records, path: str) -> Iterator[Defect]:
    """What makes the published number another than the corrected one."""
    place = Place(path)
    phantoms = int((records.claims & (records.group == NO_GROUP)).sum())
    if phantoms:
        yield note(
            place,
            f"Claims without any overlap: {counted(phantoms, 'detection')}.",
            "When published, each takes the last object of its image; when corrected, none.",
            count=phantoms,
        )
    scores = records.log_probability
    ties = len(scores) - len(np.unique(scores))
    if ties:
        yield note(
            place,
            f"Scores equal to another one's: {counted(ties, 'detection')}.",
            "Their order follows torch7's sort when published, their position when corrected.",
            count=ties,
        )


def heatmap(aps: AveragePrecisions) -> Heatmap:
    """The 30 average precisions in percent, with those of detection alone at the left."""
    return Heatmap(
        name="average_precision",
        title="Average precision by threshold",
        x_axis=Axis(
            "METEOR",
            ticks=METEOR_THRESHOLDS,
            labels=tuple(f"> {_short(threshold, 2)}" for threshold in METEOR_THRESHOLDS),
        ),
        y_axis=Axis(
            "IoU",
            ticks=OVERLAP_THRESHOLDS,
            labels=tuple(_short(threshold, 1) for threshold in OVERLAP_THRESHOLDS),
        ),
        values=100 * aps.cells,
        lead=100 * aps.detection,
        lead_label="any",
    )


def _short(threshold: float, decimals: int) -> str:
    """A threshold without the nought before its point."""
    return f"{threshold:.{decimals}f}".removeprefix("0") if threshold else "0"
