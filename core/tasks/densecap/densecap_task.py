"""Task declaration of dense captioning (mean average precision of captioned regions)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from jurydesk.core.competition.rating_design import (
    PictureRef,
    RatedEntry,
    RatingDesign,
    SystemOutput,
)
from jurydesk.core.competition.redaction import Redaction, RedactionFact, items, require_texts, text
from jurydesk.core.competition.task import (
    Input,
    Presentation,
    Readers,
    Scoring,
    SubmissionChecks,
    Task,
)
from jurydesk.core.language import counted, fill
from jurydesk.core.metrics.detection.average_precision import MergedObjects
from jurydesk.core.model.evaluation import ItemTable, Json
from jurydesk.core.tasks.densecap.densecap_evaluator import evaluate, score_figures, scoring_remarks
from jurydesk.core.tasks.densecap.densecap_evidence import Scene
from jurydesk.core.tasks.densecap.densecap_explanation import (
    explain_difference,
    explain_item,
    submission_texts,
)
from jurydesk.core.tasks.densecap.densecap_items import image_units
from jurydesk.core.tasks.densecap.densecap_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.densecap.densecap_options import PROFILES, DenseCapOptions
from jurydesk.core.tasks.densecap.detection_chunks import DETECTION_CHUNKS
from jurydesk.core.tasks.densecap.missing_meteor import complete_columns
from jurydesk.core.tasks.densecap.readers.densecap_sniff import arrange_annotation_parts, sniff
from jurydesk.core.tasks.densecap.readers.detection_reader import read_detections
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import (
    SIZES,
    GroundTruth,
    read_ground_truth,
)
from jurydesk.core.tasks.densecap.readers.json_shapes import is_size
from jurydesk.core.tasks.densecap.readers.regions import Regions
from jurydesk.core.tasks.densecap.rule_costs import rule_steps
from jurydesk.core.tasks.densecap.threshold_tables import TABLES
from jurydesk.core.tasks.meteor_resources import STEMMER, meteor_resources
from jurydesk.core.tasks.result_parts import PARTS


def redaction_facts(truth: GroundTruth) -> tuple[RedactionFact, ...]:
    """Return the images' ids and known sizes."""
    images, sizes = truth.regions.images, truth.regions.sizes
    size_summary = fill("Width and height of {images}, in pixels.", counted(len(sizes), "image"))
    return (
        RedactionFact(
            "images", fill("The ids of the {images}.", counted(len(images), "image")), list(images)
        ),
        RedactionFact("sizes", size_summary, [[name, *size] for name, size in sizes.items()]),
    )


def redacted_references(values: Mapping[str, Json]) -> GroundTruth:
    """Return the images without boxes."""
    images = require_texts(values["images"])
    sizes = {}
    for name, width, height in map(items, items(values["sizes"])):
        if not is_size((width, height)):
            raise ValueError("image sizes must be positive numbers")
        sizes[text(name)] = (width, height)
    regions = Regions(
        images,
        np.zeros(len(images) + 1, np.int64),
        np.empty((0, 4), np.float32),
        (),
        np.empty(0, np.float32),
        np.empty((0, 4)),
        "xcycwh",
        sizes,
    )
    return GroundTruth(regions, (MergedObjects(np.empty((0, 4)), ()),) * len(images), "")


REDACTION: Redaction[GroundTruth] = Redaction(
    redaction_facts,
    redacted_references,
    options=("box_format", "profile"),
    unable=("Box format and scale, which need the boxes of the ground truth.",),
    scripts=("densecap_shapes.js", "densecap.js"),
)


MAX_CAPTIONS = 10
"""Captions of an image that a rater reads; systems detect up to a thousand regions."""


def rated_description(items: ItemTable, row: int) -> RatedEntry | None:
    """Return the distinct captions of an image's highest-scoring detections, one per line.

    Without boxes: raters judge whether the captions fit the image.
    """
    scene = items.show(row)
    if not isinstance(scene, Scene):
        return None
    detections = sorted(scene.detections, key=lambda entry: -entry.score)
    human = _lines(entry.captions[0] for entry in scene.objects if entry.captions)
    return RatedEntry(
        SystemOutput(_lines(entry.caption for entry in detections)),
        pictures=(PictureRef(scene.image),),
        human=(human,) if human else (),
        item=scene.image,
    )


def _lines(captions: Iterable[str]) -> str:
    return "\n".join(list(dict.fromkeys(captions))[:MAX_CAPTIONS])


RATING = RatingDesign(
    item_noun=("image", "images"),
    entry_noun=("description", "descriptions"),
    entry=rated_description,
    has_human_entries=True,
)


JSON_FILES = ("*.json", "*.json.gz", "*.json.bz2", "*.json.xz")


TASK: Task[DenseCapOptions, GroundTruth, Regions] = Task(
    id="densecap",
    title="Dense captioning",
    summary="Image regions with captions: mAP over IoU and METEOR thresholds.",
    item_noun=("detection", "detections"),
    inputs=(
        Input(
            "ground-truth",
            "Ground truth",
            "reference",
            JSON_FILES,
            help="Captioned boxes by people (JSON).",
        ),
        Input(
            "detections",
            "Detections",
            "submission",
            JSON_FILES,
            many=True,
            help="Captioned boxes of one system (JSON).",
        ),
        Input(
            PARTS,
            "Further parts",
            "reference",
            JSON_FILES,
            required=False,
            many=True,
            help="Further files of ControlCap's results by annotation id, of the same system.",
            also=("detections",),
        ),
        Input(
            SIZES,
            "Image sizes",
            "reference",
            JSON_FILES,
            required=False,
            help="Visual Genome's image_data.json, for boxes in another frame than the ground "
            "truth.",
        ),
        Input(
            "images",
            "Pictures",
            "folder",
            (),
            required=False,
            help="A folder of the images, named by their ids; for display only.",
        ),
    ),
    readers=Readers(
        read_references=read_ground_truth,
        read_submission=read_detections,
        arrange=arrange_annotation_parts,
        sniff=sniff,
        load_evidence=Scene.from_row,
    ),
    scoring=Scoring(
        options=DenseCapOptions,
        profiles=PROFILES,
        metrics=METRICS,
        evaluate=evaluate,
        remarks=scoring_remarks,
        units=image_units,
        groups=lambda items: items.columns["image"].tolist() if "image" in items.columns else None,
        group_noun=("image", "images"),
        chunks=(DETECTION_CHUNKS,),
        settings=lambda truth, options: {"meteor": "1.5", "task": "rank", "norm": "norm"},
        resources=lambda truth, options: meteor_resources(),
        complete_columns=complete_columns,
        libraries=(STEMMER,),
    ),
    presentation=Presentation(
        inspector="densecap",
        panel="densecap",
        example="densecap",
        statistics=STATISTICS,
        explain_item=explain_item,
        explain_difference=explain_difference,
        rule_steps=rule_steps,
        figures=score_figures,
        tables=TABLES,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        submission_texts=submission_texts,
        redaction=REDACTION,
    ),
)
