"""Texts about the plan of a rating study."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from jurydesk.core.competition.rating_design import RatingPool
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design import planning
from jurydesk.core.human_evaluation.design.planning import StudyRequest, items_per_rater
from jurydesk.core.tasks.vist.vist_task import TASK
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


def test_one_more_item_is_drawn_for_as_many_practice_entries_as_there_are_systems(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Practice shows each system's entry of an item: 4 entries of 3 systems need 2 items."""
    counts = []

    def draw(desk: object, task: object, chosen: object, count: int, **options: object) -> object:
        counts.append(count)
        return RatingPool((), (studies.pool().items[0],))

    systems = [SimpleNamespace(system=name) for name in "abc"]
    monkeypatch.setattr(planning, "rated_summaries", lambda *_: systems)
    monkeypatch.setattr(planning, "draw_pool", draw)
    desk = SimpleNamespace(evaluations=lambda: systems, inputs=lambda: ())
    for practice in (0, 3, 4):
        asked = StudyRequest((), 6, 4, 2, practice=practice)
        planning._draw(asked, TASK, desk, 1, Run())  # type: ignore[arg-type]
    assert counts == [6, 7, 8]
