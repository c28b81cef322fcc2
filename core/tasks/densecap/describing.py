"""Every image matched, and METEOR between the captions of detections and of what they found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.metrics.dense_map import Profile, Records
from core.metrics.meteor import meteor
from core.metrics.meteor.opened import language_digest
from core.model import IntArray
from core.tasks.densecap.ground_truth import GroundTruth
from core.tasks.densecap.regions import Regions
from core.tasks.densecap.work import WORK, Images, ImageSettings, Matched
from core.tasks.meteor_resources import language_data
from core.work import Request, pieces

if TYPE_CHECKING:
    from core.run.run import Run

IMAGES = 100
"""Images in a chunk: some 0.1 s at a hundred detections each (measured)."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """Records with their METEOR, and which reference of its object each is closest to.

    `references` (n,) is -1 where METEOR was not asked for.
    """

    records: Records
    references: IntArray


def describe(
    truth: GroundTruth, found: Regions, images: Mapping[int, int], profile: Profile, run: Run
) -> Described:
    """The records of every image of the ground truth, with METEOR where that decides.

    `images` has the place in `found` of every image that is there; the others have no records.
    Raises ResourceMissing where METEOR's language data are not installed.
    """
    with language_data():
        language = language_digest(meteor(run).index.sources)
    cut = pieces(range(len(truth.groups)), IMAGES)
    chunks = [_chunk(truth, found, images, part) for part in cut]
    request = Request(WORK, ImageSettings(profile, language), chunks, "Matching boxes", "images")
    return _joined(list(run.each(request)))


def _chunk(truth: GroundTruth, found: Regions, images: Mapping[int, int], part: range) -> Images:
    """Some images of the ground truth, with what was found in them."""
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
_NOTHING = Matched(
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


def _joined(parts: Sequence[Matched]) -> Described:
    """The records of all chunks as one."""
    parts = [_NOTHING, *parts]
    counts = np.concatenate([part.counts for part in parts])
    records = Records(
        image=np.repeat(np.arange(len(counts)), counts),
        detection=np.concatenate([part.detection for part in parts]),
        group=np.concatenate([part.group for part in parts]),
        overlap=np.concatenate([part.overlap for part in parts]),
        claims=np.concatenate([part.claims for part in parts]),
        log_probability=np.concatenate([part.log_probability for part in parts]),
        meteor=np.concatenate([part.meteor for part in parts]),
        objects=int(sum(part.objects.sum() for part in parts)),
    )
    return Described(records, np.concatenate([part.references for part in parts]))
