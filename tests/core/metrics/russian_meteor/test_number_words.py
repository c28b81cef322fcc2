"""Number words compared with recorded results of the package wordtodigits 1.0.2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.russian_meteor.number_words import NUMBER_WORDS, number_words_to_digits

RECORDED = [
    ("", ""),
    ("twenty one", "21"),
    ("one hundred and ten", "110"),
    ("five hundred", "500"),
    ("hundred", "0"),
    ("two thousand three hundred and four", "2304"),
    ("one million", "1000000"),
    ("Twenty One cats", "21 cats"),
    ("cats and two dogs", "cats 2 dogs"),
    ("cats And two dogs", "cats And 2 dogs"),
    ("black and white", "black and white"),
    ("three point one four", "3.14"),
    ("the point is", "the point is"),
    ("three point twenty", "3. twenty"),
    ("point five", "0.5"),
    ("3.5", "3. 5"),
    ("one thousand?", "1000?"),
    ("is it two ? yes", "is it 2? yes"),
    ("a  b\tc", "a b c"),
    ("две кошки", "две кошки"),
    ("ninety-nine", "ninety-nine"),
]


@pytest.mark.parametrize(("text", "expected"), RECORDED)
def test_english_numbers_become_digits(text, expected):
    assert number_words_to_digits(text) == expected


@given(st.lists(st.sampled_from(["кошка", "cat", "дом", "7", "a"])))
def test_texts_without_number_words_keep_their_words(words):
    assert number_words_to_digits("  ".join(words)) == " ".join(words)


@given(st.lists(st.sampled_from(sorted(NUMBER_WORDS)), min_size=1))
def test_a_text_of_number_words_alone_becomes_one_whole_number(words):
    assert number_words_to_digits(" ".join(words)).isdigit()
