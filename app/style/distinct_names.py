"""Short names of systems, without the beginning and end that most of them share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

DOTS = "…"
LEAST_SHARED = 4
"""Minimum number of shared letters that are left out."""
LONG = 24
"""Names up to this length stay whole."""


def shorten_names(names: Iterable[str]) -> Mapping[str, str]:
    """Return the short form of each name.

    A beginning or an end that most of the names share, up to a whole word, becomes "…". No two
    names get the same short form: where they would, all stay whole.
    """
    return _distinct(tuple(dict.fromkeys(names)))


@lru_cache(maxsize=16)
def _distinct(names: tuple[str, ...]) -> Mapping[str, str]:
    whole = MappingProxyType({name: name for name in names})
    if len(names) < 2 or max(map(len, names)) <= LONG:
        return whole
    start = _shared_start(names)
    inner = {
        name: name[len(start) :] if start and name.startswith(start) else name for name in names
    }
    end = _shared_start(tuple(text[::-1] for text in inner.values()))[::-1]
    found = {}
    for name, text in inner.items():
        cut = end and text.endswith(end) and len(text) > len(end)
        short = text[: -len(end)] if cut else text
        before = DOTS if len(text) < len(name) else ""
        found[name] = f"{before}{short}{DOTS if cut else ''}"
    return MappingProxyType(found) if len(set(found.values())) == len(names) else whole


def _shared_start(texts: tuple[str, ...]) -> str:
    """Return the longest prefix of whole words that more than half of the texts share."""
    ordered = sorted(texts)
    enough = max(2, len(texts) // 2 + 1)
    shared = Counter(
        _cut_to_words(_common_prefix(ordered[i], ordered[i + enough - 1]), ordered[i])
        for i in range(len(ordered) - enough + 1)
    )
    best = max(shared, key=len, default="")
    if len(best) < LEAST_SHARED or any(text == best for text in texts):
        return ""
    return best


def _common_prefix(one: str, other: str) -> str:
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return one[:place]
    return min(one, other, key=len)


def _cut_to_words(start: str, text: str) -> str:
    """Return a prefix of a text without the last word if that is incomplete."""
    while start and start[-1].isalnum() and (len(start) >= len(text) or text[len(start)].isalnum()):
        start = start[:-1]
    return start
