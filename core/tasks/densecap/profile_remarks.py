"""Warnings about detections and images that the programs treat differently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.metrics.detection.average_precision import NO_GROUP, DetectionRecords
from jurydesk.core.metrics.detection.detection_rules import (
    LUA,
    RULES,
    DetectionRules,
    Profile,
)
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tasks.densecap.readers.detection_reader import (
    effect_of_missing,
    matching_images,
)
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions

DECIMALS = 1
"""Decimals of a pixel to which given boxes equal those of the ground truth."""
FEWEST, MOST, SAMPLED_IMAGES = 20, 0.5, 200
"""Fewest detections, and share of given boxes among those of so many images, that is reported."""


def profile_remarks(
    truth: GroundTruth, detections: Regions, records: DetectionRecords, profile: Profile
) -> Iterator[Defect]:
    """Yield a warning for each cause of differences between the programs or from the profile's.

    `records` are those of the images that count.
    """
    place, names, rules = Place(detections.path), truth.regions.images, RULES[profile]

    def images(numbers: Iterable[int]) -> str:
        distinct = dict.fromkeys(numbers)
        listed = name_list([names[number] for number in distinct])
        return fill("{images} ({listed})", counted(len(distinct), "image"), listed)

    def of_records(template: Callable[[str, str], str], rows: IntArray, effect: str) -> Defect:
        found = template(counted(len(rows), "detection"), images(records.image[rows].tolist()))
        return warning(place, found, effect, count=len(rows))

    yield from _other_programs(detections, profile, place)
    objects = np.array([len(groups.members) for groups in truth.groups])
    if profile in LUA and len(rows := _records_without_overlap(records, objects)):
        yield of_records(
            lambda detections, image_phrase: fill(
                "Claims without overlap: {detections} in {image_phrase}.", detections, image_phrase
            ),
            rows,
            "The published profile assigns them the last object of their image, the corrected "
            "profile none.",
        )
    if len(rows := _tied_records(records, profile)):
        yield of_records(
            lambda detections, image_phrase: fill(
                "Tied scores: {detections} in {image_phrase}.", detections, image_phrase
            ),
            rows,
            _order_of_ties(rules, profile),
        )
    lengths = np.diff(detections.starts)
    counts = {index: int(lengths[own]) for index, own in matching_images(truth.regions, detections)}
    empty = [image for image, count in counts.items() if count and not objects[image]]
    if empty:
        effect = effect_of_missing(rules, "detections")
        yield warning(
            place, fill("No ground truth: {image_phrase}.", images(empty)), effect, count=len(empty)
        )
    silent = [image for image, count in counts.items() if objects[image] and not count]
    if silent:
        effect = effect_of_missing(rules, "objects")
        yield warning(
            place, fill("No detections: {image_phrase}.", images(silent)), effect, count=len(silent)
        )
    yield from _given_boxes(truth, detections, rules, place)
    bare = sum(not text.strip() for text in detections.captions)
    if bare:
        found = fill("{empty_captions}.", counted(bare, "empty caption"))
        yield note(place, found, "They are scored.", count=bare)


def _other_programs(detections: Regions, profile: Profile, place: Place) -> Iterator[Defect]:
    """Yield whose numbers may be meant if other programs score files of this shape."""
    programs = detections.programs
    if programs and profile not in (*programs, "corrected"):
        yield note(
            place,
            fill("Files of this shape are scored with {profiles}.", name_list(programs)),
            fill(
                "The profile {profile} is another program's: for theirs choose --profile {name}.",
                profile,
                programs[0],
            ),
        )


def _records_without_overlap(records: DetectionRecords, objects: IntArray) -> IntArray:
    """Return the records without overlap; if published, each claims its image's last object."""
    last = objects[records.image] - 1
    claiming = (records.group == NO_GROUP) | (records.group == last)
    rows = np.flatnonzero(claiming & (last >= 0))
    first = rows[np.unique(records.image[rows], return_index=True)[1]]
    phantoms: IntArray = first[records.group[first] == NO_GROUP]
    return phantoms


def _tied_records(records: DetectionRecords, profile: Profile) -> IntArray:
    """Return the records whose score equals another one's, as the program compares scores."""
    scores = records.log_probability
    if profile == "jivc":
        scores = scores.round(3)
    _, values, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[values] > 1)


def _order_of_ties(rules: DetectionRules, profile: Profile) -> str:
    if profile in LUA:
        return (
            "The published profile orders them as torch7's sort does, the corrected profile by "
            "position."
        )
    if profile == "scenic":
        return (
            "Scenic orders them by image, in the order of a Python set of the ids, then by "
            "position."
        )
    return fill(
        "{program} orders them as its unstable sort does; another order gives another mAP.",
        rules.program,
    )


def _given_boxes(
    truth: GroundTruth, detections: Regions, rules: DetectionRules, place: Place
) -> Iterator[Defect]:
    """Yield a warning if most detections of the first images have boxes of the ground truth."""
    known = truth.regions.corners(rules, is_truth=True).round(DECIMALS)
    found = detections.corners(rules, is_truth=False).round(DECIMALS)
    total = given = 0
    for its, own in matching_images(truth.regions, detections)[:SAMPLED_IMAGES]:
        boxes = set(map(tuple, known[truth.regions.rows(its)].tolist()))
        own_boxes = list(map(tuple, found[detections.rows(own)].tolist()))
        total += len(own_boxes)
        given += sum(box in boxes for box in own_boxes)
    if total >= FEWEST and given > MOST * total:
        yield warning(
            place,
            fill(
                "{given:,} of {detections:,} detections have boxes of the ground truth.",
                given,
                total,
            ),
            "Scores with given boxes are not comparable with scores of detected boxes.",
            count=given,
        )
