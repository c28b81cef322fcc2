"""Ranked lists of trec_eval's files: the order of documents, and the displayed list."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jurydesk.core.model.evidence_columns import EvidenceColumns
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import SHOWN, ranked_items
from jurydesk.core.tasks.keyword_spotting.trec import trec_reader
from support.defect_texts import defect_texts
from support.files.trec import RUN, Pair, lists, missed_of, order, ranked_of, result_lines

pytestmark = pytest.mark.usefixtures("way")


# The order of documents


def test_scores_decide_and_not_the_rank_column(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 a 1 1.0 x\nq1 Q0 b 2 2.0 x\nq2 Q0 c 1 1.0 x\n")
    assert order(pair) == ["b", "a"]
    assert defect_texts(pair.lists().defects) == [
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


def test_ties_by_rank_need_integers(write: type[Pair]) -> None:
    pair = write(run=RUN.replace("x\n", "x\n", 1).replace("a 1 2.0", "a first 2.0"))
    assert defect_texts(pair.lists(ties="rank").defects) == [
        "error  run.txt: The rank column does not hold whole numbers throughout.\n       "
        "The order of equal scores by rank needs them. Mend the column, or choose another policy "
        "for ties."
    ]
    (defect,) = pair.lists(ties="docno").defects
    assert defect.found == 'The rank "first" is not a whole number.'


def test_infinite_scores_are_numbers(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 a 1 -inf x\nq1 Q0 b 2 Infinity x\nq1 Q0 c 3 0 x\nq2 Q0 c 1 1.0 x\n")
    assert order(pair) == ["b", "c", "a"]


# Display of a list


def test_a_list_shows_unjudged_documents(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 a 1 2.5 x\nq1 Q0 new 2 2 x\nq1 Q0 b 3 1 x\nq2 Q0 c 1 1.0 x\n")
    items = ranked_of(lists(pair), 0)
    assert [(i.rank, i.name, i.hit, i.score) for i in items] == [
        (1, "a", True, 2.5),
        (2, "new", False, 2.0),
        (3, "b", False, 1.0),
    ]
    assert [math.isnan(item.gain) for item in items] == [False, True, False]


def test_hits_below_the_shown_ranks_are_kept(write: type[Pair]) -> None:
    ranked = [(f"d{n:04}", 1000 - n) for n in range(SHOWN + 100)]
    ranked += [("a", 0), ("b", -1)]
    items = ranked_of(lists(write(run=result_lines({"q1": ranked}))), 0)
    assert [item.rank for item in items] == [*range(1, SHOWN + 1), SHOWN + 101]
    assert items[-1].name == "a"


def test_documents_never_found_are_listed(write: type[Pair]) -> None:
    pair = write(qrels="q1 0 a 1\nq1 0 b 0\nq1 0 c 2\n", run="q1 Q0 a 1 1 x\n")
    missed = missed_of(lists(pair), 0)
    assert [(item.rank, item.name, item.hit, item.gain) for item in missed] == [
        (0, "c", False, 2.0)
    ]


def test_a_file_changed_after_scoring_shows_judged_documents_only(write: type[Pair]) -> None:
    pair = write(run="q1 Q0 new 1 3 x\nq1 Q0 a 2 2 x\nq2 Q0 c 1 1.0 x\n")
    found = lists(pair)
    pair.run.write_text("something else\n")
    assert [(item.rank, item.name) for item in ranked_of(found, 0)] == [(2, "a")]


def test_a_changed_file_still_shows_the_queries_that_were_read_before(
    write: type[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_reader, "PIECE", 1)
    pair = write(run="q1 Q0 new 1 3 x\nq1 Q0 a 2 2 x\nq2 Q0 c 1 2.0 x\nq2 Q0 more 2 1.0 x\n")
    found = lists(pair)
    assert [item.name for item in ranked_of(found, 1)] == ["c", "more"]
    pair.run.write_text("something else\n")
    columns = EvidenceColumns(found.ranked_items(np.array([0, 1]), "published"))
    shown = [[item.name for item in ranked_items(columns.row(query))] for query in (0, 1)]
    assert shown == [["a"], ["c", "more"]]
