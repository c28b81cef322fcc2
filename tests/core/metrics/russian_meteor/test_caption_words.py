"""Words of captions and answers: fast methods equal the tokenizers."""

import json

import pytest
import razdel
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.russian_meteor.caption_words import (
    answer_form,
    answer_form_by_words,
    caption_tokens,
    digit_tagger,
    nltk_tokens,
    number_ratio,
    razdel_tokens,
    without_caption_marks,
)
from jurydesk.core.metrics.russian_meteor.nltk_words import nltk_words
from support.oracles import oracle

PLAIN = st.text(st.sampled_from("abcdnoтдёЯ0- _'ҫ²"), max_size=12)
PIECES = ["cannot", "gonna", "wan", "na", "d", "t", "'tis", "дом", "x-y", "-", "--", "ёж’s"]
WORDS = st.lists(st.sampled_from(PIECES), max_size=5)
MARKS = st.lists(st.sampled_from([*":;=-()?!….,*_/12aд😀 ", "yahoo", "=(((("]), max_size=12)


def test_words_equal_those_of_nltk_3_7_whatever_is_installed():
    recorded = oracle("fusionbrain/nltk_3_7_words.jsonl").read_text(encoding="utf-8")
    for text, tokens in map(json.loads, recorded.splitlines()):
        assert nltk_words(text) == tokens, text


@given(st.one_of(PLAIN, WORDS.map(" ".join)))
def test_texts_that_need_no_rules_have_the_same_tokens(text):
    assert list(nltk_tokens(text)) == nltk_words(text)


def test_a_full_stop_before_many_blanks_takes_linear_time():
    assert nltk_words("a." + " " * 50_000 + "b") == ["a.", "b"]


@given(st.one_of(PLAIN, WORDS.map(" ".join), MARKS.map("".join)))
def test_russian_tokens_equal_razdel_s(text):
    assert razdel_tokens(text) == [token.text for token in razdel.tokenize(text)]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (" Кот, дом. ", "Кот дом"),
        ("{дом} (фото)", "{дом фото"),
        ('дом " Ромашка " тут', 'дом "Ромашка" тут'),
        ("it ' s", "it 's".replace(" 's", "'s")),
    ],
)
def test_captions_lose_their_punctuation(text, plain):
    assert without_caption_marks(text) == plain


def test_only_predicted_captions_have_numbers_as_digits():
    assert caption_tokens("Two dogs", predicted=True) == ("2", "dogs")
    assert caption_tokens("Two dogs", predicted=False) == ("two", "dogs")


@pytest.mark.parametrize(
    ("text", "whole", "by_words"),
    [("Красные дома!", "красные дом", "красный дом"), ("Три.", "3", "3"), ("", "", "")],
)
def test_an_answer_has_one_lemma_or_one_for_each_word(text, whole, by_words):
    assert answer_form(text) == whole
    assert answer_form_by_words(text) == by_words


@pytest.mark.parametrize(
    ("words", "number", "expected"),
    [
        (["8"], "4", (0.5, "8")),
        (["около", "3", "4"], "4", (0.75, "3")),
        (["0"], "0", (1.0, "0")),
        (["3"], "0", (0.0, "3")),
        (["5кг", "10"], "5", (0.5, "10")),
        (["много"], "2", (0.0, "")),
        (["2"], "²", (0.0, "")),
        ([], "2", (0.0, "")),
    ],
)
def test_numbers_are_compared_by_their_ratio(words, number, expected):
    assert number_ratio(words, number, digit_tagger) == expected
