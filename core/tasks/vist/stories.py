"""Data classes of visual storytelling: photo sequences, human stories and submissions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from jurydesk.core.language import fill
from jurydesk.core.tasks.item_fields import Fields

SequenceKey = tuple[str, ...]
"""Key of a sequence: the ids of its five photos, in order."""

PHOTOS_OF_A_SEQUENCE = 5


def sequence_id(photos: SequenceKey) -> str:
    """Return the id of a sequence: its photo ids, joined by hyphens."""
    return "-".join(photos)


def describe_sequence(album: str | None, photos: SequenceKey | None) -> str:
    """Describe a sequence for messages, by its album and photos if known."""
    if not photos:
        return fill("Album {album}", album) if album else ""
    if not album:
        return fill("Sequence {sequence_id}", sequence_id(photos))
    return fill("Album {album}, sequence {sequence_id}", album, sequence_id(photos))


@dataclass(frozen=True, slots=True)
class HumanStory:
    """A human story for a sequence, with its id and its position among all stories as read."""

    story_id: str
    text: str
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class PhotoSequence:
    """A required sequence; it is not scored without human stories.

    `fields` are members of its album in the files of human stories, which slices use.
    """

    photos: SequenceKey
    album: str
    stories: tuple[HumanStory, ...]
    fields: Fields = ()


@dataclass(frozen=True, eq=False)
class StoryReferences:
    """Required sequences of a submission, in the order of the file `named_by`.

    `others` are sequences with human stories that the template leaves out.
    """

    sequences: tuple[PhotoSequence, ...]
    named_by: str
    others: tuple[PhotoSequence, ...] = ()

    @cached_property
    def scored(self) -> tuple[PhotoSequence, ...]:
        """Sequences with human stories."""
        return tuple(sequence for sequence in self.sequences if sequence.stories)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of the scored sequences."""
        return tuple(sequence_id(sequence.photos) for sequence in self.scored)


@dataclass(frozen=True, slots=True, eq=False)
class StorySubmission:
    """One system's stories of all required sequences."""

    system: str
    about: str
    stories: dict[SequenceKey, str]
    path: str = ""
