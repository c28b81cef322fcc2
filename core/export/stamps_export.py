"""Stamps inside exports, with which a table in a paper can be verified."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.model.stamp import StampError

Stamps = Mapping[int, Json]
"""Stamps of a desk by the ids of its summaries."""

IN_HTML = re.compile(r'<script type="application/json" id="stamps">(.*?)</script>', re.DOTALL)
IN_LATEX = "% stamp "
COLUMN = "stamp"
"""Column with the stamp of a row's system."""
STAMPS = "stamps"
"""Member or column with the stamps of all results; a column has them in its first row."""
SETTINGS_IN_LATEX = "% settings "
SETTINGS = "settings"
MAX_CELL_LENGTH = 1 << 24


def stamp_text(stamp: Json) -> str:
    """Return a stamp as one line of ASCII; empty without a stamp."""
    return json.dumps(stamp, separators=(",", ":"), allow_nan=False) if stamp else ""


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


def read_stamps(text: str, *, allow_none: bool = False) -> Sequence[Json]:
    """Return the stamps in an HTML, LaTeX, CSV or JSON lines export, each once.

    Raises StampError if there are none, unless `allow_none`.
    """
    try:
        found = _read_html(text) or _read_latex(text, IN_LATEX) or _read_csv(text, COLUMN)
        found = found or [one for listed in _read_table(text, STAMPS) for one in listed]
    except (ValueError, TypeError, csv.Error) as error:
        raise StampError(
            fill("The stamps in the file are damaged: {error}.", Message(str(error)))
        ) from error
    if not found and not allow_none:
        raise StampError(
            "The file contains no stamp. JSON, CSV, LaTeX and HTML exports contain stamps."
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
