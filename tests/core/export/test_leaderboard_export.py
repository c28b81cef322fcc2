from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.desk import Summary
from jurydesk.core.execution.run import Run
from jurydesk.core.export.exported_numbers import numbers_in_latex
from jurydesk.core.export.leaderboard_export import board_csv, board_json
from jurydesk.core.export.leaderboard_latex import board_latex
from jurydesk.core.export.methods import methods_latex
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.model.evaluation import Interval, ItemTable, MetricInfo, Score
from support import toy


def system(name: str, closeness: float, *, profile: str = "published", items: int = 100) -> Summary:
    interval = None if math.isnan(closeness) else Interval(closeness - 0.1, closeness + 0.1)
    scores = (Score("closeness", closeness, items, 0.5, interval), Score("rmse", 0.25, items))
    return Summary(0, name, profile, scores, "about it", False, "", 3)


def board_of(*systems: Summary) -> Leaderboard:
    return make_leaderboard(toy.TASK, systems)


def rows(found: Leaderboard) -> list[list[str]]:
    return list(csv.reader(io.StringIO(board_csv(found).decode(), newline="")))


def test_csv_has_full_precision_and_the_ends_of_the_intervals():
    head, row = rows(board_of(system("one", 1 / 3)))
    assert dict(zip(head, row, strict=True)) == {
        "place": "",
        "system": "one",
        "profile": "published",
        "items": "3",
        "closeness": repr(1 / 3),
        "closeness_low": repr(1 / 3 - 0.1),
        "closeness_high": repr(1 / 3 + 0.1),
        "rmse": "0.25",
        "rmse_low": "",
        "rmse_high": "",
        "rank_best": "",
        "rank_worst": "",
        "headline": "closeness",
        "interval": "percentile bootstrap, 1000 resamples",
        "remarks": "",
        "stamp": "",
    }


def test_an_undefined_number_is_empty_in_csv_and_null_in_json():
    found = board_of(system("none", math.nan))
    assert rows(found)[1][:5] == ["", "none", "published", "3", ""]
    (document,) = board_json(found)["systems"]
    assert document["scores"] == {"closeness": None, "rmse": 0.25}
    assert b"NaN" not in encode_json(board_json(found))


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])
def test_no_name_is_a_formula_in_a_spreadsheet(name):
    assert rows(board_of(system(name, 0.5)))[1][1] == f"'{name}"


def test_latex_prints_names_unchanged_and_the_best_in_bold():
    text = board_latex(board_of(system("a_b & 100%", 0.75), system("c\\d~e^f", 0.5))).decode()
    interval = r"{\footnotesize [0.6500, 0.8500]}"
    assert rf"a\_b \& 100\% & \textbf{{0.7500}} & {interval} & \textbf{{0.2500}} \\" in text
    assert r"c\textbackslash{}d\textasciitilde{}e\textasciicircum{}f & 0.5000" in text
    assert text.count("\\begin{tabular}{@{}rlrcr@{}}") == text.count("\\end{tabular}") == 1


def test_latex_omits_unprintable_characters_and_writes_signs_by_their_names():
    text = board_latex(board_of(system("a\x00b<c>|\u202e", 0.5))).decode()
    assert r"ab\textless{}c\textgreater{}\textbar{} & 0.5000" in text


def test_latex_has_the_chosen_metrics():
    found = board_of(system("one", -0.25))
    text = board_latex(found, metrics=[found.metrics[0]]).decode()
    assert r"-- & one & $-$0.2500 & {\footnotesize [$-$0.3500, $-$0.1500]} \\" in text
    assert "Error" not in text


def test_a_long_heading_is_broken_and_a_page_is_not_overfull():
    info = replace(toy.CLOSENESS, title="Closeness of the numbers to the true ones")
    wide = replace(board_of(system("a" * 60, 0.5)), metrics=(info, toy.ERROR), headline=info)
    text = board_latex(wide).decode()
    stacked = r"Closeness of \\ the numbers to \\ the true ones"
    assert rf"\begin{{tabular}}[b]{{@{{}}r@{{}}}}{stacked}\end{{tabular}}" in text
    assert "Error" not in text


def test_a_name_on_two_lines_stays_in_its_comment_and_its_row():
    text = board_latex(board_of(system("one\ntwo", 0.75))).decode()
    assert all(line.startswith(("%", "\\", "Rank", "-- & one two")) for line in text.splitlines())


def test_each_of_several_profiles_has_its_own_part_of_the_table():
    found = board_of(system("x", 0.5), system("x", 0.6, profile="corrected"))
    lines = board_latex(found).decode().splitlines()
    assert lines[5:11:3] == ["\\midrule", "\\midrule"]
    assert [r"\itshape published" in lines[6], r"\itshape corrected" in lines[9]] == [True, True]
    assert [lines[7].split(" & ")[2], lines[10].split(" & ")[2]] == ["0.5000", "0.6000"]


def compared(
    metric: MetricInfo = toy.CLOSENESS, profiles: Sequence[str] = ("published",)
) -> Leaderboard:
    """Return three systems, of which the first two do not differ significantly."""
    rng = np.random.default_rng(0)
    ids = tuple(f"i{number:03d}" for number in range(200))
    columns = {
        name: np.clip(rng.normal(mean, 0.1, 200), 0, 1)
        for name, mean in (("one", 0.7), ("two", 0.695), ("three", 0.2))
    }
    entrants = [
        Entrant(name, float(column.mean()), ItemTable(ids, {"closeness": column}))
        for name, column in columns.items()
    ]
    task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(metric,)))
    significance = compare_all_pairs(task, metric, "published", entrants, Run())
    assert significance is not None
    summaries = [
        system(one.system, one.value, profile=name) for name in profiles for one in entrants
    ]
    return make_leaderboard(task, summaries, dict.fromkeys(profiles, significance))


def test_no_format_says_how_ranks_were_found_where_scores_that_are_not_reliable_give_none():
    doubted = compared(replace(toy.CLOSENESS, doubt="Not reliable: only 1 rater judged."))
    methods = [methods_latex(toy.TASK, one, {}).decode() for one in (compared(), doubted)]
    assert ["Rank intervals hold" in one for one in methods] == [True, False]
    tables = [board_latex(one).decode() for one in (compared(), doubted)]
    assert ["Ranks, together at 95" in one for one in tables] == [True, False]
    assert [one["rank"] for one in board_json(doubted)["systems"]] == [None] * 3


def test_profiles_that_are_each_tested_by_themselves_say_what_chance_gives():
    said = "2 profiles, each tested by itself: expect 0.1 differences by chance."
    alone, both = compared(), compared(profiles=("published", "corrected"))
    assert [said in board_latex(one).decode() for one in (alone, both)] == [False, True]


def test_shared_ranks_are_in_every_format():
    found = compared()
    assert [row.places for row in found.rows] == ["1–2", "1–2", "3"]
    assert [row[-6:-4] for row in rows(found)[1:]] == [["1", "2"], ["1", "2"], ["3", "3"]]
    lines = board_latex(found).decode().splitlines()
    assert [line.partition(" & ")[0] for line in lines[6:9]] == ["1--2", "1--2", "3"]
    assert lines[11:13] == [
        "% Intervals: percentile bootstrap, 1000 resamples.",
        "% Ranks, together at 95 %: approximate randomisation of 10,000 rounds, corrected for 3 "
        "comparisons by Romano-Wolf.",
    ]
    document = board_json(found)
    assert [one["rank"] for one in document["systems"]] == [[1, 2], [1, 2], [3, 3]]


def test_json_contains_every_test_and_how_to_repeat_it():
    (comparison,) = board_json(compared())["comparisons"]
    assert {key: comparison[key] for key in ("metric", "method", "rounds", "seed", "n_items")} == {
        "metric": "closeness",
        "method": "approximate randomisation",
        "rounds": 10_000,
        "seed": 20180601,
        "n_items": 200,
    }
    assert [pair["systems"] for pair in comparison["pairs"]] == [
        ["one", "three"],
        ["one", "two"],
        ["three", "two"],
    ]
    first = comparison["pairs"][0]
    assert first["interval"][0] < first["difference"] < first["interval"][1]
    assert first["p"] == 1 / 10_001
    assert first["p_corrected"] == 1 / 10_001
    assert comparison["correction"] == "Romano-Wolf"
    assert comparison["n_groups"] == 200
    assert comparison["group"] is None


REASON = "Not reliable: the models have random weights."


def doubtful(board: Leaderboard) -> Leaderboard:
    """Return the board with unreliable values of its first metric."""
    headline, *others = board.metrics
    headline = replace(headline, doubt=REASON)
    return replace(board, metrics=(headline, *others), headline=headline)


def test_an_unreliable_number_is_in_parentheses_and_never_bold_in_latex():
    found = board_of(system("one", 0.75), system("two", 0.5))
    assert "\\textbf{0.7500}" in board_latex(found).decode()
    text = board_latex(doubtful(found)).decode()
    assert "(0.7500)" in text
    assert "(0.5000)" in text
    assert not re.search(r"\\textbf\{\(?0\.7500", text)
    assert f"% ( ) {REASON}" in text
    undefined = board_of(system("none", math.nan))
    assert "(--)" not in board_latex(doubtful(undefined)).decode()


def test_an_interval_of_few_items_has_a_sign_in_latex():
    found = board_of(system("one", 0.75, items=3))
    text = board_latex(found).decode()
    assert "[0.6500, 0.8500]$^\\circ$}" in text
    assert "% ° The interval is based on few groups: interpret it with caution." in text
    assert "circ" not in board_latex(replace(found, item_noun=None)).decode()


def test_marks_leave_the_numbers_of_latex_readable_for_verify():
    found = board_of(system("one", 0.75, items=3), system("two", 0.5, items=3))
    plain, marked = (
        [(one.metric, one.part, one.text) for one in numbers_in_latex(text.decode())]
        for text in (board_latex(replace(found, item_noun=None)), board_latex(doubtful(found)))
    )
    assert plain == marked
    assert ("closeness", "low", "0.6500") in marked
