"""Filter queries over a table: words and conditions."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.app.tables.table_filter import matching_rows
from jurydesk.core.tables.columns import NumberColumn, TextColumn

COLUMNS = (
    TextColumn("query", "Query", ["sb0001", "sb0002", "Über-01", "x<y"]),
    NumberColumn("ap", "AP", np.array([0.1, 0.5, np.nan, 0.9])),
    NumberColumn("precAt5", "P@5", np.array([0.2, 0.4, 0.6, -1.0])),
)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("sb", [0, 1]),
        ("SB 2", [1]),
        ("über", [2]),
        ("ap < 0.5", [0]),
        ("ap<=0.5", [0, 1]),
        ("AP ≥ 0.5", [1, 3]),
        ("p@5 = .4", [1]),
        ("precat5 < −0.5", [3]),
        ("ap != 0.5", [0, 3]),
        ("ap > 1e-1", [1, 3]),
        ("sb ap > 0.2", [1]),
        ("ap > 0.05 ap < 0.6", [0, 1]),
        ("x<y", [3]),
        ("other < 3", []),
        ("ap < 0.1.2", []),
        ("nothing like it", []),
    ],
)
def test_a_query_finds_rows(query: str, rows: list[int]) -> None:
    mask = matching_rows(query, COLUMNS)
    assert mask is not None
    assert np.flatnonzero(mask).tolist() == rows


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_query_has_no_condition(query: str) -> None:
    assert matching_rows(query, COLUMNS) is None
