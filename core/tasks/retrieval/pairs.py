"""Data classes of image-text retrieval: pairs of images and captions, and similarities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jurydesk.core.metrics.retrieval_ranks import BLOCK_BYTES, MOST_ROWS, Matrix
from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.readers.numpy_file import release


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalReferences:
    """Pairs of the reference file, if one is given, and embeddings of captions by stem.

    Attributes:
        named_by: Name of the file; empty without one.
        image_of_caption: Index of each caption's image, in the order of the submission.
        images: Number of images; 0 if the file does not state it.
        image_ids, image_files, texts: Texts of the images and captions, if known.
        captions_per_image: Number of captions of each image; 0 if the shape shows it.
        captions: Paths of caption embeddings by the stem of their file.
        has_files: False for the redacted data of a participant kit.
    """

    named_by: str = ""
    image_of_caption: IntArray | None = None
    images: int = 0
    captions_per_image: int = 0
    image_ids: tuple[str, ...] = ()
    image_files: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    captions: dict[str, Path] = field(default_factory=dict)
    has_files: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of images and captions: index of the image of each used caption.

    `columns` (used captions,) are the captions' positions in the submission.
    """

    images: int
    image_of_caption: IntArray
    columns: IntArray

    def first_of_each(self, count: int) -> Pairs:
        """Return the pairs with at most `count` captions of each image, the first ones."""
        owner = self.image_of_caption
        order = np.argsort(owner, kind="stable")
        starts = np.searchsorted(owner[order], np.arange(self.images))
        number = np.empty(len(owner), np.int64)
        number[order] = np.arange(len(owner)) - starts[owner[order]]
        kept = number < count
        return Pairs(self.images, owner[kept], self.columns[kept])


@dataclass(frozen=True, slots=True, eq=False)
class StoredMatrix:
    """Matrix (images, captions) of a file; its rows are captions if `is_transposed`."""

    matrix: Matrix
    is_transposed: bool = False

    def part(self, images: slice, columns: IntArray | slice) -> Matrix:
        """Return the similarities of images to captions, as float32 or float64."""
        release(self.matrix)
        if self.is_transposed:
            part = self.matrix[columns, images].T
        else:
            part = self.matrix[images][:, columns]
        native = part.dtype.newbyteorder("=")
        if native not in (np.float32, np.float64):
            native = np.dtype(np.float32 if native == np.float16 else np.float64)
        return np.ascontiguousarray(part, native)


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedPairs:
    """Vectors of the images and of the captions, whose dot products are the similarities."""

    images: FloatArray
    captions: FloatArray

    def part(self, images: slice, columns: IntArray | slice) -> Matrix:
        """Return the similarities of images to captions."""
        product: FloatArray = self.images[images] @ self.captions[columns].T
        return product


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Similarities of a submission with the pairs that are used."""

    path: str
    pairs: Pairs
    numbers: StoredMatrix | EmbeddedPairs

    def gallery(self, first: int, stop: int) -> Gallery:
        """Return the similarities of the images in a range to the captions of these images."""
        owner = self.pairs.image_of_caption
        order = np.argsort(owner, kind="stable")
        order = order[np.searchsorted(owner[order], first) : np.searchsorted(owner[order], stop)]
        starts = np.searchsorted(owner[order], np.arange(first, stop + 1))
        step = max(1, min(MOST_ROWS, BLOCK_BYTES // (8 * max(len(order), 1))))
        return Gallery(self.numbers, first, order, self.pairs.columns[order], starts, step)


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """Similarities of consecutive images to their captions, sorted by image.

    Attributes:
        first: First image.
        order: Index of each caption among those of the pairs.
        columns: Position of each caption in the submission.
        starts: First caption of each image, and the number of captions.
        step: Number of images in a block.
    """

    numbers: StoredMatrix | EmbeddedPairs
    first: int
    order: IntArray
    columns: IntArray
    starts: IntArray
    step: int

    def rows(self, start: int, stop: int) -> Matrix:
        """Return the similarities of some images to all captions.

        All products of vectors have the same parts, since their last bits depend on the shape.
        """
        images = len(self.starts) - 1
        if isinstance(self.numbers, StoredMatrix):
            return self._part(start, stop, 0, images)
        block = np.empty((stop - start, len(self.order)))
        for first in range(0, images, self.step):
            last = min(first + self.step, images)
            begin, end = int(self.starts[first]), int(self.starts[last])
            block[:, begin:end] = self._part(start, stop, first, last)
        return block

    def own(self, start: int, stop: int) -> Matrix:
        """Return the similarities of some images to their own captions."""
        return self._part(start, stop, start, stop)

    def _part(self, start: int, stop: int, first: int, last: int) -> Matrix:
        """Return the similarities of some images to the captions of others."""
        columns = self.columns[self.starts[first] : self.starts[last]]
        images = slice(self.first + start, self.first + stop)
        if len(columns) and bool((np.diff(columns) == 1).all()):  # a view, not a copy
            return self.numbers.part(images, slice(int(columns[0]), int(columns[-1]) + 1))
        return self.numbers.part(images, columns)


def caption_names(image_of_caption: Sequence[int], image_names: Sequence[str]) -> list[str]:
    """Return names of captions as Flickr30k has them: the image's name, # and a number from 0."""
    seen: dict[int, int] = {}
    names = []
    for image in image_of_caption:
        number = seen.get(image, 0)
        seen[image] = number + 1
        names.append(f"{image_names[image]}#{number}")
    return names
