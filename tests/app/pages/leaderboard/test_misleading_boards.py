"""Boards that once misled: the window names the same winner, in the same words, as the exports."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from jurydesk.app.pages.leaderboard.neighbour_verdict import compare_with_neighbour
from jurydesk.core.cli import main
from support.desks.ranked_runs import score_runs

EASY, HARD = 25, 35
DICE = np.random.default_rng(6)
RANKS = DICE.integers(1, 5, 60)
WORSE = RANKS + (DICE.random(60) < 0.4)
CASES = {
    "answers of easy queries alone": (
        {
            "every": [1] * 18 + [2] * 7 + [5] * HARD,
            "easy": [1] * 5 + [2] * 20 + [None] * HARD,
            "third": [6] * (EASY + HARD),
        },
        None,
        "Score and test disagree: easy answered 25 of 60 queries, every 60.",
    ),
    "a group with most of the queries": (
        {"every": [1, 2] * 20, "easy": [2, 4] * 20, "third": [3, 6] * 20},
        ["giant"] * 30 + [f"g{n}" for n in range(10)],
        "No ranks are claimed: they need effectively 5 groups or more.",
    ),
    "few queries": (
        {"every": [1, 1, 1, 2], "easy": [4, 5, 6, 7], "third": [4, 6, 5, 8]},
        None,
        "4 queries cannot show a difference: at least",
    ),
    "systems without common queries": (
        {
            "every": [1, 2, 3] * 10 + [None] * 30,
            "easy": [None] * 30 + [1, 3, 2] * 10,
            "third": [6, 7] * 30,
        },
        None,
        "In 1 pair the systems share fewer than two queries: they are not compared.",
    ),
    "one query": (
        {"every": [1], "easy": [2], "third": [3]},
        None,
        "1 query cannot show a difference: at least 6 are needed.",
    ),
    "one query apart": (
        {"every": [1] * 20, "easy": [2] + [1] * 19, "third": [1] * 20},
        None,
        "The best system is one of these 3; the data cannot say which.",
    ),
    "few large failures": (
        {"every": [None] * 3 + RANKS[3:].tolist(), "easy": WORSE.tolist(), "third": [8] * 60},
        None,
        "In 1 pair the differences are lopsided",
    ),
    "equal systems": (
        {"every": [1, 3] * 20, "easy": [3, 1] * 20, "third": [1, 3] * 20},
        None,
        "The best system is one of these 3; the data cannot say which.",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_board_and_compare_say_what_the_exports_say(
    qtbot, make_real_window, tmp_path, capsys, case
):
    runs, groups, said = case
    desk = score_runs(tmp_path, runs, groups)
    paths = {kind: tmp_path / f"board.{kind}" for kind in ("csv", "json")}
    exports = [f"--{kind}={path}" for kind, path in paths.items()]
    assert main(["board", str(desk), *exports, "--quiet"]) == 0
    rows = list(csv.DictReader(paths["csv"].read_text("utf-8").splitlines()))
    assert main(["compare", str(desk), "every", "easy", "--metric", "ap"]) == 0
    verdict = capsys.readouterr().out
    window = make_real_window()
    window.files.open(desk)
    window.show_page("board")
    qtbot.waitUntil(lambda: window.jobs.idle and bool(window.page.board.significance_tests))
    board = window.page.board
    assert [row.summary.system for row in board.rows] == [row["system"] for row in rows]
    ranks = [(str(row.place), str(row.rank.best), str(row.rank.worst)) for row in board.rows]
    assert ranks == [(row["place"], row["rank_best"], row["rank_worst"]) for row in rows]
    finding = json.loads(paths["json"].read_text("utf-8"))["finding"]
    assert said in finding
    assert finding in window.page.finding
    (tested,) = json.loads(paths["json"].read_text("utf-8"))["comparisons"]
    claims = "No ranks are claimed" not in finding
    pairs = {frozenset(one["systems"]): one for one in tested["pairs"]}
    for row in board.rows:
        neighbours = compare_with_neighbour(board, row, "queries")
        assert neighbours is not None
        pair = pairs[frozenset((neighbours.first, neighbours.second))]
        is_apart = claims and pair["p_corrected"] is not None and pair["p_corrected"] < 0.05
        assert neighbours.sentence.startswith("They differ significantly") == is_apart
        assert pair["p"] is None or pair["method"] in neighbours.sentence
    window.show_page("compare")
    qtbot.waitUntil(lambda: window.jobs.idle and window.page.comparison is not None)
    window.page.pair.choose("every", "easy")
    qtbot.waitUntil(lambda: window.page.systems == ("every", "easy") and window.jobs.idle)
    qtbot.waitUntil(lambda: window.page.comparison is not None)
    compared = window.page.comparison.board
    if compared is None:  # of too few groups the command says nothing of the board either
        assert "On the board" not in verdict
        assert "board:" not in window.page.finding
    else:
        assert compared.sentence in verdict
        assert not compared.method or compared.method in window.page.finding
        side = "left" if compared.better == window.page.comparison.first.system else "right"
        said = f"The {side} system is better"
        said = said if compared.better else "The data cannot say which is better"
        assert window.page.finding.startswith(f"{said}: ")
