"""Positions in a line as bits of an integer."""

from __future__ import annotations

from collections.abc import Sequence

Bits = dict[int, int]
"""Positions of every value in a line."""


def position_bits(values: Sequence[int]) -> Bits:
    """Return the positions of each value."""
    found: Bits = {}
    bit = 1
    for value in values:
        found[value] = found.get(value, 0) | bit
        bit <<= 1
    return found


def set_positions(bits: int) -> Sequence[int]:
    """Return the positions of the set bits, ascending."""
    if not bits:
        return ()
    places = []
    while bits:
        lowest = bits & -bits
        places.append(lowest.bit_length() - 1)
        bits ^= lowest
    return places
