from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.readers import json_file
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.readers.json_file import JsonFile, read_json_file


def reading(folder: Path, text: str) -> JsonFile:
    path = folder / "a.json"
    path.write_text(text, encoding="utf-8")
    return read_json_file(path)


def sentences(file: JsonFile) -> list[str]:
    return [str(defect) for defect in file.defects]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"a": [1, 2\n "b": 3}',
            "error  a.json, line 2, column 2: The JSON is invalid: expecting ',' delimiter, "
            'but found: "b": 3}',
        ),
        (
            '{"a": 1',
            "error  a.json, line 1, column 8: The JSON is invalid: expecting ',' delimiter, "
            "but the file ends here.",
        ),
        (
            '{"a": NaN}',
            "error  a.json, line 1, column 7: The JSON is invalid: NaN is not a JSON value.",
        ),
        (
            '{"NaN": "NaN",\n"a": -Infinity}',
            "error  a.json, line 2, column 6: The JSON is invalid: -Infinity is not a JSON value.",
        ),
        (
            '{"a": ' + "9" * 5000 + "}",
            "error  a.json: The JSON contains a whole number with thousands of digits.\n"
            "       At most 4,300 digits are read. Check for a missing separator between numbers.",
        ),
        (
            "[" * 200_000,
            "error  a.json: The JSON is nested too deeply to be read.\n"
            "       A few levels are expected. Check that it is the right file.",
        ),
        ('{"a":' * 200_000, "error  a.json: The JSON is nested too deeply to be read."),
        ("[" * 101 + "]" * 101, "error  a.json: The JSON is nested too deeply to be read."),
        ("[" * 101, "error  a.json: The JSON is nested too deeply to be read."),
        ("[" * 100, "error  a.json, line 1, column 101: The JSON is invalid: expecting value"),
    ],
)
def test_invalid_json_is_reported_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    file = reading(tmp_path, text)
    assert file.data is None
    assert not file.is_readable
    assert len(file.defects) == 1
    assert sentences(file)[0].startswith(sentence)


@pytest.mark.parametrize("value", ["2.", "2.5e", "2e-", "-", "tr", "fals", "nul"])
def test_a_file_that_ends_within_a_value_may_be_cut(tmp_path: Path, value: str) -> None:
    (cut,) = reading(tmp_path, f'{{"a": [1, {value}').defects
    assert cut.expected == "It may be cut: the complete file is expected."
    (other,) = reading(tmp_path, f'{{"a": [1, {value}, 3]}}').defects
    assert other.expected == ""


@pytest.mark.parametrize("text", ["[1,]", "[1, ]", '{"a": 1,}', '{"a": 1 , }', "[1,,]"])
def test_a_comma_before_a_closing_bracket_is_named_as_the_cause(tmp_path: Path, text: str) -> None:
    (defect,) = reading(tmp_path, text).defects
    assert defect.expected == "JSON has no comma before a closing bracket."


@pytest.mark.parametrize("text", ["[1}", '{"a"}', '{"a": }', "[1, 2 3,]"])
def test_another_fault_before_a_bracket_has_no_usual_cause(tmp_path: Path, text: str) -> None:
    (defect,) = reading(tmp_path, text).defects
    assert defect.expected == ""


def test_numbers_that_are_not_finite_are_read_if_the_reader_checks_them(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": [NaN, -Infinity, 1]}', encoding="utf-8")
    file = read_json_file(path, not_finite=True)
    assert file.is_readable
    assert repr(file.data) == "{'a': [nan, -inf, 1]}"


def test_a_repeated_member_among_very_many_is_found_in_one_pass(tmp_path: Path) -> None:
    members = ",".join(f'"k{number}":1' for number in range(200_000))
    (defect,) = reading(tmp_path, f'{{{members},"k199999":2}}').defects
    assert defect.found == '1 object with duplicate members: "k199999".'


def test_a_repeated_member_is_a_warning_and_the_last_value_counts(tmp_path: Path) -> None:
    file = reading(tmp_path, '{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert file.data == {"a": 3, "b": {"c": 2}}
    assert sentences(file) == [
        'warning  a.json: 2 objects with duplicate members: "c", "a".\n       The last one counts.'
    ]


def test_a_lone_surrogate_is_read_as_its_replacement(tmp_path: Path) -> None:
    file = reading(tmp_path, r'{"a": "\ud83d\ude00 \ud83d x", "b": "\\ud83d", "c": "\udc00"}')
    assert file.data == {"a": "\U0001f600 \ufffd x", "b": r"\ud83d", "c": "\ufffd"}
    assert [(str(defect.place), defect.count) for defect in file.defects] == [
        ("a.json, line 1, column 21", 2)
    ]


def test_places_name_the_line_of_an_element(tmp_path: Path) -> None:
    text = '{"x": [[1]], "a": [\n {"k": "]"},\n {},\n\n [2,\n 3]], "a": [\n\n 1,\n2 ]}'
    file = reading(tmp_path, text)
    assert [file.line("a", index) for index in range(3)] == [8, 9, None]
    assert file.line("x", 0) is None
    assert file.line("none", 0) is None
    compact = reading(tmp_path, '{"x":[1],"a":[[],\n{}\n]}')
    assert [compact.line("a", index) for index in range(3)] == [1, 2, None]


def test_a_list_at_the_top_has_no_named_elements(tmp_path: Path) -> None:
    assert reading(tmp_path, "[1, 2]").line("a", 0) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(before=json_values, elements=st.lists(json_values, max_size=5), indent=st.booleans())
def test_every_element_is_found_on_its_line(
    tmp_path_factory: pytest.TempPathFactory, before: object, elements: list[object], indent: bool
) -> None:
    text = json.dumps({"first": before, "list": elements}, indent=1 if indent else None)
    file = reading(tmp_path_factory.mktemp("json"), text)
    lines = [file.line("list", index) for index in range(len(elements))]
    if not indent:
        assert set(lines) <= {None}
        return
    assert None not in lines
    assert lines == sorted(lines)
    written = text.split("\n")
    starts = [json.dumps(element)[0] for element in elements]
    assert [written[line - 1].strip()[0] for line in lines] == starts


@given(raw=st.binary(max_size=60))
def test_no_bytes_raise_an_exception(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("json") / "a.json"
    path.write_bytes(raw)
    file = read_json_file(path, damaged="replace")
    assert file.is_readable or file.data is None


def test_large_objects_can_be_reduced_while_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"rows": [{"n": [1, 2]}, {"n": [3]}]}')
    file = read_json_file(path, shrink=lambda value: sum(value["n"]) if "n" in value else value)
    assert file.data == {"rows": [3, 3]}


def test_elements_on_one_line_are_named_by_their_path_only(tmp_path: Path) -> None:
    for text in ('{"a": [{}, {}]}', '{"a": [{}]}\n', '{\n"x": 1,\n"a": [{}, {}]\n}'):
        assert str(JsonCursor.of(reading(tmp_path, text))["a"][0]["k"].place) == "a.json, a[0].k"
    root = JsonCursor.of(reading(tmp_path, '{\n"a": [{}]}'))
    assert str(root["a"][0].place) == "a.json, line 2"


def test_lines_before_the_first_element_are_counted(tmp_path):
    file = reading(tmp_path, '\n{"a": [1, 2]}')
    assert [file.line("a", index) for index in range(3)] == [None, None, None]
    file = reading(tmp_path, '\n{"a": [1,\n2]}')
    assert [file.line("a", index) for index in range(3)] == [2, 3, None]


INVALID = "The JSON is invalid: expecting value, but found: "
COMMENT = "JSON has no comments."
SINGLE = "JSON has its texts in double quotes; Python prints them in single ones."


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ('{"a": ' + "x" * 39, INVALID + "x" * 39, ""),
        ('{"a": ' + "x" * 40, INVALID + "x" * 40, ""),
        ('{"a": ' + "x" * 41, INVALID + "x" * 40, ""),
        ('{"a": x\nmore', INVALID + "x", ""),
        ('{"a": x \u200by', INVALID + "x \ufffdy", ""),
        ('{"a": \x0b\n 1', "The JSON is invalid: expecting value, but the line ends here.", ""),
        ('{"a": // one\n', INVALID + "// one", COMMENT),
        ('{"a": /* one\n', INVALID + "/* one", COMMENT),
        ('{"a": # one\n', INVALID + "# one", COMMENT),
        ("['a']", INVALID + "'a']", SINGLE),
        ('"a" "b"', 'The JSON is invalid: extra data, but found: "b"', ""),
        ("1\n2", "The JSON is invalid: extra data, but found: 2", ""),
        ('{"a": 1} {"a": 2}', 'The JSON is invalid: extra data, but found: {"a": 2}', ""),
        ('{"a": 1}\n[2]', "The JSON is invalid: extra data, but found: [2]", ""),
        ("[1]\n{}", "The JSON is invalid: extra data, but found: {}", ""),
        (
            '["a\nb"]',
            "The JSON is invalid: invalid control character, but the line ends here.",
            "",
        ),
        ("id,caption\n1,a\n", "The file is a table with commas: id, caption.", "JSON is expected."),
        ("id\tb\r\n1\ta\r\n", "The file is a table with tabs: id, b.", "JSON is expected."),
        ('"id";"b"\n1;2;3\n', 'The JSON is invalid: extra data, but found: ;"b"', ""),
        ("id;b\n1\n", INVALID + "id;b", ""),
        ("id,1b\n1,2\n", INVALID + "id,1b", ""),
        ("id\n1\n", INVALID + "id", ""),
    ],
)
def test_what_stands_in_the_place_of_json_is_shown_with_its_usual_cause(
    tmp_path: Path, text: str, found: str, expected: str
) -> None:
    (defect,) = reading(tmp_path, text).defects
    assert (defect.found, defect.expected) == (found, expected)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}]),
        ('\n{"a": 1} \n\n {"a": 2}\n{}\n', [{"a": 1}, {"a": 2}, {}]),
    ],
)
def test_json_lines_are_a_list_with_a_note(tmp_path: Path, text: str, values: object) -> None:
    file = reading(tmp_path, text)
    assert file.data == values
    assert sentences(file) == [
        f"note  a.json: The file is JSON Lines: {len(values)} objects, one after the other.\n"
        "       They were read as a list."
    ]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_list_on_one_line_is_not_decoded_again_for_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    file = reading(tmp_path, f'{{"a": [1, 2]}}{end}')
    monkeypatch.setattr(json_file, "_element_lines", None)
    assert file.line("a", 1) is None


def test_lines_are_told_where_the_text_has_several(tmp_path: Path) -> None:
    assert reading(tmp_path, '{"a": [1, 2]}\n').line("a", 0) is None
    assert reading(tmp_path, '{"a": [1,\n2]}').line("a", 0) == 1
    assert reading(tmp_path, '\n{"a": [1]}').line("a", 0) == 2
    file = reading(tmp_path, '{"b": 1, "a": [1,\n2,\n3], "c": {"a": [4]}}')
    assert [file.line("a", index) for index in (2, 0, 1, 3)] == [3, 1, 2, None]
    file = reading(tmp_path, '{"a": [1,\n2], "b": 3, "a": 4}')
    assert file.line("a", 0) is None


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("a,b\n1,2", "a table with commas: a, b"),
        ("a,b\r\n1,2,3", "a table with commas: a, b"),
        ('"a";"b"\n;', "a table with semicolons: a, b"),
        ("a,b;c\n1,2;3", ""),
        ("a b\tc.d\n\t", "a table with tabs: a b, c.d"),
        ("a,b", ""),
        ("a\n1", ""),
        ("a,b\n1", ""),
        ("a,\n1,2", ""),
    ],
)
def test_a_table_is_described_by_its_delimiter_and_columns(
    tmp_path: Path, text: str, described: str
) -> None:
    assert reading(tmp_path, text).described_table == described


def test_what_is_half_of_a_pair_is_counted_and_replaced_alone(tmp_path: Path) -> None:
    file = reading(tmp_path, '["\\uD83D\\uDE00",\n"\\uDE00\\uD83D", "\\\\uD83D"]')
    assert file.data == ["\U0001f600", "\ufffd\ufffd", "\\uD83D"]
    assert sentences(file) == [
        "warning  a.json, line 2, column 2: The escape \\uDE00 is half of a surrogate pair.\n"
        "       It was read as the replacement character U+FFFD (2 in all). Write both halves."
    ]
