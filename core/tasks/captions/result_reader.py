"""Reader of caption results in the format of COCO's evaluation server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import (
    Defect,
    Place,
    error,
    has_errors,
    note,
    warning,
)
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.id_spellings import is_file_name
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.program_answers import (
    CAPTION_TOKENS,
    read_program_answers,
    written_id,
)
from jurydesk.core.tasks.captions.annotation_reader import (
    CAPTION,
    IMAGE_ID,
    report_separators,
    surrogate_defects,
)
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    CaptionSubmission,
    ImageId,
    image_names,
)
from jurydesk.core.tasks.captions.captions_options import RESULTS, CaptionOptions

OBJECTS = 'A list of objects with "image_id" and "caption" is expected.'

ONE_LIST = "Give the list of one system as the file."


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
    file = read_json_file(path, damaged="replace", not_finite=True)
    file = read_program_answers(file, IMAGE_ID.name, CAPTION.name)
    root = JsonCursor(file, BoundedDefects(surrogate_defects(file.defects, options)), file.data)
    if not file.is_readable:
        return Reading(None, root.defects.to_tuple())
    listed = find_entries(root)
    if listed is None:
        return Reading(None, root.defects.to_tuple())
    entries = list(_known_entries(listed, list(_entries(listed)), references))
    captions: dict[ImageId, CaptionEntry] = {}
    for entry in entries:
        first = captions.setdefault(entry.image, entry)
        if first is not entry:
            found = fill(
                "Image {image} already has a caption at [{index}].", entry.image, first.index
            )
            expected, hint = "One caption is expected.", "Keep one of them."
            listed[entry.index].error(found, expected, hint)
        elif not entry.caption.isprintable():  # includes every line separator
            caption = listed[entry.index][CAPTION.name]
            whose_phrase = fill("The caption of image {image}", entry.image)
            report_separators(caption, whose_phrase, options)
    # An invalid entry may be the one that is missing.
    if len(entries) == len(listed.value):
        root.defects.extend(_unmatched_images(root.place, captions, references, options))
    reported = root.defects.to_tuple()
    if has_errors(reported):
        return Reading(None, reported)
    texts = {key: entry.caption for key, entry in captions.items()}
    submission = CaptionSubmission(str(path), texts)
    return Reading(submission, (*reported, *_check_captions(listed, entries)))


def find_entries(root: JsonCursor) -> JsonCursor | None:
    """Return a cursor at the list of captions; report it if there is none, or another layout."""
    if isinstance(root.value, dict):
        lists = [name for name, value in root.value.items() if _is_list(value)]
        if len(lists) == 1:
            root.note(
                fill('The captions are in the member "{name}".', lists[0]),
                "They were read as a list of results.",
            )
            return root[lists[0]]
        if entries := _by_image(root.value):
            found = "The file is an object of captions by image id, not a list of results."
            root.note(found, "It was read as such a list.")
            return root.at("", entries)
        if lists:
            names = name_list([f'"{name}"' for name in lists])
            root.error(fill("Several lists of captions: {names}.", names), OBJECTS, ONE_LIST)
            return None
    if isinstance(root.value, list) and root.value:
        return root
    found = fill("The file holds {type}.", describe_value(root.value))
    root.error("The list is empty." if root.value == [] else found, OBJECTS)
    return None


def _is_list(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_entry, value))


def _is_entry(value: Json) -> bool:
    return isinstance(value, dict) and IMAGE_ID.name in value and CAPTION.name in value


def _by_image(value: dict[str, Json]) -> list[Json]:
    """Return entries from captions by image: a text, or a list of one text or one object."""
    entries: list[Json] = []
    for key, held in value.items():
        one = held[0] if isinstance(held, list) and len(held) == 1 else held
        text = _caption_of(one) if isinstance(one, dict) else one
        if not isinstance(text, str):
            return []
        entries.append({IMAGE_ID.name: written_id(key), CAPTION.name: text})
    return entries


def _caption_of(value: dict[str, Json]) -> Json:
    """Return the caption of an object, also the only one of Florence-2's tasks."""
    known = [name for name in (CAPTION.name, *CAPTION_TOKENS) if name in value]
    return value[known[0]] if len(known) == 1 else None


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


def _known_entries(
    listed: JsonCursor, entries: Sequence[CaptionEntry], references: CaptionReferences
) -> Iterator[CaptionEntry]:
    """Yield the entries with the images that they mean; report other spellings and unknown ids."""
    known = {image.id for image in references.images}
    meant: dict[ImageId, ImageId | None] = {}
    if unread := [entry for entry in entries if entry.image not in known]:
        names = image_names(references.images)
        meant = {entry.image: names.find(entry.image) for entry in unread}
    read = [entry for entry in unread if meant[entry.image] is not None]
    if read:
        _note_spellings(listed, read, meant)
    if unknown := [entry for entry in unread if meant[entry.image] is None]:
        _report_unknown(listed, unknown, references)
    for entry in entries:
        image = meant.get(entry.image)
        yield entry if image is None else replace(entry, image=image)


def _note_spellings(
    listed: JsonCursor,
    entries: Sequence[CaptionEntry],
    meant: Mapping[ImageId, ImageId | None],
) -> None:
    pairs = [f"{_quote(one.image)} = {_quote(meant[one.image] or 0)}" for one in entries]
    are_files = all(is_file_name(entry.image) for entry in entries)
    found = fill(
        "{entries} with a file name as the image id: {names}."
        if are_files
        else "{entries} with another spelling of the image id: {names}.",
        counted(len(entries), "entry", "entries"),
        name_list(pairs),
    )
    place = listed[entries[0].index][IMAGE_ID.name]
    place.note(found, "They were read as these images.", count=len(entries))


def _report_unknown(
    listed: JsonCursor, entries: Sequence[CaptionEntry], references: CaptionReferences
) -> None:
    found = fill(
        "{captions} of images that are not in {named_by}: {names}.",
        counted(len(entries), "caption"),
        references.named_by,
        _names([entry.image for entry in entries]),
    )
    hint = "Check that both files are of the same images."
    parts = {image.id: part for image, part in references.elsewhere}
    names = image_names(image for image, _ in references.elsewhere) if parts else None
    found_in = dict.fromkeys(
        parts[key] for one in entries if names and (key := names.find(one.image)) is not None
    )
    if found_in:
        hint = reason("They are in another part of the split: {part}.", name_list(list(found_in)))
    place = listed[entries[0].index][IMAGE_ID.name]
    place.error(found, "Images of the annotations are expected.", hint)


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
