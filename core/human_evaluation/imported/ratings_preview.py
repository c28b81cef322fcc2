"""First rows and recognized columns of a table of ratings, before anything is taken."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.human_evaluation.imported.mapped_ratings import map_ratings
from jurydesk.core.human_evaluation.imported.rating_maps import find_rating_map, rating_maps
from jurydesk.core.human_evaluation.imported.rating_rows import (
    ColumnsOfRatings,
    find_rating_columns,
)
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.language import translate
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers.foreign_tables.column_roles import find_roles
from jurydesk.core.readers.foreign_tables.delimited_table import find_separator
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table
from jurydesk.core.readers.text_file import file_head, text_head
from jurydesk.core.tables.columns import Column, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 5, 12, 60
MOST_STATEMENTS = 12


@dataclass(frozen=True, slots=True)
class RatingsPreview:
    """Names of a table's columns, those recognized, and the first rows; or why there are none.

    `texts` are the different cells of columns that have few.
    """

    path: Path
    program: str = ""
    names: tuple[str, ...] = ()
    columns: ColumnsOfRatings = field(default_factory=ColumnsOfRatings)
    rows: tuple[Column, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    defects: tuple[Defect, ...] = ()


def preview_ratings(path: Path, run: Run, notify: object = None) -> RatingsPreview:
    """Read the first rows of a table, and recognize its columns."""
    run.report(0, 0, translate("Reading the ratings"))
    reading = read_foreign_table(path, "none")
    table, options = reading.data, RatingsOptions()
    if table is None:
        return RatingsPreview(path, defects=reading.defects)
    chosen = find_rating_map("auto", [column.name for column in table.columns])
    if chosen is not None:
        mapped = map_ratings(table, chosen, options)
        if isinstance(mapped, str):
            return RatingsPreview(path, defects=(error(Place(str(path)), mapped),))
        table, options = mapped
    is_form = chosen is not None and chosen.questions
    columns = find_rating_columns(table, options, questions=is_form)
    shown = np.arange(min(table.rows, MOST_ROWS))
    rows = tuple(
        TextColumn(column.name, column.name, [text[:MOST_LETTERS] for text in column.cells(shown)])
        for column in table.columns[:MOST_COLUMNS]
    )
    found = ColumnsOfRatings() if isinstance(columns, Defect) else columns
    names = tuple(column.name for column in table.columns)
    texts = {one.name: one.texts for one in table.columns if len(one.texts) <= MOST_STATEMENTS}
    return RatingsPreview(path, table.program, names, found, rows, texts)


def is_ratings_table(path: Path) -> bool:
    """Return whether the beginning of a file is that of a table with raters and items."""
    text = text_head(file_head(path)).decode("utf-8-sig", "replace").lstrip()
    if text[:1] in ("{", "["):
        return any(
            one.columns and all(f'"{name}"' in text for name in one.columns)
            for one in rating_maps().values()
        ) or _has_raters([name for name in text.split('"')[1::2] if len(name) <= MOST_LETTERS])
    separator, start = find_separator(text)
    try:
        line = text[start:].partition("\n")[0]
        names = next(csv.reader(io.StringIO(line.rstrip("\r")), delimiter=separator), [])
    except csv.Error:
        return False
    return len(names) > 1 and (find_rating_map("auto", names) is not None or _has_raters(names))


def _has_raters(names: Sequence[str]) -> bool:
    return {"rater", "item"} <= find_roles(names, ("rater", "item")).keys()
