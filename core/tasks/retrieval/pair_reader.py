"""Reader of pairs: COCO captions, a Karpathy split, or the image of each caption as a list."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, reason
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.readers.json_cursor import Attribute, JsonCursor, describe_value, parse_list
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.reference_remarks import note_unused_files
from jurydesk.core.tasks.captions.annotation_reader import (
    ANNOTATIONS,
    IMAGE_ID,
    IMAGES,
)
from jurydesk.core.tasks.captions.annotation_reader import read_references as read_captions
from jurydesk.core.tasks.captions.captions import Image
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.retrieval.pairs import RetrievalReferences
from jurydesk.core.tasks.retrieval.retrieval_options import RetrievalOptions
from jurydesk.core.tasks.retrieval.similarity_reader import IMAGE_SUFFIX

IMAGE_OF_CAPTION = Attribute("image_of_caption", "A list of image numbers is expected.", parse_list)
MOST_IMAGES = 10_000_000
CAPTION_SUFFIX = ".captions"


def read_references(inputs: Inputs, options: RetrievalOptions) -> Reading[RetrievalReferences]:
    """Read the pairs, if a file is given, and find the embeddings of captions."""
    captions = {path.stem.removesuffix(CAPTION_SUFFIX): path for path in inputs.get("captions", ())}
    files = inputs.get("references", ())
    systems = [path.stem.removesuffix(IMAGE_SUFFIX) for path in inputs.get("results", ())]
    unused = tuple(note_unused_files(((path, stem) for stem, path in captions.items()), systems))
    if not files:
        per_image = options.captions_per_image
        found = RetrievalReferences(captions_per_image=per_image, captions=captions)
        return Reading(found, unused)
    file = read_json_file(files[0], damaged="replace")
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    if isinstance(file.data, dict) and IMAGE_OF_CAPTION.name in file.data:
        listed = _listed_pairs(root, captions)
        return Reading(listed.data, (*listed.defects, *unused))
    reading = read_captions({"references": files}, CaptionOptions())
    if reading.data is None:
        return Reading(None, reading.defects)
    images = reading.data.images
    owner = np.repeat(np.arange(len(images)), [len(image.references) for image in images])
    texts = [text for image in images for text in image.references]
    if options.captions_order == "file" and IMAGES.name in file.data and _is_coco(file.data):
        order = _file_order(file.data, images)
        owner, texts = owner[order], [texts[number] for number in order]
    ids = tuple(str(image.id) for image in images)
    names = tuple(image.file_name for image in images)
    if not len(owner):
        root.error("The file has no caption.", "Captions of the images are expected.")
        return Reading(None, root.defects.to_tuple())
    references = RetrievalReferences(
        files[0].name, owner, len(images), 0, ids, names, tuple(texts), captions
    )
    return Reading(references, (*reading.defects, *unused))


def _is_coco(data: dict[str, object]) -> bool:
    return isinstance(data.get(ANNOTATIONS.name), list)


def _file_order(data: dict[str, list[dict[str, object]]], images: tuple[Image, ...]) -> list[int]:
    """Return the captions, numbered image by image, in the order of COCO's annotations."""
    counts = np.array([len(image.references) for image in images])
    following = dict(zip((image.id for image in images), np.cumsum(counts) - counts, strict=True))
    order = []
    for annotation in data[ANNOTATIONS.name]:
        image = IMAGE_ID.of(annotation)
        if image in following:
            order.append(int(following[image]))
            following[image] += 1
    return order


def _listed_pairs(root: JsonCursor, captions: dict[str, Path]) -> Reading[RetrievalReferences]:
    numbers = root.read(IMAGE_OF_CAPTION) or []
    place = root[IMAGE_OF_CAPTION.name]
    wrong = [
        index
        for index, value in enumerate(numbers)
        if type(value) is not int or not 0 <= value < MOST_IMAGES
    ]
    if numbers == [] and not has_errors(root.defects.to_tuple()):
        place.error("The list is empty.", IMAGE_OF_CAPTION.expected)
    if wrong:
        found = fill("The entry is {value}.", describe_value(numbers[wrong[0]], int))
        expected = "The number of an image, counted from 0, is expected."
        place[wrong[0]].error(found, expected, _others(len(wrong) - 1))
    defects: tuple[Defect, ...] = root.defects.to_tuple()
    if has_errors(defects):
        return Reading(None, defects)
    name = Path(root.file.path).name
    return Reading(RetrievalReferences(name, np.array(numbers), captions=captions), defects)


def _others(count: int) -> str:
    return (
        reason("{entries} like it.", counted(count, "more entry", "more entries")) if count else ""
    )
