"""Differences between two evaluations of one system by item, with amount and reason."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from jurydesk.core.analysis.comparison.item_differences import item_differences
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score
from support import toy


def evaluation(profile: str, **columns: list[float]) -> Evaluation:
    ids = tuple("abcd"[: len(next(iter(columns.values())))])
    arrays = {name: np.array(column) for name, column in columns.items()}
    table = ItemTable(ids, arrays, lambda row: toy.Guess(float(row), 0.0))
    scores = (Score("closeness", 0.5, len(ids)),)
    return Evaluation("toy", "one", profile, scores, table)


ONE = evaluation("published", closeness=[0.1, 0.5, 0.9, math.nan], square=[1.0, 2.0, 3.0, 4.0])
OTHER = evaluation("corrected", closeness=[0.1, 0.6, 0.2, 0.5], square=[1.0, 2.0, 3.0, 5.0])


def test_items_are_sorted_by_the_size_of_their_difference():
    found = item_differences(toy.TASK, ONE, OTHER, "closeness")
    assert [(one.item, one.after) for one in found] == [("d", 0.5), ("c", 0.2), ("b", 0.6)]
    assert math.isnan(found[0].before)
    assert item_differences(toy.TASK, ONE, ONE, "closeness") == []


def test_an_item_in_only_one_evaluation_differs():
    short = evaluation("corrected", closeness=[0.1, 0.5])
    found = item_differences(toy.TASK, ONE, short, "closeness")
    assert [one.item for one in found] == ["c", "d"]


def test_a_metric_without_item_values_is_compared_by_its_statistics():
    (found,) = item_differences(toy.TASK, ONE, OTHER, "rmse")
    assert (found.item, found.column, found.before, found.after) == ("d", "square", 4.0, 5.0)


def test_the_task_is_asked_for_reasons_in_the_published_profile_first():
    def reasons(one, other):
        return (f"{one.values['closeness']:g} {other.evidence.wanted:g}",)

    task = replace(
        toy.TASK, presentation=replace(toy.TASK.presentation, explain_difference=reasons)
    )
    reported = {one.item: one.reasons for one in item_differences(task, ONE, OTHER, "closeness")}
    assert reported["c"] == ("0.9 2",)
    turned = {one.item: one.reasons for one in item_differences(task, OTHER, ONE, "closeness")}
    assert turned["c"] == ("0.9 2",)


def test_other_pairs_of_profiles_have_no_reasons():
    task = replace(
        toy.TASK,
        presentation=replace(
            toy.TASK.presentation, explain_difference=lambda one, other: ("never",)
        ),
    )
    found = item_differences(task, ONE, replace(OTHER, profile="icfhr"), "closeness")
    assert {one.reasons for one in found} == {()}
