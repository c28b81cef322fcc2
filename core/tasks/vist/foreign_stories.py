"""Stories of sequences that are not scored, kept as short bytes: a file may have millions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np

from jurydesk.core.model.evaluation import IntArray, Json
from jurydesk.core.readers.id_spellings import KnownIds
from jurydesk.core.tasks.vist.stories import PHOTOS_OF_A_SEQUENCE, SequenceKey
from jurydesk.core.tasks.vist.story_entries import ALBUM, PHOTOS, TEXT, StoryEntry

MARK = "\x1f"
_MARK = MARK.encode()
_PLAIN = re.compile("[1-9][0-9]*")
"""Id as VIST has it, which is not looked up otherwise."""


class PhotoNames:
    """Photos of the required sequences by other spellings, with the stories that have such."""

    def __init__(self, required: Collection[SequenceKey]) -> None:
        photos = {photo for one in required for photo in one}
        self._known = KnownIds((photo, (photo,)) for photo in photos)
        self._required = required
        self.read: list[str] = []

    def meant(self, photos: SequenceKey) -> SequenceKey:
        """Return the required sequence that photos mean; the same if they mean none."""
        if photos in self._required or all(map(_PLAIN.fullmatch, photos)):
            return photos
        found = tuple(self._known.find(one) or one for one in photos)
        if found not in self._required:
            return photos
        self.read += [f"{one} = {other}" for one, other in zip(photos, found, strict=True)][:1]
        return found


def shorten_others(
    required: Collection[SequenceKey], names: PhotoNames
) -> Callable[[dict[str, Json]], Json]:
    """Return a function that replaces a sound story of another sequence by bytes.

    They are its album and photos, between marks; a name with the mark keeps its story whole.
    """

    def shorten(value: dict[str, Json]) -> Json:
        if PHOTOS.name not in value:
            return value
        album, photos = ALBUM.of(value), PHOTOS.of(value)
        meant = None if photos is None else names.meant(photos)
        if meant is not None and meant != photos:
            return {**value, PHOTOS.name: [*meant]}
        if album is None or photos is None or TEXT.of(value) is None:
            return value
        if len(photos) != PHOTOS_OF_A_SEQUENCE or photos in required:
            return value
        key = MARK.join((album, *photos))
        return key.encode() if key.count(MARK) == PHOTOS_OF_A_SEQUENCE else value

    return shorten


def foreign_places(stories: Sequence[Json]) -> IntArray:
    """Return the indices (n,) of the stories that were shortened."""
    return np.flatnonzero(
        np.fromiter((type(one) is bytes for one in stories), np.bool_, len(stories))
    )


def foreign_entry(stories: Sequence[Json], index: int) -> StoryEntry:
    """Return a story that was shortened, without its text."""
    album, *photos = stories[index].decode().split(MARK)
    return StoryEntry(index, album, tuple(photos), None)


def entries_with_a_double(
    stories: Sequence[Json], places: IntArray, entries: Iterable[StoryEntry]
) -> list[StoryEntry]:
    """Return the stories in the order of the file, of the shortened ones those with a double."""
    whole = [one for one in entries if one.photos is not None]
    keys = [MARK.join(one.photos or ()).encode() for one in whole]
    hashes = np.fromiter(map(hash, _photo_keys(stories, places)), np.int64, len(places))
    ordered = np.sort(np.concatenate([hashes, np.array(list(map(hash, keys)), np.int64)]))
    doubled = ordered[1:][ordered[1:] == ordered[:-1]]
    suspects = places[np.isin(hashes, doubled)].tolist() if len(doubled) else []
    found = [*whole, *(foreign_entry(stories, index) for index in suspects)]
    return sorted(found, key=lambda one: one.index)


def reordered_sequences(
    stories: Sequence[Json], places: IntArray, wanted: Collection[SequenceKey]
) -> dict[SequenceKey, SequenceKey]:
    """Return the last sequence of shortened stories with the sorted photos of each wanted one."""
    found: dict[SequenceKey, SequenceKey] = {}
    known = {MARK.join(one).encode() for one in wanted}
    for key in _photo_keys(stories, places):
        if _MARK.join(sorted(key.split(_MARK))) in known:
            photos = tuple(key.decode().split(MARK))
            found[tuple(sorted(photos))] = photos
    return found


def _photo_keys(stories: Sequence[Json], places: IntArray) -> Iterator[bytes]:
    """Yield the photos of shortened stories."""
    return (stories[index].partition(_MARK)[2] for index in places)
