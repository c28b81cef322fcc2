"""Elements of a file of stories, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jurydesk.core.language import fill
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_id,
    parse_ids,
    parse_list,
    parse_text,
)
from jurydesk.core.tasks.vist.stories import (
    PHOTOS_OF_A_SEQUENCE,
    SequenceKey,
    describe_sequence,
)

OUTPUT_STORIES = Attribute("output_stories", "A list of the stories is expected.", parse_list)
ALBUM = Attribute("album_id", "Text is expected: the album id.", parse_id)
PHOTOS = Attribute("photo_sequence", "A list of the five photo ids is expected.", parse_ids)
TEXT = Attribute("story_text_normalized", "Text is expected: the story.", parse_text)
OBJECT_EXPECTED = "An object with album_id, photo_sequence and story_text_normalized is expected."


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


def read_entries(root: JsonCursor) -> list[StoryEntry] | None:
    """Read the objects in `output_stories` (None without it), and report malformed ones.

    Stories that were shortened to bytes are passed over.
    """
    stories = root.top_list(OUTPUT_STORIES, 'An object with the list "output_stories" is expected.')
    if stories is None:
        return None
    entries = [
        entry
        for index, value in enumerate(stories.value)
        if type(value) is not bytes and (entry := _entry(stories, index))
    ]
    for entry in entries:
        if entry.photos is not None and len(entry.photos) != PHOTOS_OF_A_SEQUENCE:
            found = fill(
                "{phrase}: the sequence has {photos} photos.", entry.phrase(), len(entry.photos)
            )
            photos = stories[entry.index][PHOTOS.name]
            photos.warning(found, "A sequence of the challenge has five.")
    return entries


def entry_cursor(root: JsonCursor, entry: StoryEntry) -> JsonCursor:
    """Return a cursor at a story of a file."""
    return root[OUTPUT_STORIES.name][entry.index]


def repeated_entries(entries: Iterable[StoryEntry]) -> Iterator[tuple[StoryEntry, StoryEntry]]:
    """Yield the first entry of a repeated sequence with each later entry."""
    first: dict[SequenceKey, StoryEntry] = {}
    for entry in entries:
        if entry.photos is not None and first.setdefault(entry.photos, entry) is not entry:
            yield first[entry.photos], entry


def _entry(stories: JsonCursor, index: int) -> StoryEntry | None:
    value = stories.value[index]
    if not isinstance(value, dict):
        found = fill("Story {value} is {type}.", index + 1, describe_value(value))
        stories[index].error(found, OBJECT_EXPECTED)
        return None
    album, photos, story = ALBUM.of(value), PHOTOS.of(value), TEXT.of(value)
    entry = StoryEntry(index, album, photos, story)
    if album is None or photos is None or story is None:
        stories[index].report_invalid(ALBUM, PHOTOS, TEXT, phrase=entry.phrase())
    return entry
