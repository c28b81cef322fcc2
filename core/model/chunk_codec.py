"""Binary encoding and digest of flat dataclasses of arrays, and JSON values with bytes.

Caches and shard files hold this encoding: an uncompressed `.npz` file with one member per array,
everything else as JSON in the member `texts`, and the bytes among its values concatenated in the
member `bytes`. It is safe to read from untrusted sources: it contains no code and unpacks to no
more than its size.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from typing import Any, TypeVar

import numpy as np

from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.system.zip_members import MOST_ARRAYS, open_zip

T = TypeVar("T")

TEXTS, BYTES = "texts", "bytes"
"""Members that are no arrays; the second name is also that of a place of bytes in the first."""

NUMBERS = "biuf"
"""Array kinds (`dtype.kind`) that are accepted."""

NO_IDENTITY = {"identity": False}
"""Metadata of a field that is a location, which the digest leaves out."""


class DamagedBundleError(Exception):
    """Error of bytes that are not an encoded dataclass of the expected type."""


def pack_dataclass(value: Any) -> bytes:
    """Encode a dataclass of arrays and JSON values, in which there may be bytes."""
    arrays: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    blobs = bytearray()

    def place(blob: Any) -> Any:
        if not isinstance(blob, bytes):
            raise TypeError(f"{type(blob).__name__} is no JSON value")
        blobs.extend(blob)
        return {BYTES: [len(blobs) - len(blob), len(blobs)]}

    for field in _fields(value):
        content = getattr(value, field.name)
        (arrays if isinstance(content, np.ndarray) else texts)[field.name] = content
    arrays[TEXTS] = np.frombuffer(_json(texts, place), np.uint8)
    if blobs:
        arrays[BYTES] = np.frombuffer(blobs, np.uint8)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def unpack_dataclass(kind: type[T], content: bytes) -> T:
    """Decode a dataclass that `pack_dataclass` encoded; tuples become lists.

    Raises:
        DamagedBundleError: If the bytes are damaged, or the dataclass refuses them (ValueError).
    """
    try:
        arrays = _arrays(content)
        blobs = arrays.pop(BYTES).tobytes() if BYTES in arrays else b""

        def find(data: Any) -> Any:
            return blobs[slice(*data[BYTES])] if blobs and data.keys() == {BYTES} else data

        values = json.loads(arrays.pop(TEXTS).tobytes(), object_hook=find)
        return kind(**values, **arrays)
    except (OSError, *DAMAGE) as error:
        raise DamagedBundleError(f"it is not a {kind.__name__.lower()} bundle ({error})") from error


def _arrays(content: bytes) -> dict[str, Any]:
    with open_zip(io.BytesIO(content), MOST_ARRAYS) as members:
        packed = any(one.compress_type != zipfile.ZIP_STORED for one in members.infolist())
        if packed or sum(one.file_size for one in members.infolist()) > len(content):
            raise ValueError("it is compressed")
    with np.load(io.BytesIO(content), allow_pickle=False) as members:
        arrays = {name: members[name] for name in members.files}
    invalid = [name for name, array in arrays.items() if array.dtype.kind not in NUMBERS]
    if invalid:
        raise ValueError(f"{invalid[0]} does not hold numbers")
    return arrays


def content_digest(*values: Any) -> str:
    """Return the SHA-256 of texts and dataclasses, without fields marked `NO_IDENTITY`."""
    digest = hashlib.sha256()
    for value in values:
        if isinstance(value, str):
            digest.update(_json(value))
            continue
        for field in _fields(value):
            if field.metadata.get("identity", True):
                _update(digest, field.name, getattr(value, field.name))
    return digest.hexdigest()


def _update(digest: Any, name: str, content: Any) -> None:
    if isinstance(content, np.ndarray):
        digest.update(f"{name} {content.dtype.str} {content.shape}\n".encode())
        digest.update(np.ascontiguousarray(content).data)
    else:
        digest.update(_json([name, content]))


def _fields(value: Any) -> Iterator[Field[Any]]:
    return (field for field in fields(value) if field.init)


def _json(value: Any, default: Callable[[Any], Any] | None = None) -> bytes:
    # ASCII, so that a lone surrogate of a user's file survives the round trip.
    return json.dumps(value, separators=(",", ":"), default=default).encode("ascii")
