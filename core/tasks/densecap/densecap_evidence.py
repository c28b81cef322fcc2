"""Evidence for one image: merged ground-truth objects and detections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jurydesk.core.metrics.meteor import align, profile, score, score_many
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.evidence_columns import EvidenceRow
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

METEOR_PROFILE = "coco"

Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2; the pixel x2 still belongs to the box."""


def caption_candidate(caption: str) -> str:
    """Return a detection's caption as the published program hands it to METEOR."""
    return caption.replace("|||", "").replace("  ", " ")


@dataclass(frozen=True, slots=True)
class Object:
    """One object of the ground truth: its merged box and the captions of all its boxes."""

    corners: Corners
    captions: tuple[str, ...]

    @property
    def references(self) -> list[str]:
        """What METEOR compares with: its protocol's separator makes two of one caption."""
        return [part for caption in self.captions for part in caption.split("|||")]


@dataclass(frozen=True, slots=True)
class Detection:
    """One detection: the object that it overlaps most (-1 for none), and whether it claims it.

    `meteor` is None where scoring did not need it, and `reference` the best of the object's
    references (-1 where that is not known).
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

    def to_json(self) -> Json:
        """Return the detection as a list, since there are a hundred an image."""
        place = [self.number, *self.corners, self.caption, self.score]
        return [*place, self.object, self.overlap, self.claims, self.meteor, self.reference]

    @classmethod
    def from_json(cls, data: Json) -> Detection:
        """Return the detection that `to_json` wrote."""
        number, x1, y1, x2, y2, caption, score, thing, overlap, claims, meteor, reference = data
        corners = (x1, y1, x2, y2)
        return cls(number, corners, caption, score, thing, overlap, claims, meteor, reference)


OF_DETECTIONS = (
    *("number", "corners", "caption", "score"),
    *("object", "overlap", "claims", "meteor", "reference"),
)
"""The columns with an entry for each detection, in the order of the fields."""


@dataclass(frozen=True, slots=True)
class Scene:
    """An image with all its objects and detections; detections stand in their order of claiming.

    `size` is (width, height) where the files tell it.
    """

    image: str
    objects: tuple[Object, ...]
    detections: tuple[Detection, ...]
    size: tuple[float, float] | None = None

    def references(self, detection: Detection) -> list[str]:
        """Return the references of the object that a detection overlaps most; empty without one."""
        return [] if detection.object < 0 else self.objects[detection.object].references

    def aligned(self, detection: Detection) -> Alignment:
        """Return METEOR's alignment of a detection with its best reference.

        Raises ResourceMissing where the language data are not installed, and ValueError where the
        detection overlaps no object.
        """
        references = self.references(detection)
        if not references:
            raise ValueError("a detection without an object has no reference")
        hypothesis = caption_candidate(detection.caption)
        with language_data():
            if detection.reference >= 0:
                return align(hypothesis, references[detection.reference], profile(METEOR_PROFILE))
            return score(hypothesis, references, METEOR_PROFILE)

    def described(self, run: Run | None = None) -> Scene:
        """Return the scene with METEOR of every detection that overlaps an object.

        Raises ResourceMissing where the language data are not installed.
        """
        gaps = [
            place
            for place, entry in enumerate(self.detections)
            if entry.object >= 0 and (entry.meteor is None or entry.reference < 0)
        ]
        if not gaps:
            return self
        pairs = [
            (caption_candidate(entry.caption), self.references(entry))
            for entry in map(self.detections.__getitem__, gaps)
        ]
        with language_data():
            batch = score_many(pairs, METEOR_PROFILE, run)
        found = list(self.detections)
        for place, meteor, reference in zip(
            gaps, batch.scores.tolist(), batch.references.tolist(), strict=True
        ):
            found[place] = replace(found[place], meteor=meteor, reference=reference)
        return replace(self, detections=tuple(found))

    def to_json(self) -> Json:
        """Return the scene as JSON values; `from_json` reads it back."""
        return {
            "image": self.image,
            "objects": [[*entry.corners, *entry.captions] for entry in self.objects],
            "detections": [entry.to_json() for entry in self.detections],
            "size": None if self.size is None else list(self.size),
        }

    @classmethod
    def load(cls, kept: Json) -> Scene:
        """Return the scene of a desk: of columns, or of JSON where the desk is older."""
        return cls.from_row(kept) if isinstance(kept, EvidenceRow) else cls.from_json(kept)

    @classmethod
    def from_row(cls, row: EvidenceRow) -> Scene:
        """Return the scene of an image from the columns that scoring made."""
        objects = zip(row["objects"], row["captions"], strict=True)
        detections = zip(*(row[name] for name in OF_DETECTIONS), strict=True)
        width, height = row["size"]
        return cls(
            row["image"],
            tuple(Object(_corners(corners), tuple(captions)) for corners, captions in objects),
            tuple(
                Detection(
                    number,
                    _corners(corners),
                    caption,
                    score,
                    thing,
                    overlap,
                    bool(claims),
                    meteor if meteor == meteor else None,
                    reference,
                )
                for (
                    number,
                    corners,
                    caption,
                    score,
                    thing,
                    overlap,
                    claims,
                    meteor,
                    reference,
                ) in detections
            ),
            (width, height) if width == width else None,
        )

    @classmethod
    def from_json(cls, data: Json) -> Scene:
        """Return the scene that `to_json` wrote."""
        objects = (
            Object((x1, y1, x2, y2), tuple(captions))
            for x1, y1, x2, y2, *captions in data["objects"]
        )
        detections = (Detection.from_json(entry) for entry in data["detections"])
        size = data["size"]
        return cls(
            data["image"], tuple(objects), tuple(detections), (size[0], size[1]) if size else None
        )


def _corners(values: Sequence[float]) -> Corners:
    x1, y1, x2, y2 = values
    return x1, y1, x2, y2
