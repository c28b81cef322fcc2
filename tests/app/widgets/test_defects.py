"""How a defect is written in its row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from app.theme import font
from app.widgets.defects import broken

TEXT = "Not computed: generation_fid, since there are no weights of Inception."


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetrics:
    return QFontMetrics(font())


def test_what_has_no_advice_goes_on_in_the_second_line(metrics: QFontMetrics) -> None:
    upper, lower = broken(TEXT, metrics, 200)
    assert metrics.horizontalAdvance(upper) <= 200
    assert metrics.horizontalAdvance(f"{upper} {lower.split()[0]}") > 200
    assert f"{upper} {lower}" == TEXT


def test_what_fits_stays_on_one_line(metrics: QFontMetrics) -> None:
    assert broken(TEXT, metrics, 5000) == (TEXT, "")


@given(st.lists(st.text("abc", min_size=1), min_size=1, max_size=12), st.integers(0, 300))
def test_no_word_is_lost(words: list[str], width: int) -> None:
    upper, lower = broken(" ".join(words), QFontMetrics(font()), width)
    assert [*upper.split(), *lower.split()] == words
