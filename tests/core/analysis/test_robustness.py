"""Choices that could change a ranking, for a score that is a function of rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jurydesk.core.analysis.robustness import (
    Alternative,
    Robustness,
    assess_robustness,
    robustness_sentences,
)
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


def test_an_order_by_numbers_that_are_not_reliable_is_described_with_the_reason() -> None:
    kept = Alternative("profile", "corrected", (1, 2), (1, 2), 1, 0)
    found = Robustness(toy.CLOSENESS, "published", ("one", "two"), (1, 2), (kept,), ("Left out.",))
    sentence = "1 of 1 choice does not change the order of 2 systems by Closeness (published)."
    assert robustness_sentences(found) == (sentence, "Left out.")
    reason = "Not reliable: only 1 rater judged."
    doubted = replace(found, metric=replace(toy.CLOSENESS, doubt=reason))
    assert robustness_sentences(doubted) == (sentence, reason, "Left out.")
