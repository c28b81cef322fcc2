"""Explanations of dense-captioning items and of differences between the profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Passage, ScoredItem, SubmissionText
from jurydesk.core.tasks.densecap.densecap_evidence import Corners, Detection, Scene
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

MAX_DETECTIONS = 12


def explain_item(scene: Scene) -> Sequence[Passage]:
    """Return the objects with their captions, and the highest-scoring detections."""
    objects = "\n".join(
        f"{number:>2}  {' / '.join(dict.fromkeys(entry.captions))}  {_box(entry.corners)}"
        for number, entry in enumerate(scene.objects, start=1)
    )
    top = sorted(scene.detections, key=lambda entry: -entry.score)[:MAX_DETECTIONS]
    more = len(scene.detections) - len(top)
    return (
        Passage("Objects", objects, shared=True),
        Passage(
            "Highest-scoring detections",
            "\n".join(map(_line, top)),
            fill("and {more:,} with lower scores", more) if more else "",
        ),
    )


def _line(entry: Detection) -> str:
    mark = "✓" if entry.claims and entry.object >= 0 else "·"
    if entry.object < 0:
        match = "no object"
    else:
        match = f"object {entry.object + 1}, IoU {entry.overlap:.2f}"
    meteor = "" if entry.meteor is None else f", METEOR {entry.meteor:.2f}"
    return f"{mark} {entry.caption}  ({match}{meteor})"


def _box(corners: Corners) -> str:
    x1, y1, x2, y2 = (round(value) for value in corners)
    return f"[{x1},{y1} {x2 - x1 + 1}×{y2 - y1 + 1}]"


def explain_difference(one: ScoredItem, other: ScoredItem) -> Sequence[str]:
    """Explain differences in claims, order and merging between the profiles."""
    published, corrected = one.values, other.values
    if not published:
        return ("The object is claimed in the published and missed in the corrected profile.",)
    if not corrected:
        return ("The object is missed in the published and claimed in the corrected profile.",)
    sentences = []
    if published["claims"] == 1 and published["object"] < 0:
        sentences.append(
            "The detection overlaps no object: the published profile assigns it the last object of "
            "its image, the corrected profile none."
        )
    elif published["claims"] != corrected["claims"]:
        sentences.append("Another detection claims the object in one of the profiles.")
    if abs(published["rank"] - corrected["rank"]) > 0:  # NaN for a missed object
        sentences.append(
            "Tied scores are ordered as by torch7's sort in the published profile, by position in "
            "the corrected profile."
        )
    if published["object"] != corrected["object"]:
        sentences.append("The profiles merge the boxes of the ground truth differently.")
    return sentences


def submission_texts(truth: GroundTruth, detections: Regions) -> Iterator[SubmissionText]:
    """Yield the caption of each image's highest-scoring detection and the human captions."""
    regions = truth.regions
    numbers = {name: number for number, name in enumerate(regions.images)}
    for image, name in enumerate(detections.images):
        rows = detections.rows(image)
        if name not in numbers or rows.start == rows.stop:
            continue
        best = rows.start + int(detections.scores[rows].argmax())
        references = regions.captions[regions.rows(numbers[name])]
        yield SubmissionText(name, detections.captions[best], tuple(references))
