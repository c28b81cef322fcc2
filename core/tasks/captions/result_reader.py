"""Reader of caption results in the format of COCO's evaluation server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_attributes import AttributeMismatch, json_type_name
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.captions.annotation_reader import (
    CAPTION,
    IMAGE_ID,
    separator_defect,
    surrogate_defects,
)
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    CaptionSubmission,
    Image,
    ImageId,
)
from jurydesk.core.tasks.captions.captions_options import RESULTS, CaptionOptions

OBJECTS = 'A list of objects with "image_id" and "caption" is expected.'


@dataclass(frozen=True, slots=True)
class CaptionEntry:
    """A valid element of the results list."""

    index: int
    image: ImageId
    caption: str


def read_submission(
    path: Path, references: CaptionReferences, options: CaptionOptions
) -> Reading[CaptionSubmission]:
    """Read one system's captions, with the file's defects."""
    file = read_json_file(path, damaged="replace")
    defects = BoundedDefects(surrogate_defects(file.defects, options))
    if not file.is_readable:
        return Reading(None, defects.to_tuple())
    if not isinstance(file.data, list) or not file.data:
        found = (
            "The list is empty."
            if file.data == []
            else fill("The file holds {type}.", json_type_name(file.data))
        )
        defects.append(error(file.place(), found, OBJECTS))
        return Reading(None, defects.to_tuple())
    entries = list(_entries(file, file.data, defects))
    known = {image.id: image for image in references.images}
    captions: dict[ImageId, CaptionEntry] = {}
    for entry in entries:
        first = captions.setdefault(entry.image, entry)
        if first is not entry:
            found = fill(
                "Image {image} already has a caption at [{index}].", entry.image, first.index
            )
            expected, hint = "One caption is expected.", "Keep one of them."
            defects.append(error(file.place(f"[{entry.index}]"), found, expected, hint))
        elif entry.image not in known:
            defects.append(_unknown_image(file, entry, known, references))
        else:
            place = f"[{entry.index}].{CAPTION.name}"
            whose_phrase = fill("The caption of image {image}", entry.image)
            defects.extend(separator_defect(file, place, entry.caption, whose_phrase, options))
    # An invalid entry may be the one that is missing.
    if len(entries) == len(file.data):
        defects.extend(_unmatched_images(file, captions, references, options))
    reported = defects.to_tuple()
    if has_errors(reported):
        return Reading(None, reported)
    texts = {key: entry.caption for key, entry in captions.items()}
    spice = references.spice.get(path.name.removesuffix(".gz").removesuffix(".json"))
    submission = CaptionSubmission(str(path), texts, spice)
    return Reading(submission, (*reported, *_check_captions(file, entries)))


def _entries(file: JsonFile, values: list[Json], defects: BoundedDefects) -> Iterator[CaptionEntry]:
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            found = fill("The element is {type}.", json_type_name(value))
            defects.append(error(file.place(f"[{index}]"), found, OBJECTS))
            continue
        key, caption = IMAGE_ID.of(value), CAPTION.of(value)
        for attribute, outcome in ((IMAGE_ID, key), (CAPTION, caption)):
            if isinstance(outcome, AttributeMismatch):
                place = file.place(f"[{index}].{attribute.name}")
                found = outcome.found
                if not isinstance(key, AttributeMismatch):
                    found = fill("Image {key}: {fault}", key, translatable(found))
                defects.append(error(place, found, outcome.expected))
        if not isinstance(key, AttributeMismatch) and not isinstance(caption, AttributeMismatch):
            yield CaptionEntry(index, key, caption)


def _unknown_image(
    file: JsonFile, entry: CaptionEntry, known: dict[ImageId, Image], references: CaptionReferences
) -> Defect:
    other = _swap_type(entry.image)
    found = fill("Image {quote} is not in {named_by}.", _quote(entry.image), references.named_by)
    hint = "Remove the entry."
    if other is not None and other in known:
        hint = fill("Write the id as in the annotations: {quote}.", _quote(other))
    place = file.place(f"[{entry.index}].{IMAGE_ID.name}")
    return error(place, found, "An image of the annotations is expected.", hint)


def _swap_type(key: ImageId) -> ImageId | None:
    """Return a number id as text, or a text id as a number if it is one."""
    if not isinstance(key, str):
        return str(key)
    return int(key) if key.isdecimal() and len(key) < 19 else None


def _quote(key: ImageId) -> str:
    return f'"{key}"' if isinstance(key, str) else str(key)


def _unmatched_images(
    file: JsonFile,
    captions: dict[ImageId, CaptionEntry],
    references: CaptionReferences,
    options: CaptionOptions,
) -> Iterator[Defect]:
    """Yield defects for images without a caption or without references."""
    missing, unreferenced, neither = [], [], []
    for image in references.images:
        has_references = bool(image.references) or not references.has_references
        if image.id in captions:
            if not has_references:
                unreferenced.append(image.id)
        elif has_references:
            missing.append(image.id)
        else:
            neither.append(image.id)
    if missing and options.images != RESULTS:
        found = fill(
            "{images} without a caption: {names}.", counted(len(missing), "image"), _names(missing)
        )
        expected = fill("A caption is expected for every image of {named_by}.", references.named_by)
        hint = "Add them, or score only the images of the results (--images results)."
        yield error(file.place(), found, expected, hint)
    if unreferenced:
        found = fill(
            "{images} with a caption but without references: {names}.",
            counted(len(unreferenced), "image"),
            _names(unreferenced),
        )
        yield error(file.place(), found, "References are expected.")
    if neither and options.images != RESULTS:
        found = fill(
            "{images} with neither references nor a caption: {names}.",
            counted(len(neither), "image"),
            _names(neither),
        )
        yield note(file.place(), found, "They are left out.")


def _names(keys: list[ImageId]) -> str:
    return name_list([_quote(key) for key in keys])


def _check_captions(file: JsonFile, entries: list[CaptionEntry]) -> Iterator[Defect]:
    if len(entries) > 1 and len({entry.caption for entry in entries}) == 1:
        found = fill("All {entries:,} captions are the same.", len(entries))
        yield warning(file.place(), found, "A caption for each image is expected.")
    empty = [entry for entry in entries if not entry.caption.strip()]
    if empty:
        found = fill("{empty_captions}.", counted(len(empty), "empty caption"))
        place = file.place(f"[{empty[0].index}].{CAPTION.name}")
        yield note(place, found, "They are scored.", count=len(empty))
