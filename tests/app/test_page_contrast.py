"""Every text of every page is painted with the contrast that WCAG 2.2 AA requires."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from jurydesk.app.pages import PAGES
from jurydesk.app.style.theme import theme
from support.windows.text_contrast import faint_texts, luminances, text_contrast
from support.windows.waiting import until_quiet


def test_every_text_of_every_page_is_readable(qtbot, scored):
    found = []
    for mode in ("light", "dark", "contrast"):
        theme().set_mode(mode)
        for page in PAGES:
            scored.show_page(page.id)
            until_quiet(qtbot, scored)
            scored.toast.hide()
            found += [f"{page.id}, {mode}: {one}" for one in faint_texts(scored)]
    assert not found, "\n".join(found)


def test_a_faint_text_is_found(qtbot):
    frame = QWidget()
    qtbot.addWidget(frame)
    column = QVBoxLayout(frame)
    for shade in ("#767676", "#9a9a9a"):  # 4.54 and 2.81 on white
        text = QLabel(f"A text in {shade}")
        text.setStyleSheet(f"color: {shade}; background: white; font-size: 16px")
        column.addWidget(text)
    frame.show()
    qtbot.waitExposed(frame)
    (found,) = faint_texts(frame)
    assert "#9a9a9a" in found


def test_contrast_is_measured_as_wcag_defines_it():
    black_on_white = np.full((4, 4, 3), 255, np.uint8)
    black_on_white[0, 0] = 0
    assert text_contrast(luminances(black_on_white)) == pytest.approx(21)
