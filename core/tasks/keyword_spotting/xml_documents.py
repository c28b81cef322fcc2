"""The distinct document names of a file, found in its bytes without making a string of each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.model import IntArray
from core.tasks.keyword_spotting.xml_bytes import (
    MAX_DOCUMENTS,
    MAX_NAME_BYTES,
    Bytes,
    UInt64Array,
    UnusualError,
    plain_text,
)
from core.tasks.keyword_spotting.xml_words import Int32Array

_COLUMNS = 1 + MAX_NAME_BYTES // 8
_FACTORS = np.array([pow(0x9E3779B97F4A7C15, 2 * n + 1, 2**64) for n in range(_COLUMNS)], np.uint64)


class DocumentTable:
    """The document names seen so far and their codes.

    A name is found by a key of its bytes, and then compared byte by byte, so that equal codes
    mean equal names. Each distinct name is validated once.
    """

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._keys: UInt64Array = np.empty(0, np.uint64)
        self._codes: Int32Array = np.empty(0, np.int32)
        self._columns: UInt64Array = np.empty((_COLUMNS, 0), np.uint64)

    @property
    def names(self) -> Sequence[str]:
        """The names in the order of their codes."""
        return tuple(self._names)

    def codes(self, data: Bytes, starts: IntArray, ends: IntArray) -> Int32Array:
        """The codes of the names that stand from each start to its end."""
        columns = data.texts(starts, ends)
        keys = sum((column * factor for column, factor in zip(columns, _FACTORS, strict=False)))
        codes = self._find(keys)
        new = np.flatnonzero(codes < 0)
        if len(new):
            chosen = new[np.unique(keys[new], return_index=True)[1]]
            names = [data.slice(starts[row], ends[row]) for row in chosen]
            self._add(names, keys[chosen], [column[chosen] for column in columns])
            codes = self._find(keys)
        for known, column in zip(self._columns, columns, strict=False):
            if (known[codes] != column).any():
                raise UnusualError("two names with one key")
        return codes

    def _find(self, keys: UInt64Array) -> Int32Array:
        """The codes of the names with these keys; -1 for a name that is not known."""
        if not len(self._keys):
            return np.full(len(keys), -1, np.int32)
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, self._codes[found], np.int32(-1))

    def _add(self, names: list[bytes], keys: UInt64Array, columns: list[UInt64Array]) -> None:
        first = len(self._names)
        for name in names:
            self._names.setdefault(plain_text(name), len(self._names))
        if len(self._names) > MAX_DOCUMENTS:
            raise UnusualError("very many documents")
        padded = np.zeros((_COLUMNS, len(names)), np.uint64)
        padded[: len(columns)] = columns
        self._columns = np.concatenate([self._columns, padded], axis=1)
        codes = np.arange(first, first + len(names), dtype=np.int32)
        keys, codes = np.append(self._keys, keys), np.append(self._codes, codes)
        order = np.argsort(keys)
        self._keys, self._codes = keys[order], codes[order]
