"""Accepted trec_eval files, and queries in only one file."""

from __future__ import annotations

import gzip

import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.tasks.keyword_spotting.trec import trec_reader
from jurydesk.core.tasks.keyword_spotting.trec.trec_reader import read_qrels
from support.defect_texts import defect_texts
from support.files.trec import (
    QRELS,
    RUN,
    Pair,
    judgement_lines,
    lists,
    order,
    ranked_of,
    result_lines,
)

pytestmark = pytest.mark.usefixtures("way")


# Queries in only one file


def test_unknown_queries_are_ignored_with_a_warning(write: type[Pair]) -> None:
    reading = write(run=RUN + "q8 Q0 a 1 1 x\nq8 Q0 b 2 1 x\nq9 Q0 a 1 1 x\n").lists()
    assert defect_texts(reading.defects) == [
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
            "They are left out of the mean (queries without results: skip). With zero they count "
            "as 0.",
        ),
        (
            "zero",
            "They count as 0 in the mean (queries without results: zero). With skip they are left "
            "out.",
        ),
    ],
)
def test_missing_queries_are_named(write: type[Pair], missing: str, advice: str) -> None:
    qrels = QRELS + judgement_lines({f"q{n}": {"a": 1} for n in range(11, 6, -1)})
    reading = write(qrels=qrels).lists(missing=missing)
    assert defect_texts(reading.defects) == [
        "warning  run.txt: 5 queries of the relevance file have no results (first: q7, "
        f"q8, q9 and 2 more).\n       {advice}"
    ]


# Accepted layouts


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
    assert [item.name for item in ranked_of(lists(pair), 0)] == ["a", "b"]


def test_names_can_be_in_any_script(write: type[Pair]) -> None:
    pair = write(qrels="é 0 ü 1\n", run="é Q0 ü 1 1.0 x\n")
    assert lists(pair).hits("published").ranks.tolist() == [1]
    assert pair.relevance().data.queries == ("é",)  # type: ignore[union-attr]


def test_bytes_that_are_not_utf_8_are_escaped(write: type[Pair]) -> None:
    pair = write(qrels=b"q 0 \xe9 1\n", run=b"q Q0 \xe9 1 1.0 x\nq Q0 e 2 0.5 x\n")
    assert lists(pair).hits("published").ranks.tolist() == [1]
    assert order(pair) == ["\\xe9", "e"]


def test_queries_are_in_natural_order(write: type[Pair]) -> None:
    names = ["cv10", "cv2", "cv1"]
    pair = write(
        qrels=judgement_lines({name: {"a": number} for number, name in enumerate(names, 1)}),
        run=result_lines({name: [("a", 1.0)] for name in names}),
    )
    relevance = pair.relevance().data
    assert relevance is not None
    assert relevance.queries == ("cv1", "cv2", "cv10")
    assert relevance.gains.tolist() == [3, 2, 1]


def test_all_parts_are_read_however_small_the_first_one_is(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_reader, "PIECE", 1)
    found = lists(write())
    assert found.listed.tolist() == [2, 1]
    assert found.pieces.tolist() == [0, 1]
    assert [item.name for item in ranked_of(found, 1)] == ["c"]


def test_reading_can_be_cancelled(write: type[Pair]) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        read_qrels(write().qrels, Run(cancel=cancel))
