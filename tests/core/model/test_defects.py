"""Defects: errors of a user's file, in sentences."""

from __future__ import annotations

from jurydesk.core.model.defects import Place, error, format_defects, note


def test_a_defect_names_its_file_by_the_base_name():
    wrong = error(Place("/in/north/run.txt", 3, 4), "It is wrong.", "Right.", "Mend it.")
    assert str(wrong) == "error  run.txt, line 3, column 4: It is wrong.\n       Right. Mend it."


def test_files_of_the_same_name_are_distinguished_by_their_folders():
    found = [
        error(Place("/in/north/run.txt", 3), "It is wrong."),
        error(Place("/in/south/run.txt"), "It is empty."),
        note(Place("/in/truth.txt", json_path="a.b"), "It is odd."),
    ]
    assert format_defects(found) == [
        "error  north/run.txt, line 3: It is wrong.",
        "error  south/run.txt: It is empty.",
        "note  truth.txt, a.b: It is odd.",
    ]


def test_a_file_name_with_line_ends_takes_one_line() -> None:
    assert str(Place("in/a\nb\u2028.json", 3)) == "a\\nb\\u2028.json, line 3"
