"""Reader of reference captions: COCO annotations or a Karpathy split (Flickr30k)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, join_messages, name_list, translatable
from jurydesk.core.language.message import templates
from jurydesk.core.metrics.ptb_tokenizer import line_separators
from jurydesk.core.model.defects import Defect, error, has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_list,
    parse_text,
)
from jurydesk.core.readers.json_file import HALF_OF_A_PAIR, read_json_file
from jurydesk.core.readers.reference_remarks import note_empty_references
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    Image,
    ImageId,
    image_id,
)
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.item_fields import Fields, short_members, with_equal_names

IMAGES = Attribute("images", "A list of the images is expected.", parse_list)
ANNOTATIONS = Attribute("annotations", "A list of the captions is expected.", parse_list)
SENTENCES = Attribute("sentences", "A list of the captions is expected.", parse_list)
ID: Attribute[ImageId] = Attribute("id", "A number or text is expected.", image_id)
IMAGE_ID: Attribute[ImageId] = Attribute("image_id", "A number or text is expected.", image_id)
CAPTION = Attribute("caption", "Text is expected.", parse_text)
RAW = Attribute("raw", "Text is expected.", parse_text)
FILE_NAME = Attribute("filename", "Text is expected.", parse_text)
T = TypeVar("T")

UNIQUE_MEMBERS = frozenset(
    ("id", "file_name", "coco_url", "flickr_url", "url", "date_captured", "width", "height")
)
"""Members of COCO's images that differ from image to image."""
OF_A_SPLIT = frozenset(("filename", "cocoid", "imgid", "sentids", "sentences", *UNIQUE_MEMBERS))
"""The same of a Karpathy split."""
SEPARATORS = {"\r": "CR", "\v": "VT", "\f": "FF", "\u2028": "U+2028", "\u2029": "U+2029"}


def read_references(inputs: Inputs, options: CaptionOptions) -> Reading[CaptionReferences]:
    """Read the images with their references, and the files' defects."""
    file = read_json_file(inputs["references"][0], damaged="replace", not_finite=True)
    root = JsonCursor(file, BoundedDefects(surrogate_defects(file.defects, options)), file.data)
    elsewhere: list[tuple[Image, str]] = []
    images = tuple(_images(root, options, elsewhere)) if file.is_readable else ()
    bare = [str(one.id) for one in images for text in one.references if not text.strip()]
    root.defects.extend(note_empty_references(root.place, bare))
    reported = root.defects.to_tuple()
    if not images and not has_errors(reported):
        reported = (*reported, error(root.place, "The file lists no image to score."))
    if has_errors(reported):
        return Reading(None, reported)
    references = CaptionReferences(
        images,
        Path(file.path).name,
        elsewhere=elsewhere,
        photos=next(iter(inputs.get("photos", ())), None),
    )
    return Reading(references, reported)


def surrogate_defects(defects: Iterable[Defect], options: CaptionOptions) -> Iterator[Defect]:
    """Yield the defects, a lone surrogate as an error: the original program stops at it."""
    for defect in defects:
        if HALF_OF_A_PAIR in templates([defect.found]) and not options.corrected:
            effect = "pycocoevalcap stops here; the corrected profile drops it."
            hint = join_messages([defect.hint, effect])
            yield error(defect.place, defect.found, defect.expected, hint)
        else:
            yield defect


def report_separators(caption: JsonCursor, whose_phrase: str, options: CaptionOptions) -> None:
    """Report it if the tokenizer would start a new line inside a caption."""
    separators = line_separators(caption.value)
    if not separators:
        return
    names = name_list(list(dict.fromkeys(SEPARATORS[sign] for sign in separators)))
    found = fill(
        "{whose_phrase} contains {line_separators} ({names}).",
        whose_phrase,
        counted(len(separators), "line separator"),
        names,
    )
    if options.corrected:
        caption.note(found, "It counts as a space.")
        return
    effect = "The published profile scores all later captions of the file for the wrong images."
    hint = "Replace it with a space, or use the corrected profile, which reads it as one."
    caption.warning(found, effect, hint)


def _images(
    root: JsonCursor, options: CaptionOptions, elsewhere: list[tuple[Image, str]]
) -> Iterator[Image]:
    expected = 'An object with the lists "images" and "annotations" is expected.'
    images = root.top_list(IMAGES, expected)
    if images is None:
        return
    if any(isinstance(one, dict) and SENTENCES.name in one for one in images.value):
        yield from _split_images(images, options, elsewhere)
        return
    annotations = root.top_list(ANNOTATIONS, expected)
    if annotations is None or _are_objects(annotations):
        return
    listed = {key: (name, fields) for key, name, fields in _unique_images(images)}
    captions: dict[ImageId, list[str]] = {key: [] for key in listed}
    unlisted = _assign_captions(annotations, captions, options)
    if unlisted:
        found = fill("{captions} of images that are not in the list.", counted(unlisted, "caption"))
        annotations.note(found, "It is ignored." if unlisted == 1 else "They are ignored.")
    fields = with_equal_names({key: members for key, (_, members) in listed.items()})
    for key, (name, _) in listed.items():
        yield Image(key, name, tuple(captions[key]), fields[key])


def _are_objects(annotations: JsonCursor) -> bool:
    """Report it if the annotations are boxes or keypoints of objects, none with a caption."""
    found = [one for one in annotations.value if isinstance(one, dict) and "bbox" in one]
    if not found or any(CAPTION.name in one for one in found):
        return False
    is_pose = "keypoints" in found[0]
    phrase = translatable("keypoints") if is_pose else translatable("boxes")
    annotations.error(
        fill("The file holds object annotations ({phrase}), no captions.", phrase),
        "Captions are expected.",
        "Give the captions of these images: in COCO, captions_*.json.",
    )
    return True


def _unique_images(
    images: JsonCursor,
) -> Iterator[tuple[ImageId, str, Fields]]:
    """Yield the id, the file name and other members of each image once."""
    seen: dict[ImageId, int] = {}
    for index, value in enumerate(images.value):
        key = ID.of(value) if isinstance(value, dict) else None
        if key is None:
            images[index].read(ID)
        elif key in seen:
            found = fill("Image {key} is also listed at images[{seen}].", key, seen[key])
            images[index].note(found, "It counts once.")
        else:
            seen[key] = index
            yield (
                key,
                parse_text(value.get("file_name")) or "",
                short_members(value, UNIQUE_MEMBERS),
            )


def _assign_captions(
    annotations: JsonCursor, captions: dict[ImageId, list[str]], options: CaptionOptions
) -> int:
    """Add the captions to their images; return the number of captions of unlisted images."""
    unlisted = 0
    for index, value in enumerate(annotations.value):
        if type(value) is dict:  # fast path: nearly all annotations are valid
            image, text = value.get(IMAGE_ID.name), value.get(CAPTION.name)
            known = type(image) is int and image in captions
            if known and isinstance(text, str) and text.isprintable():
                captions[image].append(text)  # type: ignore[index]
                continue
        annotation = annotations[index]
        key = annotation.read(IMAGE_ID)
        if key is None:
            continue
        if key not in captions:
            unlisted += 1
            continue
        caption = annotation.read(CAPTION)
        if caption is not None:
            captions[key].append(caption)
            if not caption.isprintable():  # includes every line separator
                place = annotation.at(f"{annotation.path}.{CAPTION.name}", caption)
                report_separators(place, fill("A reference of image {key}", key), options)
    return unlisted


def _split_images(
    images: JsonCursor, options: CaptionOptions, elsewhere: list[tuple[Image, str]]
) -> Iterator[Image]:
    """Yield the images of one part of a Karpathy split by COCO's id, or by file name.

    Those of other parts are added to `elsewhere`.
    """
    for index, value in enumerate(images.value):
        is_other = isinstance(value, dict) and value.get("split", options.split) != options.split
        if is_other:
            elsewhere.append((_image_elsewhere(value), str(value["split"])))
            continue
        image = images[index]
        name = image.read(FILE_NAME)
        sentences = image.read(SENTENCES) if isinstance(value, dict) else None
        if name is None or sentences is None:
            continue
        coco_id = image_id(value.get("cocoid"))
        key = name if coco_id is None else coco_id
        captions = []
        for number, sentence in enumerate(sentences):
            place = image.at(f"{image.path}.{SENTENCES.name}[{number}]", sentence)
            caption = _raw_caption(place)
            if caption is not None:
                captions.append(caption)
                whose_phrase = fill("A reference of image {key}", key)
                report_separators(place.at(place.path, caption), whose_phrase, options)
        yield Image(key, name, tuple(captions), short_members(value, OF_A_SPLIT))


def _image_elsewhere(value: dict[str, Json]) -> Image:
    name, key = parse_text(value.get(FILE_NAME.name)) or "", image_id(value.get("cocoid"))
    return Image(name if key is None else key, name, ())


def _raw_caption(sentence: JsonCursor) -> str | None:
    if not isinstance(sentence.value, dict):
        found = fill("The caption is {type}.", describe_value(sentence.value))
        sentence.error(found, "An object is expected.")
        return None
    caption = RAW.of(sentence.value)
    if caption is None:
        sentence.error(sentence.describe_fault(RAW.name), RAW.expected)
    return caption
