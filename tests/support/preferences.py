"""Preferences between entries of systems, for tests."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from jurydesk.core.statistics.preferences.davidson import FIRST, NEITHER, SECOND, Comparisons


def compared(systems: int, rows: Iterable[tuple[int, ...]]) -> Comparisons:
    """Return comparisons of one rater: systems, and the numbers of the three outcomes."""
    listed = [
        (first, second, outcome)
        for first, second, *counts in rows
        for outcome, count in zip((FIRST, SECOND, NEITHER), counts, strict=True)
        for _ in range(count)
    ]
    first, second, outcome = np.array(listed).T
    return Comparisons(systems, first, second, outcome, *np.zeros((2, len(first)), int))


FIRST_SYSTEMS = (
    "21103322030131231110123402013403312202230244100144213041404321432330414010441133423441224042311"
    "421130112133004213020122344034044113230134330231243323223312313033032401122003332422204321414343"
    "140021211"
)
SECOND_SYSTEMS = (
    "32331234414310404242234113324221020040342012041202421110021130220002031233020242004023333331402"
    "002402203314111421302031221243221222112200221322300241031034100420320343241210244141011100320034"
    "233442343"
)
FIRST_PREFERRED = (
    "11111101101111111010111111001010001010000101111000001101001110001101011111110100001100011101001"
    "001101111101000000101010000111100001111010000110010111111001101100101111110011100111010001011101"
    "101100101"
)


def judged() -> Comparisons:
    """Return 200 made preferences of five systems by eight raters."""
    first, second, preferred = (
        np.array(list(one), int) for one in (FIRST_SYSTEMS, SECOND_SYSTEMS, FIRST_PREFERRED)
    )
    outcome = np.where(preferred == 1, FIRST, SECOND)
    return Comparisons(5, first, second, outcome, np.repeat(np.arange(8), 25), np.arange(200) % 25)
