"""Beam search for METEOR's best alignment, left to right over the reference.

Ties are frequent, so every order matters: paths are sorted by most words matched, fewest chunks,
least distance, and then by age. The compiled version is `_beam.pyx`.
"""

from __future__ import annotations

from operator import itemgetter

from jurydesk.core.metrics.meteor.alignment.matchers import MatchLists, RawMatch
from jurydesk.core.metrics.meteor.config import EXACT

CLOSED = -1
"""End of a chunk if none is open."""

Chosen = tuple[RawMatch, "Chosen"] | None
"""Matches of a path, the latest first."""

Path = tuple[int, int, int, int, int, int, Chosen]
"""Minus the words matched, chunks, distance; next word of the reference, end of the open chunk in
the hypothesis, used words of the hypothesis as bits, chosen matches."""

_rank = itemgetter(0, 1, 2)


def best_alignment(matches: MatchLists, beam: int) -> list[RawMatch]:
    """Return the matches that the jar chooses, sorted by their start in the reference."""
    paths: list[Path] = [(0, 0, 0, 0, CLOSED, 0, None)]
    for position, (options, fixed) in enumerate(zip(matches.lists, matches.fixed, strict=True)):
        following: list[Path] = []
        for path in paths:
            if path[3] > position:
                following.append(path)
            elif fixed is not None:
                following.append(_add_fixed(path, fixed))
            else:
                _branch(path, options, following)
        if len(following) > 1:
            following.sort(key=_rank)
        paths = following[:beam]
    chosen = min(paths, key=_final_rank)[6]
    alignment = []
    while chosen is not None:
        match, chosen = chosen
        alignment.append(match)
    return alignment[::-1]


def _gain(match: RawMatch) -> int:
    """Return the words matched in both lines; inexact ones count half, rounded down per line."""
    _, length, _, match_length, stage = match
    return length + match_length if stage == EXACT else length // 2 + match_length // 2


def _add_fixed(path: Path, match: RawMatch) -> Path:
    matched, chunks, distance, _, chunk_end, used, chosen = path
    start, length, place, size, _ = match
    if chunk_end not in (CLOSED, place):
        chunks += 1
    # No other match touches the words of a fixed one, so they need no mark.
    return (
        matched - _gain(match),
        chunks,
        distance + abs(start - place),
        start + length,
        place + size,
        used,
        (match, chosen),
    )


def _branch(path: Path, options: list[RawMatch], following: list[Path]) -> None:
    """Add the successors of a path: each free match, then the path without a match.

    As in the jar, the distance of a match is added to the path and so to its later successors,
    but not to the successor with the match.
    """
    matched, chunks, distance, position, chunk_end, used, chosen = path
    for match in options:
        start, length, place, size, _ = match
        covered = ((1 << size) - 1) << place
        if used & covered:
            continue
        following.append(
            (
                matched - _gain(match),
                chunks + (chunk_end not in (CLOSED, place)),
                distance,
                start + length,
                place + size,
                used | covered,
                (match, chosen),
            )
        )
        distance += abs(start - place)
    chunks += chunk_end != CLOSED
    following.append((matched, chunks, distance, position + 1, CLOSED, used, chosen))


def _final_rank(path: Path) -> tuple[int, int, int]:
    return path[0], path[1] + (path[4] != CLOSED), path[2]
