"""Measures beside the Fréchet distance, from the features of both sides, and what they suffer from.

The interval of the distance comes from resamples of the first side; the other is fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import Message, fill
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
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.inception.picture_sets import FEW

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

CLIP_ROLES = ("clip", "ruclip")
SEED = 0
LEVELS = (2.5, 97.5)


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
    one: Gaussian, other: Gaussian, resamples: int, run: Run
) -> tuple[float, float]:
    """Return the bounds of 95 % of the distances of resamples of `one` to `other`."""
    features = require_features(one)
    distances = run.call(ResampledDistances, features, other)
    random = np.random.default_rng(SEED)
    found = []
    for number in range(resamples):
        run.report(number, resamples, "Resampled distances")
        counts = np.bincount(
            random.integers(len(features), size=len(features)), minlength=len(features)
        )
        found.append(run.call(distances.draw, counts.astype(np.float64)))
    low, high = np.percentile(found, LEVELS).tolist()
    return low, high


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
    if set(names) & set(NEIGHBOURLY) and fewest < FEW:
        yield note(
            where,
            fill("Manifolds of {fewest:,} pictures are rougher than those of many.", fewest),
            Message(NUMBERS),
        )
