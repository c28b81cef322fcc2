"""Separated values of spreadsheets and programs."""

from __future__ import annotations

import sys
import time
from datetime import date
from decimal import Decimal

import pytest

from jurydesk.core.readers.foreign_tables import delimited_table, parquet_table
from jurydesk.core.readers.foreign_tables.delimited_table import find_separator, looks_like_header
from jurydesk.core.readers.foreign_tables.read_table import read_foreign_table

UNCLOSED = "A quotation mark is not closed before the end of the file."
PLAIN = "system,item,acc\na,q1,1\na,q2,0\n"


def read(tmp_path, content, name="table.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_foreign_table(path)


def cells(table):
    return {column.name: column.cells() for column in table.columns}


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", "|"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.encode("utf-16-le"),
        "sep=,\n" + PLAIN,
        "# made by a program\n\n" + PLAIN,
        "#" + PLAIN,
        '"system","item","acc"\n"a","q1","1"\n"a","q2","0"\n',
        PLAIN + "\n\n",
        '[{"system": "a", "item": "q1", "acc": 1}, {"system": "a", "item": "q2", "acc": 0}]',
        '{"system": "a", "item": "q1", "acc": 1}\n{"system": "a", "item": "q2", "acc": 0}\n',
    ],
)
def test_a_table_is_the_same_in_every_format(tmp_path, content):
    reading = read(tmp_path, content)
    assert cells(reading.data) == {"system": ["a", "a"], "item": ["q1", "q2"], "acc": ["1", "0"]}
    assert all(one.severity == "note" for one in reading.defects)


def test_a_code_page_of_windows_is_guessed_and_reported(tmp_path):
    reading = read(tmp_path, "система;вопрос;балл\nмодель;первый;1\n".encode("cp1251"))
    assert cells(reading.data)["система"] == ["модель"]
    (defect,) = reading.defects
    assert defect.found == "The text is not UTF-8; it was read as Windows-1251."
    latin = read(tmp_path, "system,item,acc\nnaïve,é,1\n".encode("cp1252"))
    assert cells(latin.data)["system"] == ["naïve"]


def test_a_longer_line_is_an_error_with_its_place(tmp_path):
    reading = read(tmp_path, PLAIN + "a,q3,1,0.5\n")
    assert reading.data is None
    (defect,) = reading.defects
    assert defect.place.line == 4
    assert defect.found == "The line has 4 fields; the first line has 3."


def test_a_shorter_line_ends_with_missing_cells_and_a_warning(tmp_path):
    reading = read(tmp_path, PLAIN + "a,q3\n")
    assert cells(reading.data)["acc"] == ["1", "0", ""]
    assert [one.found for one in reading.defects] == ["1 line with fewer fields than the first."]


def test_the_place_of_a_row_counts_the_lines_inside_quotes(tmp_path):
    reading = read(tmp_path, 'system,item,acc\na,"q\n1",1\na,q2,0\n')
    assert reading.data.place(1).line == 4


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            'system,item,acc\na,"q1,1\n',
            UNCLOSED,
        ),
        ('system,item,acc\na,"q1"x,1\n', "Text follows a closing quotation mark."),
        ("a,q1,1\na,q2,0\n", "The first line has numbers, not the names of the columns."),
        ("one\ntwo\n", "The file has a single column."),
        ("system,item,acc\n", "The table has names of columns, and no row."),
        ("", "The file is empty."),
        (b"PK\x03\x04 something", "This is a spreadsheet or an archive (xlsx or ods), not a text."),
        (",".join(f"c{i}" for i in range(10_000)) + "\n", "The table has 10,000 columns."),
        (b"\0\1\0\0\0\0\0\0", "The file is not text: it has bytes of zero."),
        ("[1, 2]", "The JSON holds no list of objects, one for each item."),
        ('{"a": [', "The JSON is invalid: expecting value, but the file ends here."),
        (b"PAR1" + b"x" * 40, "The Parquet file is damaged."),
    ],
)
def test_what_is_no_table_is_said_in_a_sentence(tmp_path, content, sentence):
    reading = read(tmp_path, content)
    assert reading.data is None
    assert [one.found for one in reading.defects if one.severity == "error"] == [sentence]


def test_quotation_marks_of_a_text_with_tabs_are_plain_letters(tmp_path):
    reading = read(tmp_path, 'item\tacc\ttext\nq1\t1\ta 5" disk\nq2\t0\t"quoted\n', "table.tsv")
    assert cells(reading.data)["text"] == ['a 5" disk', '"quoted']


def test_columns_of_the_same_name_get_a_number(tmp_path):
    reading = read(tmp_path, "item,acc,acc\nq1,1,0\n")
    assert [one.name for one in reading.data.columns] == ["item", "acc", "acc (2)"]
    assert reading.defects[0].found == "Columns of the same name: acc."


def test_parquet_is_read_where_polars_is_installed(tmp_path, monkeypatch):
    polars = pytest.importorskip("polars")
    path = tmp_path / "table.parquet"
    polars.DataFrame({"item": ["q1"], "metric": [{"acc": 0.5}]}).write_parquet(path)
    assert cells(read_foreign_table(path).data) == {"item": ["q1"], "metric.acc": ["0.5"]}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (defect,) = read_foreign_table(path).defects
    assert defect.found == "Parquet files need the package polars, which is not installed here."


@pytest.mark.skipif(sys.platform == "win32", reason="no file has such a name there")
def test_the_name_of_a_parquet_file_is_no_pattern_of_names(tmp_path):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"item": ["other"], "acc": [1.0]}).write_parquet(tmp_path / "b.parquet")
    polars.DataFrame({"item": ["own"], "acc": [0.5]}).write_parquet(tmp_path / "a.parquet")
    path = (tmp_path / "a.parquet").rename(tmp_path / "*.parquet")
    assert cells(read_foreign_table(path).data) == {"item": ["own"], "acc": ["0.5"]}


@pytest.mark.parametrize("limit", ["MOST_ROWS", "MOST_CELLS", "MOST_BYTES"])
def test_a_parquet_file_that_repeats_a_row_without_end_is_refused(tmp_path, monkeypatch, limit):
    polars = pytest.importorskip("polars")
    path = tmp_path / "table.parquet"
    polars.DataFrame({"item": ["x" * 500] * 500, "acc": [0.5] * 500}).write_parquet(path)
    monkeypatch.setattr(parquet_table, limit, {"MOST_BYTES": 249_999}.get(limit, 499))
    (defect,) = read_foreign_table(path).defects
    assert defect.found == "The table is too large to be read."
    enough = {"MOST_BYTES": 250_000, "MOST_CELLS": 1000, "MOST_ROWS": 500}
    monkeypatch.setattr(parquet_table, limit, enough[limit])
    assert read_foreign_table(path).data.rows == 500


def test_lines_that_lack_more_fields_than_a_table_may_have_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited_table, "MOST_CELLS", 30)
    path = tmp_path / "table.csv"
    path.write_text("a,b,c,d\n" + "1\n" * 10)
    assert read_foreign_table(path).data.rows == 10
    path.write_text("a,b,c,d\n" + "1\n" * 11)
    reading = read_foreign_table(path)
    assert reading.data is None
    assert reading.defects[0].found == "The lines lack more than 30 fields of the first."


def test_a_long_number_in_the_first_line_is_told_at_once():
    before = time.process_time()
    assert looks_like_header(["1" * 100_000 + "x", "item"])
    assert not looks_like_header(["1" * 100_000 + "%", "item"])
    assert time.process_time() - before < 2


def test_the_separator_is_that_of_most_lines():
    assert find_separator("a;b;c\n1,5;2,5;3\n")[0] == ";"
    assert find_separator("a\tb\n1,2\t3,4\n")[0] == "\t"


@pytest.mark.parametrize(
    ("text", "separator", "start"),
    [
        ("a,b\n1,2\n", ",", 0),
        ("a\n1\n", ",", 0),
        ("a;b\n1,0;2,0\n", ";", 0),
        ("a\tb,c\n1\t2,3\n", "\t", 0),
        ("# x\n# y\na;b\n", ";", 8),
        ("\n\r\na|b\n", "|", 3),
        ("#a;b\n1;2\n", ";", 0),
        ("'sep=|'\na|b,c,d\n", "|", 8),
        ("SEP=;\r\na;b\n", ";", 7),
        ("a,b,c\n1;2\n3;4\n5;6\n", ",", 0),
        ('"a;b",c\n"1;2",3\n', ",", 0),
        ("", ",", 0),
        ("a;b\nx\ny\n", ";", 0),
        ("a\tb\nx\ny\n", "\t", 0),
    ],
)
def test_the_separator_and_the_start_of_a_table(text, separator, start):
    assert find_separator(text) == (separator, start)


def test_the_limits_of_a_table_are_the_last_sizes_that_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited_table, "MOST_COLUMNS", 3)
    assert read(tmp_path, "a,b,c\n1,2,3\n").data is not None
    assert read(tmp_path, "a,b\n1,2\n").data is not None
    assert read(tmp_path, "a,b,c,d\n1,2,3,4\n").defects[0].found == "The table has 4 columns."
    monkeypatch.setattr(delimited_table, "MOST_LISTED", 2)
    for count, more in (
        (2, []),
        (3, ["1 more line like these."]),
        (4, ["2 more lines like these."]),
    ):
        reading = read(tmp_path, PLAIN + "a,q3,1,0.5\n" * count)
        found = [one.found for one in reading.defects]
        assert found == ["The line has 4 fields; the first line has 3."] * 2 + more
        assert [one.place.line for one in reading.defects[:2]] == [4, 5]


def test_rows_in_several_blocks_are_those_of_one(tmp_path, monkeypatch):
    text = "item,acc\n" + "".join(f"q{i},{i}\n" if i % 3 else f"q{i}\n" for i in range(10))
    whole = read(tmp_path, text)
    monkeypatch.setattr(delimited_table, "BLOCK_ROWS", 4)
    parts = read(tmp_path, text)
    assert cells(parts.data) == cells(whole.data)
    assert cells(whole.data)["acc"] == [str(i) if i % 3 else "" for i in range(10)]
    (short,) = parts.defects
    assert (short.count, short.place.line) == (4, 2)
    assert [parts.data.place(row).line for row in range(10)] == list(range(2, 12))


def test_names_lose_signs_of_comments_and_formulas_and_blanks(tmp_path):
    reading = read(tmp_path, "# item ,'=acc, a\u00a0 b,\n1,2,3,4\n")
    names = [one.name for one in reading.data.columns]
    assert names == ["item", "=acc", "a b", "column 4"]
    assert reading.defects == ()
    assert reading.data.column("=acc").values().tolist() == [2.0]
    assert reading.data.column("none") is None


def test_a_blank_cell_beyond_the_last_column_is_no_field(tmp_path):
    reading = read(tmp_path, "a,b\n1,2, \n,\n \n3,4\n")
    assert cells(reading.data) == {"a": ["1", "", "3"], "b": ["2", "", "4"]}
    assert reading.defects == ()


def test_rows_have_the_places_of_their_lines_with_a_head_and_without(tmp_path):
    headed = read(tmp_path, PLAIN).data
    assert [headed.place(row).line for row in (0, 1)] == [2, 3]
    bare = read(tmp_path, "map \tq1\t0.5\n\nmap \tq2\t1\n").data
    assert [bare.place(row).line for row in (0, 1)] == [1, 3]


def test_values_that_json_has_not_are_cells_of_a_parquet_file(tmp_path):
    polars = pytest.importorskip("polars")
    values = {
        "day": date(2024, 2, 29),
        "fraction": Decimal("0.50"),
        "picture": {"bytes": b"abc", "path": "a.png"},
        "days": [date(2024, 2, 29)],
        "nothing": None,
    }
    polars.DataFrame([values]).write_parquet(tmp_path / "table.parquet")
    assert cells(read_foreign_table(tmp_path / "table.parquet").data) == {
        "day": ["2024-02-29"],
        "fraction": ["0.50"],
        "picture.bytes": ["3 bytes"],
        "picture.path": ["a.png"],
        "days": ['["2024-02-29"]'],
        "nothing": [""],
    }


@pytest.mark.parametrize(
    ("value", "kind", "size"),
    [
        ("x" * 50, "Categorical", 50),
        (b"x" * 50, "Binary", 50),
        ({"a": "x" * 50}, None, 50),
        (["x" * 34], None, 50),
        ([0, 0, None], None, 48),
        ([1, 2, 3], "Array", 48),
    ],
)
def test_a_value_of_parquet_counts_in_each_row_that_repeats_it(
    tmp_path, monkeypatch, value, kind, size
):
    polars = pytest.importorskip("polars")
    path, rows = tmp_path / "table.parquet", 200
    column = polars.Series("value", [value] * rows)
    kinds = {"Array": polars.Array(polars.Int64, 3)}
    column = column.cast(kinds.get(kind) or getattr(polars, kind)) if kind else column
    polars.DataFrame([polars.Series("item", range(rows)), column]).write_parquet(path)
    monkeypatch.setattr(parquet_table, "MOST_BYTES", rows * size - 1)
    (defect,) = read_foreign_table(path).defects
    assert defect.found == "The table is too large to be read."
    monkeypatch.setattr(parquet_table, "MOST_BYTES", rows * size)
    assert read_foreign_table(path).data.rows == rows


@pytest.mark.parametrize(
    ("content", "lines", "found"),
    [
        ("a,b\n1,2,\n1,2, ,\n", [], []),
        ("a,b\n1\n\n2\n3,4\n", [2], ["2 lines with fewer fields than the first."]),
        ("a,b\n1,2,3\n1\n1,2,,4\n", [2, 4], []),
        ('a,b\n1,"x\n"y\n', [3], ["Text follows a closing quotation mark."]),
        ("sep=;\n#x;y\na;b\n1;2;3\n", [4], []),
        ("# one\n# two\na,b\n1,2,3\n", [4], []),
    ],
)
def test_short_and_long_lines_are_placed(tmp_path, content, lines, found):
    defects = read(tmp_path, content).defects
    assert [one.place.line for one in defects if one.place.line][: len(lines)] == lines
    assert set(found) <= {one.found for one in defects}
    if not lines:
        assert defects == ()


@pytest.mark.parametrize(
    ("content", "names", "line"),
    [
        ("a,b,a,b\n1,2,3,4\n", "Columns of the same name: a, b.", 1),
        ("# one\n\nb,b\n1,2\n", "Columns of the same name: b.", 3),
        ("a,#a\n1,2\n", "Columns of the same name: a.", 1),
        ("a,,column 2\n1,2,3\n", "Columns of the same name: column 2.", 1),
    ],
)
def test_repeated_names_are_told_in_order_with_their_line(tmp_path, content, names, line):
    (defect,) = read(tmp_path, content).defects
    assert (defect.found, defect.place.line) == (names, line)


def test_columns_without_a_name_are_no_columns_of_one_name(tmp_path):
    assert read(tmp_path, "a,,\n1,2,3\n").defects == ()


def test_a_field_longer_than_the_limit_of_the_reader_is_told(tmp_path):
    found = [one.found for one in read(tmp_path, "a,b\n1," + "x" * 131_073 + "\n").defects]
    assert found == ["A field has more than 131,072 characters."]
    assert read(tmp_path, "a,b\n1," + "x" * 131_072 + "\n").data is not None


@pytest.mark.parametrize(
    ("cells", "is_header"),
    [
        (["a", "b"], True),
        (["a", "1"], False),
        (["a", "+1,5e3 %"], False),
        (["a", "1.5.2"], True),
        (["", " "], False),
        (["", "b"], True),
        ([",5"], False),
    ],
)
def test_names_are_texts_of_which_none_is_a_number(cells, is_header):
    assert looks_like_header(cells) is is_header


def test_the_first_lines_alone_tell_the_separator():
    assert find_separator("a,b\n" * 50 + "a;b;c\n" * 500)[0] == ","
    assert find_separator("a,b;c\n" * 40 + "a;b\n" * 10)[0] == ";"
    assert find_separator("a;b,c\n" * 50 + "d;e\n" * 999) == find_separator("a;b,c\n" * 50)


def test_only_an_apostrophe_before_a_formula_is_no_part_of_a_name(tmp_path):
    reading = read(tmp_path, "x=y,x-y,'a,'=b,=c\n1,2,3,4,5\n")
    assert [one.name for one in reading.data.columns] == ["x=y", "x-y", "'a", "=b", "=c"]


def test_rows_after_lines_of_blanks_are_told_by_their_own_lines(tmp_path):
    table = read(tmp_path, 'system,item,acc\n   \na,q1,1\n\na,"q\n2",0\nb,q1,1\n').data
    assert [table.place(row).line for row in range(3)] == [3, 5, 7]


def test_places_of_many_rows_do_not_read_the_file_again(tmp_path, monkeypatch):
    table = read(tmp_path, PLAIN + "b,q1,1\n" * 50).data
    assert table.place(0).line == 2
    monkeypatch.setattr(delimited_table.csv, "reader", None)
    assert [table.place(row).line for row in range(52)] == list(range(2, 54))
