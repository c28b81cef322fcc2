"""Short names of systems, without the beginning and end that most of them share."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

DOTS = "…"
LEAST_SHARED = 4
"""Minimum number of shared letters that are left out."""
LONG = 24
"""Names up to this length stay whole."""


KEPT_BEFORE = (1.0, 0.5, 0.0, 0.75, 0.25)
"""Shares of what is left of a cut name that stand before the cut, in the order of preference."""

Part = tuple[int, int]
"""Start and end of the part of a name that tells it from the other names."""


def shorten_names(names: Iterable[str]) -> Mapping[str, str]:
    """Return the short form of each name.

    A beginning or an end that most of the names share, up to a whole word, becomes "…". No two
    names get the same short form: where they would, all stay whole.
    """
    return _shorten(tuple(dict.fromkeys(names)))


def distinct_parts(names: Iterable[str]) -> Mapping[str, Part]:
    """Return the part of each name that its short form has."""
    return _distinct(tuple(dict.fromkeys(names)))


def fit_name(name: str, part: Part, width_of: Callable[[str], float], room: float) -> str:
    """Return a name with its distinct part and as much on both sides of it as there is room for."""
    first, last = part
    before, after = first, len(name) - last

    def grow(more: int) -> str:
        right = min(after, max(more // 2, more - before))
        return _cut(name, first - (more - right), last + right)

    most = bisect_right(range(before + after + 1), room, key=lambda more: width_of(grow(more)))
    return grow(max(0, most - 1))


def fit_names(
    names: Iterable[str], width_of: Callable[[str], float], room: float
) -> Mapping[str, str]:
    """Return each name within a width, cut where no two of them become equal, if any cut does that.

    At the end; names that this makes equal in the middle, at the beginning, and so on; then the
    same of the short names.
    """
    return choose_cut(
        names, lambda shown, share: [_shrink(name, share, width_of, room) for name in shown]
    )


def choose_cut(
    names: Iterable[str], cut_at: Callable[[tuple[str, ...], float], Sequence[str]]
) -> Mapping[str, str]:
    """Return names as `fit_names`; `cut_at` cuts names with a share of each before the cut."""
    whole = tuple(dict.fromkeys(names))
    best: dict[str, str] = {}
    for make in (tuple[str, ...], _short_forms):
        shown = make(whole)
        found: dict[str, str] = {}
        for share in KEPT_BEFORE:
            cut, times = (
                dict(zip(whole, cut_at(shown, share), strict=True)),
                Counter(found.values()),
            )
            found = {name: cut[name] if times[found[name]] > 1 else found[name] for name in found}
            found = found or cut
            if len(set(found.values())) > len(set(best.values())):
                best = dict(found)
            if len(set(best.values())) == len(whole):
                return best
    return best


def _short_forms(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(shorten_names(names).__getitem__, names))


def _shrink(name: str, share: float, width_of: Callable[[str], float], room: float) -> str:
    """Return as much of a name as there is room for, that share of it before the cut."""
    if width_of(name) <= room:
        return name

    counts = range(len(name))
    most = bisect_right(counts, room, key=lambda n: width_of(keep_letters(name, n, share)))
    return keep_letters(name, max(0, most - 1), share)


def keep_letters(name: str, letters: int, share: float) -> str:
    """Return a name cut to so many of its letters, that share of them before the cut."""
    before = round(share * letters)
    return f"{name[:before]}{DOTS}{name[len(name) - letters + before :]}"


@lru_cache(maxsize=16)
def _shorten(names: tuple[str, ...]) -> Mapping[str, str]:
    return MappingProxyType({name: _cut(name, *part) for name, part in _distinct(names).items()})


def _cut(name: str, first: int, last: int) -> str:
    before, after = (DOTS if there else "" for there in (first, len(name) - last))
    return f"{before}{name[first:last]}{after}"


@lru_cache(maxsize=16)
def _distinct(names: tuple[str, ...]) -> Mapping[str, Part]:
    whole = MappingProxyType({name: (0, len(name)) for name in names})
    if len(names) < 2 or max(map(len, names)) <= LONG:
        return whole
    start = _shared_start(names)
    starts = {name: len(start) if start and name.startswith(start) else 0 for name in names}
    end = _shared_start(tuple(name[starts[name] :][::-1] for name in names))[::-1]
    if not end:  # an opening bracket stays with its closing one
        start = start.rstrip("([{")
        starts = {name: min(first, len(start)) for name, first in starts.items()}
    parts = {}
    for name, first in starts.items():
        cut = end and name.endswith(end) and len(name) - first > len(end)
        parts[name] = (first, len(name) - len(end) if cut else len(name))
    found = {_cut(name, *part) for name, part in parts.items()}
    return MappingProxyType(parts) if len(found) == len(names) else whole


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
