"""Table with a row for each system and item, and its columns by role."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.readers.foreign_tables.foreign_table import ForeignTable
from jurydesk.core.readers.foreign_tables.model_outputs import model_outputs
from jurydesk.core.tasks.table.exported_items import is_exported, with_own_origin
from jurydesk.core.tasks.table.table_columns import TableColumns, find_columns
from jurydesk.core.tasks.table.table_layout import find_table_layout, is_square, to_rows
from jurydesk.core.tasks.table.table_options import TableOptions


@dataclass(frozen=True, eq=False)
class ArrangedTable:
    """Rows of systems and items, with the layout of the file and the options for these rows.

    `remarks` say what of the file is left out.
    """

    table: ForeignTable
    columns: TableColumns
    layout: str
    options: TableOptions
    remarks: tuple[Defect, ...] = ()


def arrange_table(read: ForeignTable, options: TableOptions) -> ArrangedTable | tuple[Defect, ...]:
    """Return a table of any layout with its columns by role, or why they cannot be told."""
    if not options.score and not read.program and not is_exported(read):
        outputs = model_outputs(read)
        if outputs is not None:
            return (outputs.defect(read.path),)
    layout = find_table_layout(read, options)
    if options.layout == "auto" and layout == "systems" and is_square(read):
        found = "The JSON has as many names outside as inside: either may be the systems."
        hint = "Choose --layout items if the outer names are systems, --layout systems if not."
        return (error(Place(read.path), found, "", hint),)
    table = to_rows(read, options, layout)
    if layout != "rows":
        options = replace(options, system="", item="", score=(), metric="")
    owned = with_own_origin(table, options)
    if isinstance(owned, Defect):
        return (owned,)
    table, options = owned
    columns = find_columns(table, options)
    if isinstance(columns, tuple):
        return columns
    remarks = tuple(one for one in table.defects if one not in read.defects)
    return ArrangedTable(table, columns, layout, options, remarks)
