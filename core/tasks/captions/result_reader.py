"""Reader of caption results in the format of COCO's evaluation server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import (
    Defect,
    Place,
    error,
    has_errors,
    note,
    warning,
)
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.captions.annotation_reader import (
    CAPTION,
    IMAGE_ID,
    report_separators,
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
    root = JsonCursor(file, BoundedDefects(surrogate_defects(file.defects, options)), file.data)
    if not file.is_readable:
        return Reading(None, root.defects.to_tuple())
    if not isinstance(root.value, list) or not root.value:
        is_empty = root.value == []
        found = (
            "The list is empty."
            if is_empty
            else fill("The file holds {type}.", describe_value(root.value))
        )
        root.error(found, OBJECTS)
        return Reading(None, root.defects.to_tuple())
    entries = list(_entries(root))
    known = {image.id: image for image in references.images}
    captions: dict[ImageId, CaptionEntry] = {}
    for entry in entries:
        first = captions.setdefault(entry.image, entry)
        if first is not entry:
            found = fill(
                "Image {image} already has a caption at [{index}].", entry.image, first.index
            )
            expected, hint = "One caption is expected.", "Keep one of them."
            root[entry.index].error(found, expected, hint)
        elif entry.image not in known:
            _report_unknown(root, entry, known, references)
        elif not entry.caption.isprintable():  # includes every line separator
            caption = root[entry.index][CAPTION.name]
            whose_phrase = fill("The caption of image {image}", entry.image)
            report_separators(caption, whose_phrase, options)
    # An invalid entry may be the one that is missing.
    if len(entries) == len(root.value):
        root.defects.extend(_unmatched_images(root.place, captions, references, options))
    reported = root.defects.to_tuple()
    if has_errors(reported):
        return Reading(None, reported)
    texts = {key: entry.caption for key, entry in captions.items()}
    spice = references.spice.get(path.name.removesuffix(".gz").removesuffix(".json"))
    submission = CaptionSubmission(str(path), texts, spice)
    return Reading(submission, (*reported, *_check_captions(root, entries)))


def _entries(root: JsonCursor) -> Iterator[CaptionEntry]:
    """Yield the valid entries; report the others."""
    for index, value in enumerate(root.value):
        if not isinstance(value, dict):
            root[index].error(fill("The element is {kind}.", describe_value(value)), OBJECTS)
            continue
        key, caption = IMAGE_ID.of(value), CAPTION.of(value)
        if key is not None and caption is not None:
            yield CaptionEntry(index, key, caption)
        elif key is None:
            root[index].report_invalid(IMAGE_ID, CAPTION)
        else:
            fault = root[index].describe_fault(CAPTION.name)
            found = fill("Image {key}: {fault}", key, fault)
            root[index][CAPTION.name].error(found, CAPTION.expected)


def _report_unknown(
    root: JsonCursor,
    entry: CaptionEntry,
    known: dict[ImageId, Image],
    references: CaptionReferences,
) -> None:
    other = _swap_type(entry.image)
    found = fill("Image {quote} is not in {named_by}.", _quote(entry.image), references.named_by)
    hint = "Remove the entry."
    if other is not None and other in known:
        hint = fill("Write the id as in the annotations: {quote}.", _quote(other))
    image = root[entry.index][IMAGE_ID.name]
    image.error(found, "An image of the annotations is expected.", hint)


def _swap_type(key: ImageId) -> ImageId | None:
    """Return a number id as text, or a text id as a number if it is one."""
    if not isinstance(key, str):
        return str(key)
    return int(key) if key.isdecimal() and len(key) < 19 else None


def _quote(key: ImageId) -> str:
    return f'"{key}"' if isinstance(key, str) else str(key)


def _unmatched_images(
    place: Place,
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
        yield error(place, found, expected, hint)
    if unreferenced:
        found = fill(
            "{images} with a caption but without references: {names}.",
            counted(len(unreferenced), "image"),
            _names(unreferenced),
        )
        yield error(place, found, "References are expected.")
    if neither and options.images != RESULTS:
        found = fill(
            "{images} with neither references nor a caption: {names}.",
            counted(len(neither), "image"),
            _names(neither),
        )
        yield note(place, found, "They are left out.")


def _names(keys: list[ImageId]) -> str:
    return name_list([_quote(key) for key in keys])


def _check_captions(root: JsonCursor, entries: list[CaptionEntry]) -> Iterator[Defect]:
    if len(entries) > 1 and len({entry.caption for entry in entries}) == 1:
        found = fill("All {entries:,} captions are the same.", len(entries))
        yield warning(root.place, found, "A caption for each image is expected.")
    empty = [entry for entry in entries if not entry.caption.strip()]
    if empty:
        found = fill("{empty_captions}.", counted(len(empty), "empty caption"))
        place = root[empty[0].index][CAPTION.name].place
        yield note(place, found, "They are scored.", count=len(empty))
