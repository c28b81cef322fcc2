import json

import pytest

from jurydesk.core.metrics.meteor.java_semantics import split_tokens
from jurydesk.core.metrics.meteor.language_data.source_files import data_of_language, prefixes
from jurydesk.core.metrics.meteor.languages import LANGUAGES
from jurydesk.core.metrics.meteor.normalizer import normalise
from support.oracles import golden, oracle

PREFIXES = {"Mr": False, "No": True}


def test_normalised_lines_equal_the_jar(index):
    with golden("meteor/normalizer_shared.tsv").open(encoding="utf-8", newline="\n") as file:
        rows = [[json.loads(cell) for cell in line.rstrip("\n").split("\t")] for line in file]
    assert [
        row
        for row in rows
        if row[1:]
        != [normalise(row[0], index.prefixes, keep_punctuation=keep) for keep in (True, False)]
    ] == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A dog ran.", "A dog ran ."),
        ("Mr. Smith met Mr.", "Mr. Smith met Mr."),
        ("No. 5 and No. one", "No. 5 and No. one"),
        ("See No. Two", "See No . Two"),
        ("the U.S. team", "the US team"),
        ("well ... yes..", "well ... yes .."),
        ("a,,b 3,000 x,1", "a , ,b 3,000 x , 1"),
        ("a-b-c and 1980's", "a b-c and 1980 's"),
        ("a'b'c", "a 'b'c"),
        ("“so” she said", '" so " she said'),
        ("DOTMULTI", "."),
        ("", ""),
    ],
)
def test_punctuation_is_split_off(line: str, expected: str):
    # Each follows from the rules of edu.cmu.meteor.util.Normalizer, one at a time.
    assert normalise(line, PREFIXES) == expected


def test_words_are_split_at_ascii_delimiters_only():
    assert split_tokens("a\tb\nc\x0cd\re") == list("abcde")
    assert split_tokens("a\u00a0b\x0bc\u2003d\x85e") == ["a\u00a0b\x0bc\u2003d\x85e"]


@pytest.mark.parametrize("code", [code for code, one in LANGUAGES.items() if one.has_normalizer])
def test_other_languages_have_their_own_abbreviations_and_apostrophes(code: str):
    recorded = json.loads(oracle("meteor/languages.json").read_text("utf-8"))["normalised"][code]
    data = data_of_language(LANGUAGES[code], {})
    known = prefixes(data.read(data.prefixes))
    assert [[line, normalise(line, known, language=code)] for line, _ in recorded] == recorded


def test_a_run_of_dots_is_normalised_in_linear_time():
    dots = "." * 200_000
    assert normalise(f"a{dots}b", PREFIXES) == f"a {dots} b"
