"""Metrics of models with random weights, and intervals of few groups."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.reliability import (
    RANDOM_WEIGHTS,
    few_groups,
    random_metrics,
    resampled_groups,
)
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Summary
from jurydesk.core.model.evaluation import Interval, Score
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import ResamplingUnit
from support import toy

TASK = registry().tasks["fusionbrain"]
WEIGHTS = {"weights": ["inception=random-numbers"]}


def summary(options, metric="generation_fid") -> Summary:
    scores = (Score(metric, 0.5, 4),)
    return Summary(0, "six", "published", scores, "", False, "", 4, options=options)


def test_random_weights_make_their_metrics_and_combinations_unreliable():
    found = random_metrics(TASK, [summary({}), summary(WEIGHTS)])
    assert {"generation_fid", "integral"} <= found
    assert "captioning_clip" not in found


@pytest.mark.parametrize(
    "options",
    [{}, {"weights": ["inception=model.pt"]}, {"unknown": 1}, {"weights": [1]}, {"weights": 5}],
)
def test_real_models_and_options_of_other_versions_make_none_unreliable(options):
    assert random_metrics(TASK, [summary(options)]) == frozenset()


def test_a_competition_without_models_has_reliable_metrics():
    assert random_metrics(toy.TASK, [summary({}, "closeness")]) == frozenset()


def test_a_board_names_the_reason_for_each_unreliable_metric():
    scores = Score("generation_fid", 0.5, 4), Score("captioning_clip", 0.5, 4)
    board = make_leaderboard(TASK, [replace(summary(WEIGHTS), scores=scores)])
    reasons = {info.name: info.doubt for info in board.metrics}
    assert reasons == {"generation_fid": RANDOM_WEIGHTS, "captioning_clip": ""}
    one = replace(toy.TASK.scoring.metrics[0], doubt="Not reliable: only 1 rater judged.")
    rated = replace(toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(one,)))
    board = make_leaderboard(rated, [summary({}, one.name)])
    assert [info.doubt for info in board.metrics] == [one.doubt]


@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("studentized bootstrap, 1000 resamples of 6 keywords", "6 keywords"),
        ("studentized bootstrap, 1000 resamples of 10 keywords", ""),
        ("studentized bootstrap, 1000 resamples of 1,204 keywords", ""),
        ("Student's t, 5 degrees of freedom of 6 image groups", "6 image groups"),
        ("Clopper-Pearson, effective sample size 5.1, too few events of 9 keywords", "9 keywords"),
        ("Clopper-Pearson, effective sample size 5.1 of 39 keywords", ""),
        ("Student's t, 7 degrees of freedom, of 12 raters and 8 stories", "8 stories"),
        ("Student's t, 7 degrees of freedom, of 5 raters and 24 stories", "5 raters"),
        ("Student's t, 7 degrees of freedom, of 12 raters and 24 stories", ""),
        ("percentile bootstrap over 7 stories, 1000 resamples", "7 stories"),
        ("percentile bootstrap over 12 stories, 1000 resamples", ""),
    ],
)
def test_the_groups_of_an_interval_are_in_its_method(method, text):
    score = Score("ap", 0.5, 320, interval=Interval(0.4, 0.6, method=method))
    assert few_groups(score) == text
    assert text in ("", resampled_groups(score, ("query", "queries")))


@pytest.mark.parametrize(
    "method", ["percentile bootstrap, 1000 resamples", "Student's t, 8 degrees of freedom"]
)
def test_an_interval_without_groups_is_of_items(method):
    interval = Interval(0.4, 0.6, method=method)
    assert few_groups(Score("ap", 0.5, 9, interval=interval), ("query", "queries")) == "9 queries"
    assert few_groups(Score("ap", 0.5, 10, interval=interval)) == ""
    assert few_groups(Score("ap", 0.5, 9)) == ""
    assert few_groups(None) == ""
    assert resampled_groups(Score("ap", 0.5, 9), ("query", "queries")) == ""
    long = Score("ap", 0.5, 1204, interval=interval)
    assert resampled_groups(long, ("query", "queries")) == "1,204 queries"


def test_unequal_groups_are_named_with_their_effective_number():
    groups = Groups.of_labels([*range(1, 20), *[0] * 19])
    named = ResamplingUnit(groups, ("keyword", "keywords")).name(Interval(0.4, 0.6), (0, 1))
    few = few_groups(Score("ap", 0.5, 38, interval=named))
    assert few == "20 keywords, effectively 3.8 (the largest holds 50 %)"


def test_the_resampled_groups_are_found_as_intervals_name_them():
    groups = Groups.of_labels([number // 2 for number in range(12)])
    named = ResamplingUnit(groups, ("word group", "word groups")).name(Interval(0.4, 0.6), (0, 1))
    assert few_groups(Score("ap", 0.5, 12, interval=named)) == "6 word groups"
