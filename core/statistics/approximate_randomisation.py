"""Randomization plan: the items whose results are swapped in every round, the same for all pairs.

Noreen, Computer-Intensive Methods for Testing Hypotheses (1989); Riezler and Maxwell, On Some
Pitfalls in Automatic Evaluation (2005).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import BoolArray
from jurydesk.core.statistics.bootstrap import BLOCK_BYTES, SEED

ROUNDS = 10_000
WORD = 64


@dataclass(frozen=True, slots=True)
class RandomisationPlan:
    """Plan of `rounds` random swaps: in each, every one of `items` is swapped with p = 1/2."""

    items: int
    rounds: int = ROUNDS
    seed: int = SEED

    def swaps(self) -> Iterator[BoolArray]:
        """Yield masks of swapped items in blocks (rounds of the block, items)."""
        generator = np.random.Generator(np.random.PCG64(self.seed))
        block = max(1, BLOCK_BYTES // (8 * max(1, self.items)))
        words = -(-self.items // WORD)
        for start in range(0, self.rounds, block):
            rows = min(block, self.rounds - start)
            drawn = generator.integers(0, 2**WORD, size=(rows, words), dtype=np.uint64)
            bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, count=self.items)
            yield bits.astype(np.bool_)


def rounds_for(pairs: int, level: float = 0.95) -> int:
    """Return the rounds that Holm's correction over `pairs` needs to reject at `level`.

    The smallest p value of n rounds, 1 / (n + 1), must be half of the threshold of Holm's first
    step.
    """
    return max(ROUNDS, round(2 * pairs / (1.0 - level)))
