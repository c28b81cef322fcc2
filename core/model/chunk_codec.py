"""Flat dataclasses of numbers and texts as bytes that no reader has to trust, and their digest.

The bytes are an uncompressed `.npz` file: every array is a member of its own, everything else
stands together in the member `texts` as JSON. Nothing in it can be run, and it unpacks to no more
than its size. It is what caches keep and what shard files hold.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

TEXTS = "texts"
NUMBERS = "biuf"
"""The kinds of arrays that are numbers; anything else is not read."""

NO_IDENTITY = {"identity": False}
"""The metadata of a field that says where something lies, and not what it is."""


class DamagedBundleError(Exception):
    """The bytes are not what `pack_dataclass` writes of such a dataclass; the sentence says why."""


def pack_dataclass(value: Any) -> bytes:
    """Return a dataclass of arrays and JSON values as bytes, for `unpack_dataclass`."""
    arrays: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    for entry in _fields(value):
        content = getattr(value, entry.name)
        (arrays if isinstance(content, np.ndarray) else texts)[entry.name] = content
    arrays[TEXTS] = np.frombuffer(_json(texts), np.uint8)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def unpack_dataclass(kind: type[T], content: bytes) -> T:
    """Return the dataclass that `pack_dataclass` wrote; its tuples have become lists.

    Raises DamagedBundleError; so does what the dataclass itself refuses with a ValueError.
    """
    try:
        arrays = _arrays(content)
        values = json.loads(arrays.pop(TEXTS).tobytes())
        return kind(**values, **arrays)
    except (ValueError, TypeError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise DamagedBundleError(f"it is no {kind.__name__.lower()} ({error})") from error


def _arrays(content: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(content)) as members:
        packed = any(one.compress_type != zipfile.ZIP_STORED for one in members.infolist())
        if packed or sum(one.file_size for one in members.infolist()) > len(content):
            raise ValueError("it is packed")
    with np.load(io.BytesIO(content), allow_pickle=False) as members:
        arrays = {name: members[name] for name in members.files}
    strange = [name for name, array in arrays.items() if array.dtype.kind not in NUMBERS]
    if strange:
        raise ValueError(f"{strange[0]} holds no numbers")
    return arrays


def content_digest(*values: Any) -> str:
    """Return the SHA-256 of texts and dataclasses, without the fields that only tell a place."""
    found = hashlib.sha256()
    for value in values:
        if isinstance(value, str):
            found.update(_json(value))
            continue
        for entry in _fields(value):
            if entry.metadata.get("identity", True):
                _digest(found, entry.name, getattr(value, entry.name))
    return found.hexdigest()


def _digest(found: Any, name: str, content: Any) -> None:
    if isinstance(content, np.ndarray):
        found.update(f"{name} {content.dtype.str} {content.shape}\n".encode())
        found.update(np.ascontiguousarray(content).data)
    else:
        found.update(_json([name, content]))


def _fields(value: Any) -> Iterator[Field[Any]]:
    return (entry for entry in fields(value) if entry.init)


def _json(value: Any) -> bytes:
    # ASCII, so that a lone surrogate of a user's file comes through as it is.
    return json.dumps(value, separators=(",", ":")).encode("ascii")
