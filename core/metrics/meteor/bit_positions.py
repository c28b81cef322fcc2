"""Places in a line as the bits of a whole number."""

from __future__ import annotations

from collections.abc import Sequence

Bits = dict[int, int]
"""For every value in a line, the places where it stands."""


def position_bits(values: Sequence[int]) -> Bits:
    """Where each value stands."""
    found: Bits = {}
    bit = 1
    for value in values:
        found[value] = found.get(value, 0) | bit
        bit <<= 1
    return found


def set_positions(bits: int) -> Sequence[int]:
    """The places that are set, ascending."""
    if not bits:
        return ()
    places = []
    while bits:
        lowest = bits & -bits
        places.append(lowest.bit_length() - 1)
        bits ^= lowest
    return places
