"""Kinds of errors of keyword spotting by overlap, after TIDE (Bolya et al., ECCV 2020)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import translatable
from jurydesk.core.metrics.spotting.claims import HIT, NONE, REPETITION
from jurydesk.core.metrics.spotting.overlaps import areas, intersections, page_pairs
from jurydesk.core.metrics.spotting.spots import Spots
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

KINDS = {
    "mislocated": translatable("mislocated"),
    "split": translatable("part of the word"),
    "merged": translatable("with other words"),
    "wrong_word": translatable("wrong word"),
    "repetition": translatable("repetition"),
    "background": translatable("background"),
    "missed": translatable("missed"),
}
"""Kinds of errors and their titles; all but `missed` are of listed boxes."""
MISLOCATED, SPLIT, MERGED, WRONG_WORD, AGAIN, BACKGROUND = range(6)
NO_ERROR = -1
NEAR = 0.1
"""Least IoU with a word of another query for a wrong word."""
PART = 0.5
"""Share of a box that lies in a word, or of a word that lies in a box."""


@dataclass(frozen=True, slots=True, eq=False)
class ErrorKinds:
    """Kind (n,) of each listed box, an index in `KINDS` or `NO_ERROR` for a hit.

    `word` (n,) is the row of the word of its query that it meets most, or `NONE`.
    """

    kind: npt.NDArray[np.int8]
    word: IntArray


@dataclass(slots=True, eq=False)
class _Meetings:
    """What listed boxes meet on their pages."""

    own: FloatArray
    """Largest IoU with a word of the query."""
    word: IntArray
    inside: FloatArray
    """Share of the box that lies in that word."""
    other: FloatArray
    """Largest IoU with another word."""
    swallowed: IntArray
    """Number of words of which more than `PART` lies in the box."""


def box_errors(verdict: npt.NDArray[np.int8], listed: Spots, words: Spots) -> ErrorKinds:
    """Return the kinds of listed boxes with a verdict (n,), given all words of the pages.

    A box that meets a word of its query is merged with others (it covers two words or more), a part
    of that word (most of the box lies in it, and less than half of the word in the box), or
    mislocated otherwise. One that meets none is a wrong word if it meets another, else background.
    """
    wrong = np.flatnonzero((verdict != HIT) & (verdict != REPETITION))
    found = _meetings(listed.take(wrong), words)
    kind = np.full(len(wrong), BACKGROUND, np.int8)
    kind[found.other >= NEAR] = WRONG_WORD
    meets = found.own > 0
    kind[meets] = MISLOCATED
    kind[meets & (found.inside > PART)] = SPLIT
    kind[meets & (found.swallowed > 1)] = MERGED
    kinds = np.full(len(listed), NO_ERROR, np.int8)
    kinds[verdict == REPETITION] = AGAIN
    kinds[wrong] = kind
    word = np.full(len(listed), NONE)
    word[wrong] = found.word
    return ErrorKinds(kinds, word)


def _meetings(listed: Spots, words: Spots) -> _Meetings:
    count = len(listed)
    found = _Meetings(
        np.zeros(count),
        np.full(count, NONE),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count, np.int64),
    )
    size, room = areas(words.boxes), areas(listed.boxes)
    for box, word in page_pairs(listed, words):
        common = intersections(listed.boxes[box], words.boxes[word])
        meeting = np.flatnonzero(common > 0)
        _add_pairs(found, box[meeting], word[meeting], common[meeting], (listed, words), size, room)
    return found


def _add_pairs(
    found: _Meetings,
    box: IntArray,
    word: IntArray,
    common: IntArray,
    spots: tuple[Spots, Spots],
    size: IntArray,
    room: IntArray,
) -> None:
    overlap = common / (size[word] + room[box] - common)
    same = spots[0].query[box] == spots[1].query[word]
    np.maximum.at(found.other, box[~same], overlap[~same])
    np.add.at(found.swallowed, box, (2 * common > size[word]).astype(np.int64))
    _add_own(found, box[same], word[same], overlap[same], (common / room[box])[same])


def _add_own(
    found: _Meetings, box: IntArray, word: IntArray, overlap: FloatArray, inside: FloatArray
) -> None:
    """Keep of each box the word of its query that it overlaps most, of equals the first."""
    order = np.lexsort((word, -overlap, box))
    first: BoolArray = np.ones(len(order), np.bool_)
    first[1:] = box[order][1:] != box[order][:-1]
    best = order[first]
    at = box[best]
    found.own[at], found.word[at], found.inside[at] = overlap[best], word[best], inside[best]
