"""Data classes of the captioning competition: images, references and submissions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.id_spellings import KnownIds
from jurydesk.core.tasks.item_fields import Fields

ImageId = int | float | str
"""An image's id, compared as in Python: 2 equals 2.0 but not "2"."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image with its references, in the order of the annotations.

    `fields` are other members of the image, such as the domain of nocaps, which slices use.
    """

    id: ImageId
    file_name: str
    references: tuple[str, ...]
    fields: Fields = ()


def image_names(images: Iterable[Image]) -> KnownIds[ImageId]:
    """Return images by every spelling of their ids and file names."""
    return KnownIds((image.id, (image.id, image.file_name)) for image in images)


@dataclass(frozen=True, eq=False)
class CaptionReferences:
    """Images of the annotations in their order.

    Attributes:
        named_by: Name of the annotation file.
        has_references: False for the redacted data of a participant kit.
        elsewhere: Images of the other parts of a Karpathy split, with the name of the part.
        photos: Folder of the images, for CLIPScore.
    """

    images: tuple[Image, ...]
    named_by: str
    has_references: bool = True
    elsewhere: Sequence[tuple[Image, str]] = ()
    photos: Path | None = None
    _words: dict[tuple[bool, tuple[ImageId, ...]], list[list[str]]] = field(default_factory=dict)

    def words(
        self, images: Sequence[Image], *, corrected: bool, check: Callable[[], object]
    ) -> list[list[str]]:
        """Return the tokenized references of each image, cached for the next system."""
        key = (corrected, tuple(image.id for image in images))
        if key not in self._words:
            self._words.clear()
            texts = [text for image in images for text in image.references]
            words = iter(tokenize_captions(texts, corrected=corrected, check=check))
            self._words[key] = [[next(words) for _ in image.references] for image in images]
        return self._words[key]


@dataclass(frozen=True, slots=True, eq=False)
class CaptionSubmission:
    """Captions of one system by image."""

    path: str
    captions: Mapping[ImageId, str]


def item_ids(ids: Iterable[ImageId]) -> tuple[str, ...]:
    """Return unique item ids: as text, or as JSON if both 2 and "2" occur."""
    ids = tuple(ids)
    texts = tuple(map(str, ids))
    return texts if len(set(texts)) == len(ids) else tuple(map(json.dumps, ids))


def image_id(value: Json) -> ImageId | None:
    """Return a finite number or text as an image's id, otherwise None (also for true and false)."""
    if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value if isinstance(value, int | float | str) else None
