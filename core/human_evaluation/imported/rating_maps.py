"""Maps of the exports of annotation programs: where they have raters, items and answers.

A map is a file of about ten lines in `resources/rating_maps`; its members are those of `RatingMap`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath

from jurydesk.core.model.json_codec import from_json
from jurydesk.core.system.paths import resources_folder


@dataclass(frozen=True, slots=True, eq=False)
class RatingMap:
    """Description of the exports of one program; all members but `title` may be left out.

    Attributes:
        title: Name of the program.
        columns: Columns that a table must have.
        first: Names of the first column, one of which a table must have.
        file: Regular expression of the path; its group `rater` is the name of the rater.
        explode: Columns with lists of objects in JSON, each of which becomes a row; one in another.
        strip: Beginnings of the names of columns that describe an item.
        item: Column of the items, unless the description of an item names it.
        rater: Columns of the raters; the first that a row has counts.
        statement: Column of the statement of a row.
        values: Columns of its answer; the first that a row has counts.
        answers: Beginning of the names of columns with answers, such as `Answer.relevance`.
        labels: Text between a statement and one of its labels in the name of a column.
        seconds: Column of the time that an answer took.
        skip: Values of columns whose rows do not count.
        questions: Whether each column is a question about an item, and each row a rater.
        ignore: Columns that are no answers.
    """

    title: str
    columns: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    file: str = ""
    explode: tuple[str, ...] = ()
    strip: tuple[str, ...] = ()
    item: str = ""
    rater: tuple[str, ...] = ()
    statement: str = ""
    values: tuple[str, ...] = ()
    answers: str | None = None
    labels: str = "."
    seconds: str = ""
    skip: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    questions: bool = False
    ignore: tuple[str, ...] = ()


@cache
def rating_maps() -> dict[str, RatingMap]:
    """Return the maps of the program by their names, in the order in which they are tried."""
    maps = {}
    for path in sorted((resources_folder() / "rating_maps").glob("*.toml")):
        maps[path.stem] = from_json(RatingMap, tomllib.loads(path.read_text("utf-8")))
    return maps


def find_rating_map(name: str, columns: Sequence[str]) -> RatingMap | None:
    """Return the map of a name, or with `auto` that of the program that wrote a table, if any."""
    if name != "auto":
        return rating_maps().get(name)
    return next((one for one in rating_maps().values() if _fits_columns(one, columns)), None)


def _fits_columns(one: RatingMap, columns: Sequence[str]) -> bool:
    if one.labels != "." and not any(one.labels in name for name in columns):
        return False
    if one.first and columns[:1] and columns[0] not in one.first:
        return False
    return set(one.columns) <= set(columns)


def rater_of_path(one: RatingMap, path: str) -> str:
    """Return the name of the rater that the path of a file holds; empty without one."""
    match = re.search(one.file, PurePath(path).as_posix()) if one.file else None
    return match["rater"] if match else ""
