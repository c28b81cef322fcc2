"""Calibration by simulation: do 95 % intervals cover, and do paired tests keep their promise?

    python tests/bench/calibration.py [--trials 1000] [--report tests/bench/calibration.md]

Every trial draws the scores of two systems on the same items from a population whose mean is
known, and in which nothing separates the systems. A row is one kind of score with one number of
items: AP of queries (many near 0 and 1), METEOR of stories, and mAP of dense captions, whose
images are drawn with their detections.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.metrics.dense_draws import DrawnPrecisions
from core.metrics.dense_map import Records, average_precisions
from core.model import FloatArray
from core.stats.bootstrap import Plan, counts, interval
from core.stats.combined import (
    errors,
    freedom,
    resampled_spread,
    student_interval,
    student_p,
    without_bias,
)
from core.stats.paired import (
    bootstrap_p,
    differences,
    randomisation,
    resampled_differences,
    sacrebleu_bootstrap_p,
    t_test,
    wilcoxon,
)
from core.stats.swaps import Swaps

ALPHA = 0.05
PAIR = [(0, 1)]
RESAMPLES, ROUNDS, UNIT_RESAMPLES = 1000, 1000, 200
NOTE = """\
The interval of mAP is a t interval around the score less its bootstrap bias; the plain percentiles
of the same resamples cover {percentiles:.1f} %. mAP takes the best precision at a recall or beyond,
and chance lifts that of few images more: the mean score of 60 images is {few:.3f} here, that of
40,000 images, which the interval is held against, is {many:.3f}. Tests compare systems on the same
images, where both are lifted alike. One standard error of a share of 5 % is 0.5 for 2,000 trials
and 0.8 for 800."""
Scores = Callable[[np.random.Generator, int], FloatArray]


def ap(rng: np.random.Generator, items: int) -> FloatArray:
    """Two systems' average precisions: hard queries are hard for both."""
    ease = rng.beta(1.2, 1.2, (items, 1))
    return rng.beta(0.3 + 3 * ease, 0.3 + 3 * (1 - ease), (items, 2))


def meteor(rng: np.random.Generator, items: int) -> FloatArray:
    """Two systems' METEOR of stories: low, slightly skewed, alike on the same photos."""
    ease = rng.normal(-1.0, 0.25, (items, 1))
    return 1 / (1 + np.exp(-(ease + rng.normal(0, 0.3, (items, 2)))))


@dataclass(frozen=True, slots=True)
class Row:
    """What came out for one kind of score: shares of all trials."""

    name: str
    items: int
    trials: int
    coverage: float
    false_positives: dict[str, float]
    note: str = ""


def of_means(name: str, scores: Scores, items: int, trials: int) -> Row:
    """Coverage of the mean's interval, and how often each test rejects at 5 %."""
    truth = float(scores(np.random.default_rng(0), 2_000_000).mean())
    covered = 0
    rejected = dict.fromkeys(("randomisation", "bootstrap", "sacreBLEU", "t", "Wilcoxon"), 0)
    for trial in range(trials):
        values = scores(np.random.default_rng([1, trial]), items)
        plan = Plan(items, RESAMPLES, trial)
        drawn = np.concatenate([counts(d) @ values[:, 0] / items for d in plan.draws()])
        limits = interval(drawn)
        covered += limits is not None and limits.low <= truth <= limits.high
        found = differences(values, PAIR)
        resampled = resampled_differences(values, PAIR, plan)[:, 0]
        p = {
            "randomisation": randomisation(values, PAIR, Swaps(items, ROUNDS, trial))[0],
            "bootstrap": bootstrap_p(resampled, float(found.mean[0])),
            "sacreBLEU": sacrebleu_bootstrap_p(resampled, float(found.mean[0])),
            "t": t_test(found)[0],
            "Wilcoxon": wilcoxon(values, PAIR)[0],
        }
        for test, value in p.items():
            rejected[test] += bool(value < ALPHA)
    shares = {test: count / trials for test, count in rejected.items()}
    return Row(name, items, trials, covered / trials, shares)


def detections(rng: np.random.Generator, images: FloatArray) -> Records:
    """One system's detections: 12 an image, of which the first 5 claim its objects.

    `images` (images,) says how easy each is, for all systems.
    """
    per_image, objects, count = 12, 5, len(images)
    ease = np.repeat(images, per_image)
    number = np.tile(np.arange(per_image), count)
    overlap = np.clip(rng.normal(0.35 + 0.3 * ease, 0.15), 0, 1)
    return Records(
        image=np.repeat(np.arange(count), per_image),
        detection=number,
        group=number % objects,
        overlap=overlap,
        claims=number < objects,
        log_probability=overlap + rng.normal(0, 0.3, count * per_image) + (number < objects),
        meteor=np.clip(rng.normal(0.05 + 0.2 * ease, 0.08), 0, 1),
        objects=count * objects,
    )


def of_maps(images: int, trials: int) -> Row:
    """The same for mAP, by 200 resamples of images."""
    rng = np.random.default_rng(0)
    whole = detections(rng, rng.beta(2, 2, 40_000))
    truth = average_precisions(whole, "corrected").map
    covered = by_percentiles = rejected = 0
    total = 0.0
    objects = np.full(images, 5)
    for trial in range(trials):
        rng = np.random.default_rng([2, trial])
        ease = rng.beta(2, 2, images)
        records = [detections(rng, ease) for _ in range(2)]
        drawn = [DrawnPrecisions(one, objects, "corrected") for one in records]
        resampled = np.array(
            [
                [one.draw(weights).map for one in drawn]
                for draws in Plan(images, UNIT_RESAMPLES, trial).draws()
                for weights in counts(draws)
            ]
        )
        values = np.array([average_precisions(one, "corrected").map for one in records])
        degrees = freedom(images, len(resampled))
        found = resampled_spread(values, resampled, PAIR, images)
        centre = without_bias(values[0], resampled[:, 0])
        error = float(errors(resampled, images)[0])
        limits = student_interval(centre, error, degrees, "")
        covered += limits is not None and limits.low <= truth <= limits.high
        percentiles = interval(resampled[:, 0])
        by_percentiles += percentiles is not None and percentiles.low <= truth <= percentiles.high
        rejected += bool(student_p(found, degrees)[0] < ALPHA)
        total += float(values.mean())
    shares = {"t of the bootstrap error": rejected / trials}
    note = NOTE.format(percentiles=100 * by_percentiles / trials, few=total / trials, many=truth)
    return Row("mAP", images, trials, covered / trials, shares, note)


def table(rows: list[Row]) -> list[str]:
    """The rows as a Markdown table, in percent."""
    tests = list(dict.fromkeys(test for row in rows for test in row.false_positives))
    lines = [
        f"| scores | items | trials | 95 % interval covers | {' | '.join(tests)} |",
        f"|---|--:|--:|--:|{'--:|' * len(tests)}",
    ]
    for row in rows:
        shares = (row.false_positives.get(test) for test in tests)
        cells = ("" if share is None else f"{100 * share:.1f}" for share in shares)
        head = f"| {row.name} | {row.items} | {row.trials} | {100 * row.coverage:.1f} |"
        lines.append(f"{head} {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Simulate, print, and write the report where that is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--map-trials", type=int, default=800)
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args()
    began = time.perf_counter()
    rows = [
        of_means(name, scores, items, arguments.trials)
        for name, scores in (("AP", ap), ("METEOR", meteor))
        for items in (50, 200)
    ]
    rows.append(of_maps(60, arguments.map_trials))
    lines = [
        "# Calibration",
        "",
        "Simulated competitions in which nothing separates two systems: how often (in percent) a",
        "95 % interval holds the true score, and how often each paired test finds a difference at",
        "p < 0.05 all the same. `sacreBLEU` is the paired bootstrap as sacreBLEU counts it.",
        "",
        *table(rows),
        "",
        *(row.note for row in rows if row.note),
        "",
        f"`python tests/bench/calibration.py --trials {arguments.trials} "
        f"--map-trials {arguments.map_trials}`",
    ]
    print("\n".join(lines))
    print(f"\n{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if arguments.report is not None:
        arguments.report.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
