from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.metrics.fid.frechet_distance import (
    Gaussian,
    ResampledDistances,
    gaussian_frechet_distance,
)


@pytest.mark.parametrize(
    ("pictures", "others", "width"),
    [(40, 60, 16), (10, 60, 16), (10, 8, 16), (60, 10, 16)],
    ids=["more than dimensions", "fewer than dimensions", "few of both", "few others"],
)
def test_a_resample_has_the_exact_distance_of_its_features(
    pictures: int, others: int, width: int
) -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(pictures, width)).astype(np.float32)
    other = Gaussian.of(rng.normal(0.2, 1.3, size=(others, width)))
    drawn = ResampledDistances(features, other)
    every = np.ones(pictures, dtype=np.int64)
    some = np.bincount(rng.integers(0, pictures, pictures), minlength=pictures)
    for counts in (every, some):
        repeated = Gaussian.of(np.repeat(features, counts, axis=0))
        expected = gaussian_frechet_distance(repeated, other, "exact")
        assert drawn.draw(counts.astype(np.float64)) == pytest.approx(expected, abs=1e-6)


def test_one_picture_has_no_distance() -> None:
    rng = np.random.default_rng(2)
    drawn = ResampledDistances(rng.normal(size=(4, 3)), Gaussian.of(rng.normal(size=(9, 3))))
    assert np.isnan(drawn.draw(np.array([1.0, 0.0, 0.0, 0.0])))
