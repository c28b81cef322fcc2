"""Boards that once misled: every output says what the data show, and all can be made again."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from scipy.stats import beta

from jurydesk.core.cli import main
from support.desks.ranked_runs import score_runs

FORMATS = {"json": "json", "csv": "csv", "latex": "tex", "html": "html", "methods": "methods.tex"}
"""Formats of a board, with the end of their files' names."""


LISTS = ("We report ", "Settings: ", "Intervals (", "Software: ")
"""Beginnings of sentences of the methods that are lists."""


class Outputs:
    """Outputs of the board of runs whose relevant documents have given ranks, and of its desk."""

    def __init__(self, folder, capsys, runs, groups=None):
        self.folder, self.capsys = folder, capsys
        self.desk = score_runs(folder, runs, groups)

    def run(self, *arguments):
        """Return what a command prints."""
        self.capsys.readouterr()
        assert main([*arguments]) == 0
        return self.capsys.readouterr().out

    def board(self):
        """Return the board in every format, by its name, after each was verified."""
        paths = {name: self.folder / f"board.{end}" for name, end in FORMATS.items()}
        options = [f"--{name}={path}" for name, path in paths.items()]
        found = {"text": self.run("board", str(self.desk), "--metric", "map", *options)}
        for name, path in paths.items():
            assert main(["verify", str(path), "--quiet"]) == 0, name
            found[name] = path.read_text("utf-8")
        assert_readable(found)
        return found


def assert_readable(board):
    """Assert that no sentence is said twice, and none has more than 25 words."""
    comments = "\n".join(line for line in board["latex"].splitlines() if line[:1] == "%")
    paragraph = board["methods"].partition("\n@")[0].replace("~", " ")
    for name, text in (("text", board["text"]), ("latex", comments), ("methods", paragraph)):
        sentences = re.split(r"(?<=[.!?])\s+|\n", text)
        said = [one for one in sentences if len(one.split()) > 3 and one.endswith(".")]
        assert said, name
        assert len(said) == len(set(said)), (name, said)
        long = [one for one in said if len(one.split()) > 25]
        assert [one for one in long if not one.startswith(LISTS)] == [], name


@pytest.fixture
def outputs(tmp_path, capsys):
    return lambda *arguments: Outputs(tmp_path, capsys, *arguments)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_who_answers_only_easy_queries_is_not_the_winner(outputs):
    easy, hard = 25, 35
    made = outputs(
        {
            "all": [1] * 18 + [2] * 7 + [5] * hard,
            "easy-alone": [1] * 5 + [2] * 20 + [None] * hard,
            "third": [6] * (easy + hard),
        }
    )
    board = made.board()
    sentence = (
        "Score and test disagree: easy-alone answered 25 of 60 queries, all 60. On common queries, "
        "all is better."
    )
    assert sentence in board["text"]
    remedy = "Score with --missing zero to count unanswered queries as 0."
    assert all(remedy in board[name] for name in ("text", "json", "latex", "html"))
    assert "all leads with Mean average precision (map) 0.475" in board["text"]
    assert "easy-alone leads" not in "".join(board.values())
    for name in ("json", "latex", "html"):
        assert "Score and test disagree" in board[name], name
    ranks = {row["system"]: (row["rank_best"], row["remarks"]) for row in rows_of(board["csv"])}
    assert ranks["all"] == ("1", "")
    assert ranks["easy-alone"] == ("2", "score and test disagree")
    placed = {row["name"]: row["rank"] for row in json.loads(board["json"])["systems"]}
    assert placed == {"all": [1, 1], "easy-alone": [2, 2], "third": [3, 3]}
    paths = {end: made.folder / f"ranks.{end}" for end in ("csv", "json", "latex")}
    choices = made.run(
        *("robustness", str(made.desk)), *(f"--{end}={path}" for end, path in paths.items())
    )
    remark = (
        "Systems answered 25 to 60 queries: places by score compare different queries, ranks "
        "common ones."
    )
    assert remark in choices
    assert remark in paths["latex"].read_text()
    assert remark in board["html"]
    plot, pairs = "Ranks by score in other samples of 60 queries, in %", "3 pairs of 3 systems"
    assert plot in board["html"]
    assert f"p values: {pairs} (Romano-Wolf)" in board["html"]
    document = json.loads(paths["json"].read_text())
    answered = dict(zip(document["systems"], document["answered"], strict=True))
    assert answered == {"all": 60, "easy-alone": 25, "third": 60}
    shares = dict(zip(document["systems"], document["sampling"]["shares"], strict=True))
    listed = {row["system"]: row for row in rows_of(paths["csv"].read_text())}
    assert {name: float(row["best_in_samples"]) for name, row in listed.items()} == shares
    assert {name: int(row["answered"]) for name, row in listed.items()} == answered


def test_systems_without_common_queries_are_not_compared(outputs):
    dice, none = np.random.default_rng(3), [None] * 15
    early, late = (dice.integers(1, 4, 15).tolist() for _ in range(2))
    made = outputs({"early": early + none, "late": none + late, "whole": [9] * 30})
    board = made.board()
    sentence = "In 1 pair the systems share fewer than two queries: they are not compared."
    assert all(sentence in board[name] for name in ("text", "json", "latex", "html"))
    assert "Score with --missing zero" in board["text"]
    assert "corrected for 2 comparisons by Romano-Wolf" in board["text"]
    assert "The differences of 2 pairs of systems" in board["methods"]
    assert "In 1 pair the systems share too few queries to be compared." in board["methods"]
    (comparison,) = json.loads(board["json"])["comparisons"]
    assert comparison["families"]["p_corrected"].startswith("2 pairs of 3 systems")
    assert [one["p"] is None for one in comparison["pairs"]] == [True, False, False]
    apart = made.run("compare", str(made.desk), "early", "late", "--metric", "map")
    assert "The two systems share no queries: they are not compared." in apart
    assert apart.splitlines()[1].split()[3] == "-"
    partly = made.run("compare", str(made.desk), "early", "whole", "--metric", "map")
    assert "Difference and tests are over the 15 queries that both answered." in partly


def test_one_query_was_not_tested_and_lacks_no_answer(outputs):
    made = outputs({"one": [1], "other": [2]})
    board = made.board()
    assert "1 query cannot show a difference: at least 6 are needed." in board["text"]
    assert "randomisation" not in board["text"] + board["methods"]
    assert "--missing zero" not in board["text"]
    robustness = made.run("robustness", str(made.desk))
    assert "1 query cannot show what another sample would change" in robustness


@pytest.mark.parametrize("queries", [3, 4])
def test_few_queries_show_no_difference_and_no_output_speaks_of_groups(outputs, queries):
    board = outputs({"one": [1] * queries, "other": [9] * queries}).board()
    sentence = f"{queries} queries cannot show a difference: at least 6 are needed."
    assert all(sentence in board[name] for name in ("text", "json", "latex", "html", "methods"))
    assert "group" not in board["methods"].partition("@")[0]


def test_a_group_with_most_queries_gives_no_interval_no_ranks_and_the_reason(outputs):
    dice = np.random.default_rng(26)
    groups = ["big"] * 150 + [f"g{one // 2}" for one in range(50)]
    made = outputs(
        {name: dice.integers(1, 4 + number, 200).tolist() for number, name in enumerate("ab")},
        groups,
    )
    board = made.board()
    reason = "26 groups count as fewer: effectively 1.8 (the largest holds 75 %)."
    assert reason in board["text"]
    assert "No ranks are claimed: they need effectively 5 groups or more." in board["text"]
    for name in ("json", "latex", "html"):
        assert "count as fewer" in board[name].replace("\\%", "%"), name
    assert "No score has an interval: 26 groups" in board["methods"]
    assert "Intervals (95" not in board["methods"]
    assert "No ranks are claimed: they need effectively 5 groups or more." in board["methods"]
    ranks = {(row["rank_best"], row["rank_worst"]) for row in rows_of(board["csv"])}
    assert ranks == {("1", "2")}
    document = json.loads(board["json"])
    assert document["comparisons"][0]["minimum_detectable_difference"] is None
    assert all(one["interval"] is None for row in document["systems"] for one in row["details"])
    compared = made.run("compare", str(made.desk), "a", "b", "--metric", "map")
    assert reason in compared
    assert "There is no interval: it needs effectively 3 groups or more." in compared


@pytest.mark.parametrize(("other", "mirrored"), [(1, False), (2, False), (2, True)])
def test_nearly_equal_scores_have_an_interval_by_the_range_of_the_metric(outputs, other, mirrored):
    """Of 40 scores, 39 are 0 or 1; the bound is Clopper and Pearson's of one event of 40."""
    ranks = [1] * 39 + [other] if mirrored else [None] * 39 + [other]
    made = outputs({"run": [20 if rank is None else rank for rank in ranks]})
    found = json.loads(made.board()["json"])["systems"][0]["details"]
    (interval,) = [one["interval"] for one in found if one["metric"] == "recall_5"]
    if mirrored:
        assert (interval["low"], interval["high"]) == pytest.approx((beta.ppf(0.025, 40, 1), 1))
        (interval,) = [one["interval"] for one in found if one["metric"] == "map"]
        size = 39  # p (1 - p) / V of one event among 40 items
        events = size / 40
        assert interval["low"] == pytest.approx(1 - beta.ppf(0.975, events + 1, size - events))
        assert interval["high"] == 1
        assert "few values other than 1.0000" in interval["method"]
    else:
        size, events = 39, 39 / 40
        expected = (
            beta.ppf(0.025, events, size - events + 1),
            beta.ppf(0.975, events + 1, size - events),
        )
        assert (interval["low"], interval["high"]) == pytest.approx(expected)


def test_a_pair_is_shown_alone_and_as_the_board_of_twelve_systems_sees_it(outputs):
    dice = np.random.default_rng(40)
    runs = {f"s{one:02d}": dice.integers(1, 3 + one // 3, 60).tolist() for one in range(12)}
    made = outputs(runs)
    board = made.board()
    pairs = json.loads(board["json"])["comparisons"][0]
    assert pairs["families"] == {
        "p": "this pair alone",
        "p_corrected": "66 pairs of 12 systems (Romano-Wolf)",
    }
    apart = next(
        one["systems"] for one in pairs["pairs"] if one["p"] < 0.05 and one["p_corrected"] > 0.05
    )
    compared = made.run("compare", str(made.desk), *apart, "--metric", "map")
    assert "p, pair alone" in compared
    assert "On the board the data cannot say which is better: p = " in compared
    assert "corrected over the 66 pairs of 12 systems (Romano-Wolf)." in compared
    assert "corrected for 66 comparisons by Romano-Wolf" in board["text"]
    assert "the procedure of Romano-Wolf" in board["methods"]
    assert "do not differ" not in "".join(board.values())


def test_a_pair_of_lopsided_differences_names_the_bootstrap_that_decides_it(outputs):
    """One system is better by a little, but fails three queries."""
    dice = np.random.default_rng(6)
    ranks = dice.integers(1, 5, 60)
    worse = ranks + (dice.random(60) < 0.4)
    made = outputs(
        {"rare": [None] * 3 + ranks[3:].tolist(), "even": worse.tolist(), "low": [8] * 60}
    )
    paths = {name: made.folder / f"pairs.{end}" for name, end in FORMATS.items() if name != "csv"}
    options = [f"--{name}={path}" for name, path in paths.items()]
    made.run("board", str(made.desk), "--metric", "map", *options)
    (comparison,) = json.loads(paths["json"].read_text())["comparisons"]
    decided = {tuple(sorted(one["systems"])): one["method"] for one in comparison["pairs"]}
    usual = comparison["method"]
    assert usual == "approximate randomisation"
    assert decided == {
        ("even", "rare"): "studentized bootstrap",
        ("even", "low"): usual,
        ("low", "rare"): usual,
    }
    for name, path in paths.items():
        assert "In 1 pair the differences are lopsided" in path.read_text(), name
    assert main(["verify", str(paths["json"]), "--quiet"]) == 0
    compared = made.run("compare", str(made.desk), "rare", "even", "--metric", "map")
    assert "On the board the data cannot say which is better: p = 0.053 (studentized" in compared


def test_slices_of_equal_systems_claim_no_leader_by_chance(outputs):
    dice = np.random.default_rng(24)
    made = outputs({name: dice.integers(1, 6, 240).tolist() for name in ("one", "other")})
    text = made.run(
        *("board", str(made.desk), "--metric", "map"),
        *(f"--slice=q{one:02d}" for one in range(24)),
    )
    assert "24 slices: about one claims a difference by chance alone" in text
    assert "ahead of all others" not in text
