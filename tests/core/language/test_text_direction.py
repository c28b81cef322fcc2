"""Isolation of right-to-left text in sentences."""

from __future__ import annotations

import pytest

from jurydesk.core.language import display_language, translate, translate_plural, translate_text
from jurydesk.core.language.text_direction import (
    close_isolates,
    isolate,
    isolate_runs,
    replace_controls,
)
from support.language import shown_in

NAME = "\u05e9\u05dd"
"""Hebrew for name."""
ISOLATED = f"\u2068{NAME}\u2069"


@pytest.fixture
def isolates(monkeypatch):
    monkeypatch.setattr(display_language, "_isolates", True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a name", "a name"),
        ("название", "название"),
        (NAME, ISOLATED),
        (ISOLATED, ISOLATED),
        (f"Scoring {ISOLATED}: 5", f"Scoring {ISOLATED}: 5"),
        ("a\u202eb", "\u2068a\ufffdb\u2069"),
        ("a\u2069b", "\u2068a\ufffdb\u2069"),  # it would end the isolate of the program
        (f"\u2068a\u2069 {NAME}", f"\u2068\ufffda\ufffd {NAME}\u2069"),
    ],
)
def test_a_name_is_isolated_once(text, shown):
    assert isolate(text) == shown
    assert isolate(shown) == shown


def test_runs_of_a_finished_sentence_are_isolated_apart_from_numbers():
    assert isolate_runs(f"{NAME} {NAME}: 5 of {NAME}.") == (
        f"\u2068{NAME} {NAME}\u2069: 5 of {ISOLATED}."
    )
    assert isolate_runs("plain, 5") == "plain, 5"


def test_controls_outside_isolates_are_shown():
    assert replace_controls(f"{ISOLATED} a\u202eb\u2069") == f"{ISOLATED} a\ufffdb\ufffd"


def test_a_shortened_text_has_no_open_isolate():
    assert close_isolates(f"a \u2068{NAME}…end") == f"a {ISOLATED}…end"
    assert close_isolates(f"a…{NAME}\u2069 end") == f"a…{ISOLATED} end"


def test_values_in_sentences_of_both_languages_are_isolated(isolates):
    for code in ("en", "ru"):
        with shown_in(code):
            assert ISOLATED in translate("Written: {name}", name=NAME)
            assert translate_plural("{count} file", "{count} files", 2, name=NAME)[0] == "2"
            assert ISOLATED in translate_text(f"{NAME} is not a file.")


def test_terminals_get_names_unchanged():
    assert translate("Written: {name}", name=NAME) == f"Written: {NAME}"
    assert translate_text(f"{NAME}: 5") == f"{NAME}: 5"
