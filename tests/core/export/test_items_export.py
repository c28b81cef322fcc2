from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.export import items_export
from jurydesk.core.export.items_export import csv_blocks, jsonl_blocks
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable


def evaluation(system: str, ids: list[str], **columns: list[float]) -> Evaluation:
    arrays: dict[str, FloatArray] = {name: np.array(value) for name, value in columns.items()}
    return Evaluation("toy", system, "published", (), ItemTable(tuple(ids), arrays))


CYAN = evaluation("cyan", ["q1", "q2"], ap=[0.1, math.nan], hits=[3.0, 0.0])
AMBER = evaluation("amber", ["q1"], ap=[1 / 3], depth=[-5.0])


def read_csv(*evaluations: Evaluation) -> list[list[str]]:
    """The rows without the columns of the origin, which has its own tests."""
    text = b"".join(csv_blocks(evaluations)).decode()
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    assert head[-2:] == ["stamps", "settings"]
    assert [bool(row[-1]) for row in rows] == [number == 0 for number in range(len(rows))]
    return [row[:-2] for row in [head, *rows]]


def read_lines(*evaluations: Evaluation) -> list[object]:
    text = b"".join(jsonl_blocks(evaluations)).decode()
    rows = [json.loads(line) for line in text.splitlines()]
    assert ["settings" in row for row in rows] == [number == 0 for number in range(len(rows))]
    return [{name: row[name] for name in row if name not in ("stamps", "settings")} for row in rows]


class TestCsv:
    def test_every_item_is_a_row_and_undefined_or_absent_numbers_are_empty(self) -> None:
        assert read_csv(CYAN, AMBER) == [
            ["system", "profile", "item", "ap", "hits", "depth"],
            ["cyan", "published", "q1", "0.1", "3.0", ""],
            ["cyan", "published", "q2", "", "0.0", ""],
            ["amber", "published", "q1", "0.3333333333333333", "", "-5.0"],
        ]

    def test_no_text_is_a_formula_and_numbers_are_unchanged(self) -> None:
        ids = ["+1", "@x", "\tx", "-2", '=a,"b"\n']
        rows = read_csv(evaluation("=cmd|'/c calc'!A1", ids, ap=[-1.0] * 5))[1:]
        assert [row[0] for row in rows] == ["'=cmd|'/c calc'!A1"] * 5
        assert [row[2] for row in rows] == [f"'{key}" for key in ids]
        assert [row[3] for row in rows] == ["-1.0"] * 5

    def test_items_without_columns_are_still_rows(self) -> None:
        assert read_csv(evaluation("a", ["q1", "q2"]))[1:] == [
            ["a", "published", "q1"],
            ["a", "published", "q2"],
        ]


class TestJsonLines:
    def test_every_item_is_an_object_and_undefined_numbers_are_null(self) -> None:
        assert read_lines(CYAN, AMBER) == [
            {"system": "cyan", "profile": "published", "item": "q1", "ap": 0.1, "hits": 3.0},
            {"system": "cyan", "profile": "published", "item": "q2", "ap": None, "hits": 0.0},
            {
                "system": "amber",
                "profile": "published",
                "item": "q1",
                "ap": 0.3333333333333333,
                "depth": -5.0,
            },
        ]


@given(st.lists(st.floats(allow_infinity=False), max_size=7), st.integers(1, 3))
def test_numbers_are_read_back_exactly_whatever_the_block_size(
    values: list[float], rows: int
) -> None:
    one = evaluation("a", [f"q{i}" for i in range(len(values))], x=values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(items_export, "BLOCK_ROWS", rows)
        listed = [row[3] for row in read_csv(one)[1:]]
        objects = read_lines(one)
    assert [repr(float(text or "nan")) for text in listed] == [repr(value) for value in values]
    assert len(objects) == len(values)


def test_no_system_leaves_a_header() -> None:
    assert read_csv() == [["system", "profile", "item"]]
    assert read_lines() == []
