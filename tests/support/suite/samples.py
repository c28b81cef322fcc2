"""Samples of many cases of one kind; with `JURYDESK_SAMPLES=all`, tests try every case."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")
ALL = os.environ.get("JURYDESK_SAMPLES") == "all"


def sample(cases: Iterable[Case], count: int) -> list[Case]:
    """Return `count` of the cases, spread evenly from the first to the last, or all if fewer."""
    found = list(cases)
    if ALL or len(found) <= count:
        return found
    return [found[round(place * (len(found) - 1) / max(count - 1, 1))] for place in range(count)]


def sample_size(few: int, of: int) -> int:
    """Return how many cases a test makes: `few`, or all."""
    return of if ALL else few
