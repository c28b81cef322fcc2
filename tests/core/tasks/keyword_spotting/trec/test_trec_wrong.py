"""Errors in trec_eval's files, each with its message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.readers import bounded_defects
from jurydesk.core.tasks.keyword_spotting.trec import trec_reader
from jurydesk.core.tasks.keyword_spotting.trec.trec_reader import read_qrels
from support.defect_texts import defect_texts
from support.files.trec import QRELS, RUN, Pair

pytestmark = pytest.mark.usefixtures("way")


# Errors of lines


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "q1 Q0 b 2",
            "error  run.txt, line 2: 4 fields were found.\n       6 are expected: query, Q0, "
            "document, rank, score, run name. Complete the line.",
        ),
        (
            "q1",
            "error  run.txt, line 2: 1 field was found.\n       6 are expected: query, Q0, "
            "document, rank, score, run name. Complete the line.",
        ),
        (
            "q1 Q0 b 2 abc x",
            'error  run.txt, line 2: The score "abc" is not a number.\n       trec_eval would read '
            "it as 0 without a warning. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b 2 1_0 x",
            'error  run.txt, line 2: The score "1_0" is not a number.\n       trec_eval would read '
            "it as 1 without a warning. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b 2 -NaN x",
            "error  run.txt, line 2: The score is NaN.\n       Nothing is more or less than that, "
            "so the document has no rank. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b\0 2 1.0 x",
            "error  run.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file again; it may be damaged.",
        ),
        (
            "\0\0\0",
            "error  run.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file again; it may be damaged.",
        ),
        (
            "# a comment\0",
            "error  run.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file again; it may be damaged.",
        ),
        (
            "q1,Q0,b,2,1.0,x",
            "error  run.txt, line 2: 1 field was found.\n       6 are expected: query, Q0, "
            "document, rank, score, run name. Separate the fields by blanks or tabs.",
        ),
        (
            "q1 Q0 b 2 1,234.5 x",
            'error  run.txt, line 2: The score "1,234.5" is not a number.\n       trec_eval would '
            "read it as 1 without a warning. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b 2 3,0 x",
            'error  run.txt, line 2: The score "3,0" is not a number.\n       trec_eval would '
            "read it as 3 without a warning. Write a decimal point: 3.0.",
        ),
        (
            "q1 Q0 b 2 0x1p3 x",
            'error  run.txt, line 2: The score "0x1p3" is not a number.\n       trec_eval would '
            "read it as 8 without a warning. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b 2 8.5e x",
            'error  run.txt, line 2: The score "8.5e" is not a number.\n       trec_eval would '
            "read it as 8.5 without a warning. Give every document a number as its score.",
        ),
        (
            "q1 Q0 a 2 1.0 x",
            'error  run.txt, line 2: Document "a" is listed twice for query "q1" '
            "(first on line 1).\n"
            "       Remove one of the two lines.",
        ),
    ],
)
def test_an_invalid_result_line_is_reported(write: type[Pair], line: str, sentence: str) -> None:
    pair = write(run=f"q1 Q0 a 1 2.0 x\n{line}\nq2 Q0 c 1 1.0 x\n")
    reading = pair.lists()
    assert reading.data is None
    assert defect_texts(reading.defects) == [sentence]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "q1 0 b",
            "error  qrels.txt, line 2: 3 fields were found.\n       4 are expected: query, 0, "
            "document, relevance. Complete the line.",
        ),
        (
            "q1 0 b 1 9",
            "error  qrels.txt, line 2: 5 fields were found.\n       4 are expected: query, 0, "
            "document, relevance. Are the fields separated by tabs? Names have no blanks.",
        ),
        (
            "q1 0 b yes",
            'error  qrels.txt, line 2: The relevance "yes" is not a number.\n       A finite '
            "number is expected. Correct the line.",
        ),
        (
            "q1 0 b inf",
            'error  qrels.txt, line 2: The relevance "inf" is not a number.\n       A finite '
            "number is expected. Correct the line.",
        ),
        (
            "q1 0 b\0 1",
            "error  qrels.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file again; it may be damaged.",
        ),
        (
            "# a comment\0",
            "error  qrels.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file again; it may be damaged.",
        ),
        (
            "q1 0 a 0",
            'error  qrels.txt, line 2: Document "a" is listed twice for query "q1" '
            "(first on line 1)."
            "\n       Remove one of the two lines.",
        ),
    ],
)
def test_an_invalid_judgement_line_is_reported(write: type[Pair], line: str, sentence: str) -> None:
    reading = write(qrels=f"q1 0 a 1\n{line}\nq2 0 c 1\n").relevance()
    assert reading.data is None
    assert defect_texts(reading.defects) == [sentence]


def test_all_defects_are_reported_at_once(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 x x\nq1 Q0 b 2\nq1 Q0 c 3 1 x\nq1 Q0 c 4 1 x\nq9 Q0 c 1 1.0 x\n"
    places = [(str(d.severity), d.place.line) for d in write(run=run).lists().defects]
    assert places == [("error", 1), ("error", 2), ("error", 4), ("warning", 5), ("warning", None)]


def test_the_same_document_three_times_names_the_first_line(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 a 3 1 x\nq1 Q0 a 4 0 x\nq2 Q0 c 1 1 x\n"
    found = [defect.found for defect in write(run=run).lists().defects]
    assert found == ['Document "a" is listed twice for query "q1" (first on line 1).'] * 2


def test_the_same_document_for_two_queries_is_not_a_repetition(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 3 x\nq2 Q0 a 1 2 x\n"
    assert not defect_texts(write(run=run).lists().defects)


def test_a_repetition_in_an_interleaved_file_names_its_lines(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 3 x\nq2 Q0 c 1 2 x\nq1 Q0 a 2 1 x\n"
    defect = write(run=run).lists().defects[0]
    assert defect.place.line == 3
    assert "first on line 1" in defect.found


def test_errors_of_several_parts_are_counted_by_cause(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_defects, "MOST", 3)
    monkeypatch.setattr(trec_reader, "PIECE", 64)
    lines = [f"q1 Q0 x{n}" for n in range(29)] + ["q2 Q0 c 1 1 x"] * 8 + ["q9 Q0 c 1 1 x"]
    reading = write(run="\n".join(lines) + "\n").lists()
    assert [(one.place.line, one.count) for one in reading.defects] == [
        *((1, 1), (2, 1), (3, 1), (4, 26)),  # short lines
        (31, 7),  # repetitions
        *((38, 1), (None, 1)),  # an unknown query, and one without results
    ]
    assert reading.defects[4].found == (
        'Document "c" is listed twice for query "q2" (first on line 30). '
        "There are 6 more of this kind."
    )


def test_wrong_judgements_are_counted_by_cause(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_defects, "MOST", 20)
    lines = (
        ["q1 0 g 1"] + ["q1 0 a"] * 50 + ["q1 0 b x"] * 30 + [f"q1 0 d{n} 1" for n in range(9)] * 2
    )
    reading = write(qrels="\n".join(lines) + "\n").relevance()
    assert [one.count for one in reading.defects] == [1] * 10 + [40, 30, 9]


# Errors of files


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_reported(write: type[Pair], text: str) -> None:
    sentence = "line 1: The file is empty.\n       Give the complete file."
    assert defect_texts(write(run=text).lists().defects) == [f"error  run.txt, {sentence}"]
    assert defect_texts(write(qrels=text).relevance().defects) == [f"error  qrels.txt, {sentence}"]


def test_a_file_of_comments_is_reported(write: type[Pair]) -> None:
    defects = write(run="# nothing\n").lists().defects
    remedy = "Give the complete file."
    assert defect_texts(defects) == [f"error  run.txt: The file holds no results.\n       {remedy}"]
    defects = write(qrels="# nothing\n").relevance().defects
    found = "The file holds no judgements."
    assert defect_texts(defects) == [f"error  qrels.txt, line 1: {found}\n       {remedy}"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda text: text.encode("utf-16"),
            "The text is UTF-16.\n       UTF-8 is expected. Save the file as UTF-8.",
        ),
        (
            lambda text: text.replace("\n", "\r").encode(),
            "The lines end with CR alone, so that all of them are one.\n"
            "       LF or CR and LF end a line. Save the file with such line ends.",
        ),
        (
            lambda text: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "This is not text.\n       Lines of text are expected. Give the right file.",
        ),
        (
            lambda text: b'{"q1": ["a"]}',
            "This looks like JSON, not like a file in trec_eval's format.\n"
            "       Every line has fields that blanks or tabs separate. Write such lines.",
        ),
    ],
)
def test_a_file_without_lines_is_reported_once(
    write: type[Pair], change: Callable[[str], bytes], sentence: str
) -> None:
    pair = write()
    pair.run.write_bytes(change(RUN))
    assert defect_texts(pair.lists().defects) == [f"error  run.txt, line 1: {sentence}"]
    pair.qrels.write_bytes(change(QRELS))
    assert defect_texts(pair.relevance().defects) == [f"error  qrels.txt, line 1: {sentence}"]


def test_a_first_line_can_be_longer_than_the_detected_head(write: type[Pair]) -> None:
    name = "é" * 5000
    pair = write(qrels=f"q1 0 {name} 1\r\n", run=f"q1 Q0 {name} 1 2.0 x\r\n")
    lists = pair.lists()
    assert lists.data is not None
    assert lists.data.hits("published").relevant.tolist() == [True]


def test_swapped_files_are_reported(write: type[Pair]) -> None:
    assert defect_texts(write(run=QRELS).lists().defects) == [
        "error  run.txt, line 1: This looks like a relevance file (4 fields on each line), not "
        "like results.\n       Were the two files swapped? This one belongs after --relevance."
    ]
    assert defect_texts(write(qrels="# mine\n" + RUN).relevance().defects) == [
        "error  qrels.txt, line 2: This looks like results (6 fields on each line), not like a "
        "relevance file.\n       Were the two files swapped? This one belongs after --results."
    ]


def test_files_without_a_common_query_are_reported(write: type[Pair]) -> None:
    reading = write(run="\nq8 Q0 a 1 1 x\nq9 Q0 a 1 1 x\n").lists()
    assert defect_texts(reading.defects) == [
        "error  run.txt, line 2: No query of this file is in the relevance file (here: q8, q9).\n"
        "       The relevance file has q1, q2. Check that the two files belong together."
    ]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: None, "The file does not exist."),
        (lambda path: path.mkdir(), "This is a folder, not a file."),
        (lambda path: path.write_bytes(b"\x1f\x8bdamaged"), "The gzip data is damaged"),
    ],
)
def test_an_unreadable_file_is_reported(tmp_path: Path, make: object, sentence: str) -> None:
    path = tmp_path / "qrels.txt"
    make(path)  # type: ignore[operator]
    (defect,) = read_qrels(path, Run()).defects
    assert defect.found.startswith(sentence)
    assert defect.hint


def test_fractional_judgements_are_scored_with_a_warning_of_what_trec_eval_reads(
    write: type[Pair],
) -> None:
    reading = write(qrels="q1 0 a 1\nq1 0 b 0.9\nq1 0 c 1.5\n").relevance()
    assert reading.data.gains.tolist() == [1.0, 0.9, 1.5]
    assert [str(defect) for defect in reading.defects] == [
        "warning  qrels.txt, line 2: Judgements that are fractions: 2 (first: 0.9).\n"
        "       All above 0 are relevant here, unless a level is given. trec_eval reads 0.9 as 0."
    ]
