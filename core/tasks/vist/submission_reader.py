"""Reading a submission: one system's story of every sequence that counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.defects import Defect, counted, error, has_errors, listing, note, warning
from core.model import Json
from core.task import Reading
from core.tasks.json_attributes import text
from core.tasks.json_file import JsonFile, read_json
from core.tasks.vist.defect_list import DefectList
from core.tasks.vist.options import VistOptions
from core.tasks.vist.output_stories import (
    OUTPUT_STORIES,
    Entry,
    place_of,
    read_entries,
    repetitions,
)
from core.tasks.vist.stories import References, SequenceKey, Submission, naming, sequence_id

HAS_TWO_STORIES = "the sequence has two stories"
IS_MISSING = "the story is missing"


def read_submission(
    path: Path, references: References, options: VistOptions
) -> Reading[Submission]:
    """The stories of the sequences that count, and everything that is wrong with the file.

    Errors are what the challenge's program refuses; stories of other sequences are ignored.
    """
    file = read_json(path, damaged="replace")
    if not file.sound:
        return Reading(None, file.defects)
    entries, faults = read_entries(file)
    name, about = _system(file.data)
    if entries is None:
        return Reading(None, (*file.defects, *faults), name, about)
    wrong = DefectList((*file.defects, *faults))
    wrong.extend(_twice(file, entries))
    wrong.extend(_missing(file, entries, references))
    told = (*wrong.told(), *_remarks(file, entries, references, options))
    if has_errors(told):
        return Reading(None, told, name, about)
    stories = {entry.photos: entry.text for entry in entries if entry.photos is not None}
    scored = {sequence.photos: stories[sequence.photos] or "" for sequence in references.sequences}
    return Reading(Submission(name, about, scored), told, name, about)


def _system(data: Json) -> tuple[str, str]:
    """The system's name and its description, where the file gives them as text."""
    if not isinstance(data, dict):
        return "", ""
    info = data.get("evaluation_info")
    about = info.get("additional_description") if isinstance(info, dict) else None
    return (text(data.get("team_name")) or "").strip(), (text(about) or "").strip()


def _twice(file: JsonFile, entries: list[Entry]) -> Iterator[Defect]:
    for first, again in repetitions(entries):
        line = file.line(OUTPUT_STORIES.name, first.index)
        there = f"{OUTPUT_STORIES.name}[{first.index}]"
        if line is not None:
            there += f", line {line}"
        found = f"{again}: {HAS_TWO_STORIES}, here and at {there}."
        hint = "Keep one of them."
        yield error(place_of(file, again.index), found, "One story is expected.", hint)


def _missing(file: JsonFile, entries: list[Entry], references: References) -> Iterator[Defect]:
    there = {entry.photos for entry in entries}
    for sequence in references.sequences:
        if sequence.photos not in there:
            found = f"{naming(sequence.album, sequence.photos)}: {IS_MISSING}."
            expected = f"{references.named_by} asks for it."
            yield error(file.place(OUTPUT_STORIES.name), found, expected, "Add the story.")


def _remarks(
    file: JsonFile, entries: list[Entry], references: References, options: VistOptions
) -> Iterator[Defect]:
    """What is no error: equal stories, empty ones, unknown sequences, characters."""
    place = file.place(OUTPUT_STORIES.name)
    known = {sequence.photos for sequence in references.sequences}
    scored = [entry for entry in entries if entry.photos in known and entry.text is not None]
    texts = [entry.text or "" for entry in scored]
    if len(texts) > 1 and len(set(texts)) == 1:
        found = f"All {len(texts):,} stories are the same."
        yield warning(place, found, "A story for each sequence is expected.", count=len(texts))
    empty = [entry for entry in scored if not (entry.text or "").strip()]
    if empty:
        found = f"{counted(len(empty), 'empty story', 'empty stories')}."
        yield note(place_of(file, empty[0].index), found, "They score 0.", count=len(empty))
    yield from _unknown(file, entries, known, references)
    count, sentence = options.beyond_ascii(texts)
    if count:
        yield note(place, sentence, count=count)


def _unknown(
    file: JsonFile, entries: list[Entry], known: set[SequenceKey], references: References
) -> Iterator[Defect]:
    unknown = [entry for entry in entries if entry.photos and entry.photos not in known]
    if unknown:
        names = listing([sequence_id(entry.photos or ()) for entry in unknown])
        found = (
            f"{counted(len(unknown), 'story', 'stories')} of sequences that "
            f"{references.named_by} does not name: {names}."
        )
        place = place_of(file, unknown[0].index)
        yield note(place, found, "They are ignored.", count=len(unknown))
