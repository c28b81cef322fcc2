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
