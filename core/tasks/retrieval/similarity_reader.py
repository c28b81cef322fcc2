"""Reader of a submission: a matrix of similarities, or embeddings of images and captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import Message, counted, fill, name_list, reason
from jurydesk.core.metrics.retrieval_ranks import Matrix
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import FloatArray, UsageError
from jurydesk.core.readers.npz import DAMAGES, UNPARSABLE, require_valid_npz
from jurydesk.core.readers.numpy_file import (
    PICKLED,
    compressed_array,
    read_numpy_file,
    release,
    type_fault,
)
from jurydesk.core.readers.text_file import file_head
from jurydesk.core.tasks.retrieval.pairs import (
    EmbeddedPairs,
    Pairs,
    RetrievalReferences,
    Similarities,
    StoredMatrix,
)
from jurydesk.core.tasks.retrieval.retrieval_options import CAPTIONS, FOLDS, RetrievalOptions

EMBEDDINGS = (("images", "captions"), ("image_features", "text_features"), ("img_embs", "cap_embs"))
"""Names of the arrays of images and captions in `.npz` files."""
ARRAYS = 'Arrays "images" and "captions" are expected, one row for each.'
IMAGE_SUFFIX = ".images"
SCANNED_ROWS = 64
NORM_TOLERANCE = 1e-3
VSEPP_CAPTIONS, COCO_CAPTIONS = 5, 25_010
"""Captions of an image in VSE++'s data; captions of COCO 5K, of which some images have more."""


def read_submission(
    path: Path, references: RetrievalReferences, options: RetrievalOptions
) -> Reading[Similarities]:
    """Read a system's similarities or embeddings, with all defects."""
    stem = path.stem.removesuffix(IMAGE_SUFFIX)
    if path.suffix == ".npz":
        found = _read_npz(path)
    elif path.name.endswith(f"{IMAGE_SUFFIX}.npy") or stem in references.captions:
        found = _read_two_files(path, stem, references)
    else:
        reading = read_numpy_file(path)
        found = _Arrays(reading.defects, matrix=reading.data)
    if found.sides is not None:
        return _embeddings(path, stem, found.defects, found.sides, references, options)
    if found.matrix is None:
        return Reading(None, found.defects, name=stem)
    if options.normalise:
        raise UsageError(Message("Only embeddings can be normalised, not similarities."))
    pairing = pair_matrix(path, found.matrix.shape, references, options)
    defects = (*found.defects, *_number_defects(path, found.matrix), *pairing.defects)
    if pairing.pairs is None or has_errors(defects):
        return Reading(None, defects, name=stem)
    numbers = StoredMatrix(found.matrix, pairing.is_transposed)
    return Reading(Similarities(str(path), pairing.pairs, numbers), defects, name=stem)


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """Arrays of a submission as they are stored, with defects."""

    defects: tuple[Defect, ...]
    matrix: Matrix | None = None
    sides: tuple[Matrix, Matrix] | None = None


def _read_npz(path: Path) -> _Arrays:
    place = Place(str(path))
    names = [name for pair in EMBEDDINGS for name in pair]
    try:
        with path.open("rb") as file:
            require_valid_npz(file, names)
            with np.load(file, allow_pickle=False) as stored:
                pair = next((one for one in EMBEDDINGS if set(one) <= set(stored.files)), None)
                if pair is None:
                    found = fill("The file holds these arrays: {names}.", name_list(stored.files))
                    found = found if stored.files else "The file holds no array."
                    return _Arrays((error(place, found, ARRAYS),))
                arrays = [np.asarray(stored[name]) for name in pair]
    except (*DAMAGES, *UNPARSABLE) as fault:
        if packed := compressed_array(path, file_head(path)):
            return _Arrays(packed)
        if "Object arrays" in str(fault):
            found = "The file holds pickled objects, which are never loaded."
            return _Arrays((error(place, found, ARRAYS, PICKLED),))
        found = "The file is not a readable .npz file of numbers."
        return _Arrays((error(place, found, ARRAYS),))
    faults = tuple(_array_faults(path, pair, arrays))
    return _Arrays(faults, None, None if faults else (arrays[0], arrays[1]))


def _array_faults(path: Path, names: tuple[str, str], arrays: list[Matrix]) -> Iterator[Defect]:
    for name, array in zip(names, arrays, strict=True):
        place = Place(str(path), json_path=name)
        if fault := type_fault(array.dtype.str):
            yield error(place, fault, ARRAYS)
        elif array.ndim != 2 or not array.size:
            shape = ", ".join(map(str, array.shape))
            yield error(place, fill("The array has the shape ({shape}).", shape), ARRAYS)


def _read_two_files(path: Path, stem: str, references: RetrievalReferences) -> _Arrays:
    images = read_numpy_file(path)
    partner = references.captions.get(stem)
    if partner is None:
        place = Place(str(path))
        if not references.has_files:  # a kit does not have the other file
            return _Arrays((*images.defects, note(place, UNCHECKED)))
        found = fill("The embeddings of the captions are missing: {name}.captions.npy.", stem)
        hint = "Give them with --captions FILE."
        return _Arrays((*images.defects, error(place, found, "Both files are expected.", hint)))
    captions = read_numpy_file(partner)
    defects = (*images.defects, *captions.defects)
    if images.data is None or captions.data is None:
        return _Arrays(defects)
    return _Arrays(defects, None, (images.data, captions.data))


UNCHECKED = "Embeddings in two files cannot be checked with a kit."


def _number_defects(path: Path, matrix: Matrix, name: str = "") -> list[Defect]:
    """Return an error for NaN, and a note for infinite numbers."""
    nan, infinite, first = 0, 0, (0, 0)
    for start in range(0, len(matrix) if matrix.dtype.kind == "f" else 0, SCANNED_ROWS):
        release(matrix)
        block = np.asarray(matrix[start : start + SCANNED_ROWS])
        if np.isfinite([block.min(), block.max()]).all():
            continue
        is_nan = np.isnan(block)
        if is_nan.any() and not nan:
            row, column = np.argwhere(is_nan)[0].tolist()
            first = (start + row, column)
        nan += int(is_nan.sum())
        infinite += int(np.isinf(block).sum())
    place = Place(str(path), json_path=name or None)
    defects = []
    if nan:
        found = fill(
            "{numbers}, first in row {row:,}, column {column:,} (counted from 0).",
            counted(nan, "number is NaN", "numbers are NaN"),
            *first,
        )
        expected = "Published programs rank NaN above every number; here it is not a similarity."
        defects.append(error(place, found, expected))
    if infinite:
        found = fill("{numbers}.", counted(infinite, "number is infinite", "numbers are infinite"))
        defects.append(note(place, found, "They are ranked as such.", count=infinite))
    return defects


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Pairs for a matrix of some shape, and whether its rows are captions."""

    pairs: Pairs | None
    is_transposed: bool
    defects: tuple[Defect, ...]


def pair_matrix(
    path: Path,
    shape: tuple[int, ...],
    references: RetrievalReferences,
    options: RetrievalOptions,
    *,
    embedded: bool = False,
) -> Pairing:
    """Find out which rows and columns belong together, or which `embedded` images and captions."""
    rows, columns = shape
    place = Place(str(path))
    wanted = _wanted_sizes(shape, references)
    if wanted is None:
        return Pairing(None, False, (_shape_error(place, shape),))
    images, captions = wanted
    is_square = rows == columns
    transposed = rows == captions and not is_square
    defects = []
    if (images, captions) not in ((rows, columns), (columns, rows)) or (embedded and transposed):
        found = fill("The file has {rows:,} rows and {columns:,} columns.", rows, columns)
        if embedded:
            found = fill("The file has {images:,} images and {captions:,} captions.", rows, columns)
        expected = _expected_shape(images, captions, references)
        return Pairing(None, False, (error(place, found, expected),))
    if is_square and not embedded:
        transposed = options.rows == "captions"
        said = "captions" if transposed else "images"
        found = fill("The matrix is square; its rows are read as {what}.", Message(said))
        defects.append(note(place, found, "--rows images or --rows captions says what they are."))
    elif transposed:
        defects.append(note(place, "The rows are captions: the matrix is read transposed."))
    pairs, more = _pairs(place, images, captions, references, options)
    return Pairing(pairs, transposed, (*defects, *more))


def _expected_shape(images: int, captions: int, references: RetrievalReferences) -> str:
    if references.named_by:
        return fill(
            "{images} and {captions} are expected, as in {name}.",
            counted(images, "image"),
            counted(captions, "caption"),
            references.named_by,
        )
    return fill(
        "{images} and {captions} are expected.",
        counted(images, "image"),
        counted(captions, "caption"),
    )


def _wanted_sizes(
    shape: tuple[int, ...], references: RetrievalReferences
) -> tuple[int, int] | None:
    """Return the numbers of images and captions; None if the shape does not show them."""
    small, large = sorted(shape)
    owner = references.image_of_caption
    if owner is not None:
        captions = len(owner)
        if captions not in shape and VSEPP_CAPTIONS * references.images in shape:
            captions = VSEPP_CAPTIONS * references.images
        if references.images:
            return references.images, captions
        other = [size for size in shape if size != captions]
        return (other[0] if len(other) == 1 else captions), captions
    if references.captions_per_image:
        k = references.captions_per_image
        images = shape[1] if shape[0] == k * shape[1] else shape[0]
        return images, k * images
    return None if large % small else (small, large)


def _shape_error(place: Place, shape: tuple[int, ...]) -> Defect:
    found = fill("The file has {rows:,} rows and {columns:,} columns.", *shape)
    if COCO_CAPTIONS in shape:
        expected = "COCO 5K has 25,010 captions; VSE++ uses the first five of each image (25,000)."
        hint = "Give the annotations (--references FILE), which say whose captions they are."
        return error(place, found, expected, hint)
    expected = "The same number of captions for each image is expected."
    return error(place, found, expected, "Give the annotations (--references FILE).")


def _pairs(
    place: Place,
    images: int,
    captions: int,
    references: RetrievalReferences,
    options: RetrievalOptions,
) -> tuple[Pairs | None, list[Defect]]:
    """Return the pairs that are used, with defects about them."""
    defects: list[Defect] = []
    owner = references.image_of_caption
    if owner is None:
        owner = np.repeat(np.arange(images), captions // images)
    beyond = np.flatnonzero(owner >= images)
    if len(beyond):
        found = fill(
            "Caption {caption:,} belongs to image {image:,}, but there are {images}.",
            int(beyond[0]),
            int(owner[beyond[0]]),
            counted(images, "image"),
        )
        return None, [error(place, found, "Images are counted from 0.")]
    if len(owner) != captions:
        pairs = Pairs(images, owner, np.arange(len(owner))).first_of_each(VSEPP_CAPTIONS)
        if len(pairs.columns) != captions:
            found = fill("Some images of {name} have fewer captions.", references.named_by)
            return None, [error(place, found, "Five captions for each image are expected.")]
        owner = pairs.image_of_caption
        defects.append(note(place, "The captions are read as the first five of each image."))
    pairs = Pairs(images, owner, np.arange(captions))
    if CAPTIONS[options.captions_used]:
        pairs = pairs.first_of_each(CAPTIONS[options.captions_used])
        left = captions - len(pairs.columns)
        if left:
            found = fill("{captions} not used.", counted(left, "caption is", "captions are"))
            defects.append(note(place, found, count=left))
    if options.folds == str(FOLDS) and images % FOLDS:
        found = fill("{images} cannot be divided into five folds.", counted(images, "image"))
        defects.append(error(place, found, "A multiple of 5 is expected, such as 5,000."))
    bare = images - len(np.unique(pairs.image_of_caption))
    if bare:
        found = fill("{images} without a caption.", counted(bare, "image"))
        hint = reason("They are left out as queries; CLIP_benchmark counts them as misses.")
        defects.append(note(place, found, hint, count=bare))
    return pairs, defects


def _embeddings(
    path: Path,
    stem: str,
    defects: tuple[Defect, ...],
    sides: tuple[Matrix, Matrix],
    references: RetrievalReferences,
    options: RetrievalOptions,
) -> Reading[Similarities]:
    place = Place(str(path))
    reported = list(defects)
    for name, array in zip(EMBEDDINGS[0], sides, strict=True):
        reported += _number_defects(path, array, name)
    dimensions = [one.shape[1] for one in sides]
    if dimensions[0] != dimensions[1]:
        found = fill("Images have {one:,} dimensions, captions {other:,}.", *dimensions)
        reported.append(error(place, found, "The same number is expected."))
    images, repeated = _distinct_images(sides, references)
    if repeated > 1:
        found = fill("Each image is repeated {count} times, once for each caption.", repeated)
        reported.append(note(place, found, "It counts once."))
    shape = len(images), len(sides[1])
    pairing = pair_matrix(path, shape, references, options, embedded=True)
    reported += pairing.defects
    if has_errors(reported) or pairing.pairs is None:
        return Reading(None, tuple(reported), name=stem)
    vectors = [np.asarray(one, np.float64) for one in (images, sides[1])]
    norms = [np.sqrt(np.einsum("ij,ij->i", one, one)) for one in vectors]
    if options.normalise:
        vectors = [
            one / np.where(norm > 0, norm, 1.0)[:, np.newaxis]
            for one, norm in zip(vectors, norms, strict=True)
        ]
    else:
        reported += _norm_defects(place, norms)
    similarities = Similarities(str(path), pairing.pairs, EmbeddedPairs(vectors[0], vectors[1]))
    return Reading(similarities, tuple(reported), name=stem)


def _distinct_images(
    sides: tuple[Matrix, Matrix], references: RetrievalReferences
) -> tuple[Matrix, int]:
    """Return the images once each, if VSE++ repeated them for every caption, and how often."""
    images, captions = sides
    k = references.captions_per_image or VSEPP_CAPTIONS
    if references.images:
        k = len(captions) // references.images
    if k < 2 or len(images) != len(captions) or len(images) % k:
        return images, 1
    distinct = images[::k]
    is_repeated = all((images[shift::k] == distinct).all() for shift in range(1, k))
    return (distinct, k) if is_repeated else (images, 1)


def _norm_defects(place: Place, norms: list[FloatArray]) -> Iterator[Defect]:
    low = min(float(one.min()) for one in norms)
    high = max(float(one.max()) for one in norms)
    if high - low > NORM_TOLERANCE or abs(high - 1.0) > NORM_TOLERANCE:
        found = fill("The embeddings have lengths from {low:.4g} to {high:.4g}.", low, high)
        expected = "Published programs expect unit length; dot products are compared as they are."
        yield warning(place, found, expected, reason("--normalise compares cosines."))
