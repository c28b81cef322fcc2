from __future__ import annotations

import io
import pickle
import re
import tracemalloc
import zipfile

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.inception.fid_score import FidCalculator
from jurydesk.core.neural.inception.npz_statistics import (
    Statistics,
    read_statistics,
    write_statistics,
)


def npy():
    buffer = io.BytesIO()
    np.save(buffer, np.ones((3, 2)))
    return buffer.getvalue()


NPY = npy()


def saved(path, **arrays):
    np.savez(path, **arrays)
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "statistics.npz"


def test_statistics_are_read_back_with_their_origin(path):
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
        ({"features": np.ones((3, 2), "m8[s]")}, "features does not hold real numbers."),
        ({"features": np.ones((3, 0))}, "features have the shape (3, 0)"),
        ({"features": np.array([[1.0], [1e31]])}, "features holds values beyond 1e+30."),
        ({"mu": np.full(2, -1e308), "sigma": np.eye(2)}, "mu holds values beyond 1e+30."),
        ({"mu": np.ones(2), "sigma": 1e61 * np.eye(2)}, "sigma holds values beyond 1e+60."),
        ({"mu": np.ones(0), "sigma": np.ones((0, 0))}, "mu has the shape (0,) and sigma (0, 0)"),
        ({"mu": np.ones(2), "sigma": -np.eye(2)}, "sigma has negative variances"),
        (
            {"mu": np.ones(2), "sigma": np.array([[1.0, 0.5], [0.0, 1.0]])},
            "sigma is not symmetric, so it is not a covariance.",
        ),
    ],
)
def test_another_file_is_reported(path, arrays, sentence):
    with pytest.raises(UsageError) as reported:
        read_statistics(saved(path, **arrays))
    assert sentence in str(reported.value)


@pytest.mark.parametrize("content", [b"", b"text", pickle.dumps([1])])
def test_a_file_that_is_not_npz_is_reported(path, content):
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"is not a valid \.npz file of numbers"):
        read_statistics(path)


def test_objects_are_not_unpickled(path):
    saved(path, mu=np.array([object()], dtype=object), sigma=np.eye(1))
    with pytest.raises(UsageError, match=r"is not a valid \.npz file of numbers"):
        read_statistics(path)


@pytest.mark.parametrize("count", ["abc", np.nan, np.inf, -5, [3, 4], b"7", 1.5])
def test_an_invalid_count_is_ignored(path, count):
    saved(path, mu=np.zeros(2), sigma=np.eye(2), n=np.array(count))
    assert read_statistics(path).gaussian.n == 0


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, np.int8])
def test_features_can_be_numbers_of_any_width(path, kind):
    rows = np.array([[1, 2], [3, -4], [5, 7]], dtype=kind)
    found = read_statistics(saved(path, features=rows)).gaussian
    assert found.mean.tolist() == [3, 5 / 3]


def write_member(path, member, content):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(member, content)


def claiming(rows):
    header = io.BytesIO()
    shape = {"descr": "<f8", "fortran_order": False, "shape": (rows, 10**6)}
    np.lib.format.write_array_header_1_0(header, shape)
    return header.getvalue() + bytes(100)


def patched(path, **places):
    """Return a valid compressed file with changed bytes in its member's headers or data."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, features=np.random.RandomState(0).randn(50, 8))
    content = bytearray(buffer.getvalue())
    second = content.find(b"PK\x01\x02")
    if "data" in places:
        content[100:140] = b"\xff" * 40
    else:
        content[6] = content[second + 8] = places.get("flags", content[6])
        content[8] = content[second + 10] = places.get("method", content[8])
    path.write_bytes(content[: places.get("end")])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda path: write_member(path, "features", b"hello"),
            "features is not an array",
        ),
        (lambda path: write_member(path, "features.npy", b"hello"), "features.npy is not an array"),
        (lambda path: write_member(path, "features.npy", claiming(1)), "is not a valid .npz file"),
        (
            lambda path: write_member(path, "features.npy", claiming(10**16)),
            "is not a valid .npz file",
        ),
        (lambda path: patched(path, flags=1), "is encrypted"),
        (lambda path: patched(path, method=99), "uses an unsupported compression method"),
        (lambda path: patched(path, data=0), "is not a valid .npz file of numbers"),
        (lambda path: patched(path, end=-30), "is not a valid .npz file of numbers"),
        (lambda path: path.mkdir(), "is not a valid .npz file of numbers"),
        (lambda path: path.write_bytes(NPY), "is not a valid .npz file of numbers"),
    ],
)
def test_a_damaged_or_hostile_file_is_reported(path, make, sentence):
    make(path)
    with pytest.raises(UsageError, match=re.escape(sentence)):
        read_statistics(path)


def nested(value):
    """Return an array whose header Python cannot parse: its shape is nested too deeply."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {value}}}\n".encode()
    return np.lib.format.magic(1, 0) + len(header).to_bytes(2, "little") + header


@pytest.mark.parametrize("value", ["-" * 5000 + "1", "[" * 3000, "(" * 2500])
def test_a_header_that_is_nested_too_deeply_is_reported(path, value):
    write_member(path, "features.npy", nested(value))
    with pytest.raises(UsageError, match=r"features\.npy has an invalid array header"):
        read_statistics(path)


@pytest.fixture
def memory():
    """Return the largest number of allocated bytes since the first call."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def bomb(path, shape, method=zipfile.ZIP_DEFLATED):
    """Return eighty megabytes of zeros that take eighty kilobytes on the disk."""
    header = io.BytesIO()
    kind = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, kind)
    with zipfile.ZipFile(path, "w", method) as file, file.open("features.npy", "w") as member:
        member.write(header.getvalue())
        for _ in range(80):
            member.write(bytes(1 << 20))


def test_zeros_that_unpack_to_a_thousand_times_the_file_allocate_no_memory(path, memory):
    bomb(path, (20 << 10, 1 << 10))
    with pytest.raises(UsageError, match=r"bytes cannot hold 83,886,208 bytes of numbers"):
        read_statistics(path)
    assert memory() < 1 << 22


def test_an_array_with_too_large_a_header_allocates_no_memory(path, memory):
    write_member(path, "features.npy", claiming(1000))
    with pytest.raises(UsageError, match=r"declares 8,000,000,000 bytes and holds 100"):
        read_statistics(path)
    assert memory() < 1 << 22


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_unusual_compressions_are_refused(path, method):
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("features.npy", NPY)
    with pytest.raises(UsageError, match="uses an unsupported compression method"):
        read_statistics(path)


def test_compressed_numbers_are_read_like_others(path):
    rows = np.zeros((3000, 16), np.float32)
    np.savez_compressed(path, features=rows)
    assert read_statistics(path).gaussian.n == 3000


def test_a_file_larger_than_the_memory_is_reported(path, monkeypatch):
    def refuse(*arguments, **options):
        raise MemoryError

    saved(path, features=np.ones((3, 2)))
    monkeypatch.setattr(np, "load", refuse)
    with pytest.raises(UsageError, match="does not fit into this computer's memory"):
        read_statistics(path)


def test_arrays_that_are_not_needed_are_not_read(path):
    with zipfile.ZipFile(saved(path, features=np.ones((3, 2))), "a") as file:
        file.writestr("more.npy", b"hello")
    assert read_statistics(path).gaussian.n == 3


def test_statistics_in_other_forms_are_read(tmp_path):
    features = np.arange(20.0).reshape(5, 4) ** 1.5
    mean, covariance = features.mean(axis=0), np.cov(features, rowvar=False)
    np.savez(tmp_path / "row.npz", mu=mean[np.newaxis], sigma=covariance)
    np.savez(tmp_path / "kid.npz", feats=features)
    np.savez(tmp_path / "unnamed.npz", features)
    np.save(tmp_path / "a.npy", features)
    found = [read_statistics(tmp_path / name) for name in ("row.npz", "kid.npz", "unnamed.npz")]
    found.append(read_statistics(tmp_path / "a.npy"))
    for one in found:
        assert one.gaussian.mean == pytest.approx(mean)
        assert one.gaussian.covariance == pytest.approx(covariance)
    assert [one.remark for one in found] == [
        "",
        '"feats" (5 x 4) was read as features.',
        '"arr_0" (5 x 4) was read as features.',
        '"arr_0" (5 x 4) was read as features.',
    ]


def test_pictures_in_an_array_are_named(tmp_path):
    np.savez(tmp_path / "samples.npz", np.zeros((4, 8, 9, 3), np.uint8))
    with pytest.raises(UsageError, match=r"holds 4 pictures of 8 x 9, no statistics"):
        read_statistics(tmp_path / "samples.npz")


@pytest.mark.parametrize("name", ["samples.pt", "A.pkl"])
def test_a_file_of_another_kind_is_named_before_weights_are_sought(name, tmp_path):
    (tmp_path / name).write_bytes(b"x")
    (tmp_path / "real").mkdir()
    with pytest.raises(UsageError, match=r"is a file, and no \.npz of statistics"):
        FidCalculator({}).between(tmp_path / name, tmp_path / "real", Run())
