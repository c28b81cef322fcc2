"""Reader of reference captions: COCO annotations or a Karpathy split (Flickr30k)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, join_messages, name_list
from jurydesk.core.metrics.ptb_tokenizer import line_separators
from jurydesk.core.model.defects import Defect, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_attributes import (
    Attribute,
    AttributeMismatch,
    json_type_name,
    parse_list,
    parse_text,
)
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    Image,
    ImageId,
    SpiceFile,
    image_id,
)
from jurydesk.core.tasks.captions.captions_options import CaptionOptions

EXPECTED = (
    'A list of objects with "image_id" and "scores" or "SPICE" (pycocoevalcap), or an '
    'object {image: {"All": {"f": ...}}} is expected.'
)


def read_spice(path: Path) -> Reading[SpiceFile]:
    """Read a file of SPICE F scores by image, with its defects."""
    file = read_json_file(path, damaged="replace", not_finite=True)
    if not file.is_readable:
        return Reading(None, file.defects)
    defects = BoundedDefects(file.defects)
    scores: dict[ImageId, float] = {}
    if not isinstance(file.data, list | dict) or not file.data:
        found = fill("The file holds {type}.", json_type_name(file.data))
        defects.append(error(file.place(), found, EXPECTED))
    else:
        for place, key, value in _entries(file.data):
            score = _score(value)
            if key is None or score is None:
                found = "The entry has no image id, or no SPICE score between 0 and 1."
                defects.append(error(file.place(place), found, EXPECTED))
            else:
                scores[key] = score
    reported = defects.to_tuple()
    return Reading(None if has_errors(reported) else SpiceFile(str(path), scores), reported)


def _entries(data: Json) -> Iterator[tuple[str, ImageId | None, Json]]:
    """Yield the place, the image and the scores of each entry."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield name, int(name) if name.isdecimal() and len(name) < 19 else name, value
        return
    for index, value in enumerate(data):
        place = f"[{index}]"
        if not isinstance(value, dict):
            yield place, None, None
            continue
        yield place, image_id(value.get("image_id")), value.get("scores", value.get("SPICE"))


def _score(value: Json) -> float | None:
    """Return the F score of `{"All": {"f": ...}}` or a number; NaN is 0, as in pycocoevalcap."""
    if isinstance(value, dict):
        inner = value.get("All")
        value = inner.get("f") if isinstance(inner, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    if number != number:
        return 0.0
    return number if 0 <= number <= 1 else None


IMAGES = Attribute("images", "A list of the images is expected.", parse_list)
ANNOTATIONS = Attribute("annotations", "A list of the captions is expected.", parse_list)
SENTENCES = Attribute("sentences", "A list of the captions is expected.", parse_list)
ID: Attribute[ImageId] = Attribute("id", "A number or text is expected.", image_id)
IMAGE_ID: Attribute[ImageId] = Attribute("image_id", "A number or text is expected.", image_id)
CAPTION = Attribute("caption", "Text is expected.", parse_text)
RAW = Attribute("raw", "Text is expected.", parse_text)
FILE_NAME = Attribute("filename", "Text is expected.", parse_text)
T = TypeVar("T")

SEPARATORS = {"\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029"}


def read_references(inputs: Inputs, options: CaptionOptions) -> Reading[CaptionReferences]:
    """Read the images with their references, and the files' defects."""
    file = read_json_file(inputs["references"][0], damaged="replace")
    defects = BoundedDefects(surrogate_defects(file.defects, options))
    images = tuple(_images(file, options, defects)) if file.is_readable else ()
    spice: dict[str, SpiceFile] = {}
    for path in inputs.get("spice", ()):
        reading = read_spice(path)
        defects.extend(reading.defects)
        if reading.data is not None:
            spice[_stem(path)] = reading.data
    reported = defects.to_tuple()
    if not images and not has_errors(reported):
        reported = (*reported, error(file.place(), "The file lists no image to score."))
    if has_errors(reported):
        return Reading(None, reported)
    return Reading(CaptionReferences(images, Path(file.path).name, spice), reported)


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".json").removesuffix(".spice")


def surrogate_defects(defects: Iterable[Defect], options: CaptionOptions) -> Iterator[Defect]:
    """Yield the defects, a lone surrogate as an error: the original program stops at it."""
    for defect in defects:
        if "half of a surrogate pair" in defect.found and not options.corrected:
            effect = "pycocoevalcap stops here; the corrected profile drops it."
            hint = join_messages([defect.hint, effect])
            yield error(defect.place, defect.found, defect.expected, hint)
        else:
            yield defect


def separator_defect(
    file: JsonFile, place: str, caption: str, whose_phrase: str, options: CaptionOptions
) -> Iterator[Defect]:
    """Yield a warning if the tokenizer would start a new line inside a caption."""
    separators = line_separators(caption)
    if not separators:
        return
    names = name_list(list(dict.fromkeys(SEPARATORS[sign] for sign in separators)))
    where = file.place(place)
    found = fill(
        "{whose_phrase} contains {line_separators} ({names}).",
        whose_phrase,
        counted(len(separators), "line separator"),
        names,
    )
    if options.corrected:
        yield note(where, found, "It counts as a space.")
        return
    effect = "The published profile scores all later captions of the file for the wrong images."
    hint = "Replace it with a space, or use the corrected profile, which reads it as one."
    yield warning(where, found, effect, hint)


def _images(file: JsonFile, options: CaptionOptions, defects: BoundedDefects) -> Iterator[Image]:
    if not isinstance(file.data, dict):
        expected = 'An object with the lists "images" and "annotations" is expected.'
        defects.append(
            error(file.place(), fill("The file holds {type}.", json_type_name(file.data)), expected)
        )
        return
    images = IMAGES.of(file.data)
    if isinstance(images, AttributeMismatch):
        defects.append(error(file.place(IMAGES.name), images.found, images.expected))
        return
    if any(isinstance(one, dict) and SENTENCES.name in one for one in images):
        yield from _split_images(file, images, options, defects)
        return
    annotations = ANNOTATIONS.of(file.data)
    if isinstance(annotations, AttributeMismatch):
        defects.append(error(file.place(ANNOTATIONS.name), annotations.found, annotations.expected))
        return
    names = dict(_unique_images(file, images, defects))
    captions: dict[ImageId, list[str]] = {key: [] for key in names}
    unlisted = _assign_captions(file, annotations, captions, options, defects)
    if unlisted:
        found = fill("{captions} of images that are not in the list.", counted(unlisted, "caption"))
        ignored = "It is ignored." if unlisted == 1 else "They are ignored."
        defects.append(note(file.place(ANNOTATIONS.name), found, ignored))
    for key, name in names.items():
        yield Image(key, name, tuple(captions[key]))


def _unique_images(
    file: JsonFile, images: list[Json], defects: BoundedDefects
) -> Iterator[tuple[ImageId, str]]:
    """Yield the id and the file name of each image once."""
    seen: dict[ImageId, int] = {}
    for index, value in enumerate(images):
        key = _member(file, IMAGES.name, index, value, ID, defects)
        if key is None:
            continue
        if key in seen:
            found = fill("Image {key} is also listed at images[{seen}].", key, seen[key])
            defects.append(note(file.place(IMAGES.name, index), found, "It counts once."))
            continue
        seen[key] = index
        yield key, parse_text(value.get("file_name")) or ""


def _assign_captions(
    file: JsonFile,
    annotations: list[Json],
    captions: dict[ImageId, list[str]],
    options: CaptionOptions,
    defects: BoundedDefects,
) -> int:
    """Add the captions to their images; return the number of captions of unlisted images."""
    unlisted = 0
    for index, value in enumerate(annotations):
        if type(value) is dict:  # fast path: nearly all annotations are valid
            image, text = value.get(IMAGE_ID.name), value.get(CAPTION.name)
            known = type(image) is int and image in captions
            if known and isinstance(text, str) and text.isprintable():
                captions[image].append(text)  # type: ignore[index]
                continue
        key = _member(file, ANNOTATIONS.name, index, value, IMAGE_ID, defects)
        if key is None:
            continue
        if key not in captions:
            unlisted += 1
            continue
        caption = _member(file, ANNOTATIONS.name, index, value, CAPTION, defects)
        if caption is not None:
            captions[key].append(caption)
            if not caption.isprintable():  # includes every line separator
                place = f"{ANNOTATIONS.name}[{index}].{CAPTION.name}"
                whose_phrase = fill("A reference of image {key}", key)
                defects.extend(separator_defect(file, place, caption, whose_phrase, options))
    return unlisted


def _split_images(
    file: JsonFile, images: list[Json], options: CaptionOptions, defects: BoundedDefects
) -> Iterator[Image]:
    """Yield the images of one part of a Karpathy split by COCO's id, or by file name."""
    for index, value in enumerate(images):
        if not isinstance(value, dict):
            _member(file, IMAGES.name, index, value, FILE_NAME, defects)
            continue
        if value.get("split", options.split) != options.split:
            continue
        name = _member(file, IMAGES.name, index, value, FILE_NAME, defects)
        sentences = _member(file, IMAGES.name, index, value, SENTENCES, defects)
        if name is None or sentences is None:
            continue
        coco_id = image_id(value.get("cocoid"))
        key = name if coco_id is None else coco_id
        captions = []
        for number, sentence in enumerate(sentences):
            place = f"{IMAGES.name}[{index}].{SENTENCES.name}[{number}]"
            caption = _raw_caption(file, place, sentence, defects)
            if caption is not None:
                captions.append(caption)
                whose_phrase = fill("A reference of image {key}", key)
                defects.extend(separator_defect(file, place, caption, whose_phrase, options))
        yield Image(key, name, tuple(captions))


def _raw_caption(file: JsonFile, place: str, sentence: Json, defects: BoundedDefects) -> str | None:
    if not isinstance(sentence, dict):
        found = fill("The caption is {type}.", json_type_name(sentence))
        defects.append(error(file.place(place), found, "An object is expected."))
        return None
    caption = RAW.of(sentence)
    if isinstance(caption, AttributeMismatch):
        defects.append(error(file.place(place), caption.found, caption.expected))
        return None
    return caption


def _member(
    file: JsonFile,
    key: str,
    index: int,
    value: Json,
    attribute: Attribute[T],
    defects: BoundedDefects,
) -> T | None:
    """Return a member of element `index` of a list; report a defect and return None if invalid."""
    if not isinstance(value, dict):
        found = fill("The element is {type}.", json_type_name(value))
        defects.append(error(file.place(key, index), found, "An object is expected."))
        return None
    outcome = attribute.of(value)
    if isinstance(outcome, AttributeMismatch):
        place = file.place(key, index, f".{attribute.name}")
        defects.append(error(place, outcome.found, outcome.expected))
        return None
    return outcome
