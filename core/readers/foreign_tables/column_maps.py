"""Column maps: where the result files of a program have systems, items and scores.

A map is a file of about ten lines in `resources/column_maps`; its members are those of `ColumnMap`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePath

from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import from_json
from jurydesk.core.system.paths import resources_folder

MOST_LEVELS = 8


@dataclass(frozen=True, slots=True, eq=False)
class ColumnMap:
    """Description of the result files of one program.

    A path such as `eval.model` names a member inside others; in `scores`, `*` stands for any name.
    All members but `title` may be left out.

    Attributes:
        title: Name of the program.
        members: Members that the document, or else its first record, must have.
        line: Regular expression of the first line of a text that is no JSON.
        file: Regular expression of the path; its group `system` is the name of the system.
        columns: Names of the fields of a text without a line of names.
        records: Path of the list of records; `.` is the document.
        keyed: Whether `records` is an object, whose names become the column `key`.
        lists: Values of the items in lists of ids, by the name of the list; they are the records.
        explode: Path of a list in each record, each entry of which becomes a row.
        system: Path of the name of the system in the document.
        system_metric: Metric whose value names the system.
        item: Column of the items.
        scores: Columns of scores; without them all columns of numbers are.
        metric: Column with the name of the metric of each row.
        value: Column with the value of that metric.
        suffix: Column whose value is appended to the names of the scores.
        repeats: Column that counts repetitions, over which scores are averaged.
        names: Names of scores by their columns.
        words: Values of words in the columns of scores.
        ignore: Columns that are no scores.
        skip: Items that are no items, such as the mean of all.
    """

    title: str
    members: tuple[str, ...] = ()
    line: str = ""
    file: str = ""
    columns: tuple[str, ...] = ()
    records: str = "."
    keyed: bool = False
    lists: Mapping[str, float] = field(default_factory=dict)
    explode: str = ""
    system: str = ""
    system_metric: str = ""
    item: str = ""
    scores: tuple[str, ...] = ()
    metric: str = ""
    value: str = ""
    suffix: str = ""
    repeats: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()


@cache
def column_maps() -> dict[str, ColumnMap]:
    """Return the maps of the program by their names, in the order in which they are tried."""
    maps = {}
    for path in sorted((resources_folder() / "column_maps").glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        maps[path.stem] = from_json(ColumnMap, data)
    return maps


def find_map(name: str, *, path: Path, data: Json = None, text: str = "") -> ColumnMap | None:
    """Return the map of a name, or with `auto` that of the program that wrote a file, if any."""
    if name != "auto":
        return column_maps().get(name)
    return next((one for one in column_maps().values() if _fits(one, path, data, text)), None)


def _fits(one: ColumnMap, path: Path, data: Json, text: str) -> bool:
    if text:
        return bool(one.line and re.match(one.line, text.lstrip("\ufeff \r\n")))
    if one.line or not one.members:
        return False
    records = find_member(data, one.records) if not one.lists else None
    first: Json = None
    if one.keyed and isinstance(records, dict):
        first = next(iter(records.values()), None)
    elif isinstance(records, list):
        first = next(iter(records), None)
    return all(
        find_member(data, member) is not None or has_member(first, member) for member in one.members
    )


def has_member(record: Json, path: str) -> bool:
    """Return whether a record has a member of a path, whatever its value."""
    before, _, last = path.rpartition(".")
    inner = find_member(record, before) if before else record
    if isinstance(inner, list):
        inner = next(iter(inner), None)
    return isinstance(inner, dict) and last in inner


def find_member(data: Json, path: str) -> Json:
    """Return the value of a path in nested objects; None if there is none."""
    if path in ("", "."):
        return data
    for name in path.split("."):
        if not isinstance(data, dict):
            return None
        data = data.get(name)
    return data


def system_of_path(one: ColumnMap, path: Path) -> str:
    """Return the name of the system that the path of a file holds; empty without one."""
    if not one.file:
        return ""
    match = re.search(one.file, PurePath(path).as_posix())
    return match["system"] if match else ""
