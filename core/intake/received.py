"""The organiser's own list of when each submission came in, which weighs more than file times."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from pathlib import Path

from core.defects import Defect, Place, error
from core.intake.times import TimeError, moment
from core.task import Reading
from core.tasks.text_file import read_text

MOST_BYTES = 16 << 20
EXPECTED = "A line is: file or team, time (2018-05-01 22:10 or 2018-05-01T20:10Z)."

Received = Mapping[str, datetime]
"""Moments in UTC by the name of a file, its path in the folder, or a team."""


def read_received(path: Path, zone: tzinfo) -> Reading[Received]:
    """The list of a CSV file with two columns; times without a zone are those of `zone`."""
    text = read_text(path, limit=MOST_BYTES)
    if text.data is None:
        return Reading(None, text.defects)
    rows = csv.reader(text.data.splitlines())
    try:
        found, defects = _times(rows, path, zone)
    except csv.Error as wrong:
        place = Place(str(path), rows.line_num)
        return Reading(None, (*text.defects, error(place, f"The line is damaged: {wrong}.")))
    return Reading(None if defects else found, (*text.defects, *defects))


def _times(
    rows: Iterable[list[str]], path: Path, zone: tzinfo
) -> tuple[dict[str, datetime], list[Defect]]:
    found: dict[str, datetime] = {}
    defects: list[Defect] = []
    for number, row in enumerate(rows, start=1):
        if not any(cell.strip() for cell in row):
            continue
        place = Place(str(path), number)
        if len(row) != 2:
            defects.append(error(place, f"The line has {len(row)} columns.", EXPECTED))
            continue
        name, when = (cell.strip() for cell in row)
        try:
            found[name] = moment(when, zone)
        except TimeError as wrong:
            if number > 1:  # the first line may hold the columns' names
                defects.append(error(place, str(wrong), EXPECTED))
    return found, defects
