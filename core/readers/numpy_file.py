"""Reader of untrusted `.npy` files of numbers, which maps them instead of loading them.

NumPy has Python parse an array's header, and unpickles arrays of objects; neither happens here.
"""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import Message, failure_reason, fill
from jurydesk.core.model.defects import Defect, Place, Reading, error
from jurydesk.core.readers.compression import compression

MAGIC = b"\x93NUMPY"
MAX_HEADER = 1 << 16
_HEADER = re.compile(
    rb"\{'descr': (?:'([<>|=][a-zA-Z]\d*)'|\[[^\]]*\]), 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,15}, ?)*(?:\d{1,15})?),?\), \} *\n"
)
NUMBERS = frozenset(f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)) | {"f2", "f4", "f8"}
"""Types of numbers, without their byte order."""
EXPECTED = "A NumPy array of float16, float32 or float64 is expected."
PICKLED = "Save the array alone: numpy.save(FILE, numpy.asarray(ARRAY, dtype=numpy.float32))."

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class NumpyHeader:
    """Declaration of an array: type, order, shape, and the offset of its numbers."""

    descr: str
    is_fortran: bool
    shape: tuple[int, ...]
    offset: int


def parse_header(head: bytes) -> NumpyHeader | None:
    """Parse the first bytes of a `.npy` file; None if it has no header that NumPy writes."""
    if not head.startswith(MAGIC) or len(head) < 12:
        return None
    width = 2 if head[6] == 1 else 4
    length = int.from_bytes(head[8 : 8 + width], "little")
    start = 8 + width
    if head[6] not in (1, 2, 3) or length > MAX_HEADER or len(head) < start + length:
        return None
    match = _HEADER.fullmatch(head[start : start + length])
    if match is None:
        return None
    shape = tuple(map(int, filter(None, match[3].replace(b" ", b"").split(b","))))
    return NumpyHeader((match[1] or b"|V").decode(), match[2] == b"True", shape, start + length)


def read_numpy_file(path: Path) -> Reading[Array]:
    """Map a matrix of numbers; problems of the path or the content become defects."""
    try:
        with path.open("rb") as file:
            head = file.read(MAX_HEADER + 12)
            header = parse_header(head)
            size = file.seek(0, 2)
    except OSError as fault:
        found = fill("The file cannot be read: {reason:lower}.", failure_reason(fault))
        return _refused(path, found, "Check its name and folder.")
    if header is None and (packed := compressed_array(path, head)):
        return Reading(None, packed)
    if header is None:
        return _refused(path, "The file is not a NumPy array (.npy).", EXPECTED)
    if wrong := type_fault(header.descr):
        return _refused(path, wrong, EXPECTED, PICKLED)
    dtype = np.dtype(header.descr)
    declared, actual = prod(header.shape) * dtype.itemsize, size - header.offset
    if declared != actual:
        found = fill("The file does not hold an array of the shape ({shape}).", _shape(header))
        return _refused(path, found, "Give the complete file.")
    if len(header.shape) != 2 or not declared:
        found = fill("The array has the shape ({shape}).", _shape(header))
        return _refused(path, found, "A matrix with rows and columns is expected.")
    order: Literal["F", "C"] = "F" if header.is_fortran else "C"
    mapped = np.memmap(path, dtype, "r", header.offset, header.shape, order)
    return Reading(mapped, ())


def compressed_array(path: Path, head: bytes) -> tuple[Defect, ...]:
    """Return the defect of a file of arrays that is compressed as a whole; none for another."""
    kind = compression(head)
    if not kind:
        return ()
    found = fill("The file is compressed by {kind}.", kind)
    return _refused(
        path, found, "An array is expected as NumPy saves it.", "Unpack it first."
    ).defects


def _shape(header: NumpyHeader) -> str:
    return ", ".join(map(str, header.shape))


def release(array: Array) -> None:
    """Free the memory of a mapped array, whose pages are read again when they are needed."""
    mapping = getattr(array, "_mmap", None)
    if mapping is not None and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
        mapping.madvise(mmap.MADV_DONTNEED)


def type_fault(descr: str) -> str:
    """Return why arrays of a type cannot be read, as a sentence; empty for numbers."""
    if descr[1:] in NUMBERS:
        return ""
    if descr[1:2] == "O":
        return Message("The file holds pickled objects, which are never loaded.")
    return fill("The array has the type {descr}.", descr)


def _refused(path: Path, *sentences: str) -> Reading[Array]:
    return Reading(None, (error(Place(str(path)), *sentences),))
