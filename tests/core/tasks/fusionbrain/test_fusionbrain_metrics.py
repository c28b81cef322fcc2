"""Declared metrics and files of FusionBrain, by the description of the challenge."""

from __future__ import annotations

import math

import numpy as np

from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import METRICS, _mean_of_means
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK

SUBTASKS = {
    "textqa_f1",
    "mathqa_em",
    "generation",
    "captioning",
    "vqa_meteor",
    "text_recognition_ned",
}


def test_the_board_shows_the_integral_scores_and_the_open_subtasks() -> None:
    shown = {one.name for one in METRICS if one.headline}
    assert shown == {"integral", "integral_so_far"} | SUBTASKS


def test_ranges_follow_from_the_definitions() -> None:
    """A cosine is at least -1, a distance has no limit; six of fifteen points are open."""
    ranges = {one.name: one.range for one in METRICS}
    assert ranges["generation"] == ((-1 + 0) / 2, (1 + 1) / 2)
    assert ranges["generation_clip"] == (-1, 1)
    assert ranges["generation_fid"] == (0, math.inf)
    assert ranges["integral_open"] == (0, 6 / 15)
    assert {ranges[one] for one in SUBTASKS - {"generation", "captioning"}} == {(0, 1)}


def test_only_answers_and_their_truth_are_needed() -> None:
    """A text sub-task has no pictures; FID needs pictures or statistics, a single file no ids."""
    assert {one.role for one in TASK.inputs if one.required} == {"truth", "predictions"}


def test_a_mean_of_means_ignores_items_of_other_subtasks() -> None:
    rows = np.array([[0.5, math.nan], [0.25, 1.0], [math.nan, math.nan]])
    assert _mean_of_means(rows) == (0.375 + 1.0) / 2
    assert math.isnan(_mean_of_means(rows[:1]))
