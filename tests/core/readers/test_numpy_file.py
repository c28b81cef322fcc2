"""Matrices in `.npy` files are mapped, whatever version and order NumPy wrote them in."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.lib import format as numpy_format

from jurydesk.core.readers.numpy_file import parse_header, read_numpy_file

MATRIX = np.arange(6, dtype="<f4").reshape(2, 3)


def written(array, version=(1, 0)):
    numpy_format.write_array(file := io.BytesIO(), array, version)
    return file.getvalue()


def refusal(path, content):
    path.write_bytes(content)
    reading = read_numpy_file(path)
    assert reading.data is None
    (defect,) = reading.defects
    return defect.found


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_matrix_is_what_numpy_reads(tmp_path, version, order):
    path = tmp_path / "a.npy"
    path.write_bytes(written(np.asarray(MATRIX, order=order), version))
    reading = read_numpy_file(path)
    assert reading.defects == ()
    np.testing.assert_array_equal(reading.data, MATRIX)


@pytest.mark.parametrize("change", [-1, 1])
def test_a_file_shorter_or_longer_than_its_shape_is_refused(tmp_path, change):
    content = written(MATRIX)
    content = content[:change] if change < 0 else content + b"\0" * change
    assert refusal(tmp_path / "a.npy", content) == (
        "The file does not hold an array of the shape (2, 3)."
    )


def test_arrays_of_other_dimensions_are_refused(tmp_path):
    for shape in ((6,), (1, 2, 3), (0, 3)):
        named = ", ".join(map(str, shape))
        content = written(np.zeros(shape, "<f4"))
        assert refusal(tmp_path / "a.npy", content) == f"The array has the shape ({named})."


def test_a_header_of_an_unknown_version_is_none():
    content = bytearray(written(MATRIX))
    assert parse_header(bytes(content)).shape == (2, 3)
    content[6] = 4
    assert parse_header(bytes(content)) is None


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("order", "<>")
def test_a_matrix_of_any_numbers_is_read(tmp_path, kind, order):
    path, matrix = tmp_path / "a.npy", MATRIX.astype(order + kind)
    path.write_bytes(written(matrix))
    np.testing.assert_array_equal(read_numpy_file(path).data, matrix)


def test_the_start_of_a_header_and_another_beginning_are_none():
    content = written(MATRIX)
    assert all(parse_header(content[:end]) is None for end in range(len(content) - MATRIX.nbytes))
    assert parse_header(content.replace(b"NUMPY", b"NUMPX")) is None


@pytest.mark.parametrize("version", [1, 2])
def test_a_header_of_the_largest_size_is_read(version):
    content = written(MATRIX)
    width, start = (2, 10) if version == 1 else (4, 12)
    text = content[10:128]
    for size, is_read in ((65_535, True), (65_536, version == 2), (65_537, False)):
        if size >= 1 << 8 * width:
            continue
        header = text.rstrip(b"\n").ljust(size - 1) + b"\n"
        head = content[:6] + bytes([version, 0]) + size.to_bytes(width, "little") + header
        found = parse_header(head)
        assert (found is not None) is is_read
        if found:
            assert (found.offset, found.descr, found.is_fortran) == (start + size, "<f4", False)


@pytest.mark.parametrize(
    ("array", "found"),
    [
        (np.zeros((2, 2), bool), "The array has the type |b1."),
        (np.zeros((2, 2), "c8"), "The array has the type <c8."),
        (np.zeros((2, 2), [("a", "f4")]), "The array has the type |V."),
        (np.array([["a"]]), "The array has the type <U1."),
    ],
)
def test_other_types_are_named(tmp_path, array, found):
    assert refusal(tmp_path / "a.npy", written(array)) == found


def test_objects_are_never_loaded_and_missing_files_are_told(tmp_path):
    array = np.array([[None]], object)
    file = io.BytesIO()
    np.lib.format.write_array(file, array, allow_pickle=True)
    found = "The file holds pickled objects, which are never loaded."
    assert refusal(tmp_path / "a.npy", file.getvalue()) == found
    (defect,) = read_numpy_file(tmp_path / "none.npy").defects
    assert defect.found == "The file cannot be read: no such file or directory."
    assert refusal(tmp_path / "b.npy", b"\x1f\x8bxx") == "The file is compressed by gzip."
    assert refusal(tmp_path / "b.npy", b"") == "The file is not a NumPy array (.npy)."
