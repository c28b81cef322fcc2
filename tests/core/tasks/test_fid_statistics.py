from __future__ import annotations

import pickle

import numpy as np
import pytest

from core.metrics.frechet import Gaussian
from core.model import UsageError
from core.tasks.fid_statistics import Statistics, read_statistics, write_statistics


def saved(path, **arrays):
    np.savez(path, **arrays)
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "statistics.npz"


def test_what_is_written_is_read_back_with_where_it_comes_from(path):
    gaussian = Gaussian.of(np.random.RandomState(0).randn(20, 4))
    write_statistics(path, Statistics(gaussian, "clean", "ab12", "cd34"))
    found = read_statistics(path)
    assert (found.preset, found.weights, found.pictures, found.gaussian.n) == (
        "clean",
        "ab12",
        "cd34",
        20,
    )
    assert np.array_equal(found.gaussian.mean, gaussian.mean)
    assert np.array_equal(found.gaussian.covariance, gaussian.covariance)


def test_the_files_of_pytorch_fid_are_read(path):
    found = read_statistics(saved(path, mu=np.zeros(3), sigma=np.eye(3)))
    assert (found.gaussian.n, found.preset) == (0, "")


def test_features_are_read(path):
    rows = np.random.RandomState(0).randn(7, 3).astype(np.float32)
    found = read_statistics(saved(path, features=rows)).gaussian
    assert found.n == 7
    assert found.covariance == pytest.approx(np.cov(rows.astype(np.float64), rowvar=False))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"x": np.ones(2)}, 'holds x; "features", or "mu" and "sigma", are expected.'),
        ({}, 'holds nothing; "features", or "mu" and "sigma", are expected.'),
        ({"features": np.ones((1, 4))}, "features have the shape (1, 4)"),
        ({"features": np.array([[1.0], [np.nan]])}, "features holds values that are not finite."),
        ({"features": np.array([["a"], ["b"]])}, "features does not hold real numbers."),
        ({"mu": np.ones(3), "sigma": np.eye(2)}, "mu has the shape (3,) and sigma (2, 2)"),
        (
            {"mu": np.ones(2), "sigma": np.array([[1.0, 0.5], [0.0, 1.0]])},
            "sigma is not symmetric, so it is no covariance.",
        ),
    ],
)
def test_a_file_of_something_else_is_told(path, arrays, sentence):
    with pytest.raises(UsageError) as told:
        read_statistics(saved(path, **arrays))
    assert sentence in str(told.value)


@pytest.mark.parametrize("content", [b"", b"text", pickle.dumps([1])])
def test_a_file_that_is_no_npz_is_told(path, content):
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"is no sound \.npz file of numbers"):
        read_statistics(path)


def test_objects_are_not_unpickled(path):
    saved(path, mu=np.array([object()], dtype=object), sigma=np.eye(1))
    with pytest.raises(UsageError, match=r"is no sound \.npz file of numbers"):
        read_statistics(path)
