"""How arrays, ids and evidence become the bytes that a desk keeps, and back."""

from __future__ import annotations

import contextlib
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from jurydesk.core.model.evaluation import Evidence, FloatArray, IntArray, Json

LEVEL = 1
SAMPLE_BYTES = 1 << 16
WORTH_PACKING = 0.7
"""Columns of a few distinct values shrink to a tenth, measured numbers by a few percent."""

NARROW = {2: "|u1", 3: "<i2", 4: "<i4"}
"""Types of whole numbers by the way of packing, from schema 6 on."""

EVIDENCE_BLOCK = 64
"""Items whose evidence is packed together: opening one reads a few kilobytes."""

PIECE = 1000
"""Strings that are made JSON in one go: all other threads stand still meanwhile."""

LONGEST_TEXT = 1 << 27
"""No text of a desk unpacks to more bytes; a crafted file cannot fill the memory."""

MOST_MEMORY = 1 << 29
"""Bytes that the values of one text may need, by a rough count before they are made."""

VALUE_BYTES = 64
"""Bytes that Python needs for one small value in a list."""

MOST_ITEMS = 5_000_000
"""An evaluation of more items was not written by this program."""

MOST_NUMBERS = 1 << 26
"""Numbers that an evaluation may hold in all columns of one reading: half a gigabyte."""

LONGEST_ID = 1 << 20
"""Characters that the id of one item may have."""

PIECE_BYTES = 1 << 16
"""Bytes of ids that are unpacked and read in one go."""

BETWEEN_IDS = b'","'
BACKSLASH = ord("\\")


class DamagedContentError(Exception):
    """The bytes are not what this module writes; `place` says in which table and row."""

    place = ""

    def __str__(self) -> str:
        return ": ".join(part for part in (self.place, *map(str, self.args)) if part)


def pack_numbers(values: FloatArray) -> tuple[int, bytes]:
    """The way of packing, and the bytes; nothing is rounded.

    0 is little-endian float64, 1 the same packed with zlib (where it pays), and any other the
    narrower type of that number in `NARROW`, packed.
    """
    whole = np.ascontiguousarray(values, dtype="<f8")
    for way, dtype in NARROW.items():
        with np.errstate(invalid="ignore", over="ignore"):
            narrow = whole.astype(dtype)
        if np.array_equal(narrow.astype("<f8").view("<i8"), whole.view("<i8")):
            return way, zlib.compress(narrow.tobytes(), LEVEL)
    plain = whole.tobytes()
    sample = plain[:SAMPLE_BYTES]
    if len(zlib.compress(sample, LEVEL)) > WORTH_PACKING * len(sample):
        return 0, plain
    return 1, zlib.compress(plain, LEVEL)


def unpack_numbers(packed: int, content: bytes, shape: tuple[int, ...]) -> FloatArray:
    """The array of that shape which `pack_numbers` wrote."""
    dtype = np.dtype(NARROW.get(packed, "<f8"))
    size = dtype.itemsize * count_numbers(shape)
    plain = inflate(content, size) if packed else content
    if len(plain) != size:
        raise DamagedContentError(f"a column has {len(plain):,} bytes in place of {size:,}")
    return np.frombuffer(plain, dtype=dtype).astype(np.float64).reshape(shape)


def count_numbers(shape: tuple[int, ...]) -> int:
    """How many numbers an array of that shape has; DamagedContentError where no desk holds it."""
    count = math.prod(shape)
    if any(type(one) is not int or one < 0 for one in shape) or count > MOST_NUMBERS:
        raise DamagedContentError(f"no array of this program has the shape {shape}")
    return count


def pack_places(places: IntArray) -> bytes:
    """Row numbers as packed little-endian int64 bytes."""
    return zlib.compress(np.ascontiguousarray(places, dtype="<i8").tobytes(), LEVEL)


def unpack_places(content: bytes, count: int) -> IntArray:
    """The `count` row numbers that `pack_places` wrote."""
    plain = inflate(content, 8 * count_numbers((count,)))
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
    return parse_json(inflate(content, LONGEST_TEXT).decode("utf-8", "surrogatepass"))


def unpack_ids(content: bytes, count: int) -> tuple[str, ...]:
    """The `count` strings that `pack_strings` wrote, read piece by piece."""
    if not 0 <= count <= MOST_ITEMS:
        raise DamagedContentError(f"no result of this program has {count:,} items")
    found: list[str] = []
    for piece in _id_pieces(content):
        found += _strings(piece)
        if len(found) > count:
            raise DamagedContentError(f"there are more ids than the {count:,} items")
    if len(found) != count:
        raise DamagedContentError(f"there are {len(found):,} ids for {count:,} items")
    return tuple(found)


def _id_pieces(content: bytes) -> Iterator[bytes]:
    """The unpacked list as shorter lists, cut between two strings."""
    machine = zlib.decompressobj()
    rest, total = b"", 0
    while not machine.eof:
        try:
            plain = machine.decompress(content, PIECE_BYTES)
        except zlib.error as error:
            raise DamagedContentError(f"packed content cannot be unpacked ({error})") from error
        content = machine.unconsumed_tail
        total += len(plain)
        rest += plain
        if total > LONGEST_TEXT or len(rest) > LONGEST_ID + PIECE_BYTES:
            raise DamagedContentError("an id is longer than this program writes one")
        if not plain and not machine.eof:
            raise DamagedContentError("packed content ends too early")
        cut = _last_cut(rest)
        if cut:
            yield rest[: cut - 1] + b"]"
            rest = b"[" + rest[cut:]
    yield rest


def _last_cut(text: bytes) -> int:
    """Where the last string of a list begins that another stands before; 0 without one."""
    end = len(text)
    while (at := text.rfind(BETWEEN_IDS, 0, end)) > 0:
        backslashes = at
        while text[backslashes - 1] == BACKSLASH:
            backslashes -= 1
        if (at - backslashes) % 2 == 0:
            return at + 2
        end = at + 2
    return 0


def _strings(piece: bytes) -> list[str]:
    values = parse_json(piece.decode("utf-8", "surrogatepass"))
    if not isinstance(values, list) or not set(map(type, values)) <= {str}:
        raise DamagedContentError("an id is no text")
    return values


def parse_json(text: str) -> Json:
    """The JSON value of a text; DamagedContentError where it is none, or too large or deep."""
    opened = text.count("[") + text.count("{")
    memory = len(text) * (1 if text.isascii() else 4)
    if memory + VALUE_BYTES * (text.count(",") + opened) > MOST_MEMORY:
        raise DamagedContentError("a text holds more values than this program writes")
    try:
        return json.loads(text)
    except ValueError as error:
        raise DamagedContentError(f"a text is no JSON ({error})") from error
    except RecursionError as error:
        raise DamagedContentError("a text is JSON in too many levels") from error


def parse_object(text: str) -> dict[str, Json]:
    """The JSON object of a text; DamagedContentError where it is none."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise DamagedContentError("a text is no JSON object")
    return value


def replace_surrogates(text: str) -> str:
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
def damage_at(table: str = "", row: int | str = "") -> Iterator[None]:
    """Whatever fails while rows become nouns again is damage to the file, in that row."""
    try:
        yield
    except DamagedContentError as error:
        error.place = error.place or _place(table, row)
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        found = f"{type(error).__name__}: {error}"
        damage = DamagedContentError(f"its content does not fit together ({found})")
        damage.place = _place(table, row)
        raise damage from error


def _place(table: str, row: int | str) -> str:
    return f"table {table}, row {row}" if table else ""
