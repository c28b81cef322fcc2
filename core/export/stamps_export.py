"""Stamps inside exports, with which a table in a paper can be verified."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.model.stamp import StampError
from jurydesk.core.system.paths import distinct_names

Stamps = Mapping[int, Json]
"""Stamps of a desk by the ids of its summaries."""

IN_HTML = re.compile(r'<script type="application/json" id="stamps">(.*?)</script>', re.DOTALL)
IN_LATEX = "% stamp "
COLUMN = "stamp"
"""Column with the stamp of a row's system."""
STAMPS = "stamps"
"""Member or column with the stamps of all results; a column has them in its first row."""
BESIDE = "stamps beside"
"""Setting of a board in CSV whose stamps and settings are in a second file beside it; earlier ones
have both in every row."""
SECOND_SUFFIX = ".stamps.json"
SETTINGS_IN_LATEX = "% settings "
SETTINGS = "settings"
SEVERAL, SINGLE = ("references", "folders"), ("submission", "groups")
"""Members of a stamp with input files."""
NO_NAMES: Mapping[str, str] = MappingProxyType({})
MAX_CELL_LENGTH = 1 << 24


def second_file(table: Path) -> Path:
    """Return the path of the stamps and settings of a board in CSV."""
    return table.with_suffix(SECOND_SUFFIX)


def stamp_text(stamp: Json) -> str:
    """Return a stamp as one line of ASCII; empty without a stamp."""
    return json.dumps(stamp, separators=(",", ":"), allow_nan=False) if stamp else ""


def published_source(source: Json, names: Mapping[str, str] = NO_NAMES) -> Json:
    """Return an input's record as it is published: its name in the place of its local path."""
    if not source:
        return source
    path = str(source["path"])
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    return {**source, "path": names.get(path, name)}


def published_stamps(stamps: Sequence[Json]) -> list[Json]:
    """Return stamps without the paths of this computer, which name users and folders.

    Files of one name keep as many of their folders as tell them apart.
    """
    listed = [one for stamp in stamps if stamp for one in _sources(stamp)]
    names = distinct_names({str(one["path"]) for one in listed})
    return [_published_stamp(stamp, names) for stamp in stamps]


def published_by_id(stamps: Stamps) -> Stamps:
    """Return the stamps of a desk without the paths of this computer."""
    return dict(zip(stamps, published_stamps(list(stamps.values())), strict=True))


def _sources(stamp: Json) -> Iterator[Json]:
    yield from (one for name in SEVERAL for one in stamp.get(name, ()))
    yield from filter(None, map(stamp.get, SINGLE))


def _published_stamp(stamp: Json, names: Mapping[str, str]) -> Json:
    if not stamp:
        return stamp
    several = {
        name: [published_source(one, names) for one in stamp[name]]
        for name in SEVERAL
        if name in stamp
    }
    single = {name: published_source(stamp[name], names) for name in SINGLE if name in stamp}
    return {**stamp, **several, **single}


def stamps_json(board: Leaderboard, stamps: Stamps, settings: Json = None) -> Json:
    """Return the stamps of a board's systems in the format of `score --json`, and its settings."""
    named = [(row.summary.system, stamps.get(row.summary.id)) for row in board.rows]
    systems = [{"name": name, "stamp": stamp} for name, stamp in named if stamp]
    return {"schema": SCHEMA, "task": board.task, SETTINGS: settings, "systems": systems}


def latex_comments(board: Leaderboard, stamps: Stamps) -> Iterator[str]:
    """Yield comment lines with the stamps of the board's systems."""
    found = [stamps[row.summary.id] for row in board.rows if row.summary.id in stamps]
    if found:
        yield "% Stamps of these numbers: `jurydesk verify` with this file recomputes them."
    for stamp in found:
        yield f"% {' '.join(str(stamp['short']).split())}"
        yield f"{IN_LATEX}{stamp_text(stamp)}"


def origin_comments(stamps: Sequence[Json], settings: Json) -> bytes:
    """Return comment lines of LaTeX with stamps and settings."""
    lines = "".join(f"{IN_LATEX}{stamp_text(stamp)}\n" for stamp in stamps)
    return lines.encode("ascii") + settings_comment(settings)


def settings_comment(settings: Json) -> bytes:
    """Return the settings of a LaTeX export as a comment line."""
    return f"{SETTINGS_IN_LATEX}{stamp_text(settings)}\n".encode("ascii")


@contextlib.contextmanager
def allow_long_cells() -> Iterator[None]:
    """Allow CSV cells as long as a stamp."""
    previous = csv.field_size_limit(MAX_CELL_LENGTH)
    try:
        yield
    finally:
        csv.field_size_limit(previous)


def has_short_stamps(text: str) -> bool:
    """Return whether a text is a table whose rows have stamps in their short form."""
    with allow_long_cells(), contextlib.suppress(csv.Error):
        rows = csv.DictReader(io.StringIO(text, newline=""))
        return any("|" in (row.get(COLUMN) or "").split("{")[0] for row in rows)
    return False


def read_stamps(text: str, *, allow_none: bool = False) -> Sequence[Json]:
    """Return the stamps in an HTML, LaTeX, CSV or JSON lines export, each once.

    Raises StampError if there are none, unless `allow_none`.
    """
    if has_short_stamps(text):
        raise StampError(
            "The stamps of this table are in a second file, NAME.stamps.json: put it beside the "
            "table."
        )
    try:
        found = _read_html(text) or _read_latex(text, IN_LATEX) or _read_csv(text, COLUMN)
        found = found or [one for listed in _read_table(text, STAMPS) for one in listed]
    except (ValueError, TypeError, csv.Error) as error:
        raise StampError(
            fill("The stamps in the file are damaged: {error}.", Message(str(error)))
        ) from error
    if not found and not allow_none:
        raise StampError(
            "The file contains no stamp. Desks, certificates, stamps, and exports as CSV, HTML, "
            "JSON, JSON lines and LaTeX can be verified."
        )
    return [one for number, one in enumerate(found) if one not in found[:number]]


def read_export_settings(text: str) -> Json:
    """Return the settings in an HTML, LaTeX, CSV or JSON lines export, or None.

    Raises StampError if they are no JSON, or if the file has several that differ.
    """
    try:
        if IN_HTML.search(text) is not None:
            return _html_element(text).get(SETTINGS)
        found = _read_latex(text, SETTINGS_IN_LATEX) or _read_table(text, SETTINGS)
    except (ValueError, csv.Error) as error:
        raise StampError(
            fill("The settings in the file are damaged: {error}.", Message(str(error)))
        ) from error
    if any(one != found[0] for one in found):
        raise StampError("The settings in the file contradict each other.")
    return found[0] if found else None


def read_record_origin(record: Mapping[str, Json]) -> tuple[Sequence[Json], Json]:
    """Return the stamps and the settings in the first record of a table.

    Raises StampError if they are no JSON.
    """
    try:
        return list(_parse(record[STAMPS])), _parse(record[SETTINGS])
    except (KeyError, TypeError, ValueError) as error:
        raise StampError(
            fill("The stamps in the file are damaged: {error}.", Message(str(error)))
        ) from error


def _parse(text: str) -> Json:
    """Return the value of a JSON text; ValueError also for an object with a member twice."""
    return parse_json(text, unique=True)


def _html_element(text: str) -> dict[str, Json]:
    element = IN_HTML.search(text)
    found = {} if element is None else _parse(element[1])
    return found if isinstance(found, dict) else {}


def _read_html(text: str) -> list[Json]:
    systems = _html_element(text).get("systems") or []
    return [one["stamp"] for one in systems if isinstance(one, dict) and one.get("stamp")]


def _read_latex(text: str, head: str) -> list[Json]:
    lines = (line for line in text.splitlines() if line.startswith(head))
    return [_parse(line.removeprefix(head)) for line in lines]


def _read_table(text: str, column: str) -> list[Json]:
    """Return the values of a column of CSV, or of a member of JSON lines."""
    if not text.startswith("{"):
        return _read_csv(text, column)
    first = _parse(text.split("\n", 1)[0])
    return [_parse(first[column])] if column in first else []


def _read_csv(text: str, column: str) -> list[Json]:
    with allow_long_cells():
        rows = csv.DictReader(io.StringIO(text, newline=""))
        if column not in (rows.fieldnames or ()):
            return []
        return [_parse(row[column]) for row in rows if row.get(column)]
