"""Reader of a story submission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import (
    Defect,
    has_errors,
    note,
    warning,
)
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
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
    """Read the objects in `output_stories` (None without it), and report malformed ones."""
    stories = root.top_list(OUTPUT_STORIES, 'An object with the list "output_stories" is expected.')
    if stories is None:
        return None
    entries = [entry for index in range(len(stories.value)) if (entry := _entry(stories, index))]
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


PREDICTED = "pred_story_str"
"""Member of stories by album, in files for vist_eval."""
HAS_TWO_STORIES = (
    translatable("{phrase}: the sequence has two stories, here and at {path}."),
    translatable("{phrase}: the sequence has two stories, here and at {path}, line {line}."),
)
IS_MISSING = translatable("{sequence}: the story is missing.")
REORDERED = translatable(
    "The file has the same photos in another order, {other}: the order counts."
)


def read_submission(
    path: Path,
    references: StoryReferences,
    options: VistOptions,
    file: JsonFile | None = None,
) -> Reading[StorySubmission]:
    """Read the stories of the required sequences, with the file's defects.

    Errors are the defects that the challenge's program rejects; stories of other sequences are
    ignored. `file` is the file at the path if it was read already.
    """
    file = file or read_json_file(path, damaged="replace", not_finite=True)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = _stories_root(JsonCursor.of(file))
    entries = None if _are_by_album(root) else read_entries(root)
    name, about = _system(root.value)
    if entries is None:
        return Reading(None, root.defects.to_tuple(), name, about)
    _report_repeated(root, entries)
    _report_missing(root, entries, references)
    defects = (*root.defects.to_tuple(), *_check_stories(root, entries, references, options))
    if has_errors(defects):
        return Reading(None, defects, name, about)
    stories = {entry.photos: entry.text for entry in entries if entry.photos is not None}
    scored = {sequence.photos: stories[sequence.photos] or "" for sequence in references.sequences}
    return Reading(StorySubmission(name, about, scored, str(path)), defects, name, about)


def _stories_root(root: JsonCursor) -> JsonCursor:
    """Return a cursor at the file's object, also for a list of stories without it."""
    stories = root.value
    if not isinstance(stories, list) or not stories or not all(map(_is_story, stories)):
        return root
    root.note('The file is a list of stories without "output_stories".', "It was read.")
    return root.at("", {OUTPUT_STORIES.name: stories})


def _is_story(value: Json) -> bool:
    return isinstance(value, dict) and ("photo_sequence" in value or PREDICTED in value)


def _are_by_album(root: JsonCursor) -> bool:
    """Report it if the stories are those of albums, as vist_eval reads them."""
    stories = root.value.get(OUTPUT_STORIES.name) if isinstance(root.value, dict) else None
    if not isinstance(stories, list) or not stories:
        return False
    if not all(isinstance(one, dict) and PREDICTED in one for one in stories):
        return False
    if any(PHOTOS.name in one for one in stories):
        return False
    root[OUTPUT_STORIES.name].error(
        "The stories are by album (pred_story_str), as vist_eval reads them.",
        "The challenge has a story for each sequence of five photos.",
        "Give album_id, photo_sequence and story_text_normalized of each story.",
    )
    return True


def _system(data: Json) -> tuple[str, str]:
    """Return the system's name and description, or "" if they are not text."""
    if not isinstance(data, dict):
        return "", ""
    info = data.get("evaluation_info")
    about = info.get("additional_description") if isinstance(info, dict) else None
    return (parse_text(data.get("team_name")) or "").strip(), (parse_text(about) or "").strip()


def _report_repeated(root: JsonCursor, entries: list[StoryEntry]) -> None:
    for first, repeated in repeated_entries(entries):
        place = entry_cursor(root, first).place
        if place.line is None:
            found = fill(HAS_TWO_STORIES[0], repeated.phrase(), place.json_path)
        else:
            found = fill(HAS_TWO_STORIES[1], repeated.phrase(), place.json_path, place.line)
        hint = "Keep one of them."
        entry_cursor(root, repeated).error(found, "One story is expected.", hint)


def _report_missing(
    root: JsonCursor, entries: list[StoryEntry], references: StoryReferences
) -> None:
    submitted = {entry.photos for entry in entries}
    required = {sequence.photos for sequence in references.sequences}
    others = {
        tuple(sorted(entry.photos)): entry.photos
        for entry in entries
        if entry.photos and entry.photos not in required
    }
    for sequence in references.sequences:
        if sequence.photos not in submitted:
            found = fill(
                IS_MISSING,
                describe_sequence(sequence.album, sequence.photos),
            )
            expected = fill(
                "A story is expected for every sequence of {named_by}.", references.named_by
            )
            same = others.get(tuple(sorted(sequence.photos)))
            hint = fill(REORDERED, sequence_id(same)) if same else "Add the story."
            root[OUTPUT_STORIES.name].error(found, expected, hint)


def _check_stories(
    root: JsonCursor, entries: list[StoryEntry], references: StoryReferences, options: VistOptions
) -> Iterator[Defect]:
    """Yield warnings: equal or empty stories, unknown sequences, non-ASCII characters."""
    place = root[OUTPUT_STORIES.name].place
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
        yield note(entry_cursor(root, empty[0]).place, found, score, count=len(empty))
    yield from _unknown_sequences(root, entries, known, references)
    count, sentence = options.beyond_ascii(texts)
    if count:
        yield note(place, sentence, count=count)


def _unknown_sequences(
    root: JsonCursor,
    entries: list[StoryEntry],
    known: set[SequenceKey],
    references: StoryReferences,
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
        place = entry_cursor(root, unknown[0]).place
        ignored = "It is ignored." if len(unknown) == 1 else "They are ignored."
        yield note(place, found, ignored, count=len(unknown))
