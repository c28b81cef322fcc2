"""Remarks on ranked lists that are scored, but suggest a mistake or depend on a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, name_list, reason, translatable
from jurydesk.core.metrics.spotting.claims import REPETITION
from jurydesk.core.metrics.spotting.overlaps import areas, find_candidates
from jurydesk.core.metrics.spotting.protocols import PROTOCOLS
from jurydesk.core.metrics.spotting.spots import Spots
from jurydesk.core.model.defects import Defect, Place, Transformation, note, warning
from jurydesk.core.model.evaluation import FloatArray, IntArray

if TYPE_CHECKING:
    from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import SpottingLists, SpottingMatch

SAMPLE = 2000
"""Listed boxes that are compared as other boxes."""
MISPLACED = 0.1
"""Median overlap below which boxes are compared as others."""
BETTER = 0.2
"""Share of boxes by which more must fit."""
FITTING = 0.5
SMALL = 3
"""Factor by which listed boxes are suspiciously smaller than relevant ones."""
RISING = 0.95
FEWEST = 10
ROUND = 100
TOLERANCE = 1e-9


def spotting_remarks(lists: SpottingLists, profile: str) -> Iterator[Defect]:
    """Yield the remarks on lists under a profile."""
    if not len(lists.listed):
        return
    matching = lists.matching(profile)
    from jurydesk.core.tasks.keyword_spotting.overlap.spotting_figures import size_note

    place = Place(lists.path)
    yield from _repetitions(matching, place)
    yield from _distractors(matching, place)
    yield from _scores(lists, place)
    yield from _cut_lists(matching, place)
    if matching.rules.places == "boxes" and len(lists.relevant):
        yield from _negative(lists, place, matching)
        yield from _small_boxes(matching, place)
        yield from _other_boxes(lists, place)
        yield from size_note(matching)
    if matching.rules.scored == "blocks":
        yield from _profile_difference(lists, profile, place)


def _repetitions(matching: SpottingMatch, place: Place) -> Iterator[Defect]:
    again = int((matching.claims.verdict == REPETITION).sum())
    if not again:
        return
    found = fill(
        "{places} what was found before: {share:.1%} of the list.",
        counted(again, "listed place repeats", "listed places repeat"),
        again / len(matching.claims.verdict),
    )
    effect = (
        "They cost nothing under this protocol; they are misses under iou50."
        if matching.rules.repeated == "ignore"
        else "They are misses under this protocol; they cost nothing under icdar2017."
    )
    yield warning(place, found, effect, count=again)


def _distractors(matching: SpottingMatch, place: Place) -> Iterator[Defect]:
    rows, units = matching.by_unit
    listed = np.unique(units[matching.counted(rows)])
    empty = listed[matching.relevant_counts[listed] == 0]
    if not len(empty):
        return
    names = name_list([matching.lists.units[unit] for unit in empty.tolist()])
    found = fill(
        "{queries} without anything relevant: {names}.",
        counted(len(empty), "query has results", "queries have results"),
        names,
    )
    effect = "They are left out of the means."
    if matching.rules.means_over == "listed":
        from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import unit_curves

        trapezoid = matching.rules.trapezoid
        values = unit_curves(matching).average_precisions(trapezoid=trapezoid)
        used = matching.used_units()
        kept = np.setdiff1d(used, empty)
        without = float(values[kept].mean()) if len(kept) else 0.0
        effect = fill(
            "Each counts as AP 0: mAP is {value:.4f}, and {other:.4f} without them.",
            float(values[used].mean()),
            without,
        )
    yield warning(place, found, effect, count=len(empty))


def _scores(lists: SpottingLists, place: Place) -> Iterator[Defect]:
    """Yield what is strange about the scores: all equal, or rising with the rank."""
    spots = lists.listed
    rules = lists.references.protocol.rules
    if not lists.file.has_scores or len(spots) < FEWEST or rules.order == "file":
        return
    if (spots.scores == spots.scores[0]).all():
        found = "All scores are equal."
        effect = "The order of the list does not follow from them."
        yield warning(place, found, effect, reason("--order file ranks by the order of the file."))
        return
    if lists.file.order == "asc" or rules.order == "asc":
        return
    same = spots.query[1:] == spots.query[:-1]
    steps = np.diff(spots.scores)[same]
    if len(steps) >= FEWEST and (steps >= 0).mean() >= RISING and (steps > 0).any():
        found = "In the file, scores rise from line to line of a query."
        effect = "The highest score is ranked first: distances would be ranked upside down."
        yield warning(place, found, effect, "If they are distances, give --order asc.")


def _cut_lists(matching: SpottingMatch, place: Place) -> Iterator[Defect]:
    _, units = matching.by_unit
    lengths = np.bincount(units)
    lengths = lengths[lengths > 0]
    longest = int(lengths.max(initial=0))
    full = int((lengths == longest).sum())
    if longest < ROUND or longest % ROUND or full < FEWEST or full * 4 < len(lengths):
        return
    found = fill(
        "{queries} exactly {longest:,} results.",
        counted(full, "query has", "queries have"),
        longest,
    )
    effect = "Lists that are cut lose what would have been found below."
    yield warning(place, found, effect, count=full)


def _negative(lists: SpottingLists, place: Place, matching: SpottingMatch) -> Iterator[Defect]:
    count = sum(
        int((one.boxes[:, :2] < 0).any(axis=1).sum()) for one in (lists.listed, lists.relevant)
    )
    if not count:
        return
    found = fill("{boxes} negative coordinates.", counted(count, "box has", "boxes have"))
    effect = (
        "Such a box never finds anything in the published program; corrected takes it as it is."
        if matching.rules.bounded
        else "They are taken as they are."
    )
    yield warning(place, found, effect, count=count)


def _small_boxes(matching: SpottingMatch, place: Place) -> Iterator[Defect]:
    if matching.rules.measure != "hypothesis":
        return
    listed = float(np.median(areas(matching.lists.listed.boxes)))
    relevant = float(np.median(areas(matching.lists.relevant.boxes)))
    if listed * SMALL >= relevant:
        return
    found = fill(
        "Listed boxes are small: their median area is {listed:,.0f}, that of relevant ones "
        "{relevant:,.0f} pixels.",
        listed,
        relevant,
    )
    effect = "This protocol divides the overlap by the listed box: a smaller box hits more easily."
    yield warning(place, found, effect)


def _best_overlaps(listed: Spots, relevant: Spots) -> FloatArray:
    """Return the largest IoU (n,) of each box with a relevant one of its query and document."""
    found = find_candidates(listed, relevant, PROTOCOLS["iou50"])
    best = np.zeros(len(listed))
    np.maximum.at(best, found.listed, found.overlap)
    return best


def _scaled(boxes: IntArray, factor: float) -> IntArray:
    return np.asarray(np.rint(boxes * factor), np.int64)


def _as_corners(boxes: IntArray) -> IntArray:
    found = boxes.copy()
    found[:, 2:] = np.maximum(boxes[:, 2:] - boxes[:, :2], 0)
    return found


OtherBoxes = tuple[Callable[[IntArray], IntArray], Transformation]
OTHER_BOXES: dict[str, OtherBoxes] = {
    translatable("as x1 y1 x2 y2"): (_as_corners, Transformation("xyxy", "1", 1.0)),
    translatable("with half the coordinates"): (
        lambda boxes: _scaled(boxes, 0.5),
        Transformation("xywh", "factor", 2.0),
    ),
    translatable("with twice the coordinates"): (
        lambda boxes: _scaled(boxes, 2.0),
        Transformation("xywh", "factor", 0.5),
    ),
}
"""Other meanings of the numbers of a box, with the conversion they would need."""


def _page_scale(lists: SpottingLists) -> dict[str, OtherBoxes]:
    """Return the meaning in which listed boxes reach as far over their pages as relevant ones."""
    ends = []
    for spots in (lists.listed, lists.relevant):
        far = np.zeros(max(len(lists.documents), 1))
        np.maximum.at(far, spots.document, (spots.boxes[:, :2] + spots.boxes[:, 2:]).max(axis=1))
        ends.append(far)
    known = (ends[0] > 0) & (ends[1] > 0)
    if not known.any():
        return {}
    factor = float(np.median(ends[1][known] / ends[0][known]))
    meaning = fill("in the scale of the page (times {factor:.3g})", factor)
    change = partial(_scaled, factor=factor)
    return {meaning: (change, Transformation("xywh", "factor", 1 / factor))}


def _other_boxes(lists: SpottingLists, place: Place) -> Iterator[Defect]:
    """Yield a warning if listed boxes fit far better when their numbers mean something else."""
    rows = np.unique(np.linspace(0, len(lists.listed) - 1, SAMPLE).astype(np.int64))
    sample = lists.listed.take(rows)
    own = _best_overlaps(sample, lists.relevant)
    if float(np.median(own)) >= MISPLACED:
        return
    share = float((own >= FITTING).mean())
    for meaning, (change, transformation) in {**OTHER_BOXES, **_page_scale(lists)}.items():
        moved = Spots(
            sample.query, sample.document, change(sample.boxes), sample.scores, sample.lines
        )
        other = float((_best_overlaps(moved, lists.relevant) >= FITTING).mean())
        if other >= share + BETTER:
            found = fill(
                "Of the listed boxes {own:.0%} fit a relevant one; read {meaning}, {other:.0%} do.",
                share,
                meaning,
                other,
            )
            hint = reason("Boxes are x, y, width and height in pixels of the page.")
            found_defect = warning(place, found, "They are scored as they are.", hint)
            yield replace(found_defect, transformation=transformation)
            return


def _profile_difference(lists: SpottingLists, profile: str, place: Place) -> Iterator[Defect]:
    """Yield how far the other profile is, where double precision or signs can matter."""
    from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import mean_and_global

    other = {"published": "corrected", "corrected": "published"}[profile]
    if not _may_differ(lists):
        return
    own, its = mean_and_global(lists.matching(profile)), mean_and_global(lists.matching(other))
    if max(abs(one - two) for one, two in zip(own, its, strict=True)) <= TOLERANCE:
        return
    found = fill(
        "mAP is {mean:.4f} and gAP {whole:.4f} {profile}; {mean2:.4f} and {whole2:.4f} {other}.",
        *own,
        translatable(profile),
        *its,
        translatable(other),
    )
    hint = (
        "Corrected compares in double precision, and leaves out queries without anything relevant."
    )
    yield note(place, found, hint)


def _may_differ(lists: SpottingLists) -> bool:
    """Return whether something that the profiles treat differently is in the files."""
    listed, relevant = lists.listed, lists.relevant
    if len(np.unique(listed.scores)) != len(np.unique(listed.scores.astype(np.float32))):
        return True
    if any((one.boxes[:, :2] < 0).any() for one in (listed, relevant)):
        return True
    if any(areas(one.boxes).max(initial=0) > 0xFFFFFFFF for one in (listed, relevant)):
        return True
    units = lists.unit_of_query[listed.query]
    return bool((units >= len(lists.references.units)).any())
