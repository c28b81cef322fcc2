"""Evaluator of region captioning: COCO's caption metrics of images or regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, round_number
from jurydesk.core.model.defects import Defect, Place, note
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.captions import captions_evaluator
from jurydesk.core.tasks.captions.captions import CaptionReferences, CaptionSubmission
from jurydesk.core.tasks.region_captions.region_annotations import RegionReferences
from jurydesk.core.tasks.region_captions.region_captions_options import (
    CAPTION_OPTIONS,
    CONTROLCAP,
    RegionCaptionOptions,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

IMAGE = "image"
"""Item column with the number of the image."""


def evaluate_regions(
    references: RegionReferences,
    submission: CaptionSubmission,
    options: RegionCaptionOptions,
    run: Run,
) -> Evaluation:
    """Score the captions of the items that have one.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    scored = _scored_items(references, submission)
    found = captions_evaluator.evaluate(scored, submission, CAPTION_OPTIONS, run)
    images = [references.image_of(item.id) for item in scored.images]
    numbers = {image: number for number, image in enumerate(references.regions)}
    column = np.array([numbers[image] for image in images], np.float64)
    items = replace(found.items, columns={**found.items.columns, IMAGE: column}, noun="region")
    return replace(
        found,
        task="region-captions",
        profile=options.profile,
        items=items,
        about=fill(
            "{regions} in {images}",
            counted(len(images), "region"),
            counted(len(set(images)), "image"),
        ),
        defects=(*found.defects, *_printed_scores(found, submission, options)),
    )


def region_remarks(
    references: RegionReferences,
    submission: CaptionSubmission,
    options: RegionCaptionOptions,
    run: Run,
) -> Iterator[Defect]:
    """Yield what scoring reports of a submission, without METEOR."""
    scored = _scored_items(references, submission)
    yield from captions_evaluator.scoring_remarks(scored, submission, CAPTION_OPTIONS, run)


def _scored_items(references: RegionReferences, submission: CaptionSubmission) -> CaptionReferences:
    """Return the items with a caption, on which CIDEr's weights depend."""
    items = references.items
    return replace(
        items, images=tuple(one for one in items.images if one.id in submission.captions)
    )


def _printed_scores(
    found: Evaluation, submission: CaptionSubmission, options: RegionCaptionOptions
) -> Iterator[Defect]:
    if options.profile == CONTROLCAP:
        meteor, cider = (100 * found.score(name).value for name in ("meteor", "cider"))
        yield note(
            Place(submission.path),
            fill(
                "ControlCap prints METEOR as {meteor} and CIDEr as {cider}.",
                round_number(meteor, 2),
                round_number(cider, 2),
            ),
            "It multiplies these two by 100.",
        )
