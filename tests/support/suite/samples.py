"""Samples of many cases of one kind; with `JURYDESK_SAMPLES=all`, tests try every case."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")
SAMPLES_ARE_WHOLE = os.environ.get("JURYDESK_SAMPLES") == "all"


def sample(cases: Iterable[Case], count: int) -> list[Case]:
    """Return `count` of the cases, spread evenly from the first to the last, or all if fewer."""
    found = list(cases)
    if SAMPLES_ARE_WHOLE or len(found) <= count:
        return found
    return [found[round(place * (len(found) - 1) / max(count - 1, 1))] for place in range(count)]


def halves(cases: Iterable[Case]) -> tuple[list[Case], list[Case]]:
    """Return every other case from the first on, and the others; both times all in whole samples.

    Of two tests that take the same cases, each tries its own half.
    """
    found = list(cases)
    return (found, found) if SAMPLES_ARE_WHOLE else (found[::2], found[1::2])


def sample_size(few: int, of: int) -> int:
    """Return how many cases a test makes: `few`, or all."""
    return of if SAMPLES_ARE_WHOLE else few
