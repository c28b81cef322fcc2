"""Numbers of the board in an HTML report."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairTest,
    PairwiseSignificance,
)
from jurydesk.core.desk import summarize
from jurydesk.core.export.exported_numbers import numbers_in_html
from jurydesk.core.export.html_report.report_head import head_json
from jurydesk.core.export.html_report.report_items import _column_json
from jurydesk.core.export.html_report.report_table import board_table, marks_note
from jurydesk.core.model.evaluation import Curve, CurveMark, Interval
from support import toy
from support.windows import evaluations


def test_pairs_are_rows_of_the_board_and_those_of_systems_beyond_it_are_left_out() -> None:
    made = [evaluations.retrieval(system=one) for one in ("a", "b")]
    summaries = [
        replace(summarize(replace(one, scores=one.scores[:1])), id=key)
        for key, one in enumerate(made)
    ]
    board = make_leaderboard(evaluations.TASK, summaries)
    rows = [row.summary.system for row in board.rows]
    names = [("a", "b"), ("a", "gone"), ("gone", "b")]
    pairs = tuple(
        PairTest(*pair, 0.25, None, 0.01, 0.02, is_overruled="gone" not in pair) for pair in names
    )
    info = board.metrics[0]
    tests = PairwiseSignificance(info, ("a", "b", "gone"), (), pairs, 0.1, 9, "test", 100)
    board = replace(board, significance_tests={made[0].profile: tests})
    (found,) = head_json(evaluations.TASK, board, (), {})["pairs"]
    ((*numbers, method),) = found["tests"]
    assert numbers == [rows.index("a"), rows.index("b"), 0.25, 0.02]
    assert (found["methods"][0], found["methods"][method]) == ("test", ["studentized bootstrap"])
    assert found["systems"] == [0, 1]


def test_named_points_and_the_diagonal_of_a_curve_are_in_the_report() -> None:
    made = evaluations.retrieval()
    summary = replace(summarize(replace(made, scores=made.scores[:1])), id=1)
    (curve, *_) = (one for one in made.figures if isinstance(one, Curve))
    marked = replace(curve, marks=(CurveMark("largest F1", 0.25, 1 / 3),), diagonal="R = P")
    board = make_leaderboard(evaluations.TASK, [summary])
    (figure,) = head_json(evaluations.TASK, board, (), {1: [marked]})["figures"]
    assert figure["diagonal"] == "R = P"
    assert figure["lines"][0]["marks"] == [["largest F1", 0.25, 0.333333]]


def test_numbers_of_items_have_two_decimals_more_than_are_shown() -> None:
    info = replace(toy.CLOSENESS, decimals=1)
    found = _column_json(info, np.array([[1 / 3, np.nan], [2 / 3, 1.0]]), np.array([1, 0]))
    assert found["values"] == [[None, 0.333], [1.0, 0.667]]


def doubtful(board: Leaderboard, reasons: dict[str, str]) -> Leaderboard:
    metrics = tuple(replace(info, doubt=reasons.get(info.name, "")) for info in board.metrics)
    headline = metrics[board.metrics.index(board.headline)]
    return replace(board, metrics=metrics, headline=headline)


def test_numbers_of_random_models_are_marked_and_never_bold() -> None:
    made = [evaluations.retrieval(system=one, seed=n) for n, one in enumerate(("a", "b"))]
    summaries = [
        replace(summarize(replace(one, scores=one.scores[:1])), id=key)
        for key, one in enumerate(made)
    ]
    board = make_leaderboard(evaluations.TASK, summaries)
    name = board.headline.name
    plain = board_table(board, board.metrics)
    reason = "Not reliable: the models have random weights."
    doubted = doubtful(board, {name: reason})
    marked = board_table(doubted, doubted.metrics)
    cells = re.findall(rf'<td class="([^"]*)"[^>]*data-metric="{name}"[^>]*>(.*?)</td>', marked)
    assert [kind.split() for kind, _ in cells] == [["number", "doubtful"]] * 2
    assert not any("<b>" in text for _, text in cells)
    assert all(re.match(r"<i>[\d.]+</i>", text) for _, text in cells)  # without the interval
    assert reason in marked
    assert "doubtful" not in plain
    assert re.search(rf'data-metric="{name}"[^>]*><b>', plain)
    shown = [(one.part, one.text) for one in numbers_in_html(f"<body>{plain}</body>")]
    assert shown == [(one.part, one.text) for one in numbers_in_html(f"<body>{marked}</body>")]


def test_an_interval_of_few_groups_is_marked_with_its_groups() -> None:
    made = evaluations.retrieval()
    few = Interval(0.4, 0.6, method="studentized bootstrap, 1000 resamples of 6 keywords")
    score = replace(made.scores[0], interval=few)
    board = make_leaderboard(evaluations.TASK, [summarize(replace(made, scores=(score,)))])
    table = board_table(board, board.metrics)
    (title,) = re.findall(r'class="interval few" title="([^"]*)"', table)
    assert title == "The interval is based on only 6 keywords: interpret it with caution."
    assert "based on few groups" in marks_note(board)
    assert "interval few" not in board_table(replace(board, item_noun=None), board.metrics)


def test_the_note_of_a_report_names_each_reason_once() -> None:
    board, doubts = make_leaderboard(toy.TASK, []), ("Not reliable: A.", "Not reliable: A.", "B <")
    metrics = tuple(replace(toy.CLOSENESS, doubt=doubt) for doubt in doubts)
    assert marks_note(replace(board, metrics=metrics)) == (
        '<p class="small sign" data-sign="( )">Not reliable: A.</p>'
        '<p class="small sign" data-sign="( )">B &lt;</p>'
    )
