"""Notes on reference files of any competition: texts that are empty, entries without a use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, note


def note_empty_references(place: Place, items: Sequence[str]) -> Iterator[Defect]:
    """Yield a note on references without a text, which are of these items."""
    if items:
        found = fill(
            "{references} without a text: {names}.",
            counted(len(items), "reference"),
            name_list(list(dict.fromkeys(items))),
        )
        yield note(place, found, "They are scored as empty texts.", count=len(items))


def note_unused_entries(place: Place, names: Sequence[str], where: str) -> Iterator[Defect]:
    """Yield a note on records of a file whose names are not in the file `where`."""
    if names:
        found = fill(
            "Not in {where}: {count} ({names}).",
            where,
            counted(len(names), "name"),
            name_list(names),
        )
        yield note(place, found, "They are not used.", count=len(names))


def note_unused_files(
    paths: Iterable[tuple[Path, str]], systems: Sequence[str]
) -> Iterator[Defect]:
    """Yield a note on each file that belongs, by its stem, to none of the systems, if any."""
    for path, stem in paths:
        if systems and stem not in systems:
            found = fill('No system is called "{stem}": this file is not used.', stem)
            hint = fill("Systems are: {names}.", name_list(systems))
            yield note(Place(str(path)), found, hint)
