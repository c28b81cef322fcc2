"""Reading the list `output_stories`, which submissions and the template share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from core.defects import Defect, Place, error, warning
from core.model import Json
from core.tasks.json_attributes import (
    Attribute,
    Wrong,
    identifier,
    identifiers,
    items,
    kind_of,
    text,
)
from core.tasks.json_file import JsonFile
from core.tasks.vist.defect_list import DefectList
from core.tasks.vist.stories import PHOTOS_OF_A_SEQUENCE, SequenceKey, naming

OUTPUT_STORIES = Attribute("output_stories", "A list of the stories is expected.", items)
ALBUM = Attribute("album_id", "The album's id is expected, as text.", identifier)
PHOTOS = Attribute("photo_sequence", "A list of the five photos' ids is expected.", identifiers)
TEXT = Attribute("story_text_normalized", "The story is expected, as text.", text)
ATTRIBUTES = (ALBUM.name, PHOTOS.name, TEXT.name)
OBJECT_EXPECTED = "An object with album_id, photo_sequence and story_text_normalized is expected."

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One element of `output_stories`; what is missing or of a wrong kind is None."""

    index: int
    album: str | None
    photos: SequenceKey | None
    text: str | None

    def __str__(self) -> str:
        return naming(self.album, self.photos) or f"Story {self.index + 1}"


def read_entries(file: JsonFile) -> tuple[list[Entry] | None, tuple[Defect, ...]]:
    """The elements of `output_stories` that are objects, and everything wrong with their form.

    The entries are None where there is no such list.
    """
    stories = _list_of_stories(file)
    if isinstance(stories, Defect):
        return None, (stories,)
    entries: list[Entry] = []
    defects = DefectList()
    for index, value in enumerate(stories):
        if isinstance(value, dict):
            entries.append(_entry(file, index, value, defects))
        else:
            found = f"Story {index + 1} is {kind_of(value)}."
            defects.append(error(place_of(file, index), found, OBJECT_EXPECTED))
    defects.extend(_of_other_length(file, entries))
    return entries, defects.told()


def place_of(file: JsonFile, index: int, deeper: str = "") -> Place:
    """The place of a story in its file."""
    return file.place(OUTPUT_STORIES.name, index, deeper)


def repetitions(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Every entry whose sequence was there before, with the first entry of that sequence."""
    first: dict[SequenceKey, Entry] = {}
    for entry in entries:
        if entry.photos is not None and first.setdefault(entry.photos, entry) is not entry:
            yield first[entry.photos], entry


def _list_of_stories(file: JsonFile) -> list[Json] | Defect:
    if not isinstance(file.data, dict):
        expected = 'An object with the list "output_stories" is expected.'
        return error(file.place(), f"The file holds {kind_of(file.data)}.", expected)
    stories = OUTPUT_STORIES.of(file.data)
    if isinstance(stories, Wrong):
        return error(file.place(OUTPUT_STORIES.name), stories.found, stories.expected)
    return stories


def _entry(file: JsonFile, index: int, value: dict[str, Json], defects: DefectList) -> Entry:
    album, photos, story = ALBUM.of(value), PHOTOS.of(value), TEXT.of(value)
    entry = Entry(index, _known(album), _known(photos), _known(story))
    for attribute, outcome in zip(ATTRIBUTES, (album, photos, story), strict=True):
        if isinstance(outcome, Wrong):
            place = place_of(file, index, f".{attribute}")
            defects.append(error(place, f"{entry}: {outcome.found}", outcome.expected))
    return entry


def _known(outcome: T | Wrong) -> T | None:
    return None if isinstance(outcome, Wrong) else outcome


def _of_other_length(file: JsonFile, entries: Iterable[Entry]) -> Iterator[Defect]:
    for entry in entries:
        if entry.photos is not None and len(entry.photos) != PHOTOS_OF_A_SEQUENCE:
            found = f"{entry}: the sequence has {len(entry.photos)} photos."
            place = place_of(file, entry.index, f".{PHOTOS.name}")
            yield warning(place, found, "A sequence of the challenge has five.")
