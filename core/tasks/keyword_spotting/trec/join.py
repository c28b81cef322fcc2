"""Hash join of judged and listed documents; detection of repeated documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tasks.keyword_spotting.trec.document_names import Keys

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: multiples of it differ in their high bits."""

_FEW, _SPARSE, _DENSE = 1 << 14, 8, 4
"""Slots in the table per key: more are faster until the table exceeds the CPU cache."""


@dataclass(frozen=True, slots=True, eq=False)
class HashJoin:
    """`found[i]` is the row that has the key `wanted[i]`, or -1; the pairs are equal keys."""

    found: IntArray
    first: IntArray
    second: IntArray


def pair_keys(names: Keys, groups: IntArray) -> Keys:
    """Return one key for each pair of a name and its query's number."""
    keys: Keys = (names ^ (groups.astype(np.uint64) + np.uint64(1))) * _SPREAD
    return keys ^ (keys >> np.uint64(29))


def join(keys: Keys, wanted: Keys) -> HashJoin:
    """Look up the wanted keys among `keys`, and find the keys that occur more than once.

    A table of row numbers is indexed by the keys' high bits. Where several rows have the same
    place, one of them wins it; the others are compared with it and go on to the next round.
    """
    found = np.full(len(wanted), -1, dtype=np.int64)
    seeking = np.arange(len(wanted))
    rows = np.arange(len(keys), dtype=np.int32)
    first: list[IntArray] = []
    second: list[IntArray] = []
    shift = np.uint64(64 - ((_SPARSE if len(keys) < _FEW else _DENSE) * len(keys) + 1).bit_length())
    table: npt.NDArray[np.int32] = np.empty(1 << (64 - int(shift)), dtype=np.int32)
    while len(rows):
        table.fill(-1)
        own = keys if len(rows) == len(keys) else keys[rows]
        places = (own >> shift).view(np.int64)
        table[places] = rows
        winners = table[places]
        candidates = table[(wanted[seeking] >> shift).view(np.int64)]
        hit = (candidates >= 0) & (keys[candidates] == wanted[seeking])
        found[seeking[hit]] = candidates[hit]
        seeking = seeking[~hit]
        lost = np.flatnonzero(winners != rows)
        same = keys[winners[lost]] == own[lost]
        if same.any():
            pairs = np.sort(np.stack([winners[lost][same], rows[lost][same]]), axis=0)
            first.append(pairs[0].astype(np.int64))
            second.append(pairs[1].astype(np.int64))
        rows = rows[lost[~same]]
    return HashJoin(found, _concatenate(first), _concatenate(second))


def _concatenate(parts: list[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
