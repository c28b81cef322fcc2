"""Data classes of the captioning competition: images, references and submissions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions
from jurydesk.core.model.evaluation import Json

ImageId = int | float | str
"""An image's id; compared as Python does: 2 and 2.0 are the same, "2" is another."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image to be described: its id, its file, and its references in the file's order."""

    id: ImageId
    file_name: str
    references: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CaptionReferences:
    """The images of the annotations in their order; `named_by` is the annotations' file.

    `spice` are scores of SPICE that were computed elsewhere, by the stem of their file.
    """

    images: tuple[Image, ...]
    named_by: str
    spice: Mapping[str, SpiceFile] = field(default_factory=dict)
    has_references: bool = True
    """False for the redacted data of a participants' checker."""
    _words: dict[tuple[bool, tuple[ImageId, ...]], list[list[str]]] = field(default_factory=dict)

    def words(
        self, images: Sequence[Image], *, corrected: bool, check: Callable[[], object]
    ) -> list[list[str]]:
        """Return the words of each image's references; kept, since every system needs them."""
        key = (corrected, tuple(image.id for image in images))
        if key not in self._words:
            self._words.clear()
            flat = [text for image in images for text in image.references]
            words = iter(tokenize_captions(flat, corrected=corrected, check=check))
            self._words[key] = [[next(words) for _ in image.references] for image in images]
        return self._words[key]


@dataclass(frozen=True, slots=True)
class SpiceFile:
    """Scores of SPICE by image, and the file that they come from."""

    path: str
    scores: Mapping[ImageId, float]


@dataclass(frozen=True, slots=True, eq=False)
class CaptionSubmission:
    """One system's caption of each image, and its scores of SPICE where somebody has them."""

    path: str
    captions: Mapping[ImageId, str]
    spice: SpiceFile | None = None


def item_ids(ids: Iterable[ImageId]) -> tuple[str, ...]:
    """Return ids as texts; where 2 and "2" are both there, the text keeps its quotes."""
    ids = tuple(ids)
    plain = tuple(map(str, ids))
    return plain if len(set(plain)) == len(ids) else tuple(map(json.dumps, ids))


def image_id(value: Json) -> ImageId | None:
    """Return an image's id; None for what is none, such as true or a list."""
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None
