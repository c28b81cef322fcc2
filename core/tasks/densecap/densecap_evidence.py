"""Evidence for one image: merged ground-truth objects and detections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.metrics.meteor import align, profile, score, score_many
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.densecap.caption_texts import caption_candidate
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

METEOR_PROFILE = "coco"

Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels; x2 and y2 belong to the box."""


@dataclass(frozen=True, slots=True)
class Object:
    """Object of the ground truth: merged box, and captions of the boxes merged into it."""

    corners: Corners
    captions: tuple[str, ...]

    @property
    def references(self) -> list[str]:
        """METEOR's references; the separator of its protocol splits a caption in two."""
        return [part for caption in self.captions for part in caption.split("|||")]


@dataclass(frozen=True, slots=True)
class Detection:
    """A detection with its matched object.

    Attributes:
        number: 0-based number in its image.
        object: Index of the object with the largest IoU; -1 for none.
        overlap: IoU with that object.
        claims: True for the detection that counts for the object.
        meteor: METEOR; None if scoring did not need it.
        reference: Index of the best reference; -1 if unknown.
    """

    number: int
    corners: Corners
    caption: str
    score: float
    object: int
    overlap: float
    claims: bool
    meteor: float | None = None
    reference: int = -1


DETECTION_COLUMNS = tuple(field.name for field in fields(Detection))


@dataclass(frozen=True, slots=True)
class Scene:
    """An image with its objects and its detections, in their order of claiming.

    `size` is (width, height) in pixels, if known.
    """

    image: str
    objects: tuple[Object, ...]
    detections: tuple[Detection, ...]
    size: tuple[float, float] | None = None

    def references(self, detection: Detection) -> list[str]:
        """Return the references of a detection's matched object; empty without one."""
        return [] if detection.object < 0 else self.objects[detection.object].references

    def align(self, detection: Detection) -> Alignment:
        """Align a detection with its best reference by METEOR.

        Raises:
            ResourceMissing: METEOR's language data are not installed.
            ValueError: The detection overlaps no object.
        """
        references = self.references(detection)
        if not references:
            raise ValueError("a detection without an object has no reference")
        hypothesis = caption_candidate(detection.caption)
        with language_data():
            if detection.reference >= 0:
                return align(hypothesis, references[detection.reference], profile(METEOR_PROFILE))
            return score(hypothesis, references, METEOR_PROFILE)

    def with_meteor(self, run: Run | None = None) -> Scene:
        """Return the scene with METEOR of every detection that overlaps an object.

        Raises:
            ResourceMissing: METEOR's language data are not installed.
        """
        unscored = {
            index: (caption_candidate(entry.caption), self.references(entry))
            for index, entry in enumerate(self.detections)
            if entry.object >= 0 and (entry.meteor is None or entry.reference < 0)
        }
        if not unscored:
            return self
        with language_data():
            batch = score_many(list(unscored.values()), METEOR_PROFILE, run)
        detections = list(self.detections)
        for index, meteor, reference in zip(
            unscored, batch.scores.tolist(), batch.references.tolist(), strict=True
        ):
            detections[index] = replace(detections[index], meteor=meteor, reference=reference)
        return replace(self, detections=tuple(detections))

    @classmethod
    def from_row(cls, row: EvidenceRow) -> Scene:
        """Load the scene of an image from evidence columns."""
        objects = zip(row["objects"], row["captions"], strict=True)
        columns = [row[name] for name in DETECTION_COLUMNS]
        for name, convert in CONVERSIONS.items():
            column = DETECTION_COLUMNS.index(name)
            columns[column] = map(convert, columns[column])
        width, height = row["size"]
        return cls(
            row["image"],
            tuple(Object(_corners(corners), tuple(captions)) for corners, captions in objects),
            tuple(Detection(*values) for values in zip(*columns, strict=True)),
            (width, height) if width == width else None,
        )


def _corners(values: Sequence[float]) -> Corners:
    x1, y1, x2, y2 = values
    return x1, y1, x2, y2


CONVERSIONS: dict[str, Callable[[Any], object]] = {
    "corners": _corners,
    "claims": bool,
    "meteor": lambda value: value if value == value else None,
}
"""Conversions of evidence columns to fields of a detection."""
