"""Columns of a table by role, from the options, their names and their content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from jurydesk.core.language import fill, name_list, reason
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers.foreign_tables.column_roles import (
    find_roles,
    is_confidence_name,
    is_count_name,
    is_id_name,
    is_metric_name,
)
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignColumn, ForeignTable
from jurydesk.core.readers.foreign_tables.model_outputs import confidence_of
from jurydesk.core.tasks.table.table_options import TableOptions

ROLES = ("system", "item", "metric", "group", "weight", "picture", "reference", "text")
"""Roles of one column each that an option names, in the order in which they are looked for."""
OTHER_ROLES = ("input", "repeat", "profile")
"""Roles of one column each that only its name shows."""
MOST_SLICES = 60
"""Values of a text column that is a slice of items."""
MOST_WRONG = 0.2
"""Share of rows without a number in a column that is meant as a score."""


@dataclass(frozen=True, eq=False)
class TableColumns:
    """Columns of a table by role; `scores` has those of numbers that rank systems.

    Attributes:
        roles: Column of each role that has one.
        scores: Columns of scores, the ranking one first.
        statistics: Columns of numbers that describe an item or an output.
        slices: Columns of texts that are the same for all systems and have few values.
        shown: Further columns of texts.
        guessed: Roles whose column was found by its content alone.
    """

    roles: dict[str, ForeignColumn]
    scores: tuple[ForeignColumn, ...] = ()
    statistics: tuple[ForeignColumn, ...] = ()
    slices: tuple[ForeignColumn, ...] = ()
    shown: tuple[ForeignColumn, ...] = ()
    guessed: tuple[str, ...] = field(default=())

    def left_out(self, table: ForeignTable) -> list[str]:
        """Return the names of the columns that have no use."""
        texts = (*self.slices, *self.shown)
        used = [*self.roles.values(), *self.scores, *self.statistics, *texts]
        return [one.name for one in table.columns if one not in used]

    def role(self, name: str) -> ForeignColumn | None:
        """Return the column of a role; None if it has none."""
        return self.roles.get(name)


def find_columns(
    table: ForeignTable, options: TableOptions, *, needs_scores: bool = True
) -> TableColumns | tuple[Defect, ...]:
    """Return the columns of a table by role, or why they cannot be told.

    Without `needs_scores` the table only describes items.
    """
    unknown = tuple(_unknown_columns(table, options))
    if unknown:
        return unknown
    names = [column.name for column in table.columns]
    chosen = {role: name for role in ROLES if (name := getattr(options, role))}
    taken = {*chosen.values(), *options.score, *options.slice}
    free = [name for name in names if name not in taken]
    wanted = [role for role in (*ROLES, *OTHER_ROLES) if role not in chosen]
    found = find_roles(free, wanted)
    by_name = {column.name: column for column in table.columns}
    roles = {role: by_name[name] for role, name in {**found, **chosen}.items()}
    roles = _without_wrong_roles(roles, chosen)
    columns = _with_guessed_keys(table, TableColumns(roles), options)
    return _with_values(table, columns, options, needs_scores=needs_scores)


def _unknown_columns(table: ForeignTable, options: TableOptions) -> Iterator[Defect]:
    names = {column.name for column in table.columns}
    single = [getattr(options, role) for role in ROLES]
    for name in (*filter(None, single), *options.score, *options.slice):
        if name not in names:
            found = fill("The table has no column {name}.", f'"{name}"')
            known = name_list([f'"{one}"' for one in sorted(names)], 12)
            hint = reason("Its columns: {names}.", known)
            yield error(Place(table.path), found, "", hint)


def _without_wrong_roles(
    roles: dict[str, ForeignColumn], chosen: dict[str, str]
) -> dict[str, ForeignColumn]:
    """Return the roles without columns whose name fits and whose content does not."""
    kept = dict(roles)
    for role, column in roles.items():
        is_number = is_numeric(column)
        fits = {
            "weight": is_number,
            "picture": not is_number,
            "metric": not is_number,
            "system": not is_number or _is_whole(column),
        }
        if role not in chosen and not fits.get(role, True):
            del kept[role]
    return kept


def _with_guessed_keys(
    table: ForeignTable, columns: TableColumns, options: TableOptions
) -> TableColumns:
    """Return the columns with those of system and item that only the content shows."""
    roles, guessed = dict(columns.roles), []
    free = [one for one in table.columns if one not in roles.values()]
    free = [one for one in free if one.name not in (*options.score, *options.slice)]
    if "item" not in roles and options.layout != "items":
        unique = next((one for one in free if _is_key(one, roles.get("system"))), None)
        if unique is not None:
            roles["item"] = unique
            guessed.append("item")
            free.remove(unique)
    item = roles.get("item")
    if item is not None and "system" not in roles and len(item.texts) < len(item):
        found = next((one for one in free if _tells_apart(item, one)), None)
        if found is not None:
            roles["system"] = found
            guessed.append("system")
    return replace(columns, roles=roles, guessed=tuple(guessed))


def _is_key(column: ForeignColumn, system: ForeignColumn | None) -> bool:
    """Return whether a column names every row, or every row of a system, differently."""
    if is_numeric(column) and not _is_whole(column):
        return False
    if is_numeric(column) and is_metric_name(column.name):
        return False
    return len(column) > 1 and pairs_count(column, system) == len(column) > 1


def _tells_apart(item: ForeignColumn, column: ForeignColumn) -> bool:
    """Return whether a text column tells the rows of an item apart, as names of systems do."""
    if is_numeric(column) or not 1 < len(column.texts) <= len(column) // 2:
        return False
    return pairs_count(item, column) == len(item)


def pairs_count(column: ForeignColumn, other: ForeignColumn | None) -> int:
    """Return the number of different pairs of cells in two columns, or of cells in one."""
    if other is None:
        return len(column.texts)
    return len(np.unique(column.codes * len(other.texts) + other.codes))


def _with_values(
    table: ForeignTable, columns: TableColumns, options: TableOptions, *, needs_scores: bool
) -> TableColumns | tuple[Defect, ...]:
    """Return the columns with scores, statistics, slices and texts."""
    by_name = {one.name: one for one in table.columns}
    used = [*columns.roles.values()]
    free = [one for one in table.columns if one not in used and one.name not in options.slice]
    free = [one for one in free if not one.numbers.missing[one.codes].all()]
    numbers = [one for one in free if is_numeric(one)]
    ids = [one for one in numbers if is_id_name(one.name) and one.name not in options.score]
    free, numbers = ([one for one in some if one not in ids] for some in (free, numbers))
    confident = [] if table.program else [one for one in numbers if is_confidence_name(one.name)]
    known = [one for one in numbers if is_metric_name(one.name) and one not in confident]
    if options.score:
        scores = [by_name[name] for name in options.score]
    else:
        rest = [one for one in numbers if one not in known and one not in confident]
        others = [one for one in rest if not is_count_name(one.name)]
        scores = [*known, *others] if needs_scores else []
    statistics = [one for one in numbers if one not in scores]
    texts = [one for one in free if one not in numbers and one not in scores]
    item = columns.role("item")
    slices = [by_name[name] for name in options.slice]
    slices += [one for one in texts if _is_slice(one, item)]
    shown = [one for one in texts if one not in slices]
    if needs_scores and not scores and confident:
        return (confidence_of(confident[0].name).defect(table.path),)
    if needs_scores and not scores:
        found = "The table has no column of scores: none has numbers for most of its rows."
        return (error(Place(table.path), found, "", "Name it with --score COLUMN."),)
    return replace(
        columns,
        scores=tuple(scores),
        statistics=tuple(statistics),
        slices=tuple(slices),
        shown=tuple(shown),
    )


def _is_slice(column: ForeignColumn, item: ForeignColumn | None) -> bool:
    """Return whether a text column has few values, each item the same in all its rows."""
    if not 1 < len(column.texts) <= min(MOST_SLICES, max(2, len(column) // 2)):
        return False
    return item is None or pairs_count(item, column) == len(item.texts)


def is_numeric(column: ForeignColumn) -> bool:
    """Return whether most of the cells that a column has are numbers."""
    cells = column.numbers
    if not np.isfinite(cells.values).any():
        return False
    given = len(column) - column.count(np.flatnonzero(cells.missing).tolist())
    return column.count(cells.wrong) <= MOST_WRONG * given


def _is_whole(column: ForeignColumn) -> bool:
    """Return whether all numbers of a column are whole."""
    values = column.numbers.values
    values = values[np.isfinite(values)]
    return bool((values == np.floor(values)).all())
