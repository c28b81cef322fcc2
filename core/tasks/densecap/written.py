"""The captions of a submission, image by image."""

from __future__ import annotations

from collections.abc import Iterator

from core.model import Written
from core.tasks.densecap.ground_truth import GroundTruth
from core.tasks.densecap.regions import Regions


def written(truth: GroundTruth, found: Regions) -> Iterator[Written]:
    """The caption of each image's surest region, beside all captions of people for that image."""
    regions = truth.regions
    places = {name: number for number, name in enumerate(regions.images)}
    for image, name in enumerate(found.images):
        rows = found.rows(image)
        if name not in places or rows.start == rows.stop:
            continue
        surest = rows.start + int(found.scores[rows].argmax())
        human = regions.captions[regions.rows(places[name])]
        yield Written(name, found.captions[surest], tuple(human))
