from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.metrics.detection.average_precision import (
    DetectionRecords,
    Profile,
    average_precisions,
)
from jurydesk.core.metrics.detection.per_image import ResampledPrecisions, _suffix_maximum
from jurydesk.core.model.evaluation import FloatArray, IntArray

IMAGES, PER_IMAGE, OBJECTS = 6, 9, 5


def records(seed: int) -> DetectionRecords:
    """Return generated detections; the first five of an image claim its objects."""
    rng = np.random.default_rng(seed)
    count = IMAGES * PER_IMAGE
    number = np.tile(np.arange(PER_IMAGE), IMAGES)
    return DetectionRecords(
        image=np.repeat(np.arange(IMAGES), PER_IMAGE),
        detection=number,
        group=number % OBJECTS,
        overlap=rng.random(count),
        claims=number < OBJECTS,
        log_probability=rng.permutation(count).astype(float),
        meteor=rng.random(count) * 0.4,
        objects=IMAGES * OBJECTS,
    )


def repeated(found: DetectionRecords, counts: IntArray) -> DetectionRecords:
    """Return the records with every image as often as it was drawn."""
    rows = np.repeat(np.arange(len(found.image)), counts[found.image])
    return DetectionRecords(
        found.image[rows],
        found.detection[rows],
        found.group[rows],
        found.overlap[rows],
        found.claims[rows],
        found.log_probability[rows],
        found.meteor[rows],
        int(counts.sum()) * OBJECTS,
    )


def resampled_scores(
    found: DetectionRecords, counts: FloatArray, profile: Profile = "corrected"
) -> dict[str, float]:
    objects = np.full(IMAGES, OBJECTS)
    return ResampledPrecisions(found, objects, profile).draw(counts).by_name()


@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_every_image_once_gives_the_scores(profile: Profile) -> None:
    found = records(0)
    once = resampled_scores(found, np.ones(IMAGES), profile)
    assert once == average_precisions(found, profile).by_name()


@pytest.mark.parametrize("seed", range(8))
def test_a_resample_gives_what_repeated_images_give(seed: int) -> None:
    found = records(seed)
    counts = np.bincount(np.random.default_rng(seed).integers(0, IMAGES, IMAGES), minlength=IMAGES)
    expected = average_precisions(repeated(found, counts), "corrected").by_name()
    assert resampled_scores(found, counts.astype(float)) == pytest.approx(expected, abs=1e-15)


def test_an_empty_resample_scores_zero() -> None:
    assert set(resampled_scores(records(0), np.zeros(IMAGES)).values()) == {0.0}


def test_precision_is_interpolated_within_each_image() -> None:
    """Each value is the largest from its own to the last of its image."""
    found = _suffix_maximum(np.array([1.0, 3, 2, 4, 2, 5, 4]), np.array([0, 0, 0, 1, 1, 2, 2]))
    assert found.tolist() == [3, 3, 2, 4, 2, 5, 4]
