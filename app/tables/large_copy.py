"""Copy of many rows to the clipboard, written by a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tables.columns import Column
from jurydesk.core.tables.table_file import tab_separated

if TYPE_CHECKING:
    from jurydesk.app.jobs.job import Notify
    from jurydesk.core.execution.run import Run

PIECE_ROWS = 2000
"""Rows that are written in a few milliseconds."""


@dataclass(frozen=True, eq=False)
class LargeCopy:
    """A copy of many rows, which a job writes as tab-separated lines in pieces."""

    columns: Sequence[Column]
    rows: IntArray
    headers: bool

    def text(self, run: Run, notify: Notify) -> str:
        """Return the result of `tab_separated`, with progress and cancellation of `run`."""
        pieces = []
        for at in range(0, len(self.rows), PIECE_ROWS):
            run.report(at, len(self.rows), translate("Copying"), "row")
            piece = self.rows[at : at + PIECE_ROWS]
            pieces.append(tab_separated(self.columns, piece, headers=self.headers and not at))
        return "\n".join(pieces)
