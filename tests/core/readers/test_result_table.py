"""Tables of results: what the csv module writes is read back, cell by cell and line by line."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.readers.result_table import read_result_table

CELLS = st.text(st.sampled_from("ab \"\n,;\t'é"), max_size=6)
NAMES = ("id", "caption", "score")
UNCLOSED = "A quotation mark is not closed before the end of the file."
FOLLOWED = "Text follows a closing quotation mark."


def read(path, content, wanted=NAMES, numbers=()):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_result_table(path, wanted, numbers)


def found(reading):
    return [(one.place.line, one.place.json_path or "", one.found) for one in reading.defects]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=5))
def test_every_cell_and_its_line_are_read_back(tmp_path_factory, separator, quoting, end, rows):
    text, lines = io.StringIO(), []
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator="\n")
    for row in (NAMES, *rows):
        lines.append(text.getvalue().count("\n") + 1)
        writer.writerow(row)
    path = tmp_path_factory.getbasetemp() / "result_table.csv"
    table = read(path, text.getvalue().replace("\n", end)).data
    assert table is not None
    assert table.names == NAMES
    for column, name in enumerate(NAMES):
        assert table.cells[name] == [row[column].strip() for row in rows]
    assert [table.place(row).line for row in range(len(rows))] == lines[1:]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('id,score\n"a,1\n', [(2, "", UNCLOSED)]),
        ('id,score\n"a""b",1\n\n"c"x,2\n', [(4, "", FOLLOWED)]),
        ('id,score\n"a\nb",1\n"c" ,2\n', [(4, "", FOLLOWED)]),
        ("id,id\na,1\n", [(1, "", "Columns of the same name: id.")]),
        ("\n\nid,id\na,1\n", [(3, "", "Columns of the same name: id.")]),
        ("id,score\n", [(None, "", "The table has names of columns, and no row.")]),
        (
            "id,score\na\n\nb,1,2\n",
            [
                (2, "", "The line has 1 fields; the first line has 2."),
                (4, "", "The line has 3 fields; the first line has 2."),
            ],
        ),
        ("[]", [(None, "", "The list is empty.")]),
        ('{"id": 1}', [(None, "", "The file holds an object.")]),
        ('[{"id": 1}, 7]', [(None, "[1]", "The element is the number 7.")]),
        ('[{"id": [1], "score": {}}]', [(None, "[0]", '"id" is a list of a whole number.')]),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_gives_no_table(tmp_path, content, expected):
    reading = read(tmp_path / "table", content, ("id", "score"))
    assert reading.data is None
    seen = found(reading)
    for one in expected:
        assert one in seen


def test_records_give_the_same_cells_as_lines_with_nothing_for_what_is_missing(tmp_path):
    records = [{"id": "a", "score": 1, "more": True}, {"id": " b ", "score": None}, {"score": 0.5}]
    reading = read(tmp_path / "table.json", json.dumps(records))
    assert reading.data.names == ("id", "score", "more")
    assert reading.data.cells == {"id": ["a", "b", ""], "score": ["1", "", "0.5"]}
    assert reading.data.place(2).json_path == "[2]"
    assert reading.defects == ()


def test_numbers_that_are_texts_are_noted_once_with_their_count(tmp_path):
    records = [{"score": 1}, {"score": "2"}, {"score": ""}, {"score": "3"}]
    reading = read(tmp_path / "table.json", json.dumps(records), ("score",), ("score",))
    (note,) = reading.defects
    assert (note.found, note.count) == ('"score" is text in 2 rows.', 2)
    assert note.place.json_path == "[1]"
    assert read(tmp_path / "other.json", json.dumps(records), ("score",)).defects == ()
