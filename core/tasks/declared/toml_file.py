"""Text file of keys and values (TOML), with the line of each key, read as a stranger's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.core.language import fill, reason
from jurydesk.core.model.defects import Defect, Place, Reading, error
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.text_file import read_text

MOST_BYTES = 1 << 18
TOO_DEEP = "The values are nested too deeply to be read."
MOST_DOTS = 200
"""Dots of a line: the parser's time grows with the square of a key's parts."""
_HEADER = re.compile(r"\s*(\[\[?)([^\[\]#]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*([A-Za-z0-9_-]+|"[^"]*"|'[^']*')\s*(?:=|\.)""")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_AT_END = re.compile(r" \(at end of document\)$")


@dataclass(frozen=True, eq=False)
class TomlFile:
    """Content of a file, and the line of each key: `metrics.0.column`."""

    path: str
    data: Mapping[str, Json]
    lines: Mapping[str, int] = field(default_factory=dict)

    def place(self, *keys: str | int) -> Place:
        """Return the line of a key, else of the table that it is in."""
        for end in range(len(keys), 0, -1):
            if line := self.lines.get(".".join(map(str, keys[:end]))):
                return Place(self.path, line)
        return Place(self.path)


def read_toml(path: Path) -> Reading[TomlFile]:
    """Read a file of at most 256 KiB; what is wrong with it becomes a defect with its line."""
    reading = read_text(path, limit=MOST_BYTES)
    if reading.data is None:
        return Reading(None, reading.defects)
    for number, line in enumerate(reading.data.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            return Reading(None, (*reading.defects, error(Place(str(path), number), TOO_DEEP)))
    try:
        data = tomllib.loads(reading.data.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as fault:
        return Reading(None, (*reading.defects, _defect(path, reading.data, str(fault))))
    except RecursionError:
        return Reading(None, (*reading.defects, error(Place(str(path)), TOO_DEEP)))
    except ValueError:  # Python converts integers of at most 4,300 digits
        found = "A number has too many digits."
        return Reading(None, (*reading.defects, error(Place(str(path)), found)))
    return Reading(TomlFile(str(path), data, lines_of_keys(reading.data)), reading.defects)


def _defect(path: Path, text: str, message: str) -> Defect:
    place = Place(str(path))
    if match := _PLACE.search(message):
        place = Place(str(path), int(match[1]), int(match[2]))
        message = message[: match.start()]
    elif match := _AT_END.search(message):
        place = Place(str(path), text.count("\n") + 1)
        message = message[: match.start()]
    hint = reason('Texts stand in quotation marks: title = "Signs".')
    return error(place, fill("The file is not TOML: {reason}.", message), "", hint)


def lines_of_keys(text: str) -> dict[str, int]:
    """Return the line of each table and key that stands at the beginning of a line."""
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = ".".join(_plain(part) for part in header[2].split("."))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}.{counts[table]}"
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault(f"{table}.{_plain(key[1])}".removeprefix("."), number)
    return lines


def _plain(key: str) -> str:
    return key.strip().strip("\"'")
