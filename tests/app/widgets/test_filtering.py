"""Filter conditions: errors, and completions."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.app.widgets.filtering import find_completions, find_problem
from jurydesk.core.tables.columns import NumberColumn, TextColumn

COLUMNS = [
    NumberColumn("ap", "AP", np.zeros(3)),
    NumberColumn("length", "Length", np.zeros(3)),
    TextColumn("subtask", "Sub-task", ("vqa", "text qa", "captioning")),
]


@pytest.mark.parametrize(
    "query", ["", "harbour", "ap < 0.2", "AP>=1 harbour", 'subtask = "text qa"']
)
def test_a_valid_condition_has_no_error(query):
    assert find_problem(query, COLUMNS) is None


def test_an_unknown_column_is_reported_with_the_nearest_one():
    found = find_problem("ap < 0.2 lenght < 8", COLUMNS)
    assert found.part == "lenght"
    assert found.meant == "length"
    assert found.sentence == "No column “lenght”. Did you mean length? Tab takes it."


def test_an_unknown_column_without_a_near_one_is_reported_with_all_columns():
    found = find_problem("nosuch < 3", COLUMNS)
    assert found.sentence == "No column “nosuch”. There are: ap, length, subtask."
    assert found.meant == ""


@pytest.mark.parametrize("query", ["ap << 3", "ap <", "< 3"])
def test_half_a_condition_is_reported(query):
    assert "is no condition: write NAME, then" in find_problem(query, COLUMNS).sentence


def test_texts_are_compared_for_equality_and_numbers_with_numbers():
    assert find_problem("subtask < vqa", COLUMNS).sentence == (
        "subtask is a text: compare it with = or != only."
    )
    assert find_problem("ap = many", COLUMNS).sentence == "“many” is no number to compare ap with."


def texts(typed):
    return [one.text for one in find_completions(typed, COLUMNS)]


def test_columns_complete_a_word_with_prefixes_first():
    assert texts("a") == ["ap", "subtask"]
    assert texts("ap < 0.2 le") == ["length"]
    assert texts("ap") == []
    assert texts("") == texts("ap < ") == []


def test_values_complete_a_condition_and_are_quoted_where_necessary():
    assert texts("subtask = ") == ["vqa", '"text qa"', "captioning"]
    assert texts("subtask != cap") == ["captioning"]
    assert find_completions("subtask = te", COLUMNS)[0].length == 2


def test_a_text_column_of_many_values_has_no_completions():
    few, many = ([str(n % different) for n in range(1000)] for different in (3, 300))
    typed = 'kind = "'
    assert len(find_completions(typed, [TextColumn("kind", "", few)])) == 3
    assert find_completions(typed, [TextColumn("kind", "", many)]) == []


def test_a_column_is_offered_by_a_name_without_spaces():
    spaced = NumberColumn("number of <words>", "Words", np.zeros(3))
    assert [one.text for one in find_completions("words", [spaced])] == ["number_of_words_"]
