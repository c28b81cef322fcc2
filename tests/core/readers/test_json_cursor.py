from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_ids,
    parse_list,
    parse_text,
    parse_whole_number,
)
from jurydesk.core.readers.json_file import read_json_file

TITLE = Attribute("title", "A title is expected.", parse_text)
ROWS = Attribute("rows", "A list of rows is expected.", parse_list)


def cursor(folder: Path, text: str) -> JsonCursor:
    path = folder / "a.json"
    path.write_text(text, encoding="utf-8")
    return JsonCursor.of(read_json_file(path))


def reported(root: JsonCursor) -> list[str]:
    return [str(defect) for defect in root.defects.to_tuple()]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (185565, "the number 185565"),
        (-1.5, "the number -1.5"),
        (10**60, f"the number 1{'0' * 39}…"),
        ("185565", 'the text "185565"'),
        ("", 'the text ""'),
        ("x" * 41, f'the text "{"x" * 40}…"'),
        ([], "a list"),
        ([1, 2, 3], "a list of a whole number"),
        (["a", None, "b"], "a list of text and null"),
        ([{}, [], 1.5, True], "a list of an object and a list and a fraction and true or false"),
        ({"a": 1}, "an object"),
    ],
)
def test_a_scalar_is_described_by_type_and_value_and_a_list_by_its_types(
    value: Any, words: str
) -> None:
    assert describe_value(value) == words


def test_a_place_names_the_path_and_the_line_of_the_element(tmp_path: Path) -> None:
    root = cursor(tmp_path, '{"rows": [\n{"k": [1]},\n{"k": [2, {"n": 3}]}]}')
    inner = root["rows"][1]["k"][1]["n"]
    assert (inner.value, inner.place.line) == (3, 3)
    assert inner.place.json_path == "rows[1].k[1].n"
    assert root["rows"].place.line is None
    assert str(root.place) == "a.json"
    moved = root.at("rows[1].k", inner.value)
    assert (moved.value, str(moved.place)) == (3, "a.json, rows[1].k")


def test_elements_of_other_lists_have_no_line(tmp_path: Path) -> None:
    top = cursor(tmp_path, "[\n{},\n{}]")
    assert str(top[1]["k"].place) == "a.json, [1].k"
    deeper = cursor(tmp_path, '{"data": {"rows": [\n1,\n2]}}')
    assert str(deeper["data"]["rows"][1].place) == "a.json, data.rows[1]"


def test_a_member_of_another_value_than_an_object_is_none(tmp_path: Path) -> None:
    root = cursor(tmp_path, '{"rows": [5]}')
    assert root["none"].value is None
    assert root["rows"][0]["k"]["n"].value is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a": {"title": "x"}}', ""),
        ('{"a": {}}', 'a.title: "title" is missing.\n'),
        ('{"a": {"titel": 1}}', 'a.title: "title" is missing. Is "titel" meant?\n'),
        ('{"a": {"title": null}}', 'a.title: "title" is null.\n'),
        ('{"a": {"title": 185565}}', 'a.title: "title" is the number 185565.\n'),
        ('{"a": ["title"]}', "a: The element is a list of text.\n       An object is expected."),
    ],
)
def test_a_member_is_read_or_reported(tmp_path: Path, text: str, sentence: str) -> None:
    root = cursor(tmp_path, text)
    value = root["a"].read(TITLE)
    if not sentence:
        assert (value, reported(root)) == ("x", [])
        return
    assert value is None
    (defect,) = reported(root)
    assert defect.startswith(f"error  a.json, {sentence}")
    assert defect.endswith(" is expected.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"rows": []}', ""),
        ("5", "error  a.json: The file holds the number 5.\n       An object is expected."),
        ('{"rows": 5}', 'error  a.json, rows: "rows" is the number 5.\n'),
    ],
)
def test_a_list_of_the_file_is_found_or_reported(tmp_path: Path, text: str, sentence: str) -> None:
    root = cursor(tmp_path, text)
    rows = root.top_list(ROWS, "An object is expected.")
    assert (rows is None) == bool(sentence)
    assert "".join(reported(root)).startswith(sentence)


def test_all_invalid_members_are_reported_with_the_name_of_their_object(tmp_path: Path) -> None:
    root = cursor(tmp_path, '{"title": 1, "rows": []}')
    count = Attribute("count", "A whole number is expected.", parse_whole_number)
    root.report_invalid(TITLE, ROWS, count, phrase="Part 7")
    assert reported(root) == [
        'error  a.json, title: Part 7: "title" is the number 1.\n       A title is expected.',
        'error  a.json, count: Part 7: "count" is missing.\n       A whole number is expected.',
    ]


def test_warnings_and_notes_are_collected_with_those_of_the_file(tmp_path: Path) -> None:
    root = cursor(tmp_path, '{"rows": [1], "rows": [2]}')
    root["rows"].warning("Odd.", "Even is expected.", "Add one.", count=2)
    root["rows"][0].note("Small.", "It is read.")
    assert reported(root) == [
        'warning  a.json: 1 object with duplicate members: "rows".\n       The last one counts.',
        "warning  a.json, rows: Odd.\n       Even is expected. Add one.",
        "note  a.json, rows[0]: Small.\n       It is read.",
    ]
    assert root.defects.to_tuple()[1].count == 2


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *(("12", 12), (12, 12), ("1" * 10, None), ("-1", None), (True, None)),
        *((3.0, 3), (1.5, None), (1e300, None), (float("nan"), None)),
    ],
)
def test_a_whole_number_is_read_from_text_as_well(value: Any, number: int | None) -> None:
    assert parse_whole_number(value) == number


def test_ids_are_texts_or_whole_numbers() -> None:
    assert parse_ids(["a", 7]) == ("a", "7")
    assert parse_ids(["a", 7.0]) is None
    assert parse_ids("a") is None


@pytest.mark.parametrize(
    ("value", "number"),
    [("1" * 9, 111_111_111), ("\u0661", None), ("", None), (2.0**53, 2**53), (2.0**54, None)],
)
def test_a_whole_number_has_up_to_nine_digits_or_53_bits(value: Any, number: int | None) -> None:
    assert parse_whole_number(value) == number


def test_a_missing_list_is_reported_with_the_members_that_there_are(tmp_path: Path) -> None:
    root = cursor(tmp_path, '{"other": 1, "%s": 2}' % ("x" * 45))
    assert root.top_list(ROWS, "An object is expected.") is None
    shown = f'Its members are "other", "{"x" * 40}".'
    assert [one.found for one in root.defects.to_tuple()] == [f'"rows" is missing. {shown}']
    near = cursor(tmp_path, '{"row": 1}')
    near.top_list(ROWS, "An object is expected.")
    assert [one.found for one in near.defects.to_tuple()] == ['"rows" is missing. Is "row" meant?']
    empty = cursor(tmp_path, "{}")
    assert empty.top_list(ROWS, "An object is expected.") is None
    assert [one.found for one in empty.defects.to_tuple()] == ['"rows" is missing.']


def test_a_value_whose_size_alone_is_wrong_is_written_as_it_is() -> None:
    assert describe_value(10**60, int) == f"1{'0' * 39}…"
    assert describe_value("abc", str, int) == "abc"
    assert describe_value("x" * 40) == f'the text "{"x" * 40}"'
