import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from jurydesk.core.metrics.meteor import Meteor, jar_config
from jurydesk.core.metrics.meteor.alignment import engine_compiled as compiled_engine
from jurydesk.core.metrics.meteor.tokens import (
    InterpretedPieces,
    Preparation,
    _pieces_are_independent,
)
from support.suite.samples import sample_size

SIGNS = "aAzZ09 .,'`-\"\u2018\u2019\u201c\u2013\u03a3\u00e9!$\u00a0\t"
LINES = st.text(st.sampled_from(SIGNS), max_size=30)
KNOWN = {"Mr": False, "No": True, "a": False}


@settings(
    max_examples=sample_size(400, of=1500),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(LINES, st.booleans(), st.booleans())
@example("a, ,b ,", True, False)
@example("dogs' 'em", True, False)
@example("No. 9 a. b. A", True, False)
@example("a,' ', .. a... -- a-", True, False)
@example("Mr. a . b No.  0 No. a a.b. a\t. a", True, False)
@example("Mr. 'a a. -a a,. 9z .. a", True, True)
@example("Z. a", True, False)
@example("9' '9", True, False)
@example("9` `9", True, False)
@example("9\u2018 \u20189", True, False)
@example("9\u2019 \u20199", True, False)
def test_a_text_prepared_in_parts_equals_the_text_prepared_whole(
    compiled: Meteor, line: str, norm: bool, no_punct: bool
):
    config = jar_config(norm=norm, no_punct=no_punct, lower=not no_punct)
    for pieces in (InterpretedPieces, compiled_engine.Pieces):
        preparation = Preparation(compiled.words, KNOWN, config, pieces)
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
def test_each_mode_prepares_text_in_its_own_way(compiled: Meteor, flags: dict, expected: list[str]):
    assert compiled.tokens("The dog's home.", jar_config(**flags)) == expected


HOSTILE = [
    "Aa",
    "BB",
    "\U0001f600",
    "a\ud800",
    "\u0130",
    "stra\u00dfe",
    "mice",
    "unheards",
    "x" * 999,
]


@settings(
    max_examples=sample_size(100, of=300),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(st.one_of(st.sampled_from([*HOSTILE, "dogs", "The", "the"]), st.text(max_size=9))))
@example(HOSTILE)
def test_both_engines_compute_the_same_facts_of_words(
    compiled: Meteor, python: Meteor, words: list[str]
):
    facts = []
    for engine in (compiled, python):
        numbers = [engine.words[word] for word in words]
        facts.append([engine.words.table()[number].tolist() for number in numbers])
    # Keys and stems are numbered by first occurrence, which differs between the two.
    for one, other in zip(*facts, strict=True):
        assert one[2:] == other[2:]
    for column in (0, 1):
        numbers = [[row[column] for row in rows] for rows in facts]
        assert len(set(zip(*numbers, strict=True))) == len(set(numbers[0])) == len(set(numbers[1]))


def test_a_text_with_thousands_of_new_tokens_is_prepared_in_parts(compiled: Meteor):
    preparation = Preparation(compiled.words, KNOWN, jar_config(), compiled_engine.Pieces)
    pieces = [f"piece{number}" for number in range(20_000)] + ["y" * 300] * 2
    for _ in range(2):
        numbers = memoryview(preparation.numbers(" ".join(pieces))).cast("i").tolist()
        assert [compiled.words.texts[number] for number in numbers] == pieces


@pytest.mark.parametrize("text", ["a ` b", "a ' b", "a , , b", "a \u2018 b", "a \u2019 b"])
def test_a_text_is_not_normalized_in_pieces_where_a_rule_crosses_a_blank(text):
    assert not _pieces_are_independent(text)
    assert _pieces_are_independent("a b, c 'd e.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. a", "Mr. a"),
        ("Hi. a", "Hi. a"),
        ("Hi. A", "Hi . A"),
        ("No. 9", "No. 9"),
        ("No. A", "No . A"),
        ("Hi. 9", "Hi . 9"),
        ("U.S. a", "US a"),
    ],
)
def test_a_last_dot_depends_on_the_next_word(compiled: Meteor, text: str, expected: str):
    preparation = Preparation(compiled.words, KNOWN, jar_config(norm=True), compiled_engine.Pieces)
    for _ in range(2):
        numbers = memoryview(preparation.numbers(text)).cast("i").tolist()
        assert [compiled.words.texts[number] for number in numbers] == expected.lower().split()
