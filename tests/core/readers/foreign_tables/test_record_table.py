"""Records of JSON as a table: each leaf is one cell, in the row of its record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.readers.foreign_tables import record_table
from jurydesk.core.readers.foreign_tables.record_table import (
    MOST_LEVELS,
    find_records,
    flat_members,
    json_cell_text,
    records_of_items,
    records_table,
)

NAMES = st.sampled_from("abcd")
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("xy ", max_size=3))
RECORDS = st.lists(
    st.dictionaries(NAMES, LEAVES | st.dictionaries(NAMES, LEAVES, max_size=3), max_size=4),
    min_size=1,
    max_size=5,
)


def leaves(record):
    """Return the leaves of a record of at most two levels, by both names."""
    flat = {}
    for name, value in record.items():
        inner = value if isinstance(value, dict) else {"": value}
        flat |= {f"{name}.{one}".rstrip("."): value for one, value in inner.items()}
    return flat


@given(records=RECORDS)
def test_every_leaf_is_the_cell_of_its_row_and_all_others_are_empty(records):
    table = records_table("a.json", records, "runs")
    flat = [leaves(one) for one in records]
    assert {one.name for one in table.columns} == {name for one in flat for name in one}
    for column in table.columns:
        expected = [json_cell_text(one.get(column.name)) for one in flat]
        assert column.cells() == expected
    assert table.place(len(records) - 1).json_path == f"runs[{len(records) - 1}]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (None, ""),
        (True, "true"),
        (False, "false"),
        (1, "1"),
        (0.1, "0.1"),
        ([1, "é"], '[1, "é"]'),
    ],
)
def test_a_value_is_the_text_of_its_cell(value, text):
    assert json_cell_text(value) == text


def test_objects_deeper_than_the_limit_are_texts():
    record = {"x": 1}
    for _ in range(MOST_LEVELS):
        record = {"a": record}
    ((name, text),) = flat_members(record)
    assert (name, text) == ("a." * MOST_LEVELS + "x", "1")
    ((name, text),) = flat_members({"a": record})
    assert (name, text) == ("a." * MOST_LEVELS + "a", '{"x": 1}')


def test_more_names_than_the_limit_are_refused_and_as_many_are_not(monkeypatch):
    monkeypatch.setattr(record_table, "MOST_NAMES", 3)
    assert records_table("a", [{"a": 1, "b": 2}, {"c": 3}]).rows == 2
    assert records_table("a", [{"a": 1, "b": 2}, {"c": 3, "d": 4}]) == record_table.TOO_MANY


def test_records_of_more_cells_than_a_table_may_have_are_refused(monkeypatch):
    monkeypatch.setattr(record_table, "MOST_CELLS", 20)
    assert records_table("a.json", [{"a": 1, "b": 2}, *[{}] * 8]).rows == 9
    assert records_table("a.json", [{"a": 1, "b": 2}, *[{}] * 10]) == record_table.TOO_LARGE


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ([{"a": 1}], ("", [{"a": 1}])),
        ([], None),
        ([{"a": 1}, 2], None),
        ({}, None),
        ("text", None),
        ({"runs": [{"a": 1}], "n": 3}, ("runs", [{"a": 1}])),
        ({"runs": [{"a": 1}], "more": [{"b": 1}]}, None),
        ({"runs": [], "more": [{"b": 1}]}, ("more", [{"b": 1}])),
        ({"q1": {"a": 1}, "q2": {"a": 2}}, ("", [{"key": "q1", "a": 1}, {"key": "q2", "a": 2}])),
        ({"q1": 1, "q2": 0.5}, ("", [{"key": "q1", "score": 1}, {"key": "q2", "score": 0.5}])),
        ({"q1": 1, "q2": "x"}, None),
    ],
)
def test_records_are_found_where_there_is_one_list_of_them(data, found):
    assert find_records(data) == found


def test_items_that_one_system_has_take_no_cells_of_the_others():
    systems = {f"s{one}": {f"q{one}.{item}": 0.5 for item in range(50)} for one in range(40)}
    records = records_of_items(systems)
    assert sum(map(len, records)) == 2 * 2000 + 39  # the first names all systems, in their order
    assert [*records[0]] == ["key", *systems]
    assert all(record[f"s{number // 50}"] == 0.5 for number, record in enumerate(records))


FEW, MANY = {"s": {"q1": 1, "q2": 0}}, {"q1": {"s": 1}, "q2": {"s": 0}}


@pytest.mark.parametrize(
    ("data", "records"),
    [
        (FEW, [{"key": "q1", "s": 1}, {"key": "q2", "s": 0}]),
        ({"s": {"q1": None, "q2": 0.5}}, [{"key": "q1", "s": None}, {"key": "q2", "s": 0.5}]),
        ({"key": {"q1": 1, "q2": 0}}, [{"item": "q1", "key": 1}, {"item": "q2", "key": 0}]),
        (MANY, None),
        ({"s": {"q1": 1}, "t": {"q2": 1}}, None),
        ({"s": {"q1": "x", "q2": 0}}, None),
        ({"s": {"bleu": 1, "q2": 0}}, None),
        ({"s": {"q1": 1, "q2": 0}, "t": {}}, None),
        ({"s": {"q1": 1, "q2": 0}, "t": 1}, None),
        ([], None),
        (
            {"s": {"q1": {"m": 1}, "q2": {"m": 0, "item": 2}}},
            [
                {"system": "s", "item": "q1", "m": 1},
                {"system": "s", "item": "q2", "m": 0, "score.item": 2},
            ],
        ),
        (
            {"q1": {"s": {"m": 1}}, "q2": {"s": {"m": 0, "system": 3}}},
            [
                {"item": "q1", "system": "s", "m": 1},
                {"item": "q2", "system": "s", "m": 0, "score.system": 3},
            ],
        ),
        ({"s": {"q1": {"m": 1}, "q2": {"m": "x"}}}, None),
        ({"s": {"q1": {"m": 1}, "q2": {}}}, None),
    ],
)
def test_scores_of_systems_by_item_are_a_record_for_each_item(data, records):
    assert records_of_items(data) == records


def test_a_name_that_comes_late_or_twice_has_one_cell_for_each_record():
    table = records_table("a", [{"a": 1}, {}, {"b": 2, "a": 3}, {"a.b": 4, "a": {"b": 5}}])
    assert {one.name: one.cells() for one in table.columns} == {
        "a": ["1", "", "3", ""],
        "b": ["", "", "2", ""],
        "a.b": ["", "", "", "4"],
    }
