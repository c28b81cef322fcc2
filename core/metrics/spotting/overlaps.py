"""Overlaps of listed boxes with relevant ones, computed in blocks of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.metrics.spotting.spots import WORD, Spots
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

PAIRS = 1 << 18
"""Pairs of boxes compared at once, with about 30 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Pairs of a listed box and a relevant one that it may find, whatever the threshold.

    `listed` (p,) and `relevant` (p,) are rows, by listed box and in each the likeliest first;
    `overlap` (p,) is the value that is compared with the threshold.
    """

    listed: IntArray
    relevant: IntArray
    overlap: FloatArray


def find_candidates(listed: Spots, relevant: Spots, rules: SpottingRules) -> Candidates:
    """Return the pairs that the rules compare: of the same query and document, or of a page."""
    if rules.claim == "nearest":
        return _nearest(listed, relevant, rules)
    if rules.measure == "location":
        return _at_equal_location(listed, relevant)
    found = _of_same_query(listed, relevant, rules)
    return _best_of_relevant(found, listed, relevant) if rules.claim == "best" else found


def page_pairs(listed: Spots, relevant: Spots) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield all pairs on the same page, in blocks that hold whole listed boxes."""
    return _pairs(listed.document, relevant.document)


def intersections(one: IntArray, other: IntArray) -> IntArray:
    """Return the area (n,) that boxes (n, 4) have in common with others (n, 4)."""
    width = np.minimum(one[:, 0] + one[:, 2], other[:, 0] + other[:, 2])
    width -= np.maximum(one[:, 0], other[:, 0])
    height = np.minimum(one[:, 1] + one[:, 3], other[:, 1] + other[:, 3])
    height -= np.maximum(one[:, 1], other[:, 1])
    area: IntArray = np.maximum(width, 0) * np.maximum(height, 0)
    return area


def areas(boxes: IntArray) -> IntArray:
    """Return the areas (n,) of boxes (n, 4)."""
    found: IntArray = boxes[:, 2] * boxes[:, 3]
    return found


def _pairs(listed: IntArray, relevant: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the rows of all pairs with equal keys, by listed row and then by relevant row."""
    order = np.argsort(relevant, kind="stable")
    keys = relevant[order]
    starts = np.searchsorted(keys, listed, "left")
    counts = np.searchsorted(keys, listed, "right") - starts
    rows = np.flatnonzero(counts)
    ends = np.cumsum(counts[rows])
    first = 0
    while first < len(rows):
        done = int(ends[first - 1]) if first else 0
        last = max(int(np.searchsorted(ends, done + PAIRS, "right")), first + 1)
        some = rows[first:last]
        sizes = counts[some]
        owner = np.repeat(some, sizes)
        shift = np.repeat(starts[some] - (np.cumsum(sizes) - sizes), sizes)
        yield owner, order[np.arange(len(owner)) + shift]
        first = last


def _same_query_pairs(listed: Spots, relevant: Spots) -> Iterator[tuple[IntArray, IntArray]]:
    size = 1 + max(int(one.document.max(initial=0)) for one in (listed, relevant))
    return _pairs(listed.query * size + listed.document, relevant.query * size + relevant.document)


def _at_equal_location(listed: Spots, relevant: Spots) -> Candidates:
    blocks = list(_same_query_pairs(listed, relevant))
    return _join([(own, its, np.ones(len(own)), np.zeros(len(own))) for own, its in blocks])


def _of_same_query(listed: Spots, relevant: Spots, rules: SpottingRules) -> Candidates:
    ink = _ink_of_pages(listed, relevant) if rules.measure == "ink" else None
    usable = _unsigned(listed) if rules.bounded else None
    wanted = _unsigned(relevant) if rules.bounded else None
    blocks = []
    for own, its in _same_query_pairs(listed, relevant):
        common = intersections(listed.boxes[own], relevant.boxes[its])
        if rules.bounded:
            common &= WORD
        meeting = np.flatnonzero(common > 0)
        own, its, common = own[meeting], its[meeting], common[meeting]
        if usable is not None and wanted is not None:
            plain = np.flatnonzero(usable[own] & wanted[its])
            own, its, common = own[plain], its[plain], common[plain]
        value = _overlap(listed, relevant, own, its, common, rules, ink)
        # kws-eval prefers the largest area, which is the largest share of one listed box.
        weight = common.astype(np.float64) if rules.measure == "hypothesis" else value
        blocks.append((own, its, value, weight))
    return _join(blocks, relevant if rules.scored == "blocks" else None)


def _overlap(
    listed: Spots,
    relevant: Spots,
    own: IntArray,
    its: IntArray,
    common: IntArray,
    rules: SpottingRules,
    ink: IntArray | None,
) -> FloatArray:
    """Return the overlap (n,) of pairs that have an area in common."""
    if rules.measure == "hypothesis":
        area = areas(listed.boxes)[own]
        if not rules.single:
            return common / area
        area &= WORD
        with np.errstate(divide="ignore"):
            share = common.astype(np.float32) / area.astype(np.float32)
        return np.where(area > 0, share, 0).astype(np.float64)
    wanted = areas(relevant.boxes)[its]
    if rules.measure == "reference":
        return common / wanted
    if ink is not None:
        return common / (wanted + ink[own] - common)
    value: FloatArray = common / (wanted + areas(listed.boxes)[own] - common)
    return value.astype(np.float32).astype(np.float64) if rules.claim == "best" else value


def _unsigned(spots: Spots) -> BoolArray:
    """Return which boxes have no negative coordinate, which 32 bits without sign turn round."""
    return np.asarray((spots.boxes[:, :2] >= 0).all(axis=1), np.bool_)


def _ink_of_pages(listed: Spots, relevant: Spots) -> IntArray:
    """Return the area (n,) that each listed box has in common with all words of its page."""
    sums = np.zeros(len(listed), np.int64)
    for own, its in page_pairs(listed, relevant):
        common = intersections(listed.boxes[own], relevant.boxes[its])
        np.add.at(sums, own, common)
    return sums


def _nearest(listed: Spots, relevant: Spots, rules: SpottingRules) -> Candidates:
    """Return for each listed box the word of its page that it overlaps most, the first of equals.

    The word may be one of another query: the box then finds nothing.
    """
    ink = _ink_of_pages(listed, relevant) if rules.measure == "ink" else None
    blocks = []
    for own, its in page_pairs(listed, relevant):
        common = intersections(listed.boxes[own], relevant.boxes[its])
        meeting = common > 0
        own, its, common = own[meeting], its[meeting], common[meeting]
        value = _overlap(listed, relevant, own, its, common, rules, ink)
        order = np.lexsort((its, -value, own))
        own, its, value = own[order], its[order], value[order]
        is_best = _starts_of(own)
        blocks.append((own[is_best], its[is_best], value[is_best], value[is_best]))
    return _join(blocks)


def _best_of_relevant(found: Candidates, listed: Spots, relevant: Spots) -> Candidates:
    """Return for each relevant box the listed one that overlaps it most, the first of equals.

    Of several relevant boxes that take the same listed one, the first of the file stays, even one
    that meets no listed box: it takes the first of its query and page, with overlap 0.
    """
    order = np.lexsort((found.listed, -found.overlap, found.relevant))
    chosen = order[_starts_of(found.relevant[order])]
    own, its, value = found.listed[chosen], found.relevant[chosen], found.overlap[chosen]
    apart = np.setdiff1d(np.arange(len(relevant)), its)
    pairs = list(_same_query_pairs(relevant.take(apart), listed))
    some = np.concatenate([its[:0], *(one for one, _ in pairs)])
    first = _starts_of(some)
    others = np.concatenate([own[:0], *(one for _, one in pairs)])
    own = np.concatenate([own, others[first]])
    its = np.concatenate([its, apart[some[first]]])
    value = np.concatenate([value, np.zeros(int(first.sum()))])
    again = np.lexsort((its, own))
    rows = again[_starts_of(own[again])]
    return Candidates(own[rows], its[rows], value[rows])


def _starts_of(groups: IntArray) -> BoolArray:
    """Return which rows (n,) are the first of neighbours in the same group."""
    first = np.ones(len(groups), np.bool_)
    first[1:] = groups[1:] != groups[:-1]
    return first


def _join(
    blocks: list[tuple[IntArray, IntArray, FloatArray, FloatArray]], ties: Spots | None = None
) -> Candidates:
    """Return the pairs of all blocks, of each listed box the one of the largest weight first.

    Equal weights are in the order of the file, or in the descending order of the boxes in `ties`.
    """
    number = np.empty(0, np.int64)
    own, its = (np.concatenate([number, *(one[at] for one in blocks)]) for at in (0, 1))
    value, weight = (np.concatenate([np.empty(0), *(one[at] for one in blocks)]) for at in (2, 3))
    several = np.flatnonzero(own[1:] == own[:-1])
    if len(several):
        among = np.zeros(len(own), np.bool_)
        among[several] = among[several + 1] = True
        rows = np.flatnonzero(among)
        last = [its[rows]] if ties is None else list(-ties.boxes[its[rows]].T[::-1])
        order = rows[np.lexsort((*last, -weight[rows], own[rows]))]
        own[rows], its[rows], value[rows] = own[order], its[order], value[order]
    return Candidates(own, its, value)
