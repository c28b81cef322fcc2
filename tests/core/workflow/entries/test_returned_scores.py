from __future__ import annotations

import math
from decimal import Decimal

import pytest

from jurydesk.core.model.evaluation import Interval, MetricInfo, Score
from jurydesk.core.workflow.entries.returned_scores import (
    is_new_best,
    rounded,
    rounding_step,
    standard_error,
    told_score,
)

ACCURACY = MetricInfo("accuracy", "Accuracy", "", (0.0, 1.0), "higher", "")
LOSS = MetricInfo("loss", "Loss", "", (0.0, math.inf), "lower", "")


@pytest.mark.parametrize(
    ("width", "step"),
    [(0.0537, "0.05"), (0.02, "0.02"), (0.0199, "0.01"), (7.0, "5"), (12.0, "10"), (1e-9, "1E-9")],
)
def test_the_step_is_the_largest_round_number_within_the_width(width: float, step: str) -> None:
    assert rounding_step(width) == Decimal(step)


@pytest.mark.parametrize(
    ("value", "nearest", "below", "above"),
    [
        (0.7321, "0.75", "0.7", "0.75"),
        (-0.7321, "-0.75", "-0.75", "-0.7"),
        (-0.01, "0", "-0.05", "0"),
        (0.5, "0.5", "0.5", "0.5"),
    ],
)
def test_values_are_rounded_to_steps_and_limits_outwards(value, nearest, below, above) -> None:
    step = Decimal("0.05")
    assert rounded(value, step) == nearest
    assert rounded(value, step, math.floor) == below
    assert rounded(value, step, math.ceil) == above


def test_a_rounded_score_hides_its_digits_and_an_exact_one_has_all() -> None:
    score = Score("accuracy", 0.7321, 1000, interval=Interval(0.7046, 0.7596))
    told = told_score(score, ACCURACY, rounds=True)
    assert told == {
        "metric": "accuracy", "value": "0.75", "low": "0.7", "high": "0.8", "level": "0.95",
        "step": "0.05",
    }  # fmt: skip
    exact = told_score(score, ACCURACY, rounds=False)
    assert (exact["value"], exact["low"], exact["step"]) == ("0.7321", "0.7046", "")


def test_without_an_interval_the_range_bounds_the_width() -> None:
    """By hand: the standard error of a mean in [0, 1] is at most 0.5 / sqrt(100) = 0.05."""
    score = Score("accuracy", 0.7321, 100)
    assert standard_error(score, ACCURACY) == pytest.approx(0.05)
    assert told_score(score, ACCURACY, rounds=True)["step"] == "0.1"
    unbounded = told_score(Score("loss", 3.25, 100), LOSS, rounds=True)
    assert (unbounded["value"], unbounded["step"]) == ("3.25", "")


def test_a_new_best_is_better_by_more_than_the_error_in_the_direction_of_the_metric() -> None:
    assert is_new_best(0.8, 0.7, 0.05, "higher")
    assert not is_new_best(0.74, 0.7, 0.05, "higher")
    assert is_new_best(0.6, 0.7, 0.05, "lower")
    assert not is_new_best(0.8, 0.7, 0.05, "lower")


def test_an_undefined_score_is_no_best_that_a_defined_one_must_beat() -> None:
    assert is_new_best(0.1, math.nan, 0.05, "higher")
    assert not is_new_best(math.nan, 0.1, 0.05, "higher")
    assert not is_new_best(math.nan, math.nan, 0.05, "higher")
