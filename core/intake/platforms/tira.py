"""Downloads of TIRA: folders of runs, of which evaluations are runs as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from jurydesk.core.intake.platforms.records import Download, DownloadFiles, beginning
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import Place, note
from jurydesk.core.model.input_file import Parts

PLATFORM = "TIRA"
RUNS, RUN = "runs", "run.prototext"
_ID = re.compile(r"\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d")
_FIELD = re.compile(r'^[ \t]*(\w+)[ \t]*:[ \t]*(?:"((?:[^"\\]|\\.)*)"|(\S+))', re.MULTILINE)
_MEASURE = re.compile(r'key\s*:\s*"((?:[^"\\]|\\.)*)"\s*value\s*:\s*"((?:[^"\\]|\\.)*)"')
MAX_BYTES = 1 << 20


def read_tira(files: DownloadFiles) -> Download | None:
    """Return what the folders of runs say; None if there are none."""
    runs = {place[:-1]: path for place, path in files.files.items() if _is_run(place)}
    for folder in [one for one in runs if any(one[:end] in runs for end in range(1, len(one)))]:
        del runs[folder]  # a participant's own file in the output of a run
    if not runs:
        return None
    found, own, deleted = Download(PLATFORM), set(), []
    fields = {folder: dict(_fields(path)) for folder, path in runs.items()}
    for folder, known in fields.items():
        inside = {place: files.files[place] for place in files.below(folder)}
        outputs = sorted(
            p for p in inside if len(p) > len(folder) + 1 and p[len(folder)] == "output"
        )
        found.records |= {path for place, path in inside.items() if place not in outputs}
        if known.get("inputRun"):
            found.records |= set(inside.values())
            for place in outputs:
                if place[-1] == "evaluation.prototext":
                    found.update(known["inputRun"], server=dict(_measures(files.files[place])),
                                 details={"evaluation": folder[-1]})  # fmt: skip
            continue
        if known.get("deleted") == "true":
            deleted.append(folder[-1])
            found.records |= set(inside.values())
            continue
        own.add(folder[-1])
        _add(folder, known, outputs, files, found)
    for key in found.entries.keys() - own:
        del found.entries[key]  # the evaluation of a deleted run, or of one that is not there
    first = Place(str(next(iter(runs.values()))))
    zone = translatable("The times of TIRA's runs have no zone.")
    found.defects.append(note(first, zone, "They were read as UTC."))
    if deleted:
        text = fill("{runs} deleted: {names}.", counted(len(deleted), "run"), name_list(deleted))
        left_out = translatable("Deleted runs were left out.")
        found.defects.append(note(first, text, left_out, count=len(deleted)))
    return found


def _is_run(place: Parts) -> bool:
    return len(place) >= 2 and place[-1] == RUN and bool(_ID.fullmatch(place[-2]))


def _fields(path: Path) -> Iterator[tuple[str, str]]:
    for match in _FIELD.finditer(beginning(path, MAX_BYTES)):
        yield match[1], match[3] if match[2] is None else match[2]


def _measures(path: Path) -> Iterator[tuple[str, str]]:
    for match in _MEASURE.finditer(beginning(path, MAX_BYTES)):
        yield match[1], match[2]


def _add(
    folder: Parts,
    known: dict[str, str],
    outputs: list[Parts],
    files: DownloadFiles,
    found: Download,
) -> None:
    """Add a run; its team is the folder above it, which the archive of one run lacks."""
    above = folder[-3:-2] == (known.get("inputDataset"),)
    team = folder[-2] if above and folder[:-1] not in files.archives else ""
    runs = team and folder[-4:-3] == (RUNS,)
    start = len(folder) - (4 if runs else 3 if team else 1)
    try:
        time = datetime.strptime(folder[-1], "%Y-%m-%d-%H-%M-%S").replace(tzinfo=UTC)
    except ValueError:
        time = None
    for place in outputs:
        found.places[place] = folder[-1]
    found.update(
        folder[-1],
        team=team,
        received=time,
        received_known="exact" if time else "",
        file="/".join(outputs[0][start:]) if outputs else "",
        details={"dataset": known.get("inputDataset", ""), "deleted": False,
                 "software": known.get("softwareId", "")},
    )  # fmt: skip
