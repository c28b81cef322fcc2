"""Packing of arrays, ids and JSON as bytes, with limits on what is unpacked from untrusted ones."""

from __future__ import annotations

import contextlib
import json
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from jurydesk.core.language import Message, fill, join_messages, translatable
from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json
from jurydesk.core.model.evidence_columns import LEVEL, is_worth_packing

NARROW = {2: "|u1", 3: "<i2", 4: "<i4"}
"""Integer types by packing code."""

STRING_BATCH = 1000
"""Number of strings encoded at once, which blocks all other threads."""

MAX_TEXT_BYTES = 1 << 27
"""Limit on the bytes of an unpacked text, against crafted files."""

MAX_PARSED_BYTES = 1 << 29
"""Limit on the memory of a parsed text, estimated before parsing."""

VALUE_BYTES = 64
"""Memory of one small value in a Python list."""

MAX_ITEMS = 5_000_000
"""Limit on the items of an evaluation."""

MAX_NUMBERS = 1 << 26
"""Limit on the numbers in the columns that are read at once: half a gigabyte."""

MAX_ID_LENGTH = 1 << 20
"""Limit on the characters of an item's id."""

PIECE_BYTES = 1 << 16
"""Bytes of ids that are unpacked at once."""

BETWEEN_IDS = b'","'
BACKSLASH = ord("\\")


class DamagedContentError(Exception):
    """Content that this module did not write; `place` is its table and row."""

    place = ""

    def __str__(self) -> str:
        return join_messages([self.place, *map(str, self.args)], ": ")


def pack_numbers(values: FloatArray) -> tuple[int, bytes]:
    """Return the packing code and the bytes of an array, without rounding.

    Code 0 is little-endian float64, 1 the same compressed with zlib (if that saves enough), and any
    other the integer type of that code in `NARROW`, compressed.
    """
    whole = np.ascontiguousarray(values, dtype="<f8")
    with np.errstate(invalid="ignore", over="ignore"):
        integers = whole.astype("<i4")
    if np.array_equal(integers.astype("<f8").view("<i8"), whole.view("<i8")):
        low, high = integers.min(initial=0), integers.max(initial=0)
        code = next(code for code, dtype in NARROW.items() if _fits(low, high, dtype))
        return code, zlib.compress(integers.astype(NARROW[code]).tobytes(), LEVEL)
    raw = whole.tobytes()
    return (1, zlib.compress(raw, LEVEL)) if is_worth_packing(raw) else (0, raw)


def _fits(low: int, high: int, dtype: str) -> bool:
    limits = np.iinfo(dtype)
    return bool(limits.min <= low and high <= limits.max)


def unpack_numbers(packed: int, content: bytes, shape: tuple[int, ...]) -> FloatArray:
    """Unpack the array of that shape which `pack_numbers` wrote."""
    dtype = np.dtype(NARROW.get(packed, "<f8"))
    size = dtype.itemsize * count_numbers(shape)
    raw = inflate(content, size) if packed else content
    if len(raw) != size:
        raise DamagedContentError(
            fill("a column has {raw:,} bytes instead of {size:,}", len(raw), size)
        )
    return np.frombuffer(raw, dtype=dtype).astype(np.float64).reshape(shape)


def count_numbers(shape: tuple[int, ...]) -> int:
    """Return the size of an array of that shape; raise DamagedContentError for an invalid one."""
    count = math.prod(shape)
    if any(type(one) is not int or one < 0 for one in shape) or count > MAX_NUMBERS:
        raise DamagedContentError(fill("the array shape {shape} is invalid", shape))
    return count


def pack_places(places: IntArray) -> bytes:
    """Pack row numbers as compressed little-endian int64."""
    return zlib.compress(np.ascontiguousarray(places, dtype="<i8").tobytes(), LEVEL)


def unpack_places(content: bytes, count: int) -> IntArray:
    """Unpack `count` row numbers."""
    raw = inflate(content, 8 * count_numbers((count,)))
    if len(raw) != 8 * count:
        raise DamagedContentError(
            fill("row numbers have {raw:,} bytes instead of {value:,}", len(raw), 8 * count)
        )
    return np.frombuffer(raw, dtype="<i8").astype(np.int64)


def pack_json(values: Iterable[Json]) -> bytes:
    """Pack a list of JSON values as compressed UTF-8, encoded one value at a time."""
    return _compress_list(compact_json(value) for value in values)


def pack_strings(strings: Sequence[str]) -> bytes:
    """Pack a list of strings like `pack_json`, a thousand at a time."""
    starts = range(0, len(strings), STRING_BATCH)
    pieces = (list(strings[start : start + STRING_BATCH]) for start in starts)
    return _compress_list(compact_json(piece)[1:-1] for piece in pieces)


def _compress_list(entries: Iterable[str]) -> bytes:
    text = f"[{','.join(entries)}]"
    return zlib.compress(text.encode("utf-8", "surrogatepass"), LEVEL)


def compact_json(value: Json) -> str:
    """Return a value as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpack_json(content: bytes) -> Json:
    """Unpack a value of `pack_json`."""
    return parse_stored(inflate(content, MAX_TEXT_BYTES).decode("utf-8", "surrogatepass"))


@lru_cache(maxsize=2)
def unpack_ids(content: bytes, count: int) -> tuple[str, ...]:
    """Unpack `count` strings of `pack_strings` piece by piece.

    Results of one competition have the same ids, which a board asks for several times.
    """
    if not 0 <= count <= MAX_ITEMS:
        raise DamagedContentError(fill("an item count of {count:,} is invalid", count))
    found: list[str] = []
    for piece in _id_pieces(content):
        found += _strings(piece)
        if len(found) > count:
            raise DamagedContentError(fill("there are more ids than the {count:,} items", count))
    if len(found) != count:
        raise DamagedContentError(
            fill("there are {found:,} ids for {count:,} items", len(found), count)
        )
    return tuple(found)


def _id_pieces(content: bytes) -> Iterator[bytes]:
    """Yield the unpacked list as shorter lists, split between two strings."""
    decompressor = zlib.decompressobj()
    rest, total = b"", 0
    while not decompressor.eof:
        try:
            raw = decompressor.decompress(content, PIECE_BYTES)
        except zlib.error as error:
            raise DamagedContentError(
                fill("packed content cannot be unpacked ({error})", Message(str(error)))
            ) from error
        content = decompressor.unconsumed_tail
        total += len(raw)
        rest += raw
        if total > MAX_TEXT_BYTES or len(rest) > MAX_ID_LENGTH + PIECE_BYTES:
            raise DamagedContentError(translatable("an id is too long"))
        if not raw and not decompressor.eof:
            raise DamagedContentError(translatable("packed content ends too early"))
        cut = _last_cut(rest)
        if cut:
            yield rest[: cut - 1] + b"]"
            rest = b"[" + rest[cut:]
    _require_end(decompressor)
    yield rest


def _last_cut(text: bytes) -> int:
    """Return the start of the last string that follows another one; 0 without one."""
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
    values = parse_stored(piece.decode("utf-8", "surrogatepass"))
    if not isinstance(values, list) or not set(map(type, values)) <= {str}:
        raise DamagedContentError(translatable("an id is not a string"))
    return values


def is_parsable(text: str) -> bool:
    """Return whether the values of a JSON text fit into the memory that one may take."""
    brackets = text.count("[") + text.count("{")
    memory = len(text) * (1 if text.isascii() else 4)
    return memory + VALUE_BYTES * (text.count(",") + brackets) <= MAX_PARSED_BYTES


def parse_stored(text: str) -> Json:
    """Parse a JSON text; raise DamagedContentError if it is invalid, too large or too deep."""
    if not is_parsable(text):
        raise DamagedContentError(translatable("a text contains too many values"))
    try:
        return json.loads(text)
    except ValueError as error:
        raise DamagedContentError(
            fill("a text is not valid JSON ({error})", Message(str(error)))
        ) from error
    except RecursionError as error:
        raise DamagedContentError(translatable("a text is JSON with too many levels")) from error


def parse_object(text: str) -> dict[str, Json]:
    """Parse a JSON object; raise DamagedContentError for anything else."""
    value = parse_stored(text)
    if not isinstance(value, dict):
        raise DamagedContentError(translatable("a text is not a JSON object"))
    return value


def pack_message(text: str) -> str:
    """Return a text as JSON that keeps the template and the arguments of a message."""
    return json.dumps(encode_message(text))


def unpack_message(content: str) -> str:
    """Return the text of `pack_message`; raise ValueError if it is none."""
    return decode_message(parse_stored(content))


def replace_surrogates(text: str) -> str:
    """Return the text without halves of surrogate pairs, which UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def inflate(content: bytes, limit: int) -> bytes:
    """Decompress zlib content of at most `limit` bytes; raise DamagedContentError otherwise."""
    decompressor = zlib.decompressobj()
    try:
        raw = decompressor.decompress(content, limit + 1)
    except zlib.error as error:
        raise DamagedContentError(
            fill("packed content cannot be unpacked ({error})", Message(str(error)))
        ) from error
    if len(raw) > limit:
        raise DamagedContentError(fill("packed content is larger than {limit:,} bytes", limit))
    _require_end(decompressor)
    return raw


def _require_end(decompressor: zlib._Decompress) -> None:
    """Raise DamagedContentError unless the content ended, with nothing behind it."""
    if not decompressor.eof:
        raise DamagedContentError(translatable("packed content ends too early"))
    if decompressor.unused_data:
        raise DamagedContentError(translatable("packed content has bytes behind its end"))


@contextlib.contextmanager
def damage_at(table: str = "", row: int | str = "") -> Iterator[None]:
    """Turn errors of decoding a row into DamagedContentError with its place."""
    try:
        yield
    except DamagedContentError as error:
        error.place = error.place or _place(table, row)
        raise
    except DAMAGE as error:
        found = f"{type(error).__name__}: {error}"
        damage = DamagedContentError(fill("its content is inconsistent ({found})", found))
        damage.place = _place(table, row)
        raise damage from error


def _place(table: str, row: int | str) -> str:
    if row == "":
        return fill("table {table}", table) if table else ""
    return fill("table {table}, row {row}", table, row) if table else ""
