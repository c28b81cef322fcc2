"""The alignments of many pairs, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics.meteor.counts import NUMBER
from core.metrics.meteor.matching import RawMatch

MATCH_NUMBERS = 5
Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class AlignedPairs:
    """The counts (n, 23) of n pairs, and their matches (m, 5), those of one pair after another.

    A match is as in `RawMatch`; `lengths` (n,) says how many each pair has.
    """

    counts: Int32Array
    matches: Int32Array
    lengths: Int32Array

    @classmethod
    def of(cls, found: Sequence[tuple[Sequence[RawMatch], Sequence[int]]]) -> AlignedPairs:
        """From the matches and the counts of every pair."""
        matches = [match for matches, _ in found for match in matches]
        return cls(
            np.array([counts for _, counts in found], np.int32).reshape(-1, NUMBER),
            np.array(matches, np.int32).reshape(-1, MATCH_NUMBERS),
            np.array([len(matches) for matches, _ in found], np.int32),
        )
