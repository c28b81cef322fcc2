"""Measures beside the Fréchet distance, from the features of both sides, and what they suffer from.

The interval of the distance comes from resamples of the first side; the other is fixed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.metrics.fid.frechet_distance import Gaussian, ResampledDistances
from jurydesk.core.metrics.fid.kernel_distance import SUBSET_SIZE, Estimate
from jurydesk.core.metrics.fid.picture_manifolds import DENSE_NEIGHBOURS
from jurydesk.core.metrics.fid.picture_measures import (
    NEIGHBOURLY,
    NUMBERS,
    Features,
    picture_measures,
)
from jurydesk.core.model.defects import Defect, Place, note
from jurydesk.core.model.evaluation import Units, UsageError
from jurydesk.core.neural.inception.picture_sets import FEW
from jurydesk.core.statistics.combined_scores import combined_interval, resampled_units
from jurydesk.core.statistics.inference import clip_interval

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

CLIP_ROLES = ("clip", "ruclip")
SEED = 0
UNIT = translatable("pictures")
FEWEST = 20
"""Minimum number of pictures of an interval: that of a metric of units."""


def feature_measures(
    names: Sequence[str], one: Gaussian, other: Gaussian, network: str, run: Run
) -> dict[str, Estimate]:
    """Compute measures of generated (`one`) and real features; UsageError if they cannot be."""
    if not names:
        return {}
    if "cmmd" in names and network not in CLIP_ROLES:
        raise UsageError("CMMD is defined for features of CLIP: choose --network clip.")
    generated, real = require_features(one), require_features(other)
    fewest = min(len(generated), len(real))
    if set(names) & set(NEIGHBOURLY) and fewest <= DENSE_NEIGHBOURS:
        raise UsageError(
            fill("There are {fewest} pictures, and neighbours need six of each side.", fewest)
        )
    run.report(0, 0, "Distances of features")
    return run.call(picture_measures, names, generated, real, run.check)


def require_features(side: Gaussian) -> Features:
    """Return the features of a side; UsageError if only their mean and covariance are known."""
    if side.features is None:
        raise UsageError(
            "Mean and covariance alone give the Frechet distance only: name pictures or features."
        )
    return side.features


def resampled_interval(
    value: float, one: Gaussian, other: Gaussian, resamples: int, run: Run
) -> tuple[float, float] | None:
    """Return the bounds of the 95 % interval of the distance `value` by resamples of `one`.

    Few pictures have none.
    """
    features = require_features(one)
    if len(features) < FEWEST:
        return None
    distances = run.call(ResampledDistances, features, other)
    ids = tuple(f"{number:09}" for number in range(len(features)))
    units = Units(ids, lambda counts: {"fid": run.call(distances.draw, counts)}, UNIT)

    def check(done: int) -> None:
        run.report(done, resamples, "Resampled distances")

    drawn, count = resampled_units([units], ["fid"], resamples, SEED, check)
    found = combined_interval(value, drawn[:, 0, 0], count, unit=UNIT)
    limits = found and clip_interval(found, (0.0, math.inf))
    return None if limits is None else (limits.low, limits.high)


def no_interval(place: Path, n: int) -> Defect:
    """Return the remark that a distance has no interval."""
    found = (
        fill(
            "There is no interval: it needs {fewest_groups} {plural} or more.",
            FEWEST,
            Message(UNIT),
        )
        if n < FEWEST
        else "There is no interval: the resampled distances do not vary."
    )
    return note(Place(str(place)), found)


def measure_defects(
    place: Path, names: Sequence[str], one: Gaussian, other: Gaussian
) -> Iterator[Defect]:
    """Yield what measures of few pictures suffer from."""
    fewest = min(one.n, other.n)
    where = Place(str(place))
    if "kid" in names and fewest < SUBSET_SIZE:
        yield note(
            where,
            fill("KID's subsets have {fewest:,} pictures, and 1,000 are usual.", fewest),
            "A subset is then the whole smaller side.",
        )
    if "cmmd" in names and fewest < FEW:
        yield note(
            where,
            fill("CMMD of {fewest:,} pictures is larger than that of many.", fewest),
            Message(NUMBERS),
        )
    if set(names) & set(NEIGHBOURLY) and fewest < FEW:
        yield note(
            where,
            fill("Manifolds of {fewest:,} pictures are rougher than those of many.", fewest),
            Message(NUMBERS),
        )
