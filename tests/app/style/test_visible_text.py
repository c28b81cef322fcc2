from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics

from jurydesk.app.style.distinct_names import fit_names
from jurydesk.app.style.theme import font
from jurydesk.app.style.visible_text import display_text, fitted_names, is_right_to_left


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


@pytest.mark.parametrize("width", [0, 5, 60, 200, 900])
@pytest.mark.parametrize("end", ["", " - Research Center"])
def test_names_that_are_measured_at_once_are_cut_as_those_measured_alone(qapp, width, end) -> None:
    names = tuple(f"Institute for Language {n}{end}"[n % 3 :] for n in range(1, 12))
    width_of = QFontMetrics(font()).horizontalAdvance
    wanted = fit_names(names, lambda text: sum(map(width_of, text)), width)
    assert dict(fitted_names(names, width, font().toString())) == dict(wanted)


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
