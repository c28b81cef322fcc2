"""Columns are recognized by their names, the likeliest first, each in one role."""

from __future__ import annotations

import pytest

from jurydesk.core.readers.foreign_tables.column_roles import (
    NAMES,
    find_roles,
    is_count_name,
    is_id_name,
    is_lower_better,
    is_metric_name,
    normalize_name,
)


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("modelName", "model_name"),
        ("Model-Name ", "model_name"),
        ("ИмяМодели", "имя_модели"),
        ("R@10 (%)", "r_10"),
        ("__x__", "x"),
    ],
)
def test_a_name_in_small_letters_has_one_sign_between_its_words(name, normal):
    assert normalize_name(name) == normal


@pytest.mark.parametrize("role", sorted(NAMES))
def test_every_known_name_is_found_in_any_spelling_and_the_first_wins(role):
    for number, name in enumerate(NAMES[role]):
        others = [*reversed(NAMES[role][number:]), "xyz"]
        assert find_roles(others, (role,)) == {role: name}
        shouted = name.upper()
        assert find_roles(["xyz", shouted], (role,)) == {role: shouted}
    assert find_roles(["xyz"], (role,)) == {}


def test_a_column_has_the_first_role_that_it_fits():
    assert find_roles(["model"], ("system", "item")) == {"system": "model"}
    assert find_roles(["score", "metric"], ("metric", "score")) == {
        "metric": "metric",
        "score": "score",
    }
    assert find_roles(["question", "id"], ("statement", "item")) == {
        "statement": "question",
        "item": "id",
    }


@pytest.mark.parametrize(
    ("name", "metric", "lower", "count", "identity"),
    [
        ("BLEU-4", True, False, False, False),
        ("word error rate", True, True, False, False),
        ("answer_tokens", False, False, True, False),
        ("number of hits", True, False, False, False),
        ("image_id", False, False, False, True),
        ("seed", False, False, True, True),
        ("color", False, False, False, False),
    ],
)
def test_a_name_says_whether_numbers_are_scores_counts_or_names(
    name, metric, lower, count, identity
):
    asked = (is_metric_name, is_lower_better, is_count_name, is_id_name)
    assert tuple(ask(name) for ask in asked) == (metric, lower, count, identity)
