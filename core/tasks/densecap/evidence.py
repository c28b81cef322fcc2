"""What the inspector shows of an image: its merged ground truth and its detections."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from core.model import Json

Corners = tuple[float, float, float, float]
"""x1, y1, x2, y2; the pixel x2 still belongs to the box."""


@dataclass(frozen=True, slots=True)
class Object:
    """One object of the ground truth: its merged box and the captions of all its boxes."""

    corners: Corners
    captions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Detection:
    """One detection: the object that it overlaps most (-1 for none), and whether it claims it."""

    number: int
    corners: Corners
    caption: str
    score: float
    object: int
    overlap: float
    claims: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """An image with all its objects and detections; detections stand in their order of claiming.

    `size` is (width, height) where the files tell it.
    """

    image: str
    objects: tuple[Object, ...]
    detections: tuple[Detection, ...]
    size: tuple[float, float] | None = None

    def to_json(self) -> Json:
        """The scene as JSON values; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Json) -> Scene:
        """The scene that `to_json` wrote."""
        objects = (
            Object(_corners(entry["corners"]), tuple(entry["captions"]))
            for entry in data["objects"]
        )
        detections = (
            Detection(**{**entry, "corners": _corners(entry["corners"])})
            for entry in data["detections"]
        )
        size = data["size"]
        return cls(
            data["image"], tuple(objects), tuple(detections), (size[0], size[1]) if size else None
        )


def _corners(data: Json) -> Corners:
    x1, y1, x2, y2 = data
    return x1, y1, x2, y2
