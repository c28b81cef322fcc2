"""Seven systems on ten numbers, of which the first is better by nearly the same everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from support import toy

ITEMS, SYSTEMS = 10, 7
IDS = [f"n{row}" if row < 4 else f"ny{row}" for row in range(ITEMS)]
LOWEST = 2.0 ** (1 - ITEMS)
"""The lowest p value that exchanging the systems of ten items can give."""
PRINTED = r"\bp(?: value)?s? ?(?:=|<|&lt;) ?(\d+\.?\d*)"
"""A p value in a text."""
FAMILY = r"alone|pairs of \d+ systems|at p < 0\.05"
"""What names the family of a p value."""


def write_close_systems(folder: Path) -> tuple[Path, list[Path]]:
    """Return a truth file and those of the systems."""
    dice = np.random.default_rng(3)
    truth = toy.write(folder / "truth.txt", dict.fromkeys(IDS, 0.0), "truth")
    errors = [0.01, 0.4, 0.42, 0.4, 0.42, 0.44, 0.8]
    return truth, [
        toy.write(
            folder / f"s{number}.txt",
            {one: error + float(dice.uniform(0, 0.1)) for one in IDS},
            f"s{number}",
        )
        for number, error in enumerate(errors)
    ]
