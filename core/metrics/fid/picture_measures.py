"""Declarations of the measures between two sets of pictures, and their computation from features.

Errors are standard errors: by the jackknife over both sides of a kernel distance; of the mean over
pictures of precision and its like, whose manifolds are fixed. That of `kid` is, as in
torch-fidelity, the standard deviation over subsets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.fid.kernel_distance import (
    Estimate,
    clip_distance,
    kernel_distance,
    subset_kernel_distance,
)
from jurydesk.core.metrics.fid.picture_manifolds import manifold_scores
from jurydesk.core.model.chunk import Check
from jurydesk.core.model.evaluation import FloatArray, MetricInfo

KERNEL = "Binkowski et al., Demystifying MMD GANs, 2018"
MANIFOLDS = "Kynkaanniemi et al., Improved Precision and Recall Metric, 2019"
DENSITIES = "Naeem et al., Reliable Fidelity and Diversity Metrics, 2020"
MEANS = "Jayasumana et al., Rethinking FID, 2024"
NUMBERS = "It depends on the numbers of pictures: compare only sets of equal size."
Features = npt.NDArray[np.floating]

_measure = partial(MetricInfo, better="higher", range=(0.0, 1.0), aggregate="own")

MEASURES = (
    _measure(
        "kid",
        "KID",
        "Kernel distance of features: mean over 100 subsets of 1,000 pictures.",
        range=(-math.inf, math.inf),
        better="lower",
        source=KERNEL,
        decimals=6,
    ),
    _measure(
        "kid_full",
        "KID, all pictures",
        "Unbiased kernel distance of the features of all pictures.",
        range=(-math.inf, math.inf),
        better="lower",
        source=KERNEL,
        decimals=6,
    ),
    _measure(
        "precision",
        "Precision",
        "Share of generated pictures within the third neighbour of a real one.",
        source=MANIFOLDS,
        caveat=NUMBERS,
    ),
    _measure(
        "recall",
        "Recall",
        "Share of real pictures within the third neighbour of a generated one.",
        source=MANIFOLDS,
        caveat=NUMBERS,
    ),
    _measure(
        "density",
        "Density",
        "Mean number of real pictures whose fifth neighbour is farther than the generated one, "
        "divided by five.",
        range=(0.0, math.inf),
        source=DENSITIES,
        caveat=NUMBERS,
    ),
    _measure(
        "coverage",
        "Coverage",
        "Share of real pictures with a generated one nearer than their fifth neighbour.",
        source=DENSITIES,
        caveat=NUMBERS,
    ),
    _measure(
        "cmmd",
        "CMMD",
        "Gaussian kernel distance of CLIP vectors, times 1,000.",
        range=(0.0, math.inf),
        better="lower",
        source=MEANS,
        decimals=3,
    ),
)
"""Measures beside the Frechet distance; the first side is generated, the second real."""

NAMES = tuple(info.name for info in MEASURES)
NEIGHBOURLY = ("precision", "recall", "density", "coverage")


def picture_measures(
    names: Sequence[str], generated: Features, real: Features, check: Check = lambda: None
) -> dict[str, Estimate]:
    """Compute measures of generated (n, d) and real (m, d) features, in the order of `NAMES`.

    Raises ValueError for too few features, and KeyError for an unknown name.
    """
    if unknown := set(names) - set(NAMES):
        raise KeyError(*unknown)
    found = dict(_kernel_measures(names, generated, real, check))
    if set(names) & set(NEIGHBOURLY):
        scores = manifold_scores(real, generated, check)
        found |= {name: mean_with_error(getattr(scores, name)) for name in NEIGHBOURLY}
    return {name: found[name] for name in NAMES if name in names}


def _kernel_measures(
    names: Sequence[str], generated: Features, real: Features, check: Check
) -> Iterator[tuple[str, Estimate]]:
    functions = (
        ("kid", subset_kernel_distance),
        ("kid_full", kernel_distance),
        ("cmmd", clip_distance),
    )
    for name, function in functions:
        if name in names:
            yield name, function(generated, real, check)


def mean_with_error(values: FloatArray) -> Estimate:
    """Return the mean of values with its standard error."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return Estimate(float(np.mean(values)), spread / math.sqrt(len(values)))
