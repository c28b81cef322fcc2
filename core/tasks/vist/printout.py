"""What the challenge's program prints at its end: the mean, as Java writes a double."""

from __future__ import annotations

import math
from decimal import Decimal

from core.model import ItemTable

RULE = "--------------------------"
HEADING = "Avg. Max Meteor Score ="
PLAIN_FROM = 1e-3
"""Java writes smaller numbers with an exponent."""


def printout(items: ItemTable) -> str:
    """The last three lines of the program, for these sequences."""
    scores = items.columns["meteor"]
    mean = math.fsum(scores) / len(scores) if len(scores) else math.nan
    return f"{RULE}\n{HEADING}\n{java_double(mean)}"


def java_double(value: float) -> str:
    """A number of [0, 1] as `Double.toString` of Java 19 and later writes it."""
    if math.isnan(value):
        return "NaN"
    if value == 0 or value >= PLAIN_FROM:
        return repr(float(value))
    number = Decimal(repr(float(value))).normalize()
    digits = "".join(map(str, number.as_tuple().digits))
    return f"{digits[0]}.{digits[1:] or '0'}E{number.adjusted()}"
