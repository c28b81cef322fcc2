"""Russian lemmas and stems compared with recorded results of the organisers' program."""

import json

import pytest

from jurydesk.core.metrics.russian_meteor.russian_words import (
    answer_words,
    counted_lemma,
    lemma,
    stemmer,
    without_punctuation,
)
from support.oracles import oracle


def test_stems_equal_nltk_s():
    path = oracle("fusionbrain/shared_stems_ru.json")
    stems = json.loads(path.read_text(encoding="utf-8"))["stems"]
    stem = stemmer("russian")
    assert [stem(word) for word, _ in stems] == [expected for _, expected in stems]


def test_latin_letters_inside_words_become_cyrillic_as_in_nltk():
    assert stemmer("russian")("docker-образа") == "доcкер-образ"


@pytest.mark.parametrize("word", ["кошками", "красный", "бежит"])
def test_the_english_stemmer_does_not_change_cyrillic(word):
    assert stemmer("english")(word) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("озере", "озеро"),
        ("красные дома", "красные дом"),  # the whole text as one word
        ("", ""),
    ],
)
def test_the_lemma_is_that_of_the_whole_text(text, expected):
    assert lemma(text) == expected


@pytest.mark.parametrize(
    ("word", "digits"), [("три", "3"), ("никаких", "0"), ("десяти", "10"), ("одиннадцать", "11")]
)
def test_number_words_up_to_ten_become_digits(word, digits):
    assert counted_lemma(word) == (digits if digits != "11" else "одиннадцать")


def test_only_ascii_punctuation_is_removed():
    assert without_punctuation("«Да» – a-b, c!") == "«Да» – ab c"
    assert without_punctuation("-3,5", keep_hyphen=True) == "-35"


def test_an_answer_is_split_into_lemmas_and_digits():
    assert answer_words("A) На синем ОЗЕРЕ, три!") == ["a", "на", "синий", "озеро", "3"]
    assert answer_words("d) -3", keep_hyphen=True) == ["d", "-3"]
