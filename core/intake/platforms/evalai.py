"""Downloads of EvalAI: the host's table of submissions, and files that were downloaded by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.defects import Place, error, warning
from jurydesk.core.model.input_file import Parts
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
    given = (*files.files, *files.archives)
    by_name = _by_name(given, without_copy_number) | _by_name(given, str)
    for table in tables:
        found.records.add(table.path)
        if not table.has("id"):
            text = translatable("This is a participant's own table, not the host's: it has no ids.")
            hint = "Download the table as host of the challenge."
            found.defects.append(error(Place(str(table.path)), text, "It was left out.", hint))
            continue
        found.defects += lacking_columns(table, ("Team Name", "Submitted At", "Submitted File"))
        _read(table, found)
        for row in table.records():
            results = by_name.get(last_part(row.get("submission result file", "")), [])
            result = results[0] if len(results) == 1 else ()
            if result in files.files:
                found.records.add(files.files[result])
                text = (
                    read_text(files.files[result], limit=MAX_TABLE_BYTES, damaged="replace").data
                    or ""
                )
                found.update(row["id"], server=dict(number_leaves(read_json(text))))
            name = last_part(row.get("submitted file", ""))
            several = by_name.get(name, [])
            if len(several) == 1:
                found.places[several[0]] = row["id"]
            elif several:
                text = fill("{files} have the name {name}.", counted(len(several), "file"), name)
                effect = fill("The entry {id} is joined with none of them.", row["id"])
                found.defects.append(warning(Place(str(table.path)), text, effect))
    return found


def _by_name(given: Sequence[Parts], named: Callable[[str], str]) -> dict[str, list[Parts]]:
    """Return the outermost places of each name: what is in an archive takes no other's place."""
    found: dict[str, list[Parts]] = {}
    for place in sorted(given, key=len):
        several = found.setdefault(named(place[-1]), [])
        if not several or len(several[0]) == len(place):
            several.append(place)
    return found


def _is_submissions(table: RecordTable) -> bool:
    """Return whether a table is a host's, of chosen columns, or a participant's."""
    known = sum(table.has(title) for title in TYPICAL)
    if table.header[0].strip() == "id":
        return known >= 2 or (known == 1 and (table.has("Team Name") or table.has("Status")))
    return bool(known) and table.has("Status") and (
        table.has("Team Name") or table.has("Submitted File")
    )  # fmt: skip


def _read(table: RecordTable, found: Download) -> None:
    for row in table.records():
        time = found.time(row.get("submitted at", ""))
        found.update(
            row["id"],
            team=row.get("team name", ""),
            phase=row.get("challenge phase", ""),
            status=row.get("status", ""),
            received=time,
            received_known="exact" if time else "",
            file=last_part(row.get("submitted file", "")),
            details=_details(row.get("submission number", ""), row.get("created by", "")),
        )


def _details(number: str, user: str) -> dict[str, object]:
    details: dict[str, object] = {"user": user} if user else {}
    return details | ({"number": int(number)} if number.isdigit() else {})
