from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.alignment.score_sum import ScoreDerivation, derivation_lines
from jurydesk.app.style.theme import theme
from support.windows.alignments import alignment


@pytest.fixture
def card(qtbot: QtBot, qapp: QApplication) -> ScoreDerivation:
    theme().install(qapp, "light")
    made = ScoreDerivation()
    qtbot.addWidget(made)
    return made


def test_every_line_shows_its_calculation() -> None:
    lines = [(line.title, line.working) for line in derivation_lines(alignment())]
    assert lines == [
        ("Precision", "4.52 of 5.65 weighted words"),
        ("Recall", "4.65 of 6.20 weighted words"),
        ("F-mean (α = 0.40)", "1 / (0.60 / 0.800 + 0.40 / 0.750)"),
        ("Fragmentation", "3 chunks over 10 words"),
        ("Penalty (γ = 0.35, β = 1.5)", "0.35 × 0.300 ^ 1.5"),
        ("Score", "0.780 × (1 − 0.060)"),
    ]


def test_the_card_shows_the_derivation_with_exact_values_as_tooltips(card: ScoreDerivation) -> None:
    card.show_alignment(alignment())
    assert card.title.text() == "Derivation of 0.7332"
    assert card.value_texts() == ("0.800", "0.750", "0.780", "0.300", "0.060", "0.7332")


def test_undefined_parts_are_dashes(card: ScoreDerivation) -> None:
    nothing = replace(alignment(), precision=math.nan, recall=math.nan, fmean=math.nan, score=0.0)
    card.show_alignment(nothing)
    assert card.value_texts()[:3] == ("–", "–", "–")


def test_one_unbroken_chunk_has_no_fragments() -> None:
    whole = replace(alignment(), fragmentation=0.0)
    assert derivation_lines(whole)[3].working == "one chunk of every word"


def test_a_note_replaces_the_derivation(card: ScoreDerivation) -> None:
    card.show_note("0.5310", "METEOR's language data are not installed.")
    assert card.title.text() == "0.5310"
