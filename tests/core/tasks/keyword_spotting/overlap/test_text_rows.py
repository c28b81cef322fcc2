"""Rows and numbers of a text are the same however it is cut into blocks."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.statistics import bootstrap
from jurydesk.core.tasks.keyword_spotting.overlap.readers import field_columns, text_rows

TEXT = (
    b"and p 1 -20 3\n\n \t\nthe  p\t400000000000 5 .25\r\n# no row\nof p 6 7 1e3\nlast p 8 9 -1.5"
)


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1000])
def test_rows_do_not_depend_on_the_blocks(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_rows, "BLOCK", block)
    rows = text_rows.split_rows("t", TEXT)
    assert list(rows) == [line.split() for line in TEXT.split(b"\n") if line.split()[1:2] == [b"p"]]
    assert rows.lines.tolist() == [1, 4, 6, 7]


@pytest.mark.parametrize("block", [1, 2, 1000])
def test_numbers_do_not_depend_on_the_blocks(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_columns, "BLOCK", block)
    rows = text_rows.split_rows("t", TEXT)
    assert rows.column(2).wholes()[0].tolist() == [1, 400000000000, 6, 8]
    assert rows.column(3).wholes()[0].tolist() == [-20, 5, 7, 9]
    values, is_number = rows.column(4).decimals()
    assert values.tolist() == [3, 0.25, 1000, -1.5]
    assert is_number.all()
    nothing = rows.take(np.zeros(len(rows), np.bool_)).column(4)
    assert (len(nothing.decimals()[0]), len(nothing.wholes()[0])) == (0, 0)


def test_draws_are_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "COUNTED_BYTES", 3 * 8 * 2)
    draws = np.array([[0, 0, 2], [1, 2, 1], [2, 2, 2]])
    expected = [[2, 0, 1], [0, 2, 1], [0, 0, 3]]
    assert bootstrap.count_draws(draws).tolist() == expected
