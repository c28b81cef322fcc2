"""Sentences of the Rate page without a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jurydesk.app.pages.rate.rate_model import (
    next_column,
    no_plan_sentence,
    progress_sentence,
    reminder,
    state_column,
)
from jurydesk.core.competition.rating_design import STORIES
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.human_evaluation.results.findings import compute_findings
from jurydesk.core.human_evaluation.results.study_tables import rater_table
from jurydesk.core.workflow.imported_ratings import import_ratings
from jurydesk.core.workflow.ratings import StudyState
from support.rating import studies


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ({"entry": None}, "People rate stories, captions or answers: open a desk"),
        ({"systems": False}, "Score the systems first (Ctrl+R)"),
        ({"systems": False, "by_files": True}, "Drop the systems' stories onto the window"),
        ({}, "There are no ratings yet. Plan who rates what"),
        ({"read_only": True}, "These stories have no ratings."),
        ({"read_only": True, "systems": False}, "These stories have no ratings."),
    ],
)
def test_only_possible_actions_are_suggested(stands: dict[str, Any], said: str) -> None:
    usual = {"entry": STORIES.entry, "systems": True, "by_files": False, "read_only": False}
    assert no_plan_sentence(**{**usual, **stands}).startswith(said)


def test_just_merged_answers_are_not_called_contradictory() -> None:
    made = studies.study()
    codes = frozenset(rater.code for rater in made.raters[:1])
    state = state_column(StudyState(made, packed=codes, answered=codes), made, None)
    assert state.text(0) == "answers are being read"


def test_each_rater_has_the_next_thing_to_do() -> None:
    made = studies.study()
    first, second, *_ = (rater.code for rater in made.raters)
    state = StudyState(
        made,
        packed=frozenset({first, second}),
        names={first: "Anna"},
        local=frozenset({second}),
    )
    found = next_column(state, made, None)
    assert found.values[:3] == ["Copy reminder", "Resume at 1", "make packets first"]
    assert reminder(made, state, first, 0).startswith(
        f"Hello Anna, 0 of {len(made.raters[0].tasks)} items of your packet {first}.jurypacket"
    )
    answered = StudyState(made, packed=frozenset({first}), answered=frozenset({first}))
    assert next_column(answered, made, None).values[0] == ""


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (
            "person person model",
            "Imported from ratings.csv: 12 items rated by 2 raters, none signed. "
            "1 program judged beside them; ranks leave that out.",
        ),
        ("person person", "Imported from ratings.csv: 12 items rated by 2 raters, none signed."),
        ("model model", "Imported from ratings.csv: 12 items rated by 2 raters, none signed."),
    ],
)
def test_programs_beside_people_are_no_raters(tmp_path: Path, kinds: str, said: str) -> None:
    rows = [
        f"r{rater},{kind},i{item},{system},{(item + rater) % 3 + 1}"
        for rater, kind in enumerate(kinds.split())
        for item in range(3)
        for system in "AB"
    ]
    table, path = tmp_path / "ratings.csv", tmp_path / "one.jurydesk"
    table.write_text("\n".join(["rater,kind,item,system,liked", *rows]) + "\n")
    import_ratings(path, table, RatingsOptions(), Run())
    with Desk.open(path) as desk:
        study, found = RatingStore(desk).required_study(), compute_findings(desk, Run())
    assert progress_sentence(study, found) == said
    done = next(one for one in rater_table(study, found) if one.name == "done")
    assert list(done.values) == [6] * len(kinds.split())
