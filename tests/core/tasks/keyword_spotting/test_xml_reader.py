"""Reading ICFHR 2014 files: what is accepted, and each sentence about what is not."""

from __future__ import annotations

import gzip
import math
import os
from pathlib import Path

import numpy as np
import pytest
from golden import data
from icfhr_files import judgements_text, read_listing, read_relevance, results_text, word

from core.defects import Defect
from core.run.run import Cancelled, CancelToken, Run
from core.tasks.keyword_spotting import xml_errors, xml_source
from core.tasks.keyword_spotting.xml_reader import (
    looks_like_xml,
    read_judgements,
    read_results,
    role_of,
)
from core.tasks.keyword_spotting.xml_words import Judgements, Results

JUDGED = judgements_text({"a": [word(0, relevance="1")], "b": [word(20, relevance="0.5")]})
RANKED = results_text({"a": [word(0), word(40)], "b": [word(20)]})


@pytest.fixture
def judgements(tmp_path: Path) -> Judgements:
    found = read_relevance(tmp_path, JUDGED).data
    assert found is not None
    return found


def told(defects: tuple[Defect, ...]) -> list[str]:
    return [str(defect) for defect in defects]


def boxes(results: Results | None) -> list[list[int]]:
    assert results is not None
    return results.words.boxes.tolist()


class TestWhatIsRead:
    def test_queries_words_and_grades(self, judgements: Judgements) -> None:
        assert judgements.queries == ("a", "b")
        assert judgements.starts.tolist() == [0, 1, 2]
        assert judgements.words.box(1) == (20, 0, 10, 10)
        assert judgements.relevance.tolist() == [1.0, 0.5]
        assert judgements.format == "xml"

    def test_queries_come_in_natural_order(self, tmp_path: Path) -> None:
        text = judgements_text({name: [word(i)] for i, name in enumerate(("q10", "q9", "q1"))})
        found = read_relevance(tmp_path, text).data
        assert found is not None
        assert found.queries == ("q1", "q9", "q10")
        assert [found.words.box(row)[0] for row in range(3)] == [2, 1, 0]

    def test_the_order_of_the_file_is_the_ranking(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, RANKED)
        assert reading.defects == ()
        assert [box[0] for box in boxes(reading.data)] == [0, 40, 20]
        assert reading.data is not None
        assert reading.data.words.lines.tolist() == [4, 5, 8]

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: "\ufeff" + text.replace("\n", "\r\n"),
            lambda text: text.replace('"', "'"),
            lambda text: text.replace(' x="0" y="0"', ' y="0"\tx="0"'),
            lambda text: text.replace("<word ", "<word\n\n"),
            lambda text: text.replace("\n", ""),
            lambda text: text.replace(" />", "></word>"),
            lambda text: text.replace("p1", "p&#49;"),
            lambda text: text.replace("<RelevanceListings>", "<!-- mine --><RelevanceListings>"),
            lambda text: text.replace(' x="0"', ' x="+00"'),
            lambda text: gzip.compress(text.encode()),
            lambda text: text.replace("utf-8", "utf-16").encode("utf-16"),
            lambda text: text.replace("utf-8", "iso-8859-1").encode("latin-1"),
        ],
    )
    def test_any_legal_way_to_write_it(
        self, change: object, tmp_path: Path, judgements: Judgements
    ) -> None:
        assert callable(change)
        reading = read_listing(tmp_path, judgements, change(RANKED))
        assert reading.defects == ()
        assert boxes(reading.data) == [[0, 0, 10, 10], [40, 0, 10, 10], [20, 0, 10, 10]]
        assert reading.data is not None
        assert reading.data.words.documents == ("p1",)

    def test_places_may_be_negative(self, tmp_path: Path, judgements: Judgements) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"a": [word(-12345678)]}))
        assert boxes(reading.data) == [[-12345678, 0, 10, 10]]

    def test_the_relevance_file_of_the_competition(self) -> None:
        path = data("icfhr2014/TRACK_I_Bentham_ICFHR2014.RelevanceJudgements.xml")
        reading = read_judgements(path, Run())
        assert reading.defects == ()
        assert reading.data is not None
        assert len(reading.data.queries) == 320
        assert len(reading.data.words) == 4164
        assert reading.data.texts[0] == "possess"


class TestWhatIsTolerated:
    def test_missing_relevance_is_one_and_a_misspelling_is_guessed(self, tmp_path: Path) -> None:
        words = [word(0, relevance="1"), word(20, relevance="1"), word(40, relevance="1")]
        text = judgements_text({"a": words}).replace(' Relevance="1"', ' elevance="1"', 2)
        reading = read_relevance(tmp_path, text)
        assert told(reading.defects) == [
            'warning  gt.xml, line 4: 2 words have no attribute "Relevance".\n'
            "       Such a word counts as fully relevant (1), in nDCG of the profile icfhr as 0. "
            '"elevance" stands there: did you mean "Relevance"?',
            'warning  gt.xml, line 4: 2 words have an unknown attribute "elevance".\n'
            "       It was ignored.",
        ]
        assert [defect.count for defect in reading.defects] == [2, 2]
        assert reading.data is not None
        assert [math.isnan(grade) for grade in reading.data.relevance] == [True, True, False]

    def test_a_word_judged_twice(self, tmp_path: Path) -> None:
        words = [word(0, relevance="1"), word(5, relevance="1"), word(0, relevance="0.5")]
        reading = read_relevance(tmp_path, judgements_text({"a": words}))
        assert told(reading.defects) == [
            "warning  gt.xml, line 6: 1 word is judged again for the same query "
            "(line 6 repeats line 4).\n"
            "       The published profile counts every line as one relevant word, corrected only "
            "one. Remove the repetitions."
        ]

    def test_a_query_with_nothing_relevant(self, tmp_path: Path) -> None:
        text = judgements_text({"a": [word(0, relevance="1")], "b": []})
        assert told(read_relevance(tmp_path, text).defects) == [
            'warning  gt.xml, line 6: There is no word for 1 query: "b".\n'
            "       A query with nothing relevant is left out of the means."
        ]

    def test_a_query_with_no_results(self, tmp_path: Path, judgements: Judgements) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"a": [word(0)], "b": []}))
        assert told(reading.defects) == [
            'warning  res.xml, line 6: There is no word for 1 query: "b".\n'
            "       It counts as a query without results."
        ]

    def test_queries_that_nobody_judges_are_left_out(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        text = results_text({"y": [word(1)], "a": [word(0)], "z": [word(2)]})
        reading = read_listing(tmp_path, judgements, text)
        assert told(reading.defects) == [
            'warning  res.xml, line 3: 2 queries are not in the relevance file: "y", "z".\n'
            "       Words of such a query are ignored. Check the spelling."
        ]
        assert reading.data is not None
        assert reading.data.queries == ("a",)
        assert boxes(reading.data) == [[0, 0, 10, 10]]


WORD = '<word document="p" x="1" y="1" width="1" height="1"/>'


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("tag", "expected"),
        [
            (
                WORD.replace("width", "widht"),
                'query "a", word 1: attribute "width" is missing.\n'
                "       Every <word> needs document, x, y, width and height. "
                '"widht" stands there: did you mean "width"?',
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
                "<wrod> stands inside <Rel>.\n"
                "       <RelevanceListings> holds <Rel>, which holds <word>, which is empty. "
                '"wrod" stands there: did you mean "word"?',
            ),
            (
                WORD.replace("/>", f">{WORD.strip()}</word>"),
                "<word> stands inside <word>.\n"
                "       <RelevanceListings> holds <Rel>, which holds <word>, which is empty. "
                "Move or remove it.",
            ),
            (
                WORD.replace("/>", "><note/></word>"),
                "<note> stands inside <word>.\n"
                "       <RelevanceListings> holds <Rel>, which holds <word>, which is empty. "
                "Move or remove it.",
            ),
            (
                "oops",
                'Text stands between the tags: "oops".\n       Only tags belong there. Remove it.',
            ),
            (
                "<word x=1/>",
                "Here stands what XML does not allow: a stray < or &, a control character, or a "
                "byte that is not in the file's encoding.\n"
                "       Mend this place; nothing after it was read.",
            ),
            (
                WORD.replace("/>", ' x="2"/>'),
                "A tag has the same attribute twice.\n"
                "       Mend this place; nothing after it was read.",
            ),
            (
                WORD.replace('"p"', '"&page;"'),
                "An entity other than &lt; &gt; &amp; &quot; and &apos; is not allowed.\n"
                "       Replace the reference by the character itself; nothing after it was read.",
            ),
            (
                "</Rle>",
                "The closing tag does not fit the open tag.\n"
                "       Mend this place; nothing after it was read.",
            ),
        ],
    )
    def test_a_bad_line(
        self, tag: str, expected: str, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"a": [tag]}))
        assert reading.data is None
        assert told(reading.defects) == [f"error  res.xml, line 4: {expected}"]

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
    def test_a_bad_grade(self, grade: str, expected: str, tmp_path: Path) -> None:
        reading = read_relevance(tmp_path, judgements_text({"a": [word(0, relevance=grade)]}))
        assert reading.data is None
        (defect,) = reading.defects
        assert defect.found == f'query "a", word 1: Relevance="{grade}" {expected}.'

    def test_all_defects_come_at_once(self, tmp_path: Path, judgements: Judgements) -> None:
        bad = WORD.replace('x="1"', 'x="?"').replace('width="1"', "")
        reading = read_listing(tmp_path, judgements, results_text({"a": [bad, WORD, bad]}))
        assert [(defect.place.line, defect.found) for defect in reading.defects] == [
            (4, 'query "a", word 1: attribute "width" is missing.'),
            (4, 'query "a", word 1: x="?" is not a whole number.'),
            (6, 'query "a", word 3: attribute "width" is missing.'),
            (6, 'query "a", word 3: x="?" is not a whole number.'),
        ]

    def test_from_the_thousandth_error_on_they_are_counted(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        bad = WORD.replace('x="1"', 'x="?"')
        reading = read_listing(tmp_path, judgements, results_text({"a": [bad] * 1234}))
        assert len(reading.defects) == xml_errors.SHOWN + 1
        assert reading.defects[-1].found == "234 more errors are not listed."

    def test_the_line_is_right_in_long_files(self, tmp_path: Path, judgements: Judgements) -> None:
        bad = WORD.replace('x="1"', 'x="?"')
        words = [WORD] * 70_000 + [bad]
        reading = read_listing(tmp_path, judgements, results_text({"a": words}))
        assert [defect.place.line for defect in reading.defects] == [70_004]

    def test_a_query_that_stands_twice(self, tmp_path: Path, judgements: Judgements) -> None:
        text = results_text({"a": [WORD], "b": [WORD]}).replace('"b"', '"a"')
        assert told(read_listing(tmp_path, judgements, text).defects) == [
            'error  res.xml, line 6: Query "a" has a second <Rel>; its first is on line 3.\n'
            "       Every query stands once. Join the two, or remove one."
        ]

    def test_a_query_without_a_name(self, tmp_path: Path, judgements: Judgements) -> None:
        text = results_text({"a": [WORD]}).replace("queryid", "queryID")
        assert told(read_listing(tmp_path, judgements, text).defects) == [
            'error  res.xml, line 3: <Rel> has no attribute "queryid".\n'
            '       Every <Rel> names its query. "queryID" stands there: did you mean "queryid"?'
        ]

    def test_no_query_in_common(self, tmp_path: Path, judgements: Judgements) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"y": [WORD], "z": [WORD]}))
        assert reading.data is None
        assert told(reading.defects) == [
            "error  res.xml, line 3: No query of the results is in the relevance file "
            '("y", "z").\n'
            "       Give the relevance file that belongs to these results."
        ]

    def test_a_file_without_queries(self, tmp_path: Path, judgements: Judgements) -> None:
        assert told(read_listing(tmp_path, judgements, results_text({})).defects) == [
            "error  res.xml, line 1: The file has no <Rel>: it names no query.\n"
            "       Give the complete file."
        ]
        assert told(read_relevance(tmp_path, judgements_text({})).defects) == [
            "error  gt.xml, line 1: The file has no <GTRel>: it names no query.\n"
            "       Give the complete file."
        ]

    def test_a_relevance_file_where_results_belong(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        assert told(read_listing(tmp_path, judgements, JUDGED).defects) == [
            "error  res.xml, line 2: This is a relevance file (<GroundTruthRelevanceJudgements>).\n"
            "       A file that begins with <RelevanceListings> is expected. The two files are "
            "swapped: give the relevance file with --relevance and the result list with --results."
        ]

    def test_other_xml(self, tmp_path: Path) -> None:
        assert told(read_relevance(tmp_path, "<html></html>").defects) == [
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
    def test_what_is_no_xml(
        self, content: bytes, found: str, tmp_path: Path, judgements: Judgements
    ) -> None:
        for defects in (
            read_relevance(tmp_path, content).defects,
            read_listing(tmp_path, judgements, content).defects,
        ):
            assert [defect.found for defect in defects] == [found]
            assert defects[0].place.line in (1, 2)
            assert defects[0].hint


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMBS = {
    "billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "lol">{LAUGHS}]><RelevanceListings>&l9;',
    "external entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    "external subset": '<!DOCTYPE r SYSTEM "http://localhost/x.dtd"><RelevanceListings/>',
    "parameter entity": '<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><r/>',
}


class TestHostileFiles:
    @pytest.mark.parametrize("name", BOMBS)
    def test_a_document_type_is_refused_before_it_can_do_anything(
        self, name: str, tmp_path: Path, judgements: Judgements
    ) -> None:
        for defects in (
            read_relevance(tmp_path, BOMBS[name]).defects,
            read_listing(tmp_path, judgements, BOMBS[name]).defects,
        ):
            assert [(defect.place.line, defect.found) for defect in defects] == [
                (1, "A document type or entity declaration (<!DOCTYPE ...>) is not allowed.")
            ]

    @pytest.mark.parametrize("cut", range(1, len(RANKED) - 1, 7))
    def test_a_file_that_was_cut_short(
        self, cut: int, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, RANKED[:cut])
        assert reading.data is None
        assert len(reading.defects) == 1

    def test_an_endless_tag(self, tmp_path: Path, judgements: Judgements) -> None:
        text = '<RelevanceListings><Rel queryid="' + "y" * (4 * 2**20)
        assert told(read_listing(tmp_path, judgements, text).defects) == [
            "error  res.xml, line 1: A tag or comment is longer than 1 MiB.\n"
            "       Look for a missing quote or closing bracket; nothing after it was read."
        ]

    def test_an_archive_that_unpacks_without_end(
        self, tmp_path: Path, judgements: Judgements, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(xml_source, "MAX_UNPACKED", 2**21)
        packed = gzip.compress(b"<RelevanceListings>" + b"\n" * 2**24)
        assert told(read_listing(tmp_path, judgements, packed).defects) == [
            "error  res.xml, line 1: The gzip file unpacks to more than 0.00195312 GiB.\n"
            "       A result file is far smaller. "
            "Check that it is the right file; if it is, unpack it first."
        ]

    def test_a_damaged_archive(self, tmp_path: Path, judgements: Judgements) -> None:
        packed = bytearray(gzip.compress(RANKED.encode()))
        for damaged in (packed[:-12], packed[:20] + b"\xff\xff" + packed[22:]):
            (defect,) = read_listing(tmp_path, judgements, bytes(damaged)).defects
            assert defect.found.startswith("The gzip data is damaged (")
            assert defect.hint == "Compress the file anew."

    def test_a_folder(self, tmp_path: Path) -> None:
        assert told(read_judgements(tmp_path, Run()).defects) == [
            f"error  {tmp_path.name}, line 1: This is a folder, not a file.\n"
            "       Give the file itself."
        ]

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        assert told(read_judgements(tmp_path / "none.xml", Run()).defects) == [
            "error  none.xml, line 1: The file does not exist.\n       Check its name and folder."
        ]

    def test_a_file_without_permission(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "gt.xml"
        path.write_text(JUDGED)

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        monkeypatch.setattr(Path, "open", refuse)
        assert told(read_judgements(path, Run()).defects) == [
            "error  gt.xml, line 1: The file cannot be read: Permission denied.\n"
            "       Check its permissions."
        ]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert told(read_judgements(tmp_path / "pipe", Run()).defects) == [
            "error  pipe, line 1: This is a pipe or a device, not a file.\n"
            "       Save the data to a file first."
        ]


class TestRunning:
    def test_a_cancel_is_heard_between_blocks(self, tmp_path: Path, judgements: Judgements) -> None:
        path = tmp_path / "res.xml"
        path.write_text(RANKED)
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            read_results(path, judgements, Run(cancel=token))

    def test_progress_counts_bytes(self, tmp_path: Path, judgements: Judgements) -> None:
        path = tmp_path / "res.xml"
        path.write_text(RANKED)
        seen = []
        read_results(path, judgements, Run(progress=seen.append))
        assert [(step.done, step.total, step.text) for step in seen] == [
            (len(RANKED), len(RANKED), "Reading res.xml")
        ]


@pytest.mark.parametrize(
    ("head", "role"),
    [
        (JUDGED.encode(), "relevance"),
        (RANKED.encode(), "results"),
        (b"\xef\xbb\xbf" + RANKED.encode(), "results"),
        (gzip.compress(RANKED.encode()), "results"),
        (RANKED.encode("utf-16"), "results"),
        (b"<!-- <GroundTruthRelevanceJudgements> --><RelevanceListings>", "results"),
        (b'<!DOCTYPE r [<!ENTITY x "y">]><RelevanceListings>', "results"),
        (b"<?xml version='1.0'?>\n<!-- a --> <?b ?>\n<RelevanceListings>", "results"),
        (b"<html><RelevanceListings>", None),
        (b"<html><?a ?><RelevanceListings>", None),
        (b"q1 0 d1 1\n", None),
        (b"", None),
        (b"\x1f\x8b\x08broken", None),
    ],
)
def test_the_role_is_told_by_the_content(head: bytes, role: str | None) -> None:
    assert role_of(head) == role


@pytest.mark.parametrize("opening", ["<?", "<!--", "<!DOCTYPE x", "<!DOCTYPE x[", "<!DOCTYPE x[] "])
def test_a_head_of_openings_without_an_end_has_no_role_and_takes_no_time(opening: str) -> None:
    head = opening * (1_000_000 // len(opening))
    assert role_of(head.encode()) is None


def test_any_xml_looks_like_xml() -> None:
    assert looks_like_xml(b"\xef\xbb\xbf\n<html>")
    assert looks_like_xml(gzip.compress(b"<?xml?>"))
    assert not looks_like_xml(b"q1 0 <d1> 1")
    assert not looks_like_xml(b"")


def test_words_can_be_chosen(judgements: Judgements) -> None:
    chosen = judgements.words.take(np.array([1]))
    assert (len(chosen), chosen.name(0), chosen.box(0)) == (1, "p1", (20, 0, 10, 10))
