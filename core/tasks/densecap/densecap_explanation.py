"""Explanations of dense-captioning items and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurydesk.core.model.evaluation import Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.densecap.densecap_evidence import Corners, Detection, Scene
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

SHOWN = 12
"""The maximum number of detections shown, highest scores first."""


def explain_item(scene: Scene) -> Sequence[Passage]:
    """Return the objects with their captions, then the highest-scoring detections."""
    objects = "\n".join(
        f"{number:>2}  {' / '.join(dict.fromkeys(entry.captions))}  {_box(entry.corners)}"
        for number, entry in enumerate(scene.objects, start=1)
    )
    shown = sorted(scene.detections, key=lambda entry: -entry.score)[:SHOWN]
    more = len(scene.detections) - len(shown)
    return (
        Passage("Objects", objects, shared=True),
        Passage(
            "Surest detections",
            "\n".join(map(_line, shown)),
            f"and {more:,} less sure ones" if more else "",
        ),
    )


def _line(entry: Detection) -> str:
    mark = "✓" if entry.claims and entry.object >= 0 else "·"
    if entry.object < 0:
        where = "overlaps nothing"
    else:
        where = f"object {entry.object + 1}, IoU {entry.overlap:.2f}"
    meteor = "" if entry.meteor is None else f", METEOR {entry.meteor:.2f}"
    return f"{mark} {entry.caption}  ({where}{meteor})"


def _box(corners: Corners) -> str:
    x1, y1, x2, y2 = (round(value) for value in corners)
    return f"[{x1},{y1} {x2 - x1 + 1}×{y2 - y1 + 1}]"


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Return what the published program claims, orders or merges differently."""
    published, corrected = one.values, other.values
    if not published:
        return ("An object that somebody claims when published is missed when corrected.",)
    if not corrected:
        return ("An object that is missed when published is claimed when corrected.",)
    found = []
    if published["claims"] == 1 and published["object"] < 0:
        found.append(
            "It overlaps no object: when published it takes the last object of its image, when "
            "corrected none."
        )
    elif published["claims"] != corrected["claims"]:
        found.append("Another detection claims the object first in one of the profiles.")
    if abs(published["rank"] - corrected["rank"]) > 0:  # NaN, a missed object, has no rank
        found.append("Equal scores are ordered by torch7's sort when published, else by position.")
    if published["object"] != corrected["object"]:
        found.append("The boxes of the ground truth are merged in another way.")
    return found


def submission_texts(truth: GroundTruth, found: Regions) -> Iterator[SubmissionText]:
    """Yield the caption of each image's highest-scoring region and its human captions."""
    regions = truth.regions
    places = {name: number for number, name in enumerate(regions.images)}
    for image, name in enumerate(found.images):
        rows = found.rows(image)
        if name not in places or rows.start == rows.stop:
            continue
        surest = rows.start + int(found.scores[rows].argmax())
        human = regions.captions[regions.rows(places[name])]
        yield SubmissionText(name, found.captions[surest], tuple(human))
