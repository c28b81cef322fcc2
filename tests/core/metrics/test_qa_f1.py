"""F1 of answers: cases beyond the recorded results, and properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.qa_f1 import exact_match, score_answer, token_f1

WORDS = st.lists(st.sampled_from(["дом", "дома", "кот", "5", "пять", "a"]), max_size=5).map(
    " ".join
)


@given(WORDS, WORDS)
def test_f1_is_symmetric_and_between_0_and_1(one, other):
    assert 0 <= token_f1(one, other).score <= 1
    assert token_f1(one, other).score == token_f1(other, one).score


@given(WORDS)
def test_an_answer_equals_itself(text):
    assert token_f1(text, text).score == exact_match(text, text).score == 1


@given(st.lists(WORDS, min_size=1), WORDS)
def test_one_more_accepted_answer_never_lowers_the_plain_score(accepted, prediction):
    few = score_answer(prediction, accepted, token_f1, letter_rule=False).overlap.score
    many = score_answer(prediction, [*accepted, "река"], token_f1, letter_rule=False)
    assert many.overlap.score >= few


def test_the_score_follows_from_the_counts():
    overlap = token_f1("на синем озере", "на озере далеко")
    assert (overlap.common, overlap.predicted, overlap.accepted) == (2, 3, 3)
    assert overlap.score == pytest.approx(2 / 3)


def test_the_letter_rule_replaces_a_weak_answer_by_its_first_letter():
    answer = score_answer(
        "на озере cruise далеко вчера", ["на синем озере"], token_f1, letter_rule=True
    )
    assert (answer.used, answer.by_letter, answer.overlap.score) == ("c", True, 0)


def test_without_the_letter_rule_the_answer_itself_is_scored():
    answer = score_answer("a) -3", ["d", "-3"], exact_match, letter_rule=False)
    assert (answer.used, answer.by_letter) == ("a) -3", False)


def test_the_first_of_equally_good_accepted_answers_is_used():
    answer = score_answer("дом", ["кот", "дома", "дом"], token_f1, letter_rule=False)
    assert answer.best == 1
