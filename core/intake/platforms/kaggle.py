"""Downloads of Kaggle: the board, and the solution whose rows have a usage."""

from __future__ import annotations

from collections import Counter, defaultdict

from jurydesk.core.intake.platforms.records import (
    Download,
    DownloadFiles,
    RecordTable,
    lacking_columns,
)
from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.defects import Place, note, warning
from jurydesk.core.model.platform_entry import TEAM_ID

PLATFORM = "Kaggle"
USAGES = frozenset(("Public", "Private", "Ignored"))


def read_kaggle(files: DownloadFiles) -> Download | None:
    """Return what boards say; None if there are none."""
    boards = [table for table in files.tables if table.has("TeamId", "TeamName")]
    if not boards:
        return None
    found = Download(PLATFORM)
    for table in boards:
        found.records.add(table.path)
        found.defects += lacking_columns(table, ("Score",))
        _read(table, found)
    for table in files.tables:
        if table.has("Usage") and {row["usage"] for row in table.records()} <= USAGES:
            counts: dict[str, int] = defaultdict(int)
            for row in table.records():
                counts[row["usage"]] += 1
            parts = name_list([f"{name} {count:,}" for name, count in sorted(counts.items())])
            text = fill("The solution has rows by usage: {parts}.", parts)
            advice = translatable("The board shows the score of one part, not of all rows.")
            found.records.add(table.path)
            found.defects.append(note(Place(str(table.path)), text, advice))
    _join_files(files, found)
    return found


def _read(table: RecordTable, found: Download) -> None:
    teams: dict[str, list[str]] = defaultdict(list)
    for row in table.records():
        time = found.time(row.get("lastsubmissiondate") or row.get("submissiondate") or "")
        if row["teamid"] not in teams[row["teamname"]]:
            teams[row["teamname"]].append(row["teamid"])
        counts = {
            "rank": whole_number(row.get("rank", "")),
            "number": whole_number(row.get("submissioncount", "")),
        }
        found.update(
            row["teamid"],
            team=row["teamname"],
            received=time,
            received_known="exact" if time else "",
            server={"Score": row["score"]} if row.get("score") else {},
            details={name: number for name, number in counts.items() if number is not None},
        )
    for name, ids in teams.items():
        if len(ids) > 1:
            text = fill(
                "{count} teams have the name {name}: {ids}.", len(ids), name, name_list(ids)
            )
            same = translatable("Their ids tell them apart.")
            found.defects.append(warning(Place(str(table.path)), text, same))
            for key in ids:
                found.update(key, details={TEAM_ID: key})


def _join_files(files: DownloadFiles, found: Download) -> None:
    """Join files to the teams whose id, or only name, is that of the file or its folder."""
    times = Counter(entry.team for entry in found.entries.values())
    keys = {one.team: key for key, one in found.entries.items() if times[one.team] == 1}
    keys |= {key: key for key in found.entries}
    for place in files.files:
        names = (place[-1].rpartition(".")[0], *files.local(place)[1:-1])
        for name in names:
            if name in keys:
                found.places[place] = keys[name]
                found.update(keys[name], file=place[-1])
