"""Downloads of EvalAI: the host's table of submissions, and files that were downloaded by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from jurydesk.core.intake.platforms.records import (
    MAX_TABLE_BYTES,
    Download,
    DownloadFiles,
    RecordTable,
    lacking_columns,
    last_part,
    number_leaves,
    read_json,
    without_copy_number,
)
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.defects import Place, error, warning
from jurydesk.core.model.input_file import Parts
from jurydesk.core.model.platform_entry import TEAM_ID
from jurydesk.core.readers.text_file import read_text

PLATFORM = "EvalAI"
TYPICAL = (
    *("Submitted File", "Submitted At", "Submission Result File", "Submission Number"),
    *("Challenge Phase", "Team Members", "Execution Time", "Stdout File", "Stderr File"),
    *("Submission Metadata File", "Method Name", "Submission Meta Attributes"),
)
"""Titles of EvalAI's tables alone; a host chooses any of them."""


def read_evalai(files: DownloadFiles) -> Download | None:
    """Return what a host's tables say; None if there are none."""
    tables = [table for table in files.tables if _is_submissions(table)]
    if not tables:
        return None
    found = Download(PLATFORM)
    by_name = _by_name(files, without_copy_number) | _by_name(files, str)
    for table in tables:
        found.records.add(table.path)
        if not table.has("id"):
            text = translatable("This is a participant's own table, not the host's: it has no ids.")
            hint = "Download the table as host of the challenge."
            found.defects.append(error(Place(str(table.path)), text, "It was left out.", hint))
            continue
        found.defects += lacking_columns(table, ("Team Name", "Submitted At", "Submitted File"))
        table = _rows_with_ids(table, found)
        _read(table, found)
        for row in table.records():
            result = _only_place(by_name, row.get("submission result file", ""), table, found)
            if result in files.files:
                found.records.add(files.files[result])
                text = (
                    read_text(files.files[result], limit=MAX_TABLE_BYTES, damaged="replace").data
                    or ""
                )
                found.update(row["id"], server=dict(number_leaves(read_json(text))))
            if file := _only_place(by_name, row.get("submitted file", ""), table, found):
                found.places[file] = row["id"]
    return found


def _by_name(files: DownloadFiles, named: Callable[[str], str]) -> dict[str, list[Parts]]:
    """Return the outermost places of each name: what is in an archive takes no other's place."""
    found: dict[str, list[Parts]] = {}
    depths = {place: len(files.local(place)) for place in (*files.files, *files.archives)}
    for place in sorted(depths, key=lambda one: (depths[one], one)):
        several = found.setdefault(named(place[-1]), [])
        if not several or depths[several[0]] == depths[place]:
            several.append(place)
    return found


def _only_place(
    by_name: Mapping[str, Sequence[Parts]], address: str, table: RecordTable, found: Download
) -> Parts:
    """Return the place of the file of an address; empty, with a warning, if several have its name.

    None is guessed: it would be another team's.
    """
    name = last_part(address)
    several = by_name.get(name, ())
    if len(several) > 1:
        text = fill("{files} have the name {name}.", counted(len(several), "file"), name)
        effect = translatable("The table is joined with none of them.")
        found.defects.append(warning(Place(str(table.path)), text, effect))
    return several[0] if len(several) == 1 else ()


def _is_submissions(table: RecordTable) -> bool:
    """Return whether a table is a host's, of chosen columns, or a participant's."""
    known = sum(table.has(title) for title in TYPICAL)
    if table.header[0].strip() == "id":
        return known >= 2 or (known == 1 and (table.has("Team Name") or table.has("Status")))
    return bool(known) and table.has("Status") and (
        table.has("Team Name") or table.has("Submitted File")
    )  # fmt: skip


def _rows_with_ids(table: RecordTable, found: Download) -> RecordTable:
    """Return the table without rows that have no id, which would be one entry; count them."""
    named = [row for row, one in zip(table.rows, table.records(), strict=True) if one["id"]]
    if lacking := len(table.rows) - len(named):
        text = fill("{rows} without an id.", counted(lacking, "row"))
        place = Place(str(table.path))
        found.defects.append(warning(place, text, "They are left out.", count=lacking))
    return replace(table, rows=tuple(named))


def _read(table: RecordTable, found: Download) -> None:
    owners = _owners(table)
    users_of: dict[str, set[str]] = defaultdict(set)
    for team, user in owners:
        users_of[team] |= {user} - {""}
    shared = {name: sorted(users) for name, users in users_of.items() if len(users) > 1}
    for name, users in sorted(shared.items()):
        text = fill("{count} teams have the name {name}: {ids}.", len(users), name,
                    name_list(users))  # fmt: skip
        apart = translatable("Their members tell them apart.")
        found.defects.append(warning(Place(str(table.path)), text, apart))
    for row, (team, user) in zip(table.records(), owners, strict=True):
        time = found.time(row.get("submitted at", ""))
        found.update(
            row["id"],
            team=row.get("team name", ""),
            phase=row.get("challenge phase", ""),
            status=row.get("status", ""),
            received=time,
            received_known="exact" if time else "",
            file=last_part(row.get("submitted file", "")),
            details=_details(row.get("submission number", ""), row.get("created by", ""))
            | ({TEAM_ID: user} if team in shared else {}),
        )


def _owners(table: RecordTable) -> list[tuple[str, str]]:
    """Return the team of each row, with a member: teams of one name have no member in common.

    The member is empty where the table names no team or no members.
    """
    rows = [(row.get("team name", ""), row.get("team members", "")) for row in table.records()]
    given = [(name, {one.strip() for one in text.split(",")} - {""}) for name, text in rows]
    groups: dict[tuple[str, str], set[str]] = {}
    for name, some in given:
        met = [groups[name, one] for one in some if (name, one) in groups]
        largest = max(met, key=len, default=set())
        for one in some.union(*(group for group in met if group is not largest)):
            largest.add(one)
            groups[name, one] = largest
    first = {key: min(group) for key, group in {id(one): one for one in groups.values()}.items()}
    return [
        (name, first[id(groups[name, min(some)])] if name and some else "") for name, some in given
    ]


def _details(number: str, user: str) -> dict[str, object]:
    details: dict[str, object] = {"user": user} if user else {}
    known = whole_number(number)
    return details if known is None else {**details, "number": known}
