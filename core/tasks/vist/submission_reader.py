"""Reader of a story submission."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import (
    Defect,
    Place,
    has_errors,
    note,
    warning,
)
from jurydesk.core.model.evaluation import IntArray, Json
from jurydesk.core.readers.json_cursor import JsonCursor, parse_text
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.vist.foreign_stories import (
    PhotoNames,
    entries_with_a_double,
    foreign_entry,
    foreign_places,
    reordered_sequences,
    shorten_others,
)
from jurydesk.core.tasks.vist.stories import (
    SequenceKey,
    StoryReferences,
    StorySubmission,
    describe_sequence,
    sequence_id,
)
from jurydesk.core.tasks.vist.story_entries import (
    OUTPUT_STORIES,
    PHOTOS,
    StoryEntry,
    entry_cursor,
    read_entries,
    repeated_entries,
)
from jurydesk.core.tasks.vist.vist_options import VistOptions

SHOWN = 3
"""Names of ignored sequences that a note gives."""
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
    required = {sequence.photos for sequence in references.sequences}
    file = file or _read_file(path, required)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = _stories_root(JsonCursor.of(file))
    entries = None if _are_by_album(root) else read_entries(root)
    name, about = _system(root.value)
    if entries is None:
        return Reading(None, root.defects.to_tuple(), name, about)
    stories = root.value[OUTPUT_STORIES.name]
    foreign = foreign_places(stories)
    _report_repeated(root, entries_with_a_double(stories, foreign, entries))
    _report_missing(root, entries, foreign, references)
    checked = _check_stories(root, entries, foreign, references, options)
    defects = (*root.defects.to_tuple(), *checked)
    if has_errors(defects):
        return Reading(None, defects, name, about)
    texts = {entry.photos: entry.text for entry in entries if entry.photos is not None}
    scored = {sequence.photos: texts[sequence.photos] or "" for sequence in references.sequences}
    return Reading(StorySubmission(name, about, scored, str(path)), defects, name, about)


def _read_file(path: Path, required: Collection[SequenceKey]) -> JsonFile:
    """Read a file, whose stories of other sequences are shortened."""
    names = PhotoNames(required)
    shrink = shorten_others(required, names)
    file = read_json_file(path, damaged="replace", not_finite=True, shrink=shrink)
    if type(file.data) is bytes:  # the file is a story itself
        return read_json_file(path, damaged="replace", not_finite=True)
    if not names.read:
        return file
    found = fill(
        "{stories} with another spelling of photo ids: {names}.",
        counted(len(names.read), "story", "stories"),
        name_list(names.read),
    )
    said = note(Place(str(path)), found, "They were read as these photos.", count=len(names.read))
    return replace(file, defects=(*file.defects, said))


def _stories_root(root: JsonCursor) -> JsonCursor:
    """Return a cursor at the file's object, also for a list of stories without it."""
    stories = root.value
    if not isinstance(stories, list) or not stories or not all(map(_is_story, stories)):
        return root
    root.note('The file is a list of stories without "output_stories".', "It was read.")
    return root.at("", {OUTPUT_STORIES.name: stories})


def _is_story(value: Json) -> bool:
    if type(value) is bytes:
        return True
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
        "Albums are not scored: the challenge has a story for each sequence of five photos.",
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
    root: JsonCursor,
    entries: list[StoryEntry],
    foreign: IntArray,
    references: StoryReferences,
) -> None:
    submitted = {entry.photos for entry in entries}
    missing = [one for one in references.sequences if one.photos not in submitted]
    if not missing:
        return
    wanted = {tuple(sorted(one.photos)) for one in missing}
    required = {sequence.photos for sequence in references.sequences}
    others = reordered_sequences(root.value[OUTPUT_STORIES.name], foreign, wanted)
    for entry in entries:
        if entry.photos and entry.photos not in required:
            others[tuple(sorted(entry.photos))] = entry.photos
    expected = fill("A story is expected for every sequence of {named_by}.", references.named_by)
    for sequence in missing:
        found = fill(
            IS_MISSING,
            describe_sequence(sequence.album, sequence.photos),
        )
        same = others.get(tuple(sorted(sequence.photos)))
        hint = fill(REORDERED, sequence_id(same)) if same else "Add the story."
        root[OUTPUT_STORIES.name].error(found, expected, hint)


def _check_stories(
    root: JsonCursor,
    entries: list[StoryEntry],
    foreign: IntArray,
    references: StoryReferences,
    options: VistOptions,
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
    yield from _unknown_sequences(root, entries, foreign, references)
    count, sentence = options.beyond_ascii(texts)
    if count:
        yield note(place, sentence, count=count)


def _unknown_sequences(
    root: JsonCursor,
    entries: list[StoryEntry],
    foreign: IntArray,
    references: StoryReferences,
) -> Iterator[Defect]:
    known = {sequence.photos for sequence in references.sequences}
    stories = root.value[OUTPUT_STORIES.name]
    whole = [one for one in entries if one.photos and one.photos not in known]
    count = len(whole) + len(foreign)
    if count:
        short = [foreign_entry(stories, index) for index in foreign[:SHOWN].tolist()]
        first = sorted((*whole, *short), key=lambda one: one.index)[:SHOWN]
        names = [sequence_id(one.photos or ()) for one in first]
        found = fill(
            "{stories} of sequences that are not in {named_by}: {names}.",
            counted(count, "story", "stories"),
            references.named_by,
            name_list([*names, *[""] * (count - len(names))]),
        )
        place = entry_cursor(root, first[0]).place
        ignored = "It is ignored." if count == 1 else "They are ignored."
        yield note(place, found, ignored, count=count)
