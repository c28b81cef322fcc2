"""Columns of document names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import BoolArray, IntArray

Keys = npt.NDArray[np.uint64]


def decode_name(name: bytes) -> str:
    r"""Return a name as text; bytes that are not UTF-8 are written out (`\xe9`)."""
    return name.decode("utf-8", errors="backslashreplace")


class Names(ABC):
    """Column of names. `keys` are 64-bit hashes, comparable only with keys of the same kind."""

    @classmethod
    @abstractmethod
    def of(cls, texts: Iterable[str]) -> Names:
        """Return a column of these names."""

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def keys(self) -> Keys:
        """Hash of each name, computed once."""

    @abstractmethod
    def take(self, rows: IntArray) -> Names:
        """Return the names of some rows, in that order."""

    @abstractmethod
    def texts(self, rows: IntArray) -> list[str]:
        """Return the names of some rows, as they are shown."""

    @abstractmethod
    def descending(self, rows: IntArray, groups: IntArray) -> IntArray:
        """Return the rows sorted by group, then by descending name (bytewise)."""

    def differ(self, rows: IntArray, other: Names, other_rows: IntArray) -> BoolArray:
        """Return which names of this column differ from those of another one."""
        pairs = zip(self.texts(rows), other.texts(other_rows), strict=True)
        return np.array([mine != its for mine, its in pairs], dtype=np.bool_)


class ListedNames(Names):
    """Names in a Python list."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @classmethod
    def of(cls, texts: Iterable[str]) -> ListedNames:
        """Return a column of these names."""
        return cls(list(texts))

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def keys(self) -> Keys:
        """Hash of each name."""
        return np.fromiter(map(hash, self.names), np.int64, len(self.names)).view(np.uint64)

    def take(self, rows: IntArray) -> ListedNames:
        """Return the names of some rows, in that order."""
        return ListedNames([self.names[row] for row in rows.tolist()])

    def texts(self, rows: IntArray) -> list[str]:
        """Return the names of some rows, as text."""
        return [self.names[row] for row in rows.tolist()]

    def descending(self, rows: IntArray, groups: IntArray) -> IntArray:
        """Return the rows sorted by group, and in each by descending name."""
        by_name = sorted(
            zip(groups.tolist(), rows.tolist(), strict=True),
            key=lambda pair: self.names[pair[1]],
            reverse=True,
        )
        by_name.sort(key=lambda pair: pair[0])
        return np.array([row for _, row in by_name], dtype=np.int64)
