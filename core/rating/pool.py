"""The stories that can be rated: every system's, and one human story of each sequence."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from core.defects import Defect, Place, error, has_errors
from core.run.names import own_name, system_names
from core.task import Reading
from core.tasks.json_file import read_json
from core.tasks.vist.options import VistOptions
from core.tasks.vist.output_stories import read_entries
from core.tasks.vist.references import read_references
from core.tasks.vist.stories import PhotoSequence, References, SequenceKey, Submission
from core.tasks.vist.submission_reader import read_submission

HUMAN = "human stories"
"""The name under which the human stories stand beside the systems."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Stories by sequence and system: `stories[sequence][system]`, in the order of both tuples."""

    systems: tuple[str, ...]
    sequences: tuple[SequenceKey, ...]
    stories: tuple[tuple[str, ...], ...]


def read_pool(
    submissions: Sequence[Path],
    references: Sequence[Path] = (),
    *,
    human: bool = False,
    seed: int = 0,
    names: Mapping[Path, str] = MappingProxyType({}),
) -> Reading[Pool]:
    """The stories of all submissions, and everything that is wrong with the files.

    The human stories' sequences count where there are some, else those that every submission has.
    With `human`, one human story of each sequence, drawn with `seed`, is one system more. `names`
    gives systems another name than their file's by their path, as the board has it.
    """
    wanted, defects = _sequences(submissions, references)
    if wanted is None:
        return Reading(None, tuple(defects))
    readings = [read_submission(path, wanted, VistOptions()) for path in submissions]
    defects += [defect for reading in readings for defect in reading.defects]
    told = [reading.data for reading in readings if reading.data is not None]
    if has_errors(defects):
        return Reading(None, tuple(defects))
    own = [
        (path, own_name(names.get(path) or one.name, path))
        for path, one in zip(submissions, readings, strict=True)
    ]
    pool = _pooled(wanted.sequences, told, system_names(own))
    return Reading(_with_human(pool, wanted.sequences, seed) if human else pool, tuple(defects))


def _sequences(
    submissions: Sequence[Path], references: Sequence[Path]
) -> tuple[References | None, list[Defect]]:
    if references:
        reading = read_references({"references": references}, VistOptions())
        if reading.data is None:
            return None, list(reading.defects)
        return References(reading.data.scored, reading.data.named_by), list(reading.defects)
    return _common(submissions)


def _common(submissions: Sequence[Path]) -> tuple[References | None, list[Defect]]:
    """The sequences of which every submission has a story."""
    defects: list[Defect] = []
    common: dict[SequenceKey, str] | None = None
    for path in submissions:
        file = read_json(path, damaged="replace")
        entries, faults = read_entries(file) if file.sound else (None, ())
        if entries is None:
            return None, [*defects, *file.defects, *faults]
        there = {one.photos: one.album or "" for one in entries if one.photos is not None}
        common = there if common is None else {k: v for k, v in common.items() if k in there}
    if not common:
        found = "The submissions have no photo sequence in common."
        place = Place(str(submissions[0]))
        return None, [error(place, found, hint="Check that they are of one competition.")]
    sequences = tuple(PhotoSequence(photos, album, ()) for photos, album in common.items())
    return References(sequences, "every submission"), defects


def _pooled(
    sequences: Sequence[PhotoSequence], told: Sequence[Submission], names: Sequence[str]
) -> Pool:
    return Pool(
        tuple(names),
        tuple(one.photos for one in sequences),
        tuple(tuple(each.stories[one.photos] for each in told) for one in sequences),
    )


def _with_human(pool: Pool, sequences: Sequence[PhotoSequence], seed: int) -> Pool:
    dice = random.Random(f"human {seed}")  # noqa: S311 - a sample, no secret
    name = HUMAN
    while name in pool.systems:
        name = f"{name} (people)"
    drawn = [dice.choice(one.stories).text for one in sequences]
    stories = tuple((*row, text) for row, text in zip(pool.stories, drawn, strict=True))
    return Pool((*pool.systems, name), pool.sequences, stories)
