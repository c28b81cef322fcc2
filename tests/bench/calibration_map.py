"""Calibration of the intervals and tests of mAP, which resample images with their detections.

    python tests/bench/calibration_map.py [--trials 800]

Every trial draws two systems on the same images from a population whose mAP is known and the same
for both.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.detection.average_precision import DetectionRecords, average_precisions
from jurydesk.core.metrics.detection.per_image import ResampledPrecisions
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws, percentile_interval
from jurydesk.core.statistics.combined_scores import (
    combined_interval,
    degrees_of_freedom,
    resampled_differences_with_errors,
    student_p,
)

ALPHA = 0.05
PAIR = [(0, 1)]
UNIT_RESAMPLES = 200
NOTE = """\
The interval of mAP is a t interval around the score less its bootstrap bias; the plain percentiles
of the same resamples cover {percentiles:.1f} %. mAP takes the best precision at a recall or beyond,
and chance lifts that of few images more: the mean score of 60 images is {few:.3f} here, that of
40,000 images, which the interval is held against, is {many:.3f}. Tests compare systems on the same
images, where both are lifted alike. One standard error of a share of 5 % is 0.8 for 800 trials."""


@dataclass(frozen=True, slots=True)
class Row:
    """Result for one kind of score, as shares of all trials."""

    name: str
    items: int
    trials: int
    coverage: float
    false_positives: dict[str, float]
    note: str = ""


def detections(rng: np.random.Generator, images: FloatArray) -> DetectionRecords:
    """Return one system's detections: 12 per image, of which the first 5 claim its objects.

    `images` (images,) says how easy each is, for all systems.
    """
    per_image, objects, count = 12, 5, len(images)
    ease = np.repeat(images, per_image)
    number = np.tile(np.arange(per_image), count)
    overlap = np.clip(rng.normal(0.35 + 0.3 * ease, 0.15), 0, 1)
    return DetectionRecords(
        image=np.repeat(np.arange(count), per_image),
        detection=number,
        group=number % objects,
        overlap=overlap,
        claims=number < objects,
        log_probability=overlap + rng.normal(0, 0.3, count * per_image) + (number < objects),
        meteor=np.clip(rng.normal(0.05 + 0.2 * ease, 0.08), 0, 1),
        objects=count * objects,
    )


def of_maps(images: int, trials: int, seed: int = 2) -> Row:
    """Return the coverage and the rejection rate for mAP, with 200 resamples of images."""
    rng = np.random.default_rng(0)
    whole = detections(rng, rng.beta(2, 2, 40_000))
    truth = average_precisions(whole, "corrected").map
    covered = by_percentiles = rejected = 0
    total = 0.0
    objects = np.full(images, 5)
    for trial in range(trials):
        rng = np.random.default_rng([seed, trial])
        ease = rng.beta(2, 2, images)
        records = [detections(rng, ease) for _ in range(2)]
        drawn = [ResampledPrecisions(one, objects, "corrected") for one in records]
        resampled = np.array(
            [
                [one.draw(weights).map for one in drawn]
                for draws in ResamplingPlan(images, UNIT_RESAMPLES, trial).draws()
                for weights in count_draws(draws)
            ]
        )
        values = np.array([average_precisions(one, "corrected").map for one in records])
        degrees = degrees_of_freedom(images, len(resampled))
        found = resampled_differences_with_errors(values, resampled, PAIR, images)
        limits = combined_interval(values[0], resampled[:, 0], images)
        covered += limits is not None and limits.low <= truth <= limits.high
        percentiles = percentile_interval(resampled[:, 0])
        by_percentiles += percentiles is not None and percentiles.low <= truth <= percentiles.high
        rejected += bool(student_p(found, degrees)[0] < ALPHA)
        total += float(values.mean())
    shares = {"t of the bootstrap error": rejected / trials}
    note = NOTE.format(percentiles=100 * by_percentiles / trials, few=total / trials, many=truth)
    return Row("mAP", images, trials, covered / trials, shares, note)


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=800)
    parser.add_argument("--seed", type=int, default=2)
    arguments = parser.parse_args()
    row = of_maps(60, arguments.trials, arguments.seed)
    print("| scores | images | trials | 95 % interval covers | rejected without a difference |")
    print("|---|--:|--:|--:|--:|")
    rejected = 100 * row.false_positives["t of the bootstrap error"]
    print(f"| mAP | {row.items} | {row.trials} | {100 * row.coverage:.1f} | {rejected:.1f} |")
    print(f"\n{row.note}")


if __name__ == "__main__":
    main()
