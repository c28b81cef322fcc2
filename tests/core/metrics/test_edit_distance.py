"""Edit distances against NLTK's, and the edits behind them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance

from jurydesk.core.metrics.edit_distance import Edit, edit_distances, edits, recognition_scores

TEXT = st.text(st.sampled_from("абвй\u0306 👍🏽Aa."), max_size=8)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6))
def test_distances_equal_nltk_s(pairs):
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    assert edit_distances(one, other).tolist() == [edit_distance(a, b) for a, b in pairs]


@given(TEXT, TEXT)
def test_scores_are_between_0_and_1(one, other):
    scores, distances, longest = recognition_scores([one], [other])
    assert 0 <= scores[0] <= 1
    assert distances[0] <= longest[0]


def test_an_empty_text_scores_0_even_against_an_empty_one():
    scores, _, _ = recognition_scores(["", "", "а"], ["", "хор", ""])
    assert scores.tolist() == [0, 0, 0]


def test_no_pairs_have_no_scores():
    assert all(len(part) == 0 for part in recognition_scores([], []))


def test_scores_are_float64_and_counts_are_integers():
    scores, distances, longest = recognition_scores(["abd"], ["abc"])
    assert (scores.dtype, distances.dtype, longest.dtype) == (np.float64, np.int64, np.int64)
    assert scores[0] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("recognised", "accepted", "wrong"),
    [
        ("МЛОКО", "МОЛОКО", Edit("insert", "", "О")),
        ("АПТХЕКА", "АПТЕКА", Edit("delete", "Х", "")),
        ("ХЛЕВ", "ХЛЕБ", Edit("replace", "В", "Б")),
    ],
)
def test_edits_describe_the_errors(recognised, accepted, wrong):
    assert [edit for edit in edits(recognised, accepted) if edit.kind != "equal"] == [wrong]


@given(TEXT, TEXT)
def test_edits_transform_one_text_into_the_other(one, other):
    found = list(edits(one, other))
    assert "".join(edit.recognised for edit in found) == one
    assert "".join(edit.accepted for edit in found) == other
    assert all(len(e.recognised) == len(e.accepted) for e in found if e.kind == "replace")
