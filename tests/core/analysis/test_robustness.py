"""Choices that could change a ranking, for a score that is a function of rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jurydesk.core.analysis.robustness import assess_robustness
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from support import toy

TASK = replace(
    toy.TASK, scoring=replace(toy.TASK.scoring, metrics=(replace(toy.ERROR, headline=True),))
)
ERRORS = {"steady": (0.5, 0.5, 0.5, 0.5), "careless": (0.1, 0.1, 0.1, 2.0)}


def test_a_score_of_rows_is_computed_without_each_item_in_turn(tmp_path: Path) -> None:
    """The root of the mean square is 0.5 and 1.0; without the last item 0.5 and 0.1."""
    ids = ("a", "b", "c", "d")
    truth = toy.write(tmp_path / "truth.txt", dict.fromkeys(ids, 0.0))
    guesses = [
        toy.write(tmp_path / f"{name}.txt", dict(zip(ids, values, strict=True)), name)
        for name, values in ERRORS.items()
    ]
    inputs = {"truth": [truth], "guesses": guesses}
    scored = score_submissions(TASK, inputs, toy.Options(), Run(), resamples=0).evaluations
    with Desk.create(tmp_path / "toy.jurydesk") as desk:
        desk.set_competition(TASK.id, TASK.title, {})
        for one in scored:
            desk.add(replace(one, scores=one.scores[1:2]))
        found = assess_robustness(desk, TASK, "published", Run(), rescoring=False)
    assert found is not None
    assert found.systems == ("steady", "careless")
    (left_out,) = [one for one in found.alternatives if one.choice == "leave out"]
    assert (left_out.value, left_out.cases, left_out.changed) == ("one number", 4, 1)
    assert left_out.winners == (("d", ("careless",)),)
