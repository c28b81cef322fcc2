from __future__ import annotations

import pytest

from jurydesk.app.style.visible_text import display_text, is_right_to_left


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("beach", "beach"),
        ("a\x00b\x1b[31m", "a\u2400b\u241b[31m"),
        ("\u202eevil", "\ufffdevil"),
        ("no\u00a0break", "no break"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("x" * 100, "x" * 32 + "…" + "x" * 32),
    ],
)
def test_text_from_files_is_drawn_harmlessly(text: str, drawn: str) -> None:
    assert display_text(text) == drawn


@pytest.mark.parametrize(
    ("words", "leftwards"),
    [
        (["12", ".", "שלום", "a"], True),
        (["a", "שלום"], False),
        (["مرحبا"], True),
        ([".", "1"], False),
        ([], False),
    ],
)
def test_the_first_letter_decides_the_direction(words: list[str], leftwards: bool) -> None:
    assert is_right_to_left(words) is leftwards
