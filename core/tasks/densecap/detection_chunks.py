"""Chunked execution of box matching and METEOR for dense captioning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    NO_GROUP,
    DetectionRecords,
    ImageRecords,
    MergedObjects,
)
from jurydesk.core.metrics.detection.detection_rules import (
    RULES,
    AnyFloatArray,
    DetectionRules,
    Profile,
    round_to,
    rules_of,
)
from jurydesk.core.metrics.meteor import profile, shared_meteor
from jurydesk.core.metrics.meteor.scorer import language_digest, meteor_with_digest
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, split_items
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.densecap.caption_texts import caption_candidate
from jurydesk.core.tasks.densecap.densecap_evidence import METEOR_PROFILE
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """Profile, and digest of METEOR's language data."""

    profile: Profile
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """Detections and objects of k images.

    Image i owns the rows `starts[i]:starts[i + 1]` of `boxes` (n, 4; corners), `scores` (n,) and
    `captions`, the groups `group_starts[i]:group_starts[i + 1]` of `corners` (g, 4), the members
    of each group in `members[i]` and the captions of these in `truth[i]`.
    """

    starts: IntArray
    boxes: AnyFloatArray
    scores: AnyFloatArray
    captions: Sequence[str]
    group_starts: IntArray
    corners: FloatArray
    members: Sequence[Sequence[Sequence[int]]]
    truth: Sequence[Sequence[str]]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def references(self, image: int, group: int) -> list[str]:
        """Return METEOR's references; the separator of its protocol splits a caption in two."""
        captions = [self.truth[image][box] for box in self.members[image][group]]
        return [part for caption in captions for part in caption.split("|||")]


@dataclass(frozen=True, slots=True, eq=False)
class MatchedRecords:
    """Records (n,) of k images as in `DetectionRecords`, with their best references.

    `counts` (k,) and `objects` (k,) are the numbers of detections and merged boxes of each image.
    Where no score depends on METEOR, it is NaN and the reference -1.
    """

    counts: IntArray
    objects: IntArray
    detection: IntArray
    group: IntArray
    overlap: FloatArray
    claims: BoolArray
    log_probability: FloatArray
    meteor: FloatArray
    references: IntArray

    def __post_init__(self) -> None:
        columns = (self.detection, self.group, self.overlap, self.claims, self.log_probability)
        shapes = {column.shape for column in (*columns, self.meteor, self.references)}
        if shapes != {(int(self.counts.sum()),)} or self.objects.shape != self.counts.shape:
            raise ValueError("the lengths of the records do not fit the images")

    def __len__(self) -> int:
        return len(self.counts)


def score_images(settings: ImageSettings, chunk: Images, check: Check) -> MatchedRecords:
    """Match the detections of a chunk of images, with METEOR where a score depends on it."""
    matched = match_chunk(chunk, settings.profile, check)
    records = average_precision.concatenate_records(matched, settings.profile)
    scores, best = _meteor_scores(settings, chunk, records, check)
    return MatchedRecords(
        counts=np.diff(chunk.starts),
        objects=np.array([one.objects for one in matched], np.int64),
        detection=records.detection,
        group=records.group,
        overlap=records.overlap,
        claims=records.claims,
        log_probability=records.log_probability,
        meteor=scores,
        references=best,
    )


def match_chunk(
    chunk: Images, profile: Profile | DetectionRules, check: Check
) -> list[ImageRecords]:
    """Match the boxes of each image of a chunk."""
    matched = []
    for image, (rows, groups) in enumerate(_image_slices(chunk)):
        check()
        members = tuple(map(tuple, chunk.members[image]))
        merged = MergedObjects(chunk.corners[groups], members)
        matched.append(
            average_precision.match_detections(
                chunk.boxes[rows], chunk.scores[rows], merged, profile
            )
        )
    return matched


def match_boxes(
    truth: GroundTruth, detections: Regions, images: Mapping[int, int], profile: Profile, run: Run
) -> DetectionRecords:
    """Match the detections of every image as `match_images` does, without METEOR."""
    matched: list[ImageRecords] = []
    for chunk in image_chunks(truth, detections, images, profile):
        matched += match_chunk(chunk, profile, run.check)
    return average_precision.concatenate_records(matched, profile)


def _image_slices(chunk: Images) -> Iterator[tuple[slice, slice]]:
    rows, groups = pairwise(chunk.starts.tolist()), pairwise(chunk.group_starts.tolist())
    return ((slice(*one), slice(*other)) for one, other in zip(rows, groups, strict=True))


def _meteor_scores(
    settings: ImageSettings, chunk: Images, records: DetectionRecords, check: Check
) -> tuple[FloatArray, IntArray]:
    """Return METEOR of the deciding records (0 without an object) and the best references."""
    rows, pairs = deciding_captions(chunk, records)
    scores, best = records.meteor, np.full(len(records.image), -1)
    scores[records.deciding() & (records.group == NO_GROUP)] = 0.0
    # a program that scores such claims as "EMPTY" against "EMPTY"
    empty = empty_claims(chunk, records) if RULES[settings.profile].has_empty_claims else rows[:0]
    batch = meteor_with_digest(settings.language).score_many(
        pairs, profile(METEOR_PROFILE), check=check
    )
    scores[rows], best[rows] = batch.scores, batch.references
    scores[empty] = 1.0
    return scores, best


def deciding_captions(
    chunk: Images, records: DetectionRecords
) -> tuple[IntArray, list[tuple[str, list[str]]]]:
    """Return the records whose METEOR can affect a score, each with caption and references."""
    rows = np.flatnonzero(records.deciding() & (records.group != NO_GROUP))
    captions = (chunk.starts[records.image] + records.detection)[rows].tolist()
    objects = zip(records.image[rows].tolist(), records.group[rows].tolist(), strict=True)
    return rows, [
        (caption_candidate(chunk.captions[caption]), chunk.references(image, group))
        for caption, (image, group) in zip(captions, objects, strict=True)
    ]


def empty_claims(chunk: Images, records: DetectionRecords) -> IntArray:
    """Return the claims of an object that has an empty caption."""
    claims = np.flatnonzero(records.claims & (records.group != NO_GROUP))
    objects = zip(records.image[claims].tolist(), records.group[claims].tolist(), strict=True)
    is_empty = [
        any(not chunk.truth[image][box] for box in chunk.members[image][group])
        for image, group in objects
    ]
    return claims[np.array(is_empty, np.bool_)]


DETECTION_CHUNKS = ChunkKind("densecap", score_images, ImageSettings, Images, MatchedRecords)

IMAGES_PER_CHUNK = 100
"""About 0.1 s at a hundred detections each (measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class MeteorRecords:
    """Records with METEOR and best references (n,); -1 where no score depends on METEOR."""

    records: DetectionRecords
    references: IntArray


def match_images(
    truth: GroundTruth, detections: Regions, images: Mapping[int, int], profile: Profile, run: Run
) -> MeteorRecords:
    """Match the detections of every image, with METEOR where a score depends on it.

    Args:
        truth: Ground truth with merged objects.
        detections: Detections of one system.
        images: Index in `detections` by index in `truth`; other images have no records.
        profile: Profile of the metric.
        run: Progress, cancellation and workers.

    Raises:
        ResourceMissing: METEOR's language data are not installed.
    """
    with language_data():
        language = language_digest(shared_meteor(run).index.sources)
    chunks = image_chunks(truth, detections, images, profile)
    settings = ImageSettings(profile, language)
    request = ChunkRequest(
        DETECTION_CHUNKS, settings, chunks, translatable("Matching boxes"), "images"
    )
    return _concatenate(list(run.each(request)), profile)


def image_chunks(
    truth: GroundTruth,
    detections: Regions,
    images: Mapping[int, int],
    profile: Profile | DetectionRules,
) -> list[Images]:
    """Return the images in chunks, with corners and scores as a program computes them."""
    rules = rules_of(profile)
    boxes = detections.corners(rules, is_truth=False)
    scores = round_to(detections.scores, rules.scores)
    parts = split_items(range(len(truth.groups)), IMAGES_PER_CHUNK)
    return [_chunk(truth, detections, boxes, scores, images, part) for part in parts]


def _chunk(
    truth: GroundTruth,
    detections: Regions,
    boxes: AnyFloatArray,
    scores: AnyFloatArray,
    images: Mapping[int, int],
    part: range,
) -> Images:
    slices = [detections.rows(images[image]) if image in images else slice(0, 0) for image in part]
    groups = [truth.groups[image] for image in part]
    return Images(
        starts=_starts([rows.stop - rows.start for rows in slices]),
        boxes=np.concatenate([boxes[rows] for rows in slices]),
        scores=np.concatenate([scores[rows] for rows in slices]),
        captions=[caption for rows in slices for caption in detections.captions[rows]],
        group_starts=_starts([len(merged.members) for merged in groups]),
        corners=np.concatenate([merged.corners for merged in groups]),
        members=[merged.members for merged in groups],
        truth=[truth.regions.captions[truth.regions.rows(image)] for image in part],
    )


def _starts(lengths: Sequence[int]) -> IntArray:
    return np.cumsum([0, *lengths], dtype=np.int64)


_NO_INTEGERS = np.empty(0, np.int64)
_NO_RECORDS = MatchedRecords(
    counts=_NO_INTEGERS,
    objects=_NO_INTEGERS,
    detection=_NO_INTEGERS,
    group=_NO_INTEGERS,
    overlap=np.empty(0),
    claims=np.empty(0, np.bool_),
    log_probability=np.empty(0),
    meteor=np.empty(0),
    references=_NO_INTEGERS,
)


def part_columns(parts: Sequence[MatchedRecords | DetectionRecords]) -> dict[str, Any]:
    """Return the columns of all parts but `image`, which counts the images of one."""
    names = ("detection", "group", "overlap", "claims", "log_probability", "meteor")
    return {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}


def _concatenate(parts: Sequence[MatchedRecords], profile: Profile) -> MeteorRecords:
    parts = [_NO_RECORDS, *parts]
    counts = np.concatenate([part.counts for part in parts])
    records = DetectionRecords(
        image=np.repeat(np.arange(len(counts)), counts),
        **part_columns(parts),
        objects=int(sum(part.objects.sum() for part in parts)),
        claims_above=RULES[profile].claims_above,
    )
    return MeteorRecords(records, np.concatenate([part.references for part in parts]))
