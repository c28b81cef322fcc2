"""Lists of queries and words: what they name is used, or told."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.model.defects import Severity
from support.files.spotting import score_texts

BOXES = "letter p 10 10 40 20\nthe p 80 10 40 20\n"
LISTED = "letter p 10 10 40 20 .9\nthe p 80 10 40 20 .8\n"


@pytest.mark.parametrize(
    ("role", "text", "told"),
    [
        ("query_set", "letter letter", "1 name listed twice: letter."),
        ("query_set", "letter november", "Not in one.dat: 1 name (november)."),
        ("query_groups", "g letter november", "Not in one.dat: 1 name (november)."),
    ],
)
def test_names_of_a_list_that_change_nothing_are_told(
    role: str, text: str, told: str, tmp_path: Path
) -> None:
    found = score_texts(tmp_path, BOXES, LISTED, **{role: text})
    assert [one.found for one in found.defects if one.place.name == role] == [told]


def test_lines_under_other_names_are_told_of_a_table_too(tmp_path: Path) -> None:
    found = score_texts(tmp_path, "w a\n", "w a.png .9\n", protocol="table")
    text = 'No document of the results is in the relevance file: "a.png" here, "a" there.'
    assert text in [one.found for one in found.defects]


def test_a_table_with_relevance_of_its_own_leaves_the_other_file_unused(tmp_path: Path) -> None:
    found = score_texts(tmp_path, "w a\n", "a w 1 .9\nb w 0 .8\n", protocol="table")
    text = "The table tells itself what is relevant: one.dat is not used."
    assert text in [one.found for one in found.defects]


def test_a_list_of_queries_is_refused_for_files_of_trec_eval(tmp_path: Path) -> None:
    found = score_texts(
        tmp_path, "q1 0 d1 1\nq1 0 d2 0\n", "q1 Q0 d1 1 .9 a\n", query_set="q1", case="fold"
    )
    assert [one.found for one in found.defects if one.severity is Severity.ERROR] == [
        "--query-set is for scoring by overlap (--protocol)."
    ]
    assert "trec_eval's format has no use for --case." in [one.found for one in found.defects]


@pytest.mark.parametrize("mark", [";", ",", "|"])
def test_other_signs_between_fields_are_read_with_a_note(mark: str, tmp_path: Path) -> None:
    plain = score_texts(tmp_path, BOXES, LISTED)
    found = score_texts(tmp_path, *(one.replace(" ", mark) for one in (BOXES, LISTED)))
    assert found.scores() == plain.scores()
    signs = {";": "semicolons", ",": "commas", "|": "bars"}[mark]
    texts = [one.found for one in found.defects]
    assert texts.count(f"The fields are separated by {signs}.") == 2


@pytest.mark.parametrize(
    ("role", "text", "told"),
    [
        ("query_set", '"letter"', "The names are in quotation marks, which were left out."),
        ("query_groups", "g;letter;the", "The fields are separated by semicolons."),
        ("query_set", "letter\0", "The line holds a NUL byte."),
    ],
)
def test_other_forms_of_lists_are_read_or_refused_with_their_cause(
    role: str, text: str, told: str, tmp_path: Path
) -> None:
    found = score_texts(tmp_path, BOXES, LISTED, **{role: text})
    assert told in [one.found for one in found.defects]


def test_a_cut_line_and_a_decimal_comma_are_told_by_their_cause(tmp_path: Path) -> None:
    cut = score_texts(tmp_path, BOXES, LISTED[:-6])
    assert [one.hint for one in cut.defects] == ["The file may be cut off: it ends here."]
    comma = score_texts(tmp_path, BOXES, LISTED.replace(".", ","))
    assert {one.found for one in comma.defects} == {
        'The score is ",9", not a finite number.',
        'The score is ",8", not a finite number.',
    }
