"""How arrays, ids and evidence become the bytes that a desk keeps, and back."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from core.model import Evidence, FloatArray, IntArray, Json

LEVEL = 1
SAMPLE_BYTES = 1 << 16
WORTH_PACKING = 0.7
"""Columns of a few distinct values shrink to a tenth, measured numbers by a few percent."""

EVIDENCE_BLOCK = 64
"""Items whose evidence is packed together: opening one reads a few kilobytes."""

PIECE = 1000
"""Strings that are made JSON in one go: all other threads stand still meanwhile."""

LONGEST_TEXT = 1 << 30
"""No text of a desk unpacks to more bytes; a crafted file cannot fill the memory."""


class DamagedContentError(Exception):
    """The bytes are not what this module writes."""


def pack_numbers(values: FloatArray) -> tuple[bool, bytes]:
    """Little-endian float64 bytes, and whether they are packed with zlib (where it pays)."""
    plain = np.ascontiguousarray(values, dtype="<f8").tobytes()
    sample = plain[:SAMPLE_BYTES]
    if len(zlib.compress(sample, LEVEL)) > WORTH_PACKING * len(sample):
        return False, plain
    return True, zlib.compress(plain, LEVEL)


def unpack_numbers(packed: bool, content: bytes, shape: tuple[int, ...]) -> FloatArray:
    """The array of that shape which `pack_numbers` wrote."""
    size = 8 * int(np.prod(shape))
    plain = inflate(content, size) if packed else content
    if len(plain) != size:
        raise DamagedContentError(f"a column has {len(plain):,} bytes in place of {size:,}")
    return np.frombuffer(plain, dtype="<f8").astype(np.float64).reshape(shape)


def pack_places(places: IntArray) -> bytes:
    """Row numbers as packed little-endian int64 bytes."""
    return zlib.compress(np.ascontiguousarray(places, dtype="<i8").tobytes(), LEVEL)


def unpack_places(content: bytes, count: int) -> IntArray:
    """The `count` row numbers that `pack_places` wrote."""
    plain = inflate(content, 8 * count)
    if len(plain) != 8 * count:
        raise DamagedContentError(f"row numbers have {len(plain):,} bytes, not {8 * count:,}")
    return np.frombuffer(plain, dtype="<i8").astype(np.int64)


def pack_json(values: Iterable[Json]) -> bytes:
    """A list of JSON values, one made text after the other, as packed UTF-8 text."""
    return _packed(_text(value) for value in values)


def pack_strings(strings: Sequence[str]) -> bytes:
    """A list of strings as `pack_json` writes it, a thousand at a time."""
    pieces = (strings[start : start + PIECE] for start in range(0, len(strings), PIECE))
    return _packed(_text(list(piece))[1:-1] for piece in pieces)


def _packed(entries: Iterable[str]) -> bytes:
    text = f"[{','.join(entries)}]"
    return zlib.compress(text.encode("utf-8", "surrogatepass"), LEVEL)


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpack_json(content: bytes) -> Json:
    """The value that `pack_json` wrote."""
    return read_json(inflate(content, LONGEST_TEXT).decode("utf-8", "surrogatepass"))


def read_json(text: str) -> Json:
    """The JSON value of a text; DamagedContentError where it is none."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise DamagedContentError(f"a text is no JSON ({error})") from error


def storable(text: str) -> str:
    """Return the text without halves of surrogate pairs, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def evidence_blocks(load: Callable[[int], Evidence], count: int) -> Iterator[bytes]:
    """The evidence numbered 0 to `count`, packed block by block."""
    for start in range(0, count, EVIDENCE_BLOCK):
        block = range(start, min(start + EVIDENCE_BLOCK, count))
        yield pack_json(load(number).to_json() for number in block)


def inflate(content: bytes, limit: int) -> bytes:
    """Unpack zlib content of at most `limit` bytes; DamagedContentError otherwise."""
    machine = zlib.decompressobj()
    try:
        plain = machine.decompress(content, limit + 1)
    except zlib.error as error:
        raise DamagedContentError(f"packed content cannot be unpacked ({error})") from error
    if len(plain) > limit:
        raise DamagedContentError(f"packed content holds more than {limit:,} bytes")
    return plain


@contextlib.contextmanager
def decoding() -> Iterator[None]:
    """Whatever fails while rows become nouns again is damage to the file."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        found = f"{type(error).__name__}: {error}"
        raise DamagedContentError(f"its content does not fit together ({found})") from error
