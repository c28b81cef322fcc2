"""Downloads of grand-challenge: tables of evaluations, and the jobs of an algorithm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jurydesk.core.intake.platforms.records import (
    MAX_TABLE_BYTES,
    Download,
    DownloadFiles,
    RecordTable,
    lacking_columns,
    last_part,
    number_leaves,
    read_json,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.model.defects import Place, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import Parts
from jurydesk.core.readers.text_file import read_text

PLATFORM = "grand-challenge"
METRICS = "metrics-json-file"


def read_grand_challenge(files: DownloadFiles) -> Download | None:
    """Return what tables of evaluations and lists of jobs say; None if there are none."""
    found = Download(PLATFORM)
    newest: dict[str, tuple[str, str]] = {}
    for table in files.tables:
        if table.has("pk", "submission", "outputs", "status"):
            found.records.add(table.path)
            _read(table, found, newest)
    for place, path, content in (*files.documents, *_beside_jobs(files)):
        if _is_jobs(content):
            found.records.add(path)
            found.jobs += list(_jobs(place, content, files, found, path))
    by_submission = {str(e.details.get("submission")): key for key, e in found.entries.items()}
    for place in (*files.files, *files.archives):
        for key in filter(None, map(by_submission.get, place[:-1])):
            if place[-1] == found.entries[key].file:
                found.places[place] = key
                found.records -= {files.files[one] for one in files.below(place)}
    return found if found.records else None


def _read(table: RecordTable, found: Download, newest: dict[str, tuple[str, str]]) -> None:
    found.defects += lacking_columns(table, ("created", "rank"))
    again = 0
    for row in table.records():
        submission = read_json(row["submission"])
        if not isinstance(submission, dict):
            text = translatable("The column submission holds no JSON object.")
            left_out = translatable("The evaluation was left out.")
            found.defects.append(warning(Place(str(table.path)), text, left_out))
            continue
        key, created = str(submission.get("pk") or row["pk"]), row.get("created", "")
        if key in newest:
            again += 1
            if newest[key][0] >= created:
                continue
            del found.entries[newest[key][1]]
        newest[key] = (created, row["pk"])
        _add(row, submission, found)
    if again:
        text = fill("{entries} evaluated again.", counted(again, "submission"))
        newest_counts = translatable("The newest evaluation of each was used.")
        found.defects.append(note(Place(str(table.path)), text, newest_counts, count=again))


def _add(row: Mapping[str, str], submission: dict[str, Any], found: Download) -> None:
    time = found.time(str(submission.get("created") or ""))
    address = str(submission.get("predictions_file") or "")
    rank = row.get("rank", "")
    found.update(
        row["pk"],
        team=str(_member(submission, "creator", "username") or ""),
        phase=str(_member(submission, "phase", "title") or ""),
        status=row["status"],
        received=time,
        received_known="exact" if time else "",
        file=last_part(address),
        server=dict(_metrics(read_json(row["outputs"]))),
        details={
            "submission": str(submission.get("pk") or ""),
            "url": address,
            "rank": whole_number(rank),
        },
    )


def _member(value: Json, *names: str) -> Json:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _metrics(outputs: Json) -> Iterator[tuple[str, str]]:
    for one in outputs if isinstance(outputs, list) else ():
        if _member(one, "interface", "slug") == METRICS:
            yield from number_leaves(_member(one, "value"))


def _is_jobs(content: Json) -> bool:
    return isinstance(content, list) and bool(content) and all(
        isinstance(one, dict) and {"pk", "inputs", "outputs"} <= one.keys() for one in content
    )  # fmt: skip


def _beside_jobs(files: DownloadFiles) -> Iterator[tuple[Parts, Path, Json]]:
    """Yield JSON files deeper down, if folders of jobs lie beside them."""
    folders = {
        place[: at - 1] for place in files.files for at, name in enumerate(place)
        if name == "output" and 1 < at < len(place) - 1
    }  # fmt: skip
    known = {place for place, _, _ in files.documents}
    for place, path in files.files.items():
        if place[-1].lower().endswith(".json") and place[:-1] in folders - {()} and (
            place not in known
        ):  # fmt: skip
            text = read_text(path, limit=MAX_TABLE_BYTES, damaged="replace").data or ""
            yield place, path, read_json(text)


def _jobs(
    place: Parts, content: Json, files: DownloadFiles, found: Download, path: Path
) -> Iterator[Json]:
    """Yield id, key (the values or names of the inputs) and file of each output of each job."""
    missing = []
    for job in content:
        key = ", ".join(filter(None, (_name(one) for one in job["inputs"] or ())))
        for output in job["outputs"] or ():
            relative = _member(output, "interface", "relative_path")
            if _member(output, "file") is None or not isinstance(relative, str):
                continue
            parts = (str(job["pk"]), "output", *relative.split("/"))
            file = files.files.get((*place[:-1], *parts))
            if file:
                found.records.add(file)
            else:
                missing.append("/".join(parts))
            yield [str(job["pk"]), key, "/".join(parts)]
    for name in missing:
        text = fill("The output {name} of a job is not there.", name)
        hint = translatable("Download it again.")
        found.defects.append(warning(Place(str(path)), text, "", hint))


def _name(value: Json) -> str:
    image = _member(value, "image", "name")
    return str(image or _member(value, "value") or "")
