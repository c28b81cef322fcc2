"""Names that look alike are told apart by the codes of their letters."""

from __future__ import annotations

import pytest

from jurydesk.core.model.look_alikes import look_alike_warnings, look_alikes, mixed_scripts


@pytest.mark.parametrize(
    "twin",
    [
        "g\u043e\u043ed",
        "go\u200bod",
        "GOOD",
        "good ",
        "g00d",
        "go od",
        "go-od",
        "\uff47ood",
        "g\u03bf\u03bfd",
        "go\u0301od",
        "\u202egood",
    ],
)
def test_a_name_that_looks_like_another_is_found(twin):
    assert look_alikes(["good", "better", twin]) == [("good", twin)]


def test_a_word_of_one_script_beside_another_one_is_no_mixture():
    assert mixed_scripts("Команда Alpha") == ""
    assert mixed_scripts("\u0440\u0430ypal") == "Cyrillic, Latin"
    assert look_alikes(["run 1-1", "run 11", "run 1 1a"]) == []
    assert look_alikes(["Команда 1", "Команда 2", "north", "south", "\u03b1\u03b2\u03b3"]) == []


def test_warnings_tell_the_letters():
    assert list(look_alike_warnings(["good", "g\u043eod"])) == [
        "These names look alike: good, g\u043eod (U+043E).",
        "The name g\u043eod (U+043E) mixes letters: Cyrillic, Latin.",
    ]
    assert list(look_alike_warnings(["go\u200bod"])) == [
        "The name go\u200bod (U+200B) has invisible characters."
    ]
    assert list(look_alike_warnings(["good", "bad", "good"])) == []
