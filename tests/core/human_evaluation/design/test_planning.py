"""Texts about the plan of a rating study."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jurydesk.core.human_evaluation.design.planning import items_per_rater
from support.rating import studies


@pytest.mark.parametrize(
    ("loads", "text"), [((2, 2, 2), "2"), ((2, 1, 1), "1 or 2"), ((1, 2, 2), "1 or 2")]
)
def test_the_items_of_a_rater_are_one_number_or_two(loads: tuple[int, ...], text: str) -> None:
    made = studies.study(sequences=6, raters=3)
    raters = [
        replace(rater, tasks=rater.tasks[:load])
        for rater, load in zip(made.raters, loads, strict=True)
    ]
    assert items_per_rater(replace(made, raters=tuple(raters))) == text
