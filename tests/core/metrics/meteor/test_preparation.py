import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.metrics.meteor import Meteor, custom
from core.metrics.meteor.preparation import Preparation

SIGNS = "aAzZ09 .,'`-\"\u2018\u2019\u201c\u2013\u03a3\u00e9!$\u00a0\t"
LINES = st.text(st.sampled_from(SIGNS), max_size=30)
KNOWN = {"Mr": False, "No": True, "a": False}


@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(LINES, st.booleans(), st.booleans())
@example("a, ,b ,", True, False)
@example("dogs' 'em", True, False)
@example("No. 9 a. b. A", True, False)
@example("a,' ', .. a... -- a-", True, False)
def test_a_text_prepared_piece_by_piece_is_the_text_prepared_whole(
    compiled: Meteor, line: str, norm: bool, no_punct: bool
):
    config = custom(norm=norm, no_punct=no_punct, lower=not no_punct)
    preparation = Preparation(compiled.words, KNOWN, config)
    numbers = memoryview(preparation.numbers(line)).cast("i").tolist()
    assert [compiled.words.texts[number] for number in numbers] == preparation.tokens(line)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, ["The", "dog's", "home."]),
        ({"lower": True}, ["the", "dog's", "home."]),
        ({"norm": True}, ["the", "dog", "'s", "home", "."]),
        ({"norm": True, "no_punct": True}, ["the", "dog", "s", "home"]),
    ],
)
def test_each_mode_prepares_in_its_way(compiled: Meteor, flags: dict, expected: list[str]):
    assert compiled.tokens("The dog's home.", custom(**flags)) == expected
