"""Folder of a declared competition: made from a table of references, checked, and packed."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, Reading, error, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.readers.foreign_tables.column_roles import find_roles
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.declared.declaration import (
    DECLARATION,
    REFERENCES,
    Declaration,
    DeclaredMetric,
    Kind,
    ResultColumn,
    declaration_text,
)
from jurydesk.core.tasks.declared.declaration_reader import LONGEST
from jurydesk.core.tasks.declared.declared_tables import (
    DeclaredReferences,
    finite_number,
    read_declared_references,
)
from jurydesk.core.tasks.declared.measures import MEASURES

FIRST_MEASURES: Mapping[Kind, tuple[str, ...]] = {
    "text": ("f1", "exact_match"),
    "class": ("accuracy",),
    "number": ("absolute_error",),
}
"""Measures that are proposed for a column of a kind, the ranking one first."""
IMAGES = "images"
ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
FEW_CLASSES = 20
MOST_LETTERS = 80
"""Letters of a cell of the first rows."""
FIXED_TIME = (2000, 1, 1, 0, 0, 0)
"""Time of every member, so that the same folder gives the same archive."""


@dataclass(frozen=True)
class TableOutline:
    """Table of references as it was recognized: its columns, and the kinds of their cells.

    `item` is the column that names the items; empty if none does. `shown` are its first rows.
    """

    path: Path
    names: tuple[str, ...]
    kinds: Mapping[str, Kind]
    item: str
    shown: tuple[tuple[str, ...], ...] = field(default=())


def outline_table(path: Path, rows: int = 5) -> Reading[TableOutline]:
    """Return what the columns of a table of references are."""
    reading = read_foreign_table(path, "none")
    table = reading.data
    if table is None:
        return Reading(None, reading.defects)
    names = tuple(one.name for one in table.columns)
    item = find_roles(list(names), ("item",)).get("item", "")
    unique = [one.name for one in table.columns if len(one.texts) == table.rows]
    item = item if item in unique else next(iter(unique), "")
    kinds = {one.name: _kind(table, one.name) for one in table.columns}
    first = np.arange(min(rows, table.rows))
    cells = ([text[:MOST_LETTERS] for text in one.cells(first)] for one in table.columns)
    shown = tuple(zip(*cells, strict=True))
    return Reading(TableOutline(path, names, kinds, item, shown), reading.defects)


def _kind(table: ForeignTable, name: str) -> Kind:
    column = table.column(name)
    texts = [] if column is None else [one.strip() for one in column.texts if one.strip()]
    if texts and all(np.isfinite(finite_number(one)) for one in texts):
        return "number"
    few = len(texts) <= min(FEW_CLASSES, table.rows // 2)
    return "class" if few and all(len(one.split()) == 1 for one in texts) else "text"


def propose_declaration(
    outline: TableOutline, title: str, columns: Sequence[str] = (), item: str = ""
) -> Declaration:
    """Return a declaration in which results have these columns, else the last of the table.

    Raises UsageError for a column that the table lacks, and without one that names the items.
    """
    item = item or outline.item
    others = [name for name in outline.names if name != item]
    chosen = tuple(columns) or tuple(others[-1:])
    for name in (item, *chosen):
        if name not in outline.names:
            raise UsageError(fill("The table has no column {name}.", f'"{name}"'))
    if not chosen or item in chosen:
        raise UsageError("A column with true values is needed beside that of the items.")
    found = tuple(ResultColumn(name, outline.kinds[name], (name,)) for name in chosen)
    metrics = tuple(
        DeclaredMetric(measure, one.name) for one in found for measure in FIRST_MEASURES[one.kind]
    )
    shown = tuple(name for name in others if name not in chosen and outline.kinds[name] == "text")
    return Declaration(title, item, found, metrics, shown=shown)


def metric_of(text: str, declared: Declaration) -> DeclaredMetric:
    """Return the metric of `measure` or `column.measure`; raises UsageError for an unknown one."""
    column, _, measure = text.rpartition(".")
    kinds = {one.name: one.kind for one in declared.columns}
    column = column or next(iter(kinds))
    if measure not in MEASURES or column not in kinds:
        raise UsageError(fill("There is no metric {name} of a column.", f'"{text}"'))
    if kinds[column] not in MEASURES[measure].kinds:
        sentence = fill("{measure} is not for a column of {kind}.", measure, kinds[column])
        raise UsageError(sentence)
    return DeclaredMetric(measure, column)


def write_competition(folder: Path, declared: Declaration, references: Path) -> None:
    """Write a declaration, and a copy of the references beside it.

    Raises OSError, and UsageError for a long title or a folder with a competition or references.
    """
    for path in (folder / DECLARATION, *_tables(folder)):
        if os.path.lexists(path) and (path.name == DECLARATION or not _same(path, references)):
            raise UsageError(fill("{path} exists already.", str(path)))
    if len(declared.title) > LONGEST:
        raise UsageError(fill("The title has more than {count} characters.", LONGEST))
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / f"{REFERENCES}{_ending(references)}"
    if not _same(copy, references):
        write_atomically(copy, references.read_bytes())
    write_atomically(folder / DECLARATION, declaration_text(declared).encode())


def _same(path: Path, other: Path) -> bool:
    return path.resolve() == other.resolve()


def _tables(folder: Path) -> list[Path]:
    """Return where a folder may have its table of references."""
    return [folder / f"{REFERENCES}{ending}" for ending in ENDINGS]


def _ending(path: Path) -> str:
    return path.suffix.lower() if path.suffix.lower() in ENDINGS else ".csv"


def find_references(folder: Path) -> Path | None:
    """Return the table of references of a folder; None if it has none."""
    return next((path for path in _tables(folder) if path.is_file()), None)


def check_folder(folder: Path) -> Reading[DeclaredReferences]:
    """Read the competition in a folder, with all defects of its files."""
    declared, references = folder / DECLARATION, find_references(folder)
    lacking: list[Defect] = []
    if not declared.is_file():
        found = fill("The folder has no {name}.", DECLARATION)
        lacking.append(error(Place(str(folder)), found))
    if references is None:
        names = f"{REFERENCES}{ENDINGS[0]}"
        found = fill("The folder has no {name}.", names)
        lacking.append(error(Place(str(folder)), found, "A table of true values is expected."))
    others = [path.name for path in _tables(folder) if path.is_file() and path != references]
    if references is not None and others:
        found = fill("The folder has {name} beside {others}.", references.name, name_list(others))
        lacking.append(error(Place(str(folder)), found, "One table of references is expected."))
    if lacking or references is None:
        return Reading(None, tuple(lacking))
    inputs = {"competition": (declared,), "references": (references,)}
    reading = read_declared_references(inputs)
    return Reading(reading.data, (*reading.defects, *_picture_defects(folder, reading.data)))


def _picture_defects(folder: Path, known: DeclaredReferences | None) -> Iterator[Defect]:
    """Yield the items whose picture the folder `images` lacks."""
    pictures = PictureFolder(folder / IMAGES)
    names = (known and known.facts.pictures) or ()
    lacking = [row for row, name in enumerate(names) if not name or not pictures.find(name)]
    if known is not None and lacking:
        count, ids = counted(len(lacking), "item"), [known.ids[row] for row in lacking]
        found = fill(
            "{items} without a picture in the folder {name}: {names}.",
            count,
            IMAGES,
            name_list(ids),
        )
        yield warning(Place(str(folder)), found, count=len(lacking))


def pack_folder(folder: Path, target: Path) -> tuple[str, ...]:
    """Write a folder's competition with its pictures into an archive; return what it holds.

    Links and other files are left out. Raises OSError.
    """
    references = find_references(folder)
    files = [folder / DECLARATION, *([references] if references else [])]
    pictures = folder / IMAGES
    if pictures.is_dir() and not pictures.is_symlink():
        found = (path for path in sorted(pictures.rglob("*")) if not path.is_symlink())
        files += [path for path in found if path.is_file()]
    members = {path.relative_to(folder).as_posix(): path for path in files}

    def write(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in members.items():
                member = zipfile.ZipInfo(name, FIXED_TIME)
                member.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(member, path.read_bytes())

    write_atomically(target, write)
    return tuple(members)
