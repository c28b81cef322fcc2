"""Reader of human stories: VIST's stories-in-sequence files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import (
    Defect,
    Place,
    error,
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
    parse_list,
    parse_text,
    parse_whole_number,
)
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.reference_remarks import note_empty_references
from jurydesk.core.tasks.item_fields import Fields, short_members, with_equal_names
from jurydesk.core.tasks.vist.stories import (
    PHOTOS_OF_A_SEQUENCE,
    HumanStory,
    PhotoSequence,
    SequenceKey,
    StoryReferences,
    describe_sequence,
    sequence_id,
)
from jurydesk.core.tasks.vist.story_entries import entry_cursor, read_entries, repeated_entries
from jurydesk.core.tasks.vist.vist_options import VistOptions

TRIMMED = "".join(map(chr, range(0x21)))
"""Characters that Java's `String.trim` removes."""

ALBUM_ID = "id"
ANNOTATIONS = Attribute("annotations", "A list of annotations is expected.", parse_list)
STORY = Attribute("story_id", "The id of the annotation's story is expected.", parse_id)
PHOTO = Attribute("photo_flickr_id", "Text is expected: the photo id.", parse_id)
ORDER = Attribute(
    "worker_arranged_photo_order", "The photo's place in the story is expected.", parse_whole_number
)
TEXT = Attribute("text", "Text is expected: the sentence.", parse_text)


@dataclass(frozen=True, slots=True)
class Annotation:
    """One sentence of a human story, with its photo and its index in the file."""

    index: int
    story_id: str
    album: str
    photo: str
    order: int
    text: str


@dataclass(frozen=True, slots=True)
class Annotations:
    """Annotations of one story, in the order of the file."""

    parts: list[Annotation] = field(default_factory=list)

    @property
    def photos(self) -> SequenceKey:
        """Key of the story's sequence: its photos in file order, not as arranged."""
        return tuple(part.photo for part in self.parts)

    def story(self, position: int) -> HumanStory:
        """Return the story: its sentences in photo order, joined by spaces and trimmed."""
        ordered = sorted(self.parts, key=lambda part: part.order)
        text = "".join(f"{part.text} " for part in ordered).strip(TRIMMED)
        return HumanStory(self.parts[0].story_id, text, position)


def read_human_stories(paths: Iterable[Path]) -> Reading[tuple[PhotoSequence, ...]]:
    """Read the sequences of all files with their human stories, in reading order.

    Story ids are unique in one file only.
    """
    albums: dict[SequenceKey, str] = {}
    stories: dict[SequenceKey, list[HumanStory]] = {}
    fields: dict[str, Fields] = {}
    defects: list[Defect] = []
    positions = count()
    for path in paths:
        file = read_json_file(path, damaged="replace", not_finite=True)
        root = JsonCursor.of(file)
        for story in _stories(root) if file.is_readable else ():
            albums.setdefault(story.photos, story.parts[0].album)
            stories.setdefault(story.photos, []).append(story.story(next(positions)))
        fields |= _album_fields(file.data)
        defects.extend(root.defects.to_tuple())
    fields = with_equal_names(fields)
    sequences = (
        PhotoSequence(key, albums[key], tuple(stories[key]), fields.get(albums[key], ()))
        for key in stories
    )
    return Reading(None if has_errors(defects) else tuple(sequences), tuple(defects))


def _album_fields(data: Json) -> dict[str, Fields]:
    """Return the short members of each album by its id, but for those that identify it."""
    albums = data.get("albums") if isinstance(data, dict) else None
    return {
        key: short_members(album, (ALBUM_ID, "album"))
        for album in (albums if isinstance(albums, list) else ())
        if isinstance(album, dict) and (key := parse_id(album.get(ALBUM_ID))) is not None
    }


def _stories(root: JsonCursor) -> tuple[Annotations, ...]:
    """Return the stories of one file, in the order of their first annotations."""
    stories: dict[str, Annotations] = {}
    for part in _annotations(root):
        stories.setdefault(part.story_id, Annotations()).parts.append(part)
    for story in stories.values():
        if len(story.photos) != PHOTOS_OF_A_SEQUENCE:
            first = story.parts[0]
            found = fill(
                "{sequence}: human story {story_id} has {photos} photos.",
                describe_sequence(first.album, story.photos),
                first.story_id,
                len(story.photos),
            )
            annotation = root[ANNOTATIONS.name][first.index]
            annotation.warning(found, "A sequence of the challenge has five.")
    parts = [part for story in stories.values() for part in story.parts]
    bare = [fill("story {story}", part.story_id) for part in parts if not part.text.strip()]
    root.defects.extend(note_empty_references(root[ANNOTATIONS.name].place, bare))
    return tuple(stories.values())


def _annotations(root: JsonCursor) -> Iterator[Annotation]:
    """Yield the valid annotations of a file; each may be wrapped in a list of one."""
    annotations = root.top_list(ANNOTATIONS, 'An object with the list "annotations" is expected.')
    if annotations is None:
        return
    for index, value in enumerate(annotations.value):
        holder = value[0] if isinstance(value, list) and len(value) == 1 else value
        annotation = _annotation(index, holder) if isinstance(holder, dict) else None
        if annotation is not None:
            yield annotation
        else:
            _report_annotation(annotations[index])


def _annotation(index: int, holder: dict[str, Json]) -> Annotation | None:
    story, photo, order = STORY.of(holder), PHOTO.of(holder), ORDER.of(holder)
    sentence = TEXT.of(holder)
    if story is None or photo is None or order is None or sentence is None:
        return None
    album = parse_id(holder.get("album_id")) or ""
    return Annotation(index, story, album, photo, order, sentence)


def _report_annotation(annotation: JsonCursor) -> None:
    """Report an invalid annotation."""
    number = (annotation.index or 0) + 1
    if isinstance(annotation.value, list):
        if len(annotation.value) != 1:
            found = fill(
                "Annotation {value} is a list of {value2}, and was left out.",
                number,
                len(annotation.value),
            )
            annotation.warning(found, "One annotation is expected.")
            return
        annotation = annotation[0]
    if not isinstance(annotation.value, dict):
        found = fill("Annotation {value} is {type}.", number, describe_value(annotation.value))
        annotation.error(found, "An object is expected.")
        return
    phrase = _annotation_phrase(annotation.index or 0, annotation.value)
    annotation.report_invalid(STORY, PHOTO, ORDER, TEXT, phrase=phrase)


def _annotation_phrase(index: int, holder: dict[str, Json]) -> str:
    """Return an annotation's name for messages."""
    number = index + 1
    story, album = STORY.of(holder), parse_id(holder.get("album_id"))
    if story is None:
        if album:
            return fill("Annotation {number}, album {album}", number, album)
        return fill("Annotation {number}", number)
    if album:
        return fill("Annotation {number}, story {story}, album {album}", number, story, album)
    return fill("Annotation {number}, story {story}", number, story)


@dataclass(frozen=True, slots=True)
class Template:
    """Albums of the scored sequences, in the order of the file."""

    albums: dict[SequenceKey, str]
    name: str


def read_template(path: Path) -> Reading[Template]:
    """Read the sequences of the template; its stories are ignored."""
    file = read_json_file(path, damaged="replace", not_finite=True)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    entries = read_entries(root)
    if entries is None:
        return Reading(None, root.defects.to_tuple())
    for first, repeated in repeated_entries(entries):
        number = first.index + 1
        found = fill(
            "{phrase}: the sequence is already in the template as story {number}.",
            repeated.phrase(),
            number,
        )
        entry_cursor(root, repeated).warning(found, "It counts once.")
    reported = root.defects.to_tuple()
    albums = {entry.photos: entry.album or "" for entry in reversed(entries) if entry.photos}
    template = Template(dict(reversed(albums.items())), path.name)
    return Reading(None if has_errors(reported) else template, reported)


def read_references(inputs: Inputs, options: VistOptions) -> Reading[StoryReferences]:
    """Read the required sequences with their human stories.

    Required are the sequences of the template, or without one those of the human stories. A
    sequence of the template without human stories must be submitted but is not scored.
    """
    gold_paths = inputs["references"]
    gold = read_human_stories(gold_paths)
    template = read_template(inputs["template"][0]) if inputs.get("template") else None
    defects = [*gold.defects, *(template.defects if template else ())]
    if gold.data is None or (template is not None and template.data is None):
        return Reading(None, tuple(defects))
    place = Place(str(gold_paths[0]))
    if template is None or template.data is None:
        named_by = ", ".join(path.name for path in gold_paths)
        references = StoryReferences(gold.data, named_by)
    else:
        references = _counted_sequences(gold.data, template.data)
        defects += _sequences_outside_template(gold.data, template.data, place)
        defects += _no_story_defects(references, Path(inputs["template"][0]))
    defects += _non_ascii_defects(references, options, place)
    if not references.scored:
        found = "No required sequence has a human story."
        hint = "Check that the human stories and the template belong together."
        defects.append(error(place, found, hint=hint))
        return Reading(None, tuple(defects))
    return Reading(references, tuple(defects))


def _counted_sequences(gold: tuple[PhotoSequence, ...], template: Template) -> StoryReferences:
    known: dict[SequenceKey, PhotoSequence] = {sequence.photos: sequence for sequence in gold}
    return StoryReferences(
        tuple(
            PhotoSequence(photos, album, known[photos].stories, known[photos].fields)
            if photos in known
            else PhotoSequence(photos, album, ())
            for photos, album in template.albums.items()
        ),
        template.name,
        tuple(sequence for sequence in gold if sequence.photos not in template.albums),
    )


def _sequences_outside_template(
    gold: tuple[PhotoSequence, ...], template: Template, place: Place
) -> Iterator[Defect]:
    outside = [entry.photos for entry in gold if entry.photos not in template.albums]
    if outside:
        names = name_list([sequence_id(photos) for photos in outside])
        count = counted(len(outside), "sequence")
        found = fill("{count} with human stories, but not in the template: {names}.", count, names)
        yield note(place, found, "They are not scored.", count=len(outside))


def _no_story_defects(references: StoryReferences, template: Path) -> Iterator[Defect]:
    empty = [entry.photos for entry in references.sequences if not entry.stories]
    if empty:
        names = name_list([sequence_id(photos) for photos in empty])
        count = counted(len(empty), "sequence")
        found = fill("{count} of the template without a human story: {names}.", count, names)
        hint = "Give the missing reference file as well, if there is one."
        yield warning(Place(str(template)), found, "They are not scored.", hint, count=len(empty))


def _non_ascii_defects(
    references: StoryReferences, options: VistOptions, place: Place
) -> Iterator[Defect]:
    texts = (story.text for entry in references.scored for story in entry.stories)
    count, reason = options.beyond_ascii(texts)
    if count:
        yield note(place, fill("Human stories: {reason}", reason), count=count)
