"""Statistics of features in `.npz` files: features (N, d), or mu (d,) and sigma (d, d).

Such files of other programs are taken; ours also say from how many pictures, by which preset and
with which weights they were made.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.metrics.frechet import Gaussian
from core.model import FloatArray, UsageError
from core.paths import write_atomically

ENDING = ".npz"
SYMMETRY = 1e-6  # of the largest covariance; float32 statistics are not quite symmetric


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """A distribution of features and where it comes from; empty where nobody said it."""

    gaussian: Gaussian
    preset: str = ""
    weights: str = ""
    pictures: str = ""
    """The SHA-256 of all pictures together."""


def read_statistics(path: Path) -> Statistics:
    """The statistics in a `.npz` file; UsageError with what is wrong with it."""
    try:
        with np.load(path, allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
    except FileNotFoundError as fault:
        raise UsageError(f"{path}: there is no such file.") from fault
    except (OSError, ValueError, zipfile.BadZipFile, EOFError) as fault:
        raise UsageError(f"{path} is no sound .npz file of numbers: {fault}.") from fault
    if "features" in content:
        gaussian = _of_features(content["features"], path)
    elif "mu" in content and "sigma" in content:
        gaussian = _of_moments(content, path)
    else:
        names = ", ".join(content) or "nothing"
        raise UsageError(f'{path} holds {names}; "features", or "mu" and "sigma", are expected.')
    return Statistics(
        gaussian, *(_text(content, name) for name in ("preset", "weights", "pictures"))
    )


def write_statistics(path: Path, statistics: Statistics) -> None:
    """Write mu, sigma and where they come from, whole or not at all."""
    from core.version import __version__

    gaussian = statistics.gaussian
    buffer = io.BytesIO()
    np.savez(
        buffer,
        mu=gaussian.mean,
        sigma=gaussian.covariance,
        n=np.int64(gaussian.n),
        preset=statistics.preset,
        weights=statistics.weights,
        pictures=statistics.pictures,
        jurydesk=__version__,
    )
    write_atomically(path, buffer.getvalue())


def _of_features(features: Any, path: Path) -> Gaussian:
    if features.ndim != 2 or features.shape[0] < 2:
        raise UsageError(
            f"{path}: features have the shape {features.shape}; N x d with at least two rows "
            "is expected."
        )
    return Gaussian.of(_numbers(features, "features", path, keep=True))


def _of_moments(content: dict[str, Any], path: Path) -> Gaussian:
    mean = np.atleast_1d(_numbers(content["mu"], "mu", path))
    covariance = np.atleast_2d(_numbers(content["sigma"], "sigma", path))
    if mean.ndim != 1 or covariance.shape != (len(mean), len(mean)):
        raise UsageError(
            f"{path}: mu has the shape {mean.shape} and sigma {covariance.shape}; "
            "d and d x d are expected."
        )
    if np.abs(covariance - covariance.T).max() > SYMMETRY * np.abs(covariance).max():
        raise UsageError(f"{path}: sigma is not symmetric, so it is no covariance.")
    n = content.get("n")
    return Gaussian(mean, covariance, int(n) if n is not None and n.size == 1 else 0)


def _numbers(values: Any, name: str, path: Path, *, keep: bool = False) -> FloatArray:
    """The values as float64 (or as they are), where they are finite numbers."""
    if not np.issubdtype(values.dtype, np.number) or np.iscomplexobj(values):
        raise UsageError(f"{path}: {name} does not hold real numbers.")
    if not np.isfinite(values).all():
        raise UsageError(f"{path}: {name} holds values that are not finite.")
    numbers: FloatArray = values if keep else values.astype(np.float64)
    return numbers


def _text(content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    return str(value) if value is not None and value.ndim == 0 else ""
