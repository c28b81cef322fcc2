"""Reading trec_eval's files: what is accepted, and each sentence about what is not."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from trec_files import WAYS, Pair, judgement_lines, read_in_one_way, result_lines, write_pair

from core.defects import Defect
from core.run.run import Cancelled, CancelToken, Run
from core.tasks.keyword_spotting import trec_reader, trec_wrong
from core.tasks.keyword_spotting.evidence import SHOWN
from core.tasks.keyword_spotting.trec_lists import TrecLists
from core.tasks.keyword_spotting.trec_reader import read_relevance

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\nq2 Q0 c 1 1.0 x\n"


@pytest.fixture(params=WAYS, autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is read in every way: compiled, by polars, and line by line."""
    read_in_one_way(request.param, monkeypatch)


@pytest.fixture
def write(tmp_path: Path) -> type[Pair]:
    def pair(qrels: str | bytes = QRELS, run: str | bytes = RUN) -> Pair:
        return write_pair(tmp_path, qrels, run)

    return pair  # type: ignore[return-value]


def told(defects: tuple[Defect, ...]) -> list[str]:
    return [str(defect) for defect in defects]


def lists(pair: Pair, **policy: object) -> TrecLists:
    found = pair.lists(**policy).data
    assert found is not None
    return found


def order(pair: Pair, query: int = 0, **policy: object) -> list[str]:
    """The documents of a query in the order of their ranks."""
    return [item.name for item in lists(pair, **policy).ranked(query, "published")]


# What is wrong with a line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "q1 Q0 b 2",
            "error  run.txt, line 2: 4 fields stand here.\n       6 are expected: query, Q0, "
            "document, rank, score, run name. Complete the line or remove it.",
        ),
        (
            "q1",
            "error  run.txt, line 2: 1 field stands here.\n       6 are expected: query, Q0, "
            "document, rank, score, run name. Complete the line or remove it.",
        ),
        (
            "q1 Q0 b 2 abc x",
            'error  run.txt, line 2: The score "abc" is not a number.\n       trec_eval would take '
            "it for 0 and not say so. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b 2 1_0 x",
            'error  run.txt, line 2: The score "1_0" is not a number.\n       trec_eval would take '
            "it for 0 and not say so. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b 2 -NaN x",
            "error  run.txt, line 2: The score is NaN.\n       Nothing is more or less than that, "
            "so the document has no rank. Give every document a number as its score.",
        ),
        (
            "q1 Q0 b\0 2 1.0 x",
            "error  run.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file anew; it may be damaged.",
        ),
        (
            "\0\0\0",
            "error  run.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file anew; it may be damaged.",
        ),
        (
            "# a comment\0",
            "error  run.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file anew; it may be damaged.",
        ),
        (
            "q1,Q0,b,2,1.0,x",
            "error  run.txt, line 2: 1 field stands here.\n       6 are expected: query, Q0, "
            "document, rank, score, run name. Separate the fields by blanks or tabs.",
        ),
        (
            "q1 Q0 b 2 1,234.5 x",
            'error  run.txt, line 2: The score "1,234.5" is not a number.\n       trec_eval would '
            "take it for 0 and not say so. Give every document a number as its score.",
        ),
        (
            "q1 Q0 a 2 1.0 x",
            'error  run.txt, line 2: Document "a" stands twice for query "q1" (first on line 1).\n'
            "       Remove one of the two lines.",
        ),
    ],
)
def test_a_result_line_that_is_none(write: type[Pair], line: str, sentence: str) -> None:
    pair = write(run=f"q1 Q0 a 1 2.0 x\n{line}\nq2 Q0 c 1 1.0 x\n")
    reading = pair.lists()
    assert reading.data is None
    assert told(reading.defects) == [sentence]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "q1 0 b",
            "error  qrels.txt, line 2: 3 fields stand here.\n       4 are expected: query, 0, "
            "document, relevance. Complete the line or remove it.",
        ),
        (
            "q1 0 b 1 9",
            "error  qrels.txt, line 2: 5 fields stand here.\n       4 are expected: query, 0, "
            "document, relevance. Remove what is too much.",
        ),
        (
            "q1 0 b yes",
            'error  qrels.txt, line 2: The relevance "yes" is not a number.\n       A whole '
            "number, or a fraction from 0 to 1, is expected. Correct the line.",
        ),
        (
            "q1 0 b 1.5",
            'error  qrels.txt, line 2: The relevance "1.5" is a fraction outside [0, 1].\n       A '
            "whole number, or a fraction from 0 to 1, is expected. Correct the line.",
        ),
        (
            "q1 0 b\0 1",
            "error  qrels.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file anew; it may be damaged.",
        ),
        (
            "# a comment\0",
            "error  qrels.txt, line 2: The line holds a NUL byte.\n       Plain text is expected. "
            "Write the file anew; it may be damaged.",
        ),
        (
            "q1 0 a 0",
            'error  qrels.txt, line 2: Document "a" stands twice for query "q1" (first on line 1).'
            "\n       Remove one of the two lines.",
        ),
    ],
)
def test_a_judgement_line_that_is_none(write: type[Pair], line: str, sentence: str) -> None:
    reading = write(qrels=f"q1 0 a 1\n{line}\nq2 0 c 1\n").relevance()
    assert reading.data is None
    assert told(reading.defects) == [sentence]


def test_all_defects_come_at_once(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 x x\nq1 Q0 b 2\nq1 Q0 c 3 1 x\nq1 Q0 c 4 1 x\nq9 Q0 c 1 1.0 x\n"
    places = [(str(d.severity), d.place.line) for d in write(run=run).lists().defects]
    assert places == [("error", 1), ("error", 2), ("error", 4), ("warning", 5), ("warning", 1)]


def test_the_same_document_three_times_names_the_first_line(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 a 3 1 x\nq1 Q0 a 4 0 x\nq2 Q0 c 1 1 x\n"
    found = [defect.found for defect in write(run=run).lists().defects]
    assert found == ['Document "a" stands twice for query "q1" (first on line 1).'] * 2


def test_the_same_document_for_two_queries_is_no_repetition(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 3 x\nq2 Q0 a 1 2 x\n"
    assert not told(write(run=run).lists().defects)


def test_a_repetition_in_an_interleaved_file_names_its_lines(write: type[Pair]) -> None:
    run = "q1 Q0 a 1 3 x\nq2 Q0 c 1 2 x\nq1 Q0 a 2 1 x\n"
    defect = write(run=run).lists().defects[0]
    assert defect.place.line == 3
    assert "first on line 1" in defect.found


def test_the_thousandth_defect_is_followed_by_a_count(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_wrong, "TOLD", 2)
    reading = write(run=RUN + "q1 Q0 x\n" * 5).lists()
    assert [str(d.place) for d in reading.defects] == [f"run.txt, line {n}" for n in (4, 5, 6)]
    assert reading.defects[2].found == "3 more defects follow from here."
    assert reading.defects[2].count == 3
    assert reading.defects[2].hint == "Mend the first ones and check again."


def test_errors_of_several_pieces_and_kinds_are_counted_together(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_wrong, "TOLD", 3)
    monkeypatch.setattr(trec_reader, "PIECE", 64)
    lines = [f"q1 Q0 x{n}" for n in range(9)] + ["q2 Q0 c 1 1 x"] * 8 + ["q9 Q0 c 1 1 x"]
    reading = write(run="\n".join(lines) + "\n").lists()
    assert [defect.place.line for defect in reading.defects] == [1, 2, 3, 4]
    # 9 short lines, 7 repetitions, an unknown query and one without results.
    assert reading.defects[3].count == 9 + 7 + 2 - 3


# What is wrong with a file


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file(write: type[Pair], text: str) -> None:
    sentence = "line 1: The file is empty.\n       Give the complete file."
    assert told(write(run=text).lists().defects) == [f"error  run.txt, {sentence}"]
    assert told(write(qrels=text).relevance().defects) == [f"error  qrels.txt, {sentence}"]


def test_a_file_of_comments(write: type[Pair]) -> None:
    defects = write(run="# nothing\n").lists().defects
    remedy = "Give the complete file."
    assert told(defects) == [f"error  run.txt, line 1: The file holds no results.\n       {remedy}"]
    defects = write(qrels="# nothing\n").relevance().defects
    found = "The file holds no judgements."
    assert told(defects) == [f"error  qrels.txt, line 1: {found}\n       {remedy}"]


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
            lambda text: b'{"q1": {"a": 1}}',
            "This looks like JSON, not like a file in trec_eval's format.\n"
            "       Every line has fields that blanks or tabs separate. Write such lines.",
        ),
    ],
)
def test_a_file_that_holds_no_lines_is_told_once(
    write: type[Pair], change: Callable[[str], bytes], sentence: str
) -> None:
    pair = write()
    pair.run.write_bytes(change(RUN))
    assert told(pair.lists().defects) == [f"error  run.txt, line 1: {sentence}"]
    pair.qrels.write_bytes(change(QRELS))
    assert told(pair.relevance().defects) == [f"error  qrels.txt, line 1: {sentence}"]


def test_a_first_line_may_be_longer_than_what_is_looked_at_first(write: type[Pair]) -> None:
    name = "é" * 5000
    pair = write(qrels=f"q1 0 {name} 1\r\n", run=f"q1 Q0 {name} 1 2.0 x\r\n")
    lists = pair.lists()
    assert lists.data is not None
    assert lists.data.hits("published").relevant.tolist() == [True]


def test_swapped_files_are_told(write: type[Pair]) -> None:
    assert told(write(run=QRELS).lists().defects) == [
        "error  run.txt, line 1: This looks like a relevance file (4 fields on each line), not "
        "like results.\n       Were the two files swapped? This one belongs after --relevance."
    ]
    assert told(write(qrels="# mine\n" + RUN).relevance().defects) == [
        "error  qrels.txt, line 2: This looks like results (6 fields on each line), not like a "
        "relevance file.\n       Were the two files swapped? This one belongs after --results."
    ]


def test_no_query_in_common(write: type[Pair]) -> None:
    reading = write(run="\nq8 Q0 a 1 1 x\nq9 Q0 a 1 1 x\n").lists()
    assert told(reading.defects) == [
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
def test_a_file_that_cannot_be_read(tmp_path: Path, make: object, sentence: str) -> None:
    path = tmp_path / "qrels.txt"
    make(path)  # type: ignore[operator]
    (defect,) = read_relevance(path, Run()).defects
    assert defect.found.startswith(sentence)
    assert defect.hint


# Queries that only one file has


def test_unknown_queries_are_ignored_with_a_warning(write: type[Pair]) -> None:
    reading = write(run=RUN + "q8 Q0 a 1 1 x\nq8 Q0 b 2 1 x\nq9 Q0 a 1 1 x\n").lists()
    assert told(reading.defects) == [
        "warning  run.txt, line 4: 2 queries are not in the relevance file (first: q8, q9).\n"
        "       They are ignored."
    ]
    assert reading.data is not None
    assert reading.data.listed.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("missing", "advice"),
    [
        (
            "skip",
            "They are left out of the mean (`--missing skip`, default). `--missing zero` counts "
            "them as 0.",
        ),
        (
            "zero",
            "They are counted as 0 in the mean (`--missing zero`). `--missing skip` leaves them "
            "out.",
        ),
    ],
)
def test_missing_queries_are_named(write: type[Pair], missing: str, advice: str) -> None:
    qrels = QRELS + judgement_lines({f"q{n}": {"a": 1} for n in range(11, 6, -1)})
    reading = write(qrels=qrels).lists(missing=missing)
    assert told(reading.defects) == [
        "warning  run.txt, line 1: 5 queries of the relevance file have no results (first: q7, "
        f"q8, q9 and 2 more).\n       {advice}"
    ]


# What is accepted


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", "  \t "),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", " \n"),
        lambda text: " " + text.replace("\n", "\n  "),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "# a comment\n" + text.replace("\n", "\n #\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.removesuffix("\n"),
    ],
    ids=["tabs", "wide", "crlf", "trailing", "leading", "blank", "comments", "mark", "no end"],
)
def test_layout_does_not_matter(write: type[Pair], change: object) -> None:
    pair = write(qrels=change(QRELS), run=change(RUN))  # type: ignore[operator]
    reading = pair.lists()
    assert reading.data is not None
    assert not reading.defects
    assert pair.relevance().data.queries == ("q1", "q2")  # type: ignore[union-attr]
    assert reading.data.hits("published").ranks.tolist() == [1, 2, 1]


def test_fields_after_the_run_name_are_ignored(write: type[Pair]) -> None:
    reading = write(run=RUN.replace(" x\n", " x more fields\n")).lists()
    assert reading.data is not None
    assert not reading.defects
    assert reading.data.run_name == "x"


def test_a_gzip_file_is_read_in_place(write: type[Pair]) -> None:
    pair = write(qrels=gzip.compress(QRELS.encode()), run=gzip.compress(RUN.encode()))
    assert lists(pair).hits("published").ranks.tolist() == [1, 2, 1]
    assert [item.name for item in lists(pair).ranked(0, "published")] == ["a", "b"]


def test_names_may_be_in_any_script(write: type[Pair]) -> None:
    pair = write(qrels="é 0 ü 1\n", run="é Q0 ü 1 1.0 x\n")
    assert lists(pair).hits("published").ranks.tolist() == [1]
    assert pair.relevance().data.queries == ("é",)  # type: ignore[union-attr]


def test_bytes_that_are_no_utf_8_are_written_out(write: type[Pair]) -> None:
    pair = write(qrels=b"q 0 \xe9 1\n", run=b"q Q0 \xe9 1 1.0 x\nq Q0 e 2 0.5 x\n")
    assert lists(pair).hits("published").ranks.tolist() == [1]
    assert order(pair) == ["\\xe9", "e"]


def test_queries_stand_in_natural_order(write: type[Pair]) -> None:
    names = ["cv10", "cv2", "cv1"]
    pair = write(
        qrels=judgement_lines({name: {"a": number} for number, name in enumerate(names, 1)}),
        run=result_lines({name: [("a", 1.0)] for name in names}),
    )
    relevance = pair.relevance().data
    assert relevance is not None
    assert relevance.queries == ("cv1", "cv2", "cv10")
    assert relevance.gains.tolist() == [3, 2, 1]


def test_all_pieces_are_read_however_small_the_first_one_is(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_reader, "PIECE", 1)
    found = lists(write())
    assert found.listed.tolist() == [2, 1]
    assert found.pieces.tolist() == [0, 1]
    assert [item.name for item in found.ranked(1, "published")] == ["c"]


# The order of documents


def test_scores_decide_and_not_the_rank_column(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 a 1 1.0 x\nq1 Q0 b 2 2.0 x\nq2 Q0 c 1 1.0 x\n")
    assert order(pair) == ["b", "a"]
    assert told(pair.lists().defects) == [
        "note  run.txt, line 1: The rank column contradicts the scores (1 line).\n"
        "       The scores decide, as in trec_eval."
    ]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("docno", ["a", "B", "9", "10"]),
        ("file", ["10", "9", "a", "B"]),
        ("rank", ["B", "a", "9", "10"]),
    ],
)
def test_ties_follow_the_policy(write: type[Pair], ties: str, expected: list[str]) -> None:
    run = "q1 Q0 10 4 1 x\nq1 Q0 9 3 1 x\nq1 Q0 a 2 1 x\nq1 Q0 B 1 1 x\n"
    pair = write(qrels="q1 0 9 1\nq1 0 B 1\n", run=run)
    assert order(pair, ties=ties) == expected
    found = lists(pair, ties=ties).hits("published")
    assert found.ranks.tolist() == sorted(expected.index(name) + 1 for name in ("9", "B"))


@pytest.mark.parametrize(("compat", "expected"), [("trec9", ["z", "a"]), ("trec10", ["a", "z"])])
def test_trec_eval_9_compares_in_single_precision(
    write: type[Pair], compat: str, expected: list[str]
) -> None:
    pair = write(qrels="q 0 z 1\n", run="q Q0 a 1 16.0000008 x\nq Q0 z 2 16.0000003 x\n")
    assert order(pair, compat=compat) == expected


def test_ties_by_rank_need_whole_numbers(write: type[Pair]) -> None:
    pair = write(run=RUN.replace("x\n", "x\n", 1).replace("a 1 2.0", "a first 2.0"))
    assert told(pair.lists(ties="rank").defects) == [
        "error  run.txt, line 1: The rank column does not hold whole numbers throughout.\n       "
        "`--ties rank` needs them. Mend the column, or choose another policy for ties."
    ]
    assert not pair.lists(ties="docno").defects


def test_infinite_scores_are_numbers(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 a 1 -inf x\nq1 Q0 b 2 Infinity x\nq1 Q0 c 3 0 x\nq2 Q0 c 1 1.0 x\n")
    assert order(pair) == ["b", "c", "a"]


# What is shown of a list


def test_a_list_shows_documents_that_nobody_judged(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 a 1 2.5 x\nq1 Q0 new 2 2 x\nq1 Q0 b 3 1 x\nq2 Q0 c 1 1.0 x\n")
    items = lists(pair).ranked(0, "published")
    assert [(i.rank, i.name, i.hit, i.score) for i in items] == [
        (1, "a", True, 2.5),
        (2, "new", False, 2.0),
        (3, "b", False, 1.0),
    ]
    assert [math.isnan(item.gain) for item in items] == [False, True, False]


def test_hits_below_the_shown_ranks_are_kept(write: type[Pair]) -> None:
    ranked = [(f"d{n:04}", 1000 - n) for n in range(SHOWN + 100)]
    ranked += [("a", 0), ("b", -1)]
    items = lists(write(run=result_lines({"q1": ranked}))).ranked(0, "published")
    assert [item.rank for item in items] == [*range(1, SHOWN + 1), SHOWN + 101]
    assert items[-1].name == "a"


def test_what_was_never_found_is_listed(write: type[Pair]) -> None:
    pair = write(qrels="q1 0 a 1\nq1 0 b 0\nq1 0 c 2\n", run="q1 Q0 a 1 1 x\n")
    missed = lists(pair).missed(0, "published")
    assert [(item.rank, item.name, item.hit, item.gain) for item in missed] == [
        (0, "c", False, 2.0)
    ]


def test_a_file_that_has_changed_since_shows_judged_documents_only(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 new 1 3 x\nq1 Q0 a 2 2 x\nq2 Q0 c 1 1.0 x\n")
    found = lists(pair)
    pair.run.write_text("something else\n")
    assert [(item.rank, item.name) for item in found.ranked(0, "published")] == [(2, "a")]


def test_cancelling_stops_the_reading(write: type[Pair]) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        read_relevance(write().qrels, Run(cancel=cancel))
