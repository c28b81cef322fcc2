from __future__ import annotations

import json
from pathlib import Path

import pytest

from jurydesk.core.human_evaluation.design.questionnaire import (
    RatingQuestion,
    read_questionnaire,
)
from jurydesk.core.system.paths import resources_folder
from support.rating.questionnaires import builtin_questionnaire
from support.rating.random_answers import FOUR_KINDS, PAIR

STATEMENTS = {
    "focused": "This story is focused.",
    "coherent": "The story is coherent.",
    "share": (
        "If these were my photos, I would like using a story like this to share my experience "
        "with my friends."
    ),
    "human": "This story sounds like it was written by a human.",
    "grounded": "This story directly reflects concrete entities in the photos.",
    "detailed": "This story provides an appropriate level of details.",
}
"""The statements of the VIST Challenge 2018, in their order."""

SCALE = (
    "Strongly Disagree",
    "Disagree",
    "Neither Agree Nor Disagree",
    "Agree",
    "Strongly Agree",
)


def write(path: Path, **change) -> Path:
    sound = {
        "id": "own",
        "title": "Own",
        "scale": ["no", "yes"],
        "questions": [{"id": "q", "kind": "likert", "statement": "It is good."}],
    }
    path.write_text(json.dumps({**sound, **change}, indent=1))
    return path


def test_the_statements_and_the_scale_are_those_of_the_challenge():
    found = builtin_questionnaire("vist2018")
    assert {one.id: one.statement for one in found.questions} == STATEMENTS
    assert [one.id for one in found.questions] == list(STATEMENTS)
    assert found.scale == SCALE
    assert all(one.required and one.kind == "likert" for one in found.questions)


def test_every_statement_has_a_good_and_a_bad_example():
    assert all(
        one.good and one.bad and one.help for one in builtin_questionnaire("vist2018").questions
    )


def test_the_instructions_say_not_to_judge_placeholders():
    text = " ".join(builtin_questionnaire("vist2018").instructions)
    assert "[male]" in text
    assert "[location]" in text
    assert "do not judge" in text


@pytest.mark.parametrize(
    "questionnaire", [builtin_questionnaire("vist2018"), FOUR_KINDS, PAIR], ids=lambda one: one.id
)
def test_a_questionnaire_is_written_as_json_and_read_back(tmp_path, questionnaire):
    path = tmp_path / "q.json"
    path.write_text(json.dumps(questionnaire.to_json()))
    assert read_questionnaire(path).data == questionnaire


QUESTION = {"id": "q", "kind": "likert", "statement": "It is good."}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"id": "a b"},
         'error  q.json, id: "id" is the text "a b".\n       A short name is expected.'),
        ({"scale": ["no"]},
         'error  q.json, scale: "scale" has 1 labels.\n'
         "       2 to 9 labels are expected, from the lowest."),
        ({"questions": []},
         'error  q.json, questions: "questions" is not a list of questions.\n'
         "       At least one is needed."),
        ({"questions": [{**QUESTION, "kind": "likret"}]},
         'error  q.json, line 9: Question 1: "kind" is the text "likret".\n'
         "       One of likert, best-worst, pairwise, comment is expected."),
        ({"questions": [QUESTION, QUESTION]},
         'error  q.json, line 14: Question 2: the id "q" is already used.\n'
         "       Every question needs its own id."),
        ({"questions": [{**QUESTION, "kind": "pairwise"}]},
         'error  q.json, line 9: Question 1: "pairwise" with 1 stories at once.\n'
         '       "stories" must be 2.'),
        ({"questions": [{"id": "q", "kind": "likert", "statment": "x"}]},
         'error  q.json, line 9: Question 1: "statement" is missing. Is "statment" meant?\n'
         "       Text is expected: the statement."),
        ({"stories": 99},
         'error  q.json, stories: "stories" is 99.\n       A number from 1 to 8 is expected.'),
        ({"stories": "two"},
         'error  q.json, stories: "stories" is the text "two".\n'
         "       A number from 1 to 8 is expected."),
    ],
)  # fmt: skip
def test_errors_are_reported_with_their_place(tmp_path, change, sentence):
    reading = read_questionnaire(write(tmp_path / "q.json", **change))
    assert reading.data is None
    assert [str(defect) for defect in reading.defects] == [sentence]


def test_all_questionnaires_of_the_program_are_valid():
    for path in (resources_folder() / "questionnaires").glob("*.json"):
        assert read_questionnaire(path).defects == ()


@pytest.mark.parametrize(
    ("kind", "ends"), [("pairwise", (0, 1)), ("best-worst", (-1, 1)), ("likert", (1, 5))]
)
def test_means_of_answers_lie_in_the_range_of_their_kind(kind, ends):
    assert RatingQuestion("q", kind, "Which?").span(5) == ends
