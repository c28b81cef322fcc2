"""Tests of tokenization and detokenization against recorded results of NLTK 3.4."""

import json

import pytest

from jurydesk.core.tasks.visdial.tokenizer import detokenise, prepare_answer, tokenise
from support.oracles import golden


def test_tokens_and_texts_equal_nltk_3_4():
    cases = json.loads(golden("visdial/shared_detok_nltk34.json").read_text(encoding="utf-8"))
    for case in cases["cases"]:
        assert tokenise(case["text"]) == case["tokens"]
        assert prepare_answer(case["text"]) == case["detok"]


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


@pytest.mark.parametrize(
    ("text", "tokens", "again"),
    [  # made with NLTK 3.4's own TreebankWordTokenizer, as extended by its word_tokenize
        ("white & cream color", ["white", "&", "cream", "color"], "white & cream color"),
        ("'knife and fork", ["'knife", "and", "fork"], "'knife and fork"),
        ("it is 'n' shaped", ["it", "is", "'", "n", "'", "shaped"], "it is' n' shaped"),
        ("4* hotel", ["4*", "hotel"], "4* hotel"),
        ("oh 'tis red", ["oh", "'t", "is", "red"], "oh'tis red"),
        ("more'n", ["more", "'", "n"], "more' n"),
        ("don't #1 it", ["do", "n't", "#", "1", "it"], "don't #1 it"),
        ("‘yes’ he said", ["‘", "yes", "’", "he", "said"], "‘ yes ’ he said"),
        ("wait....", ["wait", "...", "."], "wait...."),
        ("a–b", ["a–b"], "a–b"),
        ("$5 !", ["$", "5", "!"], "$ 5!"),
        ("i'd & i'll", ["i", "'d", "&", "i", "'ll"], "i'd & i 'll"),
        ('"stop" sign', ["``", "stop", "''", "sign"], '\\" stop"sign'),
        ("see ``x`` now", ["see", "``", "x", "``", "now"], "see``x``now"),
        ("u.s. flag .", ["u.s.", "flag", "."], "u.s. flag."),
        ("x'S'? y", ["x", "'S", "'", "?", "y"], "x'S'? y"),
        ("mor'nN'T", ["mor", "'n", "N'T"], "mor'n N'T"),
        (",,a ,,,5 b,", [",", ",a", ",", ",,5", "b", ","], ", ,a, ,,5 b ,"),
        ("wait....'\n", ["wait", "...", ".", "'"], "wait.... '"),
        ("a.''' b'''' ", ["a.", "''", "'", "b", "''", "''"], "a.\"' b\"''"),
        ("'tis'twas (\"\"", ["'t", "is", "'t", "was", "(", "``", "''"], "'t is'twas (`` ''"),
        ("they'll's see", ["they", "'ll", "'s", "see"], "they'll's see"),
        (
            "cannot-x wanna\n'tis",
            ["can", "not", "-x", "wan", "na", "'t", "is"],
            "cannot -x wan na'tis",
        ),
    ],
)
def test_rare_characters_equal_nltk_3_4(text, tokens, again):
    assert tokenise(text) == tokens
    assert prepare_answer(text) == again


@pytest.mark.parametrize("run", [" ", "\n", ") ", "'", '"', "`", ".", "a. "])
def test_long_runs_are_tokenized_in_linear_time(run):
    assert prepare_answer("a." + run * 20_000 + "b").endswith("b")
