"""Result files of programs by column maps: each member of a map does what it says, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.readers.foreign_tables.column_maps import ColumnMap, find_member, has_member
from jurydesk.core.readers.foreign_tables.mapped_table import map_records, map_text

PATH = Path("/runs/north/results.json")
ROWS = [{"id": "a", "f.x": 1, "n": 5}, {"id": "b", "f.x": 0, "n": 6}]


def cells(reading):
    return {column.name: column.cells() for column in reading.data.columns}


def mapped(data, path=PATH, **members):
    return map_records(path, data, ColumnMap("Program", **members))


def test_the_item_is_renamed_and_all_other_columns_stay():
    found = mapped(ROWS, item="id")
    assert cells(found) == {"item": ["a", "b"], "f.x": ["1", "0"], "n": ["5", "6"]}
    assert found.data.constants == {}
    (remark,) = found.data.defects
    assert remark.found == "The file was read as results of Program."
    assert (found.data.program, found.data.place(1).json_path) == ("Program", "[1]")


@pytest.mark.parametrize(
    ("members", "columns"),
    [
        ({"scores": ("f.*",)}, {"item": ["a", "b"], "x": ["1", "0"]}),
        ({"scores": ("f.x*",)}, {"item": ["a", "b"], "f.x": ["1", "0"]}),
        ({"scores": ("f.x",)}, {"item": ["a", "b"], "f.x": ["1", "0"]}),
        ({"scores": ("f.*",), "repeats": "n"},
         {"item": ["a", "b"], "x": ["1", "0"], "n": ["5", "6"]}),
        ({"ignore": ("n",)}, {"item": ["a", "b"], "f.x": ["1", "0"]}),
        ({"ignore": ("f.*", "id"), "names": {"n": "N"}}, {"item": ["a", "b"], "N": ["5", "6"]}),
        ({"scores": ("n",), "words": {"5": 0.5}}, {"item": ["a", "b"], "n": ["0.5", "6"]}),
        ({"skip": ("a", "c")}, {"item": ["b"], "f.x": ["0"], "n": ["6"]}),
    ],
)  # fmt: skip
def test_scores_are_named_and_others_are_left_out(members, columns):
    assert cells(mapped(ROWS, item="id", **members)) == columns


def test_skipping_items_keeps_the_places_of_the_others():
    found = mapped(ROWS, item="id", skip=("a",)).data
    assert found.place(0).json_path == "[1]"
    assert mapped(ROWS, skip=("a",)).data.rows == 2


@pytest.mark.parametrize(
    ("data", "members", "records"),
    [
        ({"r": {"s": ROWS}}, {"records": "r.s"}, 2),
        ({"r": ROWS[0]}, {"records": "r"}, 1),
        ({"q1": {"x": 1}, "q2": {"x": 2}, "n": 3}, {"keyed": True}, 2),
        ([{"all": [{"x": 1}, {"x": 2}], "m": 1}, {"all": 3}], {"explode": "all"}, 2),
        ([*ROWS, 5, None], {}, 2),
    ],
)
def test_records_are_a_list_an_object_or_lists_in_them(data, members, records):
    assert mapped(data, **members).data.rows == records


@pytest.mark.parametrize("data", [[], {}, {"r": 5}, [5]])
def test_a_file_without_records_says_so(data):
    reading = mapped(data, records="r" if isinstance(data, dict) else ".")
    assert reading.data is None
    assert [one.found for one in reading.defects] == [
        "The file of Program has no result of an item."
    ]


def test_lists_of_ids_are_records_of_which_the_first_counts():
    data = {"right": ["a", 2], "wrong": ["a", "c"], "other": 5}
    members = {"lists": {"right": 1.0, "wrong": 0.0, "other": 0.5}}
    assert cells(mapped(data, **members)) == {
        "item": ["a", "2", "c"],
        "score": ["1.0", "1.0", "0.0"],
    }
    named = mapped(data, scores=("acc",), **members)
    assert cells(named) == {"item": ["a", "2", "c"], "acc": ["1.0", "1.0", "0.0"]}


@pytest.mark.parametrize(
    ("members", "system"),
    [
        ({"system": "meta.name"}, "south"),
        ({"system": "meta"}, ""),
        ({"file": "runs/(?P<system>[^/]+)/"}, "north"),
        ({"system": "meta.name", "file": "runs/(?P<system>[^/]+)/"}, "south"),
        ({"file": "other/(?P<system>[^/]+)/"}, ""),
    ],
)
def test_the_system_is_named_by_the_document_or_the_path(members, system):
    data = {"meta": {"name": "south"}, "rows": ROWS}
    found = mapped(data, records="rows", **members).data.constants
    assert found == ({"system": system} if system else {})
    number = {"meta": {"name": 7}, "rows": ROWS}
    assert mapped(number, records="rows", system="meta.name").data.constants == {"system": "7"}


def test_a_metric_may_name_the_system():
    rows = [{"m": "runid", "v": "mine"}, {"m": "map", "v": "0.5"}]
    members = {"metric": "m", "value": "v", "system_metric": "runid"}
    found = mapped(rows, **members)
    assert found.data.constants == {"system": "mine"}
    assert cells(found) == {"metric": ["runid", "map"], "score": ["mine", "0.5"]}
    assert mapped(rows[1:], **members).data.constants == {}
    assert mapped(rows, metric="m", system_metric="runid").data.constants == {}


def test_a_suffix_makes_a_row_of_each_score():
    rows = [{"id": "a", "k": "x", "s": 1, "t": 2}, {"id": "a", "k": "y", "s": 3, "t": 4}]
    found = mapped(rows, item="id", suffix="k", ignore=("k",))
    assert cells(found) == {
        "item": ["a"] * 4,
        "metric": ["s,x", "s,y", "t,x", "t,y"],
        "score": ["1", "3", "2", "4"],
    }
    assert [found.data.place(row).json_path for row in range(4)] == ["[0]", "[1]"] * 2
    same = mapped(rows[:1], item="id", suffix="k", ignore=("k",))
    assert cells(same) == {"item": ["a"], "s": ["1"], "t": ["2"]}
    assert cells(mapped(rows, item="id", suffix="z", ignore=("k",)))["s"] == ["1", "3"]


def test_a_text_is_read_by_the_names_of_the_map_without_its_padding():
    one = ColumnMap("Program", columns=("metric", "query", "value"), item="query")
    found = map_text(PATH, "map  \t q1 \t0.5\nmap\tq2\t1\n", one)
    assert cells(found) == {"metric": ["map", "map"], "item": ["q1", "q2"], "value": ["0.5", "1"]}
    wrong = map_text(PATH, "map\tq1\t0.5\tx\n", one)
    found = [error.found for error in wrong.defects]
    assert (wrong.data, found) == (None, ["The line has 4 fields; the first line has 3."])


def test_members_are_found_along_a_path():
    data = {"a": {"b": [{"c": None}], "d": 0}}
    assert [find_member(data, path) for path in ("", ".", "a.d", "a.x", "a.d.x")] == [
        data,
        data,
        0,
        None,
        None,
    ]
    paths = ("a", "a.b", "a.b.c", "a.b.x", "a.d.x", "x")
    assert [path for path in paths if has_member(data, path)] == ["a", "a.b", "a.b.c"]
