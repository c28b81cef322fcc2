"""Data classes of visual storytelling: photo sequences, human stories and submissions."""

from __future__ import annotations

from dataclasses import dataclass

SequenceKey = tuple[str, ...]
"""The ids of a sequence's photos (five of them), in their order: what names a sequence."""

PHOTOS_OF_A_SEQUENCE = 5


def sequence_id(photos: SequenceKey) -> str:
    """Return the sequence as one word: its photo ids, joined by hyphens."""
    return "-".join(photos)


def describe_sequence(album: str | None, photos: SequenceKey | None) -> str:
    """Return a sequence's name for messages, from its album and photos as far as known."""
    named_album = f"Album {album}" if album else ""
    if not photos:
        return named_album
    sequence = f"equence {sequence_id(photos)}"
    return f"{named_album}, s{sequence}" if named_album else f"S{sequence}"


@dataclass(frozen=True, slots=True)
class HumanStory:
    """A story that a person wrote for a sequence, and its id in the reference file."""

    story_id: str
    text: str


@dataclass(frozen=True, slots=True)
class PhotoSequence:
    """A sequence that counts: its photos, its album and the human stories (none: not scored)."""

    photos: SequenceKey
    album: str
    stories: tuple[HumanStory, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StoryReferences:
    """The sequences that a submission must have, in the order of the file that names them.

    `named_by` is the file that decides which sequences count, for sentences about missing ones.
    """

    sequences: tuple[PhotoSequence, ...]
    named_by: str

    @property
    def scored(self) -> tuple[PhotoSequence, ...]:
        """The sequences that have human stories."""
        return tuple(sequence for sequence in self.sequences if sequence.stories)


@dataclass(frozen=True, slots=True)
class Story:
    """A submitted story and where it stands: element `index` of `output_stories`."""

    photos: SequenceKey
    album: str
    text: str
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class StorySubmission:
    """One system's story of every sequence that counts."""

    system: str
    about: str
    stories: dict[SequenceKey, str]
