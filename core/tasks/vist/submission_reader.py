"""Reader of a story submission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import Message, counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_attributes import (
    Attribute,
    AttributeMismatch,
    json_type_name,
    parse_id,
    parse_ids,
    parse_list,
    parse_text,
)
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.vist.stories import (
    PHOTOS_OF_A_SEQUENCE,
    SequenceKey,
    StoryReferences,
    StorySubmission,
    describe_sequence,
    sequence_id,
)
from jurydesk.core.tasks.vist.vist_options import VistOptions

OUTPUT_STORIES = Attribute("output_stories", "A list of the stories is expected.", parse_list)
ALBUM = Attribute("album_id", "Text is expected: the album id.", parse_id)
PHOTOS = Attribute("photo_sequence", "A list of the five photo ids is expected.", parse_ids)
TEXT = Attribute("story_text_normalized", "Text is expected: the story.", parse_text)
ATTRIBUTES = (ALBUM.name, PHOTOS.name, TEXT.name)
OBJECT_EXPECTED = "An object with album_id, photo_sequence and story_text_normalized is expected."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """An element of `output_stories`; missing or ill-typed members are None."""

    index: int
    album: str | None
    photos: SequenceKey | None
    text: str | None

    def phrase(self) -> str:
        """Return the entry's name for messages: its album and photos, or its number."""
        unnamed = fill("Story {value}", self.index + 1)
        return describe_sequence(self.album, self.photos) or unnamed


def read_entries(file: JsonFile) -> tuple[list[StoryEntry] | None, tuple[Defect, ...]]:
    """Read the objects in `output_stories` (None without it), and report malformed ones."""
    stories = _list_of_stories(file)
    if isinstance(stories, Defect):
        return None, (stories,)
    entries: list[StoryEntry] = []
    defects = BoundedDefects()
    for index, value in enumerate(stories):
        if isinstance(value, dict):
            entries.append(_entry(file, index, value, defects))
        else:
            found = fill("Story {value} is {type}.", index + 1, json_type_name(value))
            defects.append(error(entry_place(file, index), found, OBJECT_EXPECTED))
    defects.extend(_wrong_length(file, entries))
    return entries, defects.to_tuple()


def entry_place(file: JsonFile, index: int, deeper: str = "") -> Place:
    """Return the place of a story in its file."""
    return file.place(OUTPUT_STORIES.name, index, deeper)


def repeated_entries(entries: Iterable[StoryEntry]) -> Iterator[tuple[StoryEntry, StoryEntry]]:
    """Yield the first entry of a repeated sequence with each later entry."""
    first: dict[SequenceKey, StoryEntry] = {}
    for entry in entries:
        if entry.photos is not None and first.setdefault(entry.photos, entry) is not entry:
            yield first[entry.photos], entry


def _list_of_stories(file: JsonFile) -> list[Json] | Defect:
    if not isinstance(file.data, dict):
        expected = 'An object with the list "output_stories" is expected.'
        return error(
            file.place(), fill("The file holds {type}.", json_type_name(file.data)), expected
        )
    stories = OUTPUT_STORIES.of(file.data)
    if isinstance(stories, AttributeMismatch):
        return error(file.place(OUTPUT_STORIES.name), stories.found, stories.expected)
    return stories


def _entry(
    file: JsonFile, index: int, value: dict[str, Json], defects: BoundedDefects
) -> StoryEntry:
    album, photos, story = ALBUM.of(value), PHOTOS.of(value), TEXT.of(value)
    entry = StoryEntry(index, _value_or_none(album), _value_or_none(photos), _value_or_none(story))
    for attribute, outcome in zip(ATTRIBUTES, (album, photos, story), strict=True):
        if isinstance(outcome, AttributeMismatch):
            place = entry_place(file, index, f".{attribute}")
            fault = outcome.found
            defects.append(
                error(
                    place,
                    fill("{phrase}: {fault}", entry.phrase(), Message(fault)),
                    outcome.expected,
                )
            )
    return entry


def _value_or_none(outcome: T | AttributeMismatch) -> T | None:
    return None if isinstance(outcome, AttributeMismatch) else outcome


def _wrong_length(file: JsonFile, entries: Iterable[StoryEntry]) -> Iterator[Defect]:
    for entry in entries:
        if entry.photos is not None and len(entry.photos) != PHOTOS_OF_A_SEQUENCE:
            found = fill(
                "{phrase}: the sequence has {photos} photos.", entry.phrase(), len(entry.photos)
            )
            place = entry_place(file, entry.index, f".{PHOTOS.name}")
            yield warning(place, found, "A sequence of the challenge has five.")


HAS_TWO_STORIES = "the sequence has two stories"
IS_MISSING = "the story is missing"


def read_submission(
    path: Path, references: StoryReferences, options: VistOptions
) -> Reading[StorySubmission]:
    """Read the stories of the required sequences, with the file's defects.

    Errors are the defects that the challenge's program rejects; stories of other sequences are
    ignored.
    """
    file = read_json_file(path, damaged="replace")
    if not file.is_readable:
        return Reading(None, file.defects)
    entries, faults = read_entries(file)
    name, about = _system(file.data)
    if entries is None:
        return Reading(None, (*file.defects, *faults), name, about)
    bounded = BoundedDefects((*file.defects, *faults))
    bounded.extend(_repeated_sequences(file, entries))
    bounded.extend(_missing_sequences(file, entries, references))
    defects = (*bounded.to_tuple(), *_check_stories(file, entries, references, options))
    if has_errors(defects):
        return Reading(None, defects, name, about)
    stories = {entry.photos: entry.text for entry in entries if entry.photos is not None}
    scored = {sequence.photos: stories[sequence.photos] or "" for sequence in references.sequences}
    return Reading(StorySubmission(name, about, scored), defects, name, about)


def _system(data: Json) -> tuple[str, str]:
    """Return the system's name and description, or "" if they are not text."""
    if not isinstance(data, dict):
        return "", ""
    info = data.get("evaluation_info")
    about = info.get("additional_description") if isinstance(info, dict) else None
    return (parse_text(data.get("team_name")) or "").strip(), (parse_text(about) or "").strip()


def _repeated_sequences(file: JsonFile, entries: list[StoryEntry]) -> Iterator[Defect]:
    for first, repeated in repeated_entries(entries):
        line = file.line(OUTPUT_STORIES.name, first.index)
        path = f"{OUTPUT_STORIES.name}[{first.index}]"
        if line is None:
            found = fill(
                "{phrase}: the sequence has two stories, here and at {path}.",
                repeated.phrase(),
                path,
            )
        else:
            found = fill(
                "{phrase}: the sequence has two stories, here and at {path}, line {line}.",
                repeated.phrase(),
                path,
                line,
            )
        hint = "Keep one of them."
        yield error(entry_place(file, repeated.index), found, "One story is expected.", hint)


def _missing_sequences(
    file: JsonFile, entries: list[StoryEntry], references: StoryReferences
) -> Iterator[Defect]:
    submitted = {entry.photos for entry in entries}
    for sequence in references.sequences:
        if sequence.photos not in submitted:
            found = fill(
                "{sequence}: the story is missing.",
                describe_sequence(sequence.album, sequence.photos),
            )
            expected = fill(
                "A story is expected for every sequence of {named_by}.", references.named_by
            )
            yield error(file.place(OUTPUT_STORIES.name), found, expected, "Add the story.")


def _check_stories(
    file: JsonFile, entries: list[StoryEntry], references: StoryReferences, options: VistOptions
) -> Iterator[Defect]:
    """Yield warnings: equal or empty stories, unknown sequences, non-ASCII characters."""
    place = file.place(OUTPUT_STORIES.name)
    known = {sequence.photos for sequence in references.sequences}
    scored = [entry for entry in entries if entry.photos in known and entry.text is not None]
    texts = [entry.text or "" for entry in scored]
    if len(texts) > 1 and len(set(texts)) == 1:
        found = fill("All {texts:,} stories are the same.", len(texts))
        yield warning(place, found, "A story for each sequence is expected.", count=len(texts))
    empty = [entry for entry in scored if not (entry.text or "").strip()]
    if empty:
        found = fill("{empty_stories}.", counted(len(empty), "empty story", "empty stories"))
        score = "It scores 0." if len(empty) == 1 else "They score 0."
        yield note(entry_place(file, empty[0].index), found, score, count=len(empty))
    yield from _unknown_sequences(file, entries, known, references)
    count, sentence = options.beyond_ascii(texts)
    if count:
        yield note(place, sentence, count=count)


def _unknown_sequences(
    file: JsonFile, entries: list[StoryEntry], known: set[SequenceKey], references: StoryReferences
) -> Iterator[Defect]:
    unknown = [entry for entry in entries if entry.photos and entry.photos not in known]
    if unknown:
        names = name_list([sequence_id(entry.photos or ()) for entry in unknown])
        found = fill(
            "{stories} of sequences that are not in {named_by}: {names}.",
            counted(len(unknown), "story", "stories"),
            references.named_by,
            names,
        )
        place = entry_place(file, unknown[0].index)
        ignored = "It is ignored." if len(unknown) == 1 else "They are ignored."
        yield note(place, found, ignored, count=len(unknown))
