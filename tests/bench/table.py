"""Time that the window's table takes to sort, filter and copy a million rows.

Run as `python tests/bench/table.py [ROWS]`. The peer is Qt's QSortFilterProxyModel over the same
model; it gets fewer rows, since it does not finish a million. Medians of wall and CPU milliseconds.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QSortFilterProxyModel
from PySide6.QtWidgets import QApplication

from jurydesk.app.style.theme import theme
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_filter import matching_rows
from jurydesk.app.tables.table_model import TableModel
from jurydesk.app.tables.table_view import Table
from jurydesk.core.execution.run import Run
from jurydesk.core.tables.columns import NumberColumn, TextColumn

REPEATS = 5
PEER_ROWS = 10_000
PREPARED_SECONDS = 3
"""Seconds after which a thread has computed the sort keys of texts."""


class Peer(QSortFilterProxyModel):
    """Qt's proxy, which can return to the order of its source."""

    def reset(self) -> None:
        """Forget the sorting."""
        self.sort(-1)


def columns(rows: int, *, shuffled: bool = False) -> tuple[TextColumn, NumberColumn, NumberColumn]:
    """Return columns: ids in order or shuffled, scores with a few undefined, and counts."""
    rng = np.random.default_rng(1)
    numbers = rng.permutation(rows).tolist() if shuffled else range(rows)
    scores = rng.random(rows)
    scores[:: max(rows // 1000, 1)] = np.nan
    return (
        TextColumn("query", "Query", [f"sb{number:07d}-{number % 97}" for number in numbers]),
        NumberColumn("ap", "AP", scores),
        NumberColumn("relevant", "Relevant", rng.integers(0, 50, rows)),
    )


def timed(
    action: Callable[[], object],
    before: Callable[[], object] = lambda: None,
    repeats: int = REPEATS,
) -> str:
    """Return the median wall and CPU milliseconds of an action."""
    walls, cpus = [], []
    for _ in range(repeats):
        before()
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return f"{statistics.median(walls) * 1000:9.1f} {statistics.median(cpus) * 1000:9.1f}"


def show(what: str, rows: int, times: str) -> None:
    """Print a line of the report."""
    print(f"{what:<44} {rows:>9,} {times}")


def main(rows: int) -> None:
    app = QApplication.instance() or QApplication([])
    theme().install(app, "light")  # type: ignore[arg-type]
    table = Table("Bench")
    table.resize(800, 600)
    table.show()
    model = table.table_model
    model.show(columns(rows))
    table.set_current_row(rows // 2)
    print(f"{'milliseconds, medians of ' + str(REPEATS):<44} {'rows':>9} {'wall':>9} {'CPU':>9}")

    def sort(column: int) -> Callable[[], None]:
        def action() -> None:
            model.sort_by(column, descending=True)
            app.processEvents()

        return action

    def scatter() -> None:
        model.sort_by(None)

    show("sort numbers, painted", rows, timed(sort(1), scatter))
    show("sort whole numbers, painted", rows, timed(sort(2), scatter))
    for order, shuffled in (("as files have them", False), ("shuffled", True)):
        model.show(columns(rows, shuffled=shuffled))
        show(f"sort texts {order}, at once", rows, timed(sort(0), repeats=1))
        model.show(columns(rows, shuffled=shuffled))
        time.sleep(PREPARED_SECONDS)
        show(f"sort texts {order}, after {PREPARED_SECONDS} s", rows, timed(sort(0), repeats=1))
    show("sort texts again, painted", rows, timed(sort(0), scatter))
    show(
        "filter by a word",
        rows,
        timed(lambda: model.filter(matching_rows("sb0001", model.columns))),
    )
    show("filter by a condition", rows,
         timed(lambda: model.filter(matching_rows("ap < 0.2", model.columns))))  # fmt: skip
    model.filter(None)
    table.selectAll()
    show("copy all, until the job begins", rows, timed(lambda: table.selection_text(headers=True)))
    many = table.selection_text(headers=True)
    assert isinstance(many, LargeCopy)
    show("the job of a copy", rows, timed(lambda: many.text(Run(), print), repeats=1))

    peer_source = TableModel(columns(PEER_ROWS))
    peer = Peer()
    peer.setSourceModel(peer_source)
    ours = TableModel(columns(PEER_ROWS))
    show("QSortFilterProxyModel sorts numbers", PEER_ROWS, timed(lambda: peer.sort(1), peer.reset))
    show(
        "ours, as many rows", PEER_ROWS, timed(lambda: ours.sort_by(1), lambda: ours.sort_by(None))
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
