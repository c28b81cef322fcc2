"""A desk with an altered rating plan is refused with one sentence."""

from __future__ import annotations

import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.tables.rating_tables import RatingTables
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from support.rating import studies

OUTSIDE = "../../outside"
CRAFTED = {
    "a noun that is no text": (["words", "item"], [3, "items"]),
    "a noun of one letter for each": (["words", "entry"], "a"),
    "an endless noun": (["words", "picture"], ["x" * 100_000, "y"]),
    "no wording": (["words"], None),
    "a wording without a noun": (["words"], {"item": ["a", "b"]}),
    "no items": (["items"], []),
    "items that are text": (["items"], "abc"),
    "an item without entries": (["items", 0, "entries"], []),
    "an entry that is a number": (["items", 0, "entries", 0], 7),
    "a context of three parts": (["items", 0, "context"], [["a", "b", "c"]]),
    "a box of two numbers": (["items", 0, "pictures"], [["photo", [1, 2]]]),
    "a picture without a box": (["items", 0, "pictures"], [["photo"]]),
    "no systems": (["systems"], []),
    "a code that leaves the folder": (["raters", 0, 0], OUTSIDE),
    "a code that is a number": (["raters", 0, 0], 7),
    "two raters with one code": (["raters", 0, 0], "r02"),
    "no raters": (["raters"], []),
    "a rater without items": (["raters", 0, 1], []),
    "an id that is no name": (["raters", 0, 1, 0, 0], "<b>"),
    "an item that there is not": (["raters", 0, 1, 0, 1, "sequence"], 10**9),
    "an item before the first": (["raters", 0, 1, 0, 1, "sequence"], -1),
    "an item that is text": (["raters", 0, 1, 0, 1, "sequence"], "0"),
    "a system that there is not": (["raters", 0, 1, 0, 1, "systems"], [99]),
    "nothing to rate": (["raters", 0, 1, 0, 1, "systems"], []),
    "an answer that is text": (["raters", 0, 1, 0, 1, "answer"], "five"),
    "an unknown kind": (["raters", 0, 1, 0, 1, "kind"], "bonus"),
    "numbers that are text": (["request", "sequences"], "many"),
    "an unknown number": (["request", "bonus"], 1),
    "a questionnaire without questions": (["questionnaire", "questions"], []),
    "a scale that is a number": (["questionnaire", "scale"], 5),
    "a seed that is text": (["seed"], "tomorrow"),
}


def crafted_desk(folder, keys, value):
    """Return a desk with a rating plan in which one value is altered."""
    path = folder / "crafted.jurydesk"
    study = studies.study()
    data = study.to_json()
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with studies.desk_with(path, study) as desk:
        assert RatingTables(desk).write_study(data)
    return path


@pytest.mark.parametrize("name", CRAFTED)
def test_an_altered_plan_is_refused_with_a_message(jurydesk, tmp_path, name):
    path = crafted_desk(tmp_path, *CRAFTED[name])
    outcome = jurydesk("ratings", "packet", "--desk", path, "--out", tmp_path / "a" / "b")
    assert outcome.code != 0
    assert outcome.err.startswith("Error: crafted.jurydesk is damaged: ")
    assert len(outcome.err.strip().splitlines()) == 1
    assert len(outcome.err) < 400
    assert not list(tmp_path.rglob("*outside*"))
    with Desk.open(path, read_only=True) as desk, pytest.raises(DeskError):
        RatingStore(desk).study()


def test_the_unaltered_plan_is_packed(jurydesk, tmp_path):
    path = crafted_desk(tmp_path, ["seed"], 5)
    assert jurydesk("ratings", "packet", "--desk", path, "--out", tmp_path).code == 0
