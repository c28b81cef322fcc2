"""Downloads of all platforms, joined to the files that were listed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurydesk.core.intake.platforms.codabench import read_codabench
from jurydesk.core.intake.platforms.codalab import read_codalab
from jurydesk.core.intake.platforms.evalai import read_evalai
from jurydesk.core.intake.platforms.grand_challenge import read_grand_challenge
from jurydesk.core.intake.platforms.kaggle import read_kaggle
from jurydesk.core.intake.platforms.records import Download, DownloadFiles
from jurydesk.core.intake.platforms.tira import read_tira
from jurydesk.core.intake.resolve import moved_warning
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import InputFile, Parts
from jurydesk.core.model.platform_entry import PlatformEntry, entry_json

PLATFORMS: tuple[Callable[[DownloadFiles], Download | None], ...] = (
    *(read_codabench, read_evalai, read_codalab, read_grand_challenge, read_tira, read_kaggle),
)
SHOWN_TEAMS = 10
"""Teams with several entries in a phase that have a sentence of their own."""
FINISHED = frozenset(("finished", "succeeded", ""))


@dataclass(frozen=True, slots=True)
class Joined:
    """Files with their entries, without those that the platform wrote, and what it said."""

    files: tuple[InputFile, ...]
    downloads: tuple[Download, ...]
    defects: tuple[Defect, ...]


def read_downloads(files: DownloadFiles) -> tuple[Download, ...]:
    """Return what each platform recognizes among the files."""
    return tuple(filter(None, (read(files) for read in PLATFORMS)))


def join_downloads(
    files: Sequence[InputFile],
    places: Mapping[Path, Parts],
    archives: Iterable[Parts],
    given: Iterable[Parts],
) -> Joined:
    """Return the files with the entries of their platforms.

    `places` are those of the files, `archives` of all archives, and `given` of what was given.
    """
    found = DownloadFiles.of(
        {places[one.path]: one.path for one in files if one.path in places},
        frozenset(archives),
        frozenset(given),
    )
    downloads = read_downloads(found)
    entries = {
        place: one.entries[key]
        for one in downloads
        for place, key in one.places.items()
        if key in one.entries
    }
    records = {path for one in downloads for path in one.records}
    joined = tuple(
        replace(one, entry=_entry_at(places.get(one.path, ()), entries))
        for one in files
        if one.path not in records
    )
    read = {str(path) for path in records}
    defects = tuple(
        one for one in found.defects if downloads and (has_errors([one]) or one.place.path in read)
    )
    for one in downloads:
        defects = (*defects, *one.defects, *_remarks(one, files))
    return Joined(joined, downloads, defects)


def _entry_at(place: Parts, entries: Mapping[Parts, PlatformEntry]) -> PlatformEntry | None:
    ends = (place[:end] for end in range(1, len(place) + 1))
    return next((entries[one] for one in ends if one in entries), None)


def _remarks(one: Download, files: Sequence[InputFile]) -> Iterator[Defect]:
    """Yield what an organiser must know: unfinished entries, several of a team, absent files."""
    path = next(iter(sorted(map(str, one.records))), str(files[0].path) if files else "")
    place, entries = Place(path), list(one.entries.values())
    other = [e for e in entries if e.status.casefold() not in FINISHED]
    if other:
        names = name_list([f"{e.id} ({e.status})" for e in other])
        text = fill("{entries} not finished on {platform}: {names}.",
                    counted(len(other), "entry", "entries"), one.platform, names)  # fmt: skip
        scored = translatable("They are scored here as well, if their files are there.")
        yield note(place, text, scored, count=len(other))
    groups: dict[tuple[str, str], list[PlatformEntry]] = defaultdict(list)
    for entry in entries:
        groups[entry.team, entry.phase or entry.phase_id].append(entry)
    repeated = [(group, several) for group, several in groups.items() if len(several) > 1]
    for (team, phase), several in repeated[:SHOWN_TEAMS]:
        shown = [e.id for e in several if e.details.get("on_board")]
        if shown:
            text = fill("{team} has {count} entries in {phase}; the server shows {ids}.",
                        team, len(several), phase or "-", name_list(shown))  # fmt: skip
            yield note(place, text)
    rest = len(repeated) - SHOWN_TEAMS
    if rest > 0:
        text = fill("{teams} more with several entries in a phase.", counted(rest, "team"))
        yield note(place, text, "", count=rest)
    if one.odd_times:
        text = fill("{times} not read, such as {time}.",
                    counted(len(one.odd_times), "time"), one.odd_times[0][:40])  # fmt: skip
        yield warning(place, text, "These entries have no exact time.", count=len(one.odd_times))
    if one.moved:
        yield moved_warning(place, one.moved)
    absent = [key for key in one.without_file if not one.entries[key].details.get("deleted")]
    if absent and one.places:
        text = fill("{entries} without a file: {names}.",
                    counted(len(absent), "entry", "entries"), name_list(absent))  # fmt: skip
        yield warning(place, text, "", "Download their files, too.", count=len(absent))


def choose_phase(
    files: Sequence[InputFile], phase: str
) -> tuple[list[InputFile], tuple[Defect, ...]]:
    """Return the files of one phase, by its name or number, and those of no platform.

    Without a phase all files are returned, with a remark if they are of several.
    """
    names = dict.fromkeys(
        one.entry.phase or one.entry.phase_id for one in files if one.entry is not None
    )
    phases = name_list(list(filter(None, names)), 9)
    if not names:
        return list(files), ()
    place = Place(str(files[0].path))
    if not phase:
        text = fill("Entries of several phases: {phases}.", phases)
        hint = translatable("All are taken in; --phase takes those of one.")
        return list(files), (note(place, text, hint),) if len(names) > 1 else ()
    chosen = [
        one for one in files if one.entry is None or phase in (one.entry.phase, one.entry.phase_id)
    ]
    if not any(one.entry for one in chosen):
        text = fill("No entry is of the phase {phase}. Phases: {phases}.", phase, phases)
        return chosen, (error(place, text),)
    return chosen, ()


def downloads_json(downloads: Sequence[Download], defects: Sequence[Defect]) -> Json:
    """Return what downloads contain as JSON values."""
    from jurydesk.core.model.json_codec import to_json

    return {
        "schema": 1,
        "platforms": [one.platform for one in downloads],
        "submissions": [entry_json(entry) for one in downloads for entry in sorted_entries(one)],
        "missing": [name for one in downloads for name in one.missing],
        "without_file": [
            entry_json(one.entries[key])["id"] for one in downloads for key in one.without_file
        ],
        "jobs": [job for one in downloads for job in one.jobs],
        "defects": to_json(list(defects)),
    }


def sorted_entries(download: Download) -> list[PlatformEntry]:
    """Return the entries by number, or by id."""
    return sorted(
        download.entries.values(),
        key=lambda e: (whole_number(e.id) is None, whole_number(e.id) or 0, e.id),
    )
