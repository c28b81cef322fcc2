from __future__ import annotations

import json

import pytest

from jurydesk.core.metrics.meteor.language_data.stemmers import (
    snowball_stemmer,
    stemmer_of,
    table_stemmer,
)
from jurydesk.core.metrics.meteor.languages import LANGUAGES
from support.oracles import oracle

STEMS = json.loads(oracle("meteor/languages.json").read_text("utf-8"))["stems"]


@pytest.mark.parametrize("language", STEMS)
def test_stems_are_those_of_the_jar(language: str):
    stem = snowball_stemmer(language)
    assert {word: stem(word) for word in STEMS[language]} == STEMS[language]


def test_a_table_gives_the_first_stem_of_a_word_and_other_words_themselves():
    stem = table_stemmer(b"$AHn 37 $AHin 6 $AHan\nBB 2 equal\n")
    assert [stem(word) for word in ("$AHn", "Aa", "w")] == ["$AHin", "equal", "w"]


def test_a_language_without_a_stemmer_has_whole_words():
    assert stemmer_of(LANGUAGES["cz"])("knihami") == "knihami"
    assert stemmer_of(LANGUAGES["da"])("hundene") == "hund"
