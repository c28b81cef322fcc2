"""Files of feature statistics: features (N, d), or mu (d,) and sigma (d, d).

Files of other programs are accepted, and features in `.npy`; those of Jurydesk also hold the number
of pictures, the preset and the hash of the weights.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.language import Message, counted, fill
from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.model.evaluation import FloatArray, UsageError
from jurydesk.core.readers.npz import DAMAGES, require_valid_npz
from jurydesk.core.system.paths import write_atomically

ENDING, ARRAY_ENDING = ".npz", ".npy"
FEATURES = ("features", "feats", "arr_0")
"""Names of features: ours, clean-fid's, and that of an array which was saved without a name."""
NAMES = (*FEATURES[1:], "features", "mu", "sigma", "n", "preset", "weights", "pictures")
LARGEST, LARGEST_COVARIANCE = 1e30, 1e60
"""Limits against overflow of the distance; features of a network are far smaller."""
SYMMETRY = 1e-6  # relative to the largest covariance: float32 statistics are not exactly symmetric


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """Distribution of features with its origin; texts are empty if unknown."""

    gaussian: Gaussian
    preset: str = ""
    weights: str = ""
    pictures: str = ""
    """One SHA-256 over all pictures."""
    remark: str = ""
    """A sentence on features that the file has under another name."""


def is_statistics_file(path: Path) -> bool:
    """Return whether a path is that of a file of statistics, by its ending."""
    return path.suffix.lower() in (ENDING, ARRAY_ENDING) and not path.is_dir()


def read_statistics(path: Path) -> Statistics:
    """Read the statistics in a `.npz` or `.npy` file; UsageError if it is not valid."""
    content = _read(path)
    name = next((one for one in FEATURES if one in content), "")
    remark = ""
    if "mu" in content and "sigma" in content and name != FEATURES[0]:
        gaussian = _gaussian_of_moments(content, path)
    elif name:
        gaussian = _gaussian_of_features(content[name], path)
        if name != FEATURES[0]:
            shape = " x ".join(f"{size:,}" for size in content[name].shape)
            remark = fill('"{name}" ({shape}) was read as features.', name, shape)
    else:
        names = ", ".join(content) or "nothing"
        raise UsageError(
            fill(
                '{path} holds {names}; "features", or "mu" and "sigma", are expected.', path, names
            )
        )
    preset, weights, pictures = (_text(content, one) for one in ("preset", "weights", "pictures"))
    return Statistics(gaussian, preset, weights, pictures, remark)


def _read(path: Path) -> dict[str, Any]:
    """Return the arrays of the file by name; None for other names, which are not read."""
    try:
        with path.open("rb") as stream:
            if path.suffix.lower() == ARRAY_ENDING:
                return {FEATURES[-1]: np.array(np.load(path, mmap_mode="r", allow_pickle=False))}
            require_valid_npz(stream, NAMES)
            with np.load(stream, allow_pickle=False) as file:
                return {name: file[name] if name in NAMES else None for name in file.files}
    except FileNotFoundError as fault:
        raise UsageError(fill("{path}: there is no such file.", path)) from fault
    except MemoryError as fault:
        raise UsageError(fill("{path} does not fit into this computer's memory.", path)) from fault
    except DAMAGES as fault:
        raise UsageError(
            fill("{path} is not a valid .npz file of numbers: {fault}.", path, Message(str(fault)))
        ) from fault


def write_statistics(path: Path, statistics: Statistics) -> None:
    """Write mu, sigma and their origin atomically."""
    from jurydesk.core.version import __version__

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


def _gaussian_of_features(written: Any, path: Path) -> Gaussian:
    if isinstance(written, np.ndarray) and written.ndim == 4 and written.shape[3] == 3:
        raise UsageError(
            fill(
                "{path} holds {pictures} of {height:,} x {width:,}, no statistics: save them as "
                "files in a folder.",
                path,
                counted(len(written), "picture"),
                *written.shape[1:3],
            )
        )
    features = _numbers(written, "features", path, keep=True)
    if features.ndim != 2 or features.shape[0] < 2 or not features.shape[1]:
        raise UsageError(
            fill(
                "{path}: features have the shape {shape}; N x d with at least two rows is "
                "expected.",
                path,
                features.shape,
            )
        )
    return Gaussian.of(features)


def _gaussian_of_moments(content: dict[str, Any], path: Path) -> Gaussian:
    mean = np.atleast_1d(_numbers(content["mu"], "mu", path))
    mean = mean[0] if mean.ndim == 2 and len(mean) == 1 else mean
    covariance = np.atleast_2d(_numbers(content["sigma"], "sigma", path, LARGEST_COVARIANCE))
    if mean.ndim != 1 or covariance.shape != (len(mean), len(mean)) or not len(mean):
        raise UsageError(
            fill(
                "{path}: mu has the shape {shape} and sigma {shape2}; d and d x d are expected.",
                path,
                mean.shape,
                covariance.shape,
            )
        )
    if np.abs(covariance - covariance.T).max() > SYMMETRY * np.abs(covariance).max():
        raise UsageError(fill("{path}: sigma is not symmetric, so it is not a covariance.", path))
    if (np.diagonal(covariance) < 0).any():
        raise UsageError(
            fill("{path}: sigma has negative variances, so it is not a covariance.", path)
        )
    return Gaussian(mean, covariance, _count(content.get("n")))


def _count(written: Any) -> int:
    """Return the number of pictures, or 0 if it is unknown."""
    is_count = isinstance(written, np.ndarray) and written.size == 1 and written.dtype.kind in "iu"
    return max(int(written.item()), 0) if is_count else 0


def _numbers(
    values: Any, name: str, path: Path, largest: float = LARGEST, *, keep: bool = False
) -> FloatArray:
    """Return the values as float64 (or unchanged); UsageError unless finite and up to `largest`."""
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf":
        raise UsageError(fill("{path}: {name} does not hold real numbers.", path, name))
    if not np.isfinite(values).all():
        raise UsageError(fill("{path}: {name} holds values that are not finite.", path, name))
    if max(float(values.max(initial=0)), -float(values.min(initial=0))) > largest:
        raise UsageError(
            fill("{path}: {name} holds values beyond {largest:g}.", path, name, largest)
        )
    numbers: FloatArray = values if keep else values.astype(np.float64)
    return numbers


def _text(content: dict[str, Any], name: str) -> str:
    value = content.get(name)
    return str(value) if isinstance(value, np.ndarray) and value.ndim == 0 else ""
