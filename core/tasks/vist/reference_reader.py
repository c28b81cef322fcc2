"""Reader of human stories: VIST's stories-in-sequence files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import Message, counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_attributes import (
    Attribute,
    AttributeMismatch,
    json_type_name,
    parse_id,
    parse_list,
    parse_text,
    parse_whole_number,
)
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.vist.stories import (
    PHOTOS_OF_A_SEQUENCE,
    HumanStory,
    PhotoSequence,
    SequenceKey,
    StoryReferences,
    describe_sequence,
    sequence_id,
)
from jurydesk.core.tasks.vist.submission_reader import entry_place, read_entries, repeated_entries
from jurydesk.core.tasks.vist.vist_options import VistOptions

TRIMMED = "".join(map(chr, range(0x21)))
"""Characters that Java's `String.trim` removes."""

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

    def story(self) -> HumanStory:
        """Return the story: its sentences in photo order, joined by spaces and trimmed."""
        ordered = sorted(self.parts, key=lambda part: part.order)
        text = "".join(f"{part.text} " for part in ordered).strip(TRIMMED)
        return HumanStory(self.parts[0].story_id, text)


def read_human_stories(paths: Iterable[Path]) -> Reading[tuple[PhotoSequence, ...]]:
    """Read the sequences of all files with their human stories, in reading order.

    Story ids are unique in one file only.
    """
    albums: dict[SequenceKey, str] = {}
    stories: dict[SequenceKey, list[HumanStory]] = {}
    defects: list[Defect] = []
    for path in paths:
        file = read_json_file(path, damaged="replace")
        file_defects = BoundedDefects(file.defects)
        for story in _stories(file, file_defects) if file.is_readable else ():
            albums.setdefault(story.photos, story.parts[0].album)
            stories.setdefault(story.photos, []).append(story.story())
        defects.extend(file_defects.to_tuple())
    sequences = (PhotoSequence(key, albums[key], tuple(stories[key])) for key in stories)
    return Reading(None if has_errors(defects) else tuple(sequences), tuple(defects))


def _stories(file: JsonFile, defects: BoundedDefects) -> tuple[Annotations, ...]:
    """Return the stories of one file, in the order of their first annotations."""
    stories: dict[str, Annotations] = {}
    for part in _annotations(file, defects):
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
            place = file.place(ANNOTATIONS.name, first.index)
            defects.append(warning(place, found, "A sequence of the challenge has five."))
    return tuple(stories.values())


def _annotations(file: JsonFile, defects: BoundedDefects) -> Iterator[Annotation]:
    """Yield the valid annotations of a file; each may be wrapped in a list of one."""
    if not isinstance(file.data, dict):
        expected = 'An object with the list "annotations" is expected.'
        defects.append(
            error(file.place(), fill("The file holds {type}.", json_type_name(file.data)), expected)
        )
        return
    annotations = ANNOTATIONS.of(file.data)
    if isinstance(annotations, AttributeMismatch):
        place = file.place(ANNOTATIONS.name)
        defects.append(error(place, annotations.found, annotations.expected))
        return
    for index, value in enumerate(annotations):
        if isinstance(value, list) and len(value) != 1:
            place = file.place(ANNOTATIONS.name, index)
            found = fill(
                "Annotation {value} is a list of {value2}, and was left out.", index + 1, len(value)
            )
            defects.append(warning(place, found, "One annotation is expected."))
        elif isinstance(annotation := _annotation(file, index, value), Annotation):
            yield annotation
        else:
            defects.extend(annotation)


def _annotation(file: JsonFile, index: int, value: Json) -> Annotation | list[Defect]:
    deeper = "[0]" if isinstance(value, list) else ""
    holder = value[0] if isinstance(value, list) else value
    if not isinstance(holder, dict):
        place = file.place(ANNOTATIONS.name, index, deeper)
        found = fill("Annotation {value} is {type}.", index + 1, json_type_name(holder))
        return [error(place, found, "An object is expected.")]
    story, photo = STORY.of(holder), PHOTO.of(holder)
    order, sentence = ORDER.of(holder), TEXT.of(holder)
    album = parse_id(holder.get("album_id")) or ""
    if not (
        isinstance(story, AttributeMismatch)
        or isinstance(photo, AttributeMismatch)
        or isinstance(order, AttributeMismatch)
        or isinstance(sentence, AttributeMismatch)
    ):
        return Annotation(index, story, album, photo, order, sentence)
    defects = []
    phrase = _annotation_phrase(index, album, story)
    for attribute, outcome in ((STORY, story), (PHOTO, photo), (ORDER, order), (TEXT, sentence)):
        if isinstance(outcome, AttributeMismatch):
            place = file.place(ANNOTATIONS.name, index, f"{deeper}.{attribute.name}")
            fault = outcome.found
            found = fill("{phrase}: {fault}", phrase, Message(fault))
            defects.append(error(place, found, outcome.expected))
    return defects


def _annotation_phrase(index: int, album: str, story: str | AttributeMismatch) -> str:
    """Return an annotation's name for messages."""
    number = index + 1
    if isinstance(story, AttributeMismatch):
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
    file = read_json_file(path, damaged="replace")
    if not file.is_readable:
        return Reading(None, file.defects)
    entries, defects = read_entries(file)
    reported: list[Defect] = [*file.defects, *defects]
    if entries is None:
        return Reading(None, tuple(reported))
    for first, repeated in repeated_entries(entries):
        number = first.index + 1
        found = fill(
            "{phrase}: the sequence is already in the template as story {number}.",
            repeated.phrase(),
            number,
        )
        reported.append(warning(entry_place(file, repeated.index), found, "It counts once."))
    albums = {entry.photos: entry.album or "" for entry in reversed(entries) if entry.photos}
    template = Template(dict(reversed(albums.items())), path.name)
    return Reading(None if has_errors(reported) else template, tuple(reported))


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
            PhotoSequence(photos, album, known[photos].stories if photos in known else ())
            for photos, album in template.albums.items()
        ),
        template.name,
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
        yield note(place, fill("Human stories: {reason}", Message(reason)), count=count)
