"""Reading the template: the sequences that a submission must have, in the form of a submission."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.defects import Defect, has_errors, warning
from core.task import Reading
from core.tasks.json_file import read_json
from core.tasks.vist.output_stories import place_of, read_entries, repetitions
from core.tasks.vist.stories import SequenceKey


@dataclass(frozen=True, slots=True)
class Template:
    """The album of every sequence that counts, in the order of the file."""

    albums: dict[SequenceKey, str]
    name: str


def read_template(path: Path) -> Reading[Template]:
    """The sequences that the template names; its stories, mostly empty, are not looked at."""
    file = read_json(path, damaged="replace")
    if not file.sound:
        return Reading(None, file.defects)
    entries, defects = read_entries(file)
    told: list[Defect] = [*file.defects, *defects]
    if entries is None:
        return Reading(None, tuple(told))
    for first, again in repetitions(entries):
        found = f"{again}: the template names the sequence twice, first as story {first.index + 1}."
        told.append(warning(place_of(file, again.index), found, "It counts once."))
    albums = {entry.photos: entry.album or "" for entry in reversed(entries) if entry.photos}
    template = Template(dict(reversed(albums.items())), path.name)
    return Reading(None if has_errors(told) else template, tuple(told))
