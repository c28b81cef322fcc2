"""Chunked execution of box matching and METEOR for dense captioning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.metrics.detection import average_precision
from jurydesk.core.metrics.detection.average_precision import (
    NO_GROUP,
    DetectionRecords,
    Float32Array,
    MergedObjects,
    Profile,
)
from jurydesk.core.metrics.meteor import profile, shared_meteor
from jurydesk.core.metrics.meteor.scorer import language_digest, meteor_with_digest
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, split_items
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray
from jurydesk.core.tasks.densecap.densecap_evidence import METEOR_PROFILE, caption_candidate
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import GroundTruth
from jurydesk.core.tasks.densecap.readers.regions import Regions
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """The profile, and the digest of METEOR's language data."""

    profile: Profile
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """Detections and objects of k images.

    Image i owns the rows `starts[i]:starts[i + 1]` of `boxes` (n, 4), `scores` (n,) and
    `captions`, the groups `group_starts[i]:group_starts[i + 1]` of `corners` (g, 4), the members
    of each group in `members[i]` and the captions of these in `truth[i]`.
    """

    starts: IntArray
    boxes: Float32Array
    scores: Float32Array
    captions: Sequence[str]
    group_starts: IntArray
    corners: FloatArray
    members: Sequence[Sequence[Sequence[int]]]
    truth: Sequence[Sequence[str]]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def references(self, image: int, group: int) -> list[str]:
        """Return the captions of an object; the separator of METEOR's protocol makes two of one."""
        captions = [self.truth[image][box] for box in self.members[image][group]]
        return [part for caption in captions for part in caption.split("|||")]


@dataclass(frozen=True, slots=True, eq=False)
class MatchedRecords:
    """The records of k images, (n,) each as in `DetectionRecords`, and the best reference of each.

    `counts` (k,) are the detections of every image, `objects` (k,) its merged boxes. METEOR is
    NaN, and the reference -1, where nothing depends on it.
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
        number = int(self.counts.sum())
        columns = (self.detection, self.group, self.overlap, self.claims, self.log_probability)
        rows = {column.shape for column in (*columns, self.meteor, self.references)}
        if rows != {(number,)} or self.objects.shape != self.counts.shape:
            raise ValueError("records and images do not go together")

    def __len__(self) -> int:
        return len(self.counts)


def score_images(settings: ImageSettings, chunk: Images, check: Check) -> MatchedRecords:
    """Match the images of a chunk, and ask METEOR where that decides."""
    found = []
    for image, (rows, groups) in enumerate(_parts(chunk)):
        check()
        members = tuple(map(tuple, chunk.members[image]))
        merged = MergedObjects(chunk.corners[groups], members)
        found.append(
            average_precision.match_detections(
                chunk.boxes[rows], chunk.scores[rows], merged, settings.profile
            )
        )
    records = average_precision.concatenate_records(found)
    scores, best = _meteor_scores(settings, chunk, records, check)
    return MatchedRecords(
        counts=np.diff(chunk.starts),
        objects=np.array([one.objects for one in found], np.int64),
        detection=records.detection,
        group=records.group,
        overlap=records.overlap,
        claims=records.claims,
        log_probability=records.log_probability,
        meteor=scores,
        references=best,
    )


def _parts(chunk: Images) -> Iterator[tuple[slice, slice]]:
    rows, groups = pairwise(chunk.starts.tolist()), pairwise(chunk.group_starts.tolist())
    return ((slice(*one), slice(*other)) for one, other in zip(rows, groups, strict=True))


def _meteor_scores(
    settings: ImageSettings, chunk: Images, records: DetectionRecords, check: Check
) -> tuple[FloatArray, IntArray]:
    """Return METEOR of the deciding records (0 without an object) and the best references."""
    deciding = records.deciding()
    rows = np.flatnonzero(deciding & (records.group != NO_GROUP))
    captions = (chunk.starts[records.image] + records.detection)[rows].tolist()
    where = zip(records.image[rows].tolist(), records.group[rows].tolist(), strict=True)
    pairs = [
        (caption_candidate(chunk.captions[caption]), chunk.references(*place))
        for caption, place in zip(captions, where, strict=True)
    ]
    scores, best = records.meteor, np.full(len(records.image), -1)
    scores[deciding & (records.group == NO_GROUP)] = 0.0
    batch = meteor_with_digest(settings.language).score_many(
        pairs, profile(METEOR_PROFILE), check=check
    )
    scores[rows], best[rows] = batch.scores, batch.references
    return scores, best


WORK = ChunkKind("densecap", score_images, ImageSettings, Images, MatchedRecords)


IMAGES = 100
"""Images in a chunk: some 0.1 s at a hundred detections each (measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class MeteorRecords:
    """Records with their METEOR and the best reference of each.

    `references` (n,) is -1 where METEOR was not asked for.
    """

    records: DetectionRecords
    references: IntArray


def match_images(
    truth: GroundTruth, found: Regions, images: Mapping[int, int], profile: Profile, run: Run
) -> MeteorRecords:
    """Return the records of every image of the ground truth, with METEOR where that decides.

    `images` has the place in `found` of every image that is there; the others have no records.
    Raises ResourceMissing where METEOR's language data are not installed.
    """
    with language_data():
        language = language_digest(shared_meteor(run).index.sources)
    cut = split_items(range(len(truth.groups)), IMAGES)
    chunks = [_chunk(truth, found, images, part) for part in cut]
    request = ChunkRequest(
        WORK, ImageSettings(profile, language), chunks, "Matching boxes", "images"
    )
    return _concatenate(list(run.each(request)))


def _chunk(truth: GroundTruth, found: Regions, images: Mapping[int, int], part: range) -> Images:
    """Return some images of the ground truth, with what was found in them."""
    nothing = slice(0, 0)
    rows = [found.rows(images[image]) if image in images else nothing for image in part]
    groups = [truth.groups[image] for image in part]
    return Images(
        starts=_starts([one.stop - one.start for one in rows]),
        boxes=np.concatenate([found.boxes[one] for one in rows]),
        scores=np.concatenate([found.scores[one] for one in rows]),
        captions=[caption for one in rows for caption in found.captions[one]],
        group_starts=_starts([len(one.members) for one in groups]),
        corners=np.concatenate([one.corners for one in groups]),
        members=[one.members for one in groups],
        truth=[truth.regions.captions[truth.regions.rows(image)] for image in part],
    )


def _starts(lengths: Sequence[int]) -> IntArray:
    return np.cumsum([0, *lengths], dtype=np.int64)


_NONE = np.empty(0, np.int64)
_NOTHING = MatchedRecords(
    counts=_NONE,
    objects=_NONE,
    detection=_NONE,
    group=_NONE,
    overlap=np.empty(0),
    claims=np.empty(0, np.bool_),
    log_probability=np.empty(0),
    meteor=np.empty(0),
    references=_NONE,
)


def _concatenate(parts: Sequence[MatchedRecords]) -> MeteorRecords:
    """Return the records of all chunks as one."""
    parts = [_NOTHING, *parts]
    counts = np.concatenate([part.counts for part in parts])
    records = DetectionRecords(
        image=np.repeat(np.arange(len(counts)), counts),
        detection=np.concatenate([part.detection for part in parts]),
        group=np.concatenate([part.group for part in parts]),
        overlap=np.concatenate([part.overlap for part in parts]),
        claims=np.concatenate([part.claims for part in parts]),
        log_probability=np.concatenate([part.log_probability for part in parts]),
        meteor=np.concatenate([part.meteor for part in parts]),
        objects=int(sum(part.objects.sum() for part in parts)),
    )
    return MeteorRecords(records, np.concatenate([part.references for part in parts]))
