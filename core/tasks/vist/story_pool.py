"""Pool of stories for human rating: systems' stories and one human story per sequence."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from jurydesk.core.competition.rating_design import (
    STORIES,
    PictureRef,
    RatedEntry,
    RatedItem,
    RatingDesign,
    RatingPool,
    SystemOutput,
    human_name,
)
from jurydesk.core.competition.task import Reading
from jurydesk.core.model.defects import Defect, Place, error, has_errors
from jurydesk.core.model.evaluation import ItemTable
from jurydesk.core.model.system_names import clean_system_name, unique_system_names
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.vist.reference_reader import read_references
from jurydesk.core.tasks.vist.stories import (
    PhotoSequence,
    SequenceKey,
    StoryReferences,
    sequence_id,
)
from jurydesk.core.tasks.vist.story_entries import read_entries
from jurydesk.core.tasks.vist.submission_reader import read_submission
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence
from jurydesk.core.tasks.vist.vist_options import VistOptions


def read_pool(
    submissions: Sequence[Path],
    references: Sequence[Path] = (),
    *,
    human: bool = False,
    seed: int = 0,
    names: Mapping[Path, str] = MappingProxyType({}),
) -> Reading[RatingPool]:
    """Read the stories of all submissions for rating.

    Args:
        submissions: Files of the systems.
        references: Files of human stories, whose sequences are rated; without them, the
            sequences that all submissions have in common.
        human: Rate one human story of each sequence as a further system.
        seed: Seed of the choice of human stories.
        names: Names of systems by path, instead of those in their files.
    """
    required, defects = _sequences(submissions, references)
    if required is None:
        return Reading(None, tuple(defects))
    readings = [read_submission(path, required, VistOptions()) for path in submissions]
    defects += [defect for reading in readings for defect in reading.defects]
    if has_errors(defects):
        return Reading(None, tuple(defects))
    system_names = [
        (path, clean_system_name(names.get(path) or reading.name, path))
        for path, reading in zip(submissions, readings, strict=True)
    ]
    systems = unique_system_names(system_names)
    stories = [
        [reading.data.stories[sequence.photos] for reading in readings if reading.data is not None]
        for sequence in required.sequences
    ]
    if human:
        generator = random.Random(f"human {seed}")  # noqa: S311 - a sample, no secret
        systems.append(human_name(STORIES.entry[1], systems))
        for row, sequence in zip(stories, required.sequences, strict=True):
            row.append(generator.choice(sequence.stories).text)
    items = (
        RatedItem(sequence_id(one.photos), tuple(map(SystemOutput, row)), _photos(one.photos))
        for one, row in zip(required.sequences, stories, strict=True)
    )
    return Reading(RatingPool(tuple(systems), tuple(items)), tuple(defects))


def _photos(sequence: SequenceKey) -> tuple[PictureRef, ...]:
    return tuple(map(PictureRef, sequence))


def _sequences(
    submissions: Sequence[Path], references: Sequence[Path]
) -> tuple[StoryReferences | None, list[Defect]]:
    if references:
        reading = read_references({"references": references}, VistOptions())
        if reading.data is None:
            return None, list(reading.defects)
        return StoryReferences(reading.data.scored, reading.data.named_by), list(reading.defects)
    return _common_sequences(submissions)


def _common_sequences(submissions: Sequence[Path]) -> tuple[StoryReferences | None, list[Defect]]:
    """Return the sequences that all submissions have in common."""
    defects: list[Defect] = []
    common: dict[SequenceKey, str] | None = None
    for path in submissions:
        file = read_json_file(path, damaged="replace", not_finite=True)
        root = JsonCursor.of(file)
        entries = read_entries(root) if file.is_readable else None
        if entries is None:
            return None, [*defects, *root.defects.to_tuple()]
        albums = {one.photos: one.album or "" for one in entries if one.photos is not None}
        common = albums if common is None else {k: v for k, v in common.items() if k in albums}
    if not common:
        found = "The submissions have no photo sequence in common."
        place = Place(str(submissions[0]))
        return None, [error(place, found, hint="Check that they are of one competition.")]
    sequences = tuple(PhotoSequence(photos, album, ()) for photos, album in common.items())
    return StoryReferences(sequences, "every submission"), defects


def rated_story(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a scored story with its photos for rating."""
    evidence = items.show(row)
    if not isinstance(evidence, StoryEvidence):
        return None
    human = tuple(story.text for story in evidence.stories)
    return RatedEntry(SystemOutput(evidence.text), pictures=_photos(evidence.photos), human=human)


RATING = RatingDesign(
    entry_noun=STORIES.entry,
    picture_noun=STORIES.picture,
    questionnaire="vist2018",
    attention=STORIES.attention,
    entry=rated_story,
    read_files=read_pool,
    has_human_entries=True,
)
