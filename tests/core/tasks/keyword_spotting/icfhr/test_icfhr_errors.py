"""Refused ICFHR 2014 files, each with its message."""

from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.readers import bounded_defects
from jurydesk.core.tasks.keyword_spotting.icfhr import strict_reader as xml_errors
from jurydesk.core.tasks.keyword_spotting.icfhr.word_rules import RELEVANCE_ROOT, RESULTS_ROOT
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements
from support.defect_texts import defect_texts
from support.files.icfhr import (
    JUDGED,
    judgements_text,
    read_listing,
    read_relevance,
    results_text,
    word,
)

WORD = '<word document="p" x="1" y="1" width="1" height="1"/>'


SWAPPED = (
    "The two files are swapped: give the relevance file with --relevance "
    "and the result list with --results."
)


@pytest.mark.parametrize(
    ("name", "wanted", "found", "hint"),
    [
        (RESULTS_ROOT, RELEVANCE_ROOT, f"This is a result list (<{RESULTS_ROOT}>).", SWAPPED),
        (RELEVANCE_ROOT, RESULTS_ROOT, f"This is a relevance file (<{RELEVANCE_ROOT}>).", SWAPPED),
        ("html", RESULTS_ROOT, "The outermost tag is <html>.", "Give the right file."),
        (
            "RelevanceListing",
            RESULTS_ROOT,
            "The outermost tag is <RelevanceListing>.",
            f'"RelevanceListing" was found: did you mean "{RESULTS_ROOT}"?',
        ),
    ],
)
def test_another_root_element_is_reported_with_the_actual_file_type(name, wanted, found, hint):
    errors = xml_errors.ErrorLog("a.xml")
    errors.add_wrong_root(3, name, wanted)
    (one,) = errors.defects()
    assert (one.place.line, one.found) == (3, found)
    assert one.expected == f"A file that begins with <{wanted}> is expected."
    assert one.hint == hint


class TestRefusedFiles:
    @pytest.mark.parametrize(
        ("tag", "expected"),
        [
            (
                WORD.replace("width", "widht"),
                'query "a", word 1: attribute "width" is missing.\n'
                "       Every <word> needs document, x, y, width and height. "
                '"widht" was found: did you mean "width"?',
            ),
            (
                WORD.replace('document="p"', 'document=""'),
                'query "a", word 1: document is empty.\n'
                "       It names the page. Write the page's name.",
            ),
            (
                WORD.replace('x="1"', 'x="1.5"'),
                'query "a", word 1: x="1.5" is not a whole number.\n'
                "       x, y, width and height are whole numbers of pixels. Write digits only.",
            ),
            (
                WORD.replace('y="1"', 'y="12345678901"'),
                'query "a", word 1: y="12345678901" has more than nine digits.\n'
                "       Boxes are in pixels. Correct it.",
            ),
            (
                WORD.replace('width="1"', 'width="0"'),
                'query "a", word 1: width="0" is not positive.\n'
                "       A box has a positive width and height. Correct the box.",
            ),
            (
                WORD.replace('height="1"', 'height="-4"'),
                'query "a", word 1: height="-4" is not positive.\n'
                "       A box has a positive width and height. Correct the box.",
            ),
            (
                "<wrod/>",
                "<wrod> is inside <Rel>.\n"
                "       <RelevanceListings> holds <Rel>, which holds <word>, which is empty. "
                '"wrod" was found: did you mean "word"?',
            ),
            (
                WORD.replace("/>", f">{WORD.strip()}</word>"),
                "<word> is inside <word>.\n"
                "       <RelevanceListings> holds <Rel>, which holds <word>, which is empty. "
                "Move or remove it.",
            ),
            (
                WORD.replace("/>", "><note/></word>"),
                "<note> is inside <word>.\n"
                "       <RelevanceListings> holds <Rel>, which holds <word>, which is empty. "
                "Move or remove it.",
            ),
            (
                "oops",
                'There is text between the tags: "oops".\n'
                "       Only tags belong there. Remove it.",
            ),
            (
                "<word x=1/>",
                "The text is not valid XML: a stray < or &, a control character, or a "
                "byte that is not in the file's encoding.\n"
                "       Fix this place: the rest of the file was not read.",
            ),
            (
                WORD.replace("/>", ' x="2"/>'),
                "A tag has the same attribute twice.\n"
                "       Fix this place: the rest of the file was not read.",
            ),
            (
                WORD.replace('"p"', '"&page;"'),
                "An entity other than &lt; &gt; &amp; &quot; and &apos; is not allowed.\n"
                "       Replace the reference by the character itself; nothing after it was read.",
            ),
            (
                "</Rle>",
                "The closing tag does not fit the open tag.\n"
                "       Fix this place: the rest of the file was not read.",
            ),
        ],
    )
    def test_an_invalid_line_is_reported(
        self, tag: str, expected: str, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"a": [tag]}))
        assert reading.data is None
        assert defect_texts(reading.defects) == [f"error  res.xml, line 4: {expected}"]

    @pytest.mark.parametrize(
        ("grade", "expected"),
        [
            ("1.5", "is outside [0, 1]"),
            ("-0.1", "is outside [0, 1]"),
            ("nan", "is not a number"),
            ("0,9", "is not a number"),
            ("", "is not a number"),
        ],
    )
    def test_an_invalid_grade_is_reported(self, grade: str, expected: str, tmp_path: Path) -> None:
        reading = read_relevance(tmp_path, judgements_text({"a": [word(0, relevance=grade)]}))
        assert reading.data is None
        (defect,) = reading.defects
        assert defect.found == f'query "a", word 1: Relevance="{grade}" {expected}.'

    def test_all_defects_are_reported_at_once(self, tmp_path: Path, judgements: Judgements) -> None:
        bad = WORD.replace('x="1"', 'x="?"').replace('width="1"', "")
        reading = read_listing(tmp_path, judgements, results_text({"a": [bad, WORD, bad]}))
        assert [(defect.place.line, defect.found) for defect in reading.defects] == [
            (4, 'query "a", word 1: attribute "width" is missing.'),
            (4, 'query "a", word 1: x="?" is not a whole number.'),
            (6, 'query "a", word 3: attribute "width" is missing.'),
            (6, 'query "a", word 3: x="?" is not a whole number.'),
        ]

    def test_beyond_a_number_of_errors_each_cause_is_counted(
        self, tmp_path: Path, judgements: Judgements, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bounded_defects, "MOST", 100)
        left, top = WORD.replace('x="1"', 'x="?"'), WORD.replace('y="1"', 'y="?"')
        reading = read_listing(
            tmp_path, judgements, results_text({"a": [left] * 1234 + [top] * 1000})
        )
        assert [one.found for one in reading.defects][9:] == [
            'query "a", word 10: x="?" is not a whole number.',
            "There are 1,224 more of this kind, on lines 14, 15, 16 and 1,221 more.",
            'query "a", word 1235: y="?" is not a whole number. There are 999 more of this kind.',
        ]
        assert sum(one.count for one in reading.defects) == 2234

    def test_the_line_is_right_in_long_files(self, tmp_path: Path, judgements: Judgements) -> None:
        bad = WORD.replace('x="1"', 'x="?"')
        words = [WORD] * 70_000 + [bad]
        reading = read_listing(tmp_path, judgements, results_text({"a": words}))
        assert [defect.place.line for defect in reading.defects] == [70_004]

    def test_a_repeated_query_is_reported(self, tmp_path: Path, judgements: Judgements) -> None:
        text = results_text({"a": [WORD], "b": [WORD]}).replace('"b"', '"a"')
        assert defect_texts(read_listing(tmp_path, judgements, text).defects) == [
            'error  res.xml, line 6: Query "a" has a second <Rel>; its first is on line 3.\n'
            "       Each query may occur only once. Join the two, or remove one."
        ]

    def test_a_query_without_a_name_is_reported(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        text = results_text({"a": [WORD]}).replace("queryid", "queryID")
        assert defect_texts(read_listing(tmp_path, judgements, text).defects) == [
            'error  res.xml, line 3: <Rel> has no attribute "queryid".\n'
            '       Every <Rel> names its query. "queryID" was found: did you mean "queryid"?'
        ]

    def test_files_without_a_common_query_are_reported(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"y": [WORD], "z": [WORD]}))
        assert reading.data is None
        assert defect_texts(reading.defects) == [
            "error  res.xml, line 3: No query of the results is in the relevance file "
            '("y", "z").\n'
            "       Give the relevance file that belongs to these results."
        ]

    def test_a_file_without_queries_is_reported(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        assert defect_texts(read_listing(tmp_path, judgements, results_text({})).defects) == [
            "error  res.xml, line 1: The file has no <Rel>: it names no query.\n"
            "       Give the complete file."
        ]
        assert defect_texts(read_relevance(tmp_path, judgements_text({})).defects) == [
            "error  gt.xml, line 1: The file has no <GTRel>: it names no query.\n"
            "       Give the complete file."
        ]

    def test_a_relevance_file_in_place_of_results_is_reported(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        assert defect_texts(read_listing(tmp_path, judgements, JUDGED).defects) == [
            "error  res.xml, line 2: This is a relevance file (<GroundTruthRelevanceJudgements>).\n"
            "       A file that begins with <RelevanceListings> is expected. The two files are "
            "swapped: give the relevance file with --relevance and the result list with --results."
        ]

    def test_other_xml_is_reported(self, tmp_path: Path) -> None:
        assert defect_texts(read_relevance(tmp_path, "<html></html>").defects) == [
            "error  gt.xml, line 1: The outermost tag is <html>.\n"
            "       A file that begins with <GroundTruthRelevanceJudgements> is expected. "
            "Give the right file."
        ]

    @pytest.mark.parametrize(
        ("content", "found"),
        [
            (b"", "The file is empty."),
            (b"q1 0 doc1 1\n", "The file is not XML."),
            (bytes(range(256)) * 8, "The file is not XML."),
            (b"\x89PNG\r\n\x1a\n", "The file is not XML."),
            (b"   \n", "The file holds no tag at all."),
        ],
    )
    def test_a_file_that_is_not_xml_is_reported(
        self, content: bytes, found: str, tmp_path: Path, judgements: Judgements
    ) -> None:
        for defects in (
            read_relevance(tmp_path, content).defects,
            read_listing(tmp_path, judgements, content).defects,
        ):
            assert [defect.found for defect in defects] == [found]
            assert defects[0].place.line in (1, 2)
            assert defects[0].hint
