"""Answers are tokenised and put together as NLTK 3.4 did it."""

import json

import pytest
from golden import golden

from core.tasks.visdial.text import detokenise, prepared, tokenise


def test_tokens_and_texts_equal_nltk_3_4():
    cases = json.loads(golden("visdial/shared_detok_nltk34.json").read_text(encoding="utf-8"))
    for case in cases["cases"]:
        assert tokenise(case["text"]) == case["tokens"]
        assert prepared(case["text"]) == case["detok"]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["they", "are", "n't", "."], "they aren't."),
        (["they", "are", "n't"], "they are n't"),
        (["it", "'s", "100", "%"], "it's 100 %"),
        (["about", "5", "%", "of", "it"], "about 5% of it"),
        (["a", "(", "red", ")", "kite"], "a (red) kite"),
        (["no", ",", "inside"], "no, inside"),
        (["yes", ",", "4"], "yes , 4"),
        (["you", "can", "not", "see"], "you cannot see"),
        (["i", "wan", "na", "go"], "i wannago"),
        (["well", "--", "no"], "well--no"),
    ],
)
def test_pieces_are_joined_by_the_rules(tokens, text):
    assert detokenise(tokens) == text


def test_a_star_stays_where_it_is():
    assert prepared("4* hotel") == "4* hotel"
