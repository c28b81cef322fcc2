"""Every palette is readable as WCAG 2.2 AA requires: text 4.5 to 1, edges of controls 3 to 1."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from jurydesk.app.style.theme import (
    DARK,
    HIGH_CONTRAST,
    LIGHT,
    Colours,
    _choose_colours,
    style_sheet,
)
from jurydesk.core.system.paths import resources_folder

PALETTES = pytest.mark.parametrize(
    "colours", [LIGHT, DARK, HIGH_CONTRAST], ids=["light", "dark", "high contrast"]
)
GROUNDS = ("background", "card")
TEXTS = ("text", "muted", "faint", "accent", "accent_strong", "good", "bad")
"""What text is painted in: also placeholders and disabled controls."""
MARKS = ("border", "exact", "stem", "synonym", "paraphrase")


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2.2 defines it."""
    parts = QColor(colour).getRgbF()[:3]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_wcag_defines_it():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@PALETTES
@pytest.mark.parametrize("name", TEXTS)
def test_text_is_readable_on_every_background(colours: Colours, name: str):
    found = {
        ground: contrast(getattr(colours, name), getattr(colours, ground)) for ground in GROUNDS
    }
    assert min(found.values()) >= 4.5, found


@PALETTES
@pytest.mark.parametrize("name", ["text", "muted", "accent", "bad", "good"])
@pytest.mark.parametrize("ground", ["accent_soft", "hover", "bad_soft"])
def test_text_is_readable_where_it_is_selected_or_hovered(colours: Colours, name: str, ground: str):
    assert contrast(getattr(colours, name), getattr(colours, ground)) >= 4.5


@PALETTES
def test_text_is_readable_on_the_accent_colour_and_on_a_toast(colours: Colours):
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.on_accent, colours.accent_strong) >= 4.5
    assert contrast(colours.background, colours.text) >= 4.5


@PALETTES
@pytest.mark.parametrize("name", MARKS)
def test_edges_and_marks_are_visible_on_every_background(colours: Colours, name: str):
    found = {
        ground: contrast(getattr(colours, name), getattr(colours, ground)) for ground in GROUNDS
    }
    assert min(found.values()) >= 3, found


def test_high_contrast_has_a_ratio_of_seven_to_one():
    assert min(contrast(getattr(HIGH_CONTRAST, name), "#000000") for name in TEXTS) >= 7


def rules() -> list[tuple[str, dict[str, str]]]:
    """Return the selectors and declarations of every rule of the style sheet."""
    text = (resources_folder() / "styles" / "window.qss").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = re.findall(r"([^{}]+)\{([^{}]*)\}", text)
    return [
        (where.strip(), dict(re.findall(r"([\w-]+)\s*:\s*([^;]+)", what))) for where, what in found
    ]


@PALETTES
def test_every_text_of_the_style_sheet_is_readable_on_its_own_background(colours: Colours):
    values = colours._asdict()
    unreadable = []
    for where, what in rules():
        shown = what.get("color", "").strip().lstrip("$")
        ground = what.get("background", "").strip().lstrip("$")
        for name in [ground] if ground in values else [] if "toast" in where else GROUNDS:
            if shown in values and contrast(values[shown], values[name]) < 4.5:
                unreadable.append((where, shown, name))
    assert unreadable == []


@PALETTES
def test_every_control_of_the_style_sheet_has_a_visible_edge(colours: Colours):
    controls = ("QPushButton", "QLineEdit", "QComboBox", "QCheckBox::indicator", "QFrame#segments")
    values = colours._asdict()
    unseen, looked_at = [], 0
    for where, what in rules():
        named = re.match(r"1px solid \$(\w+)", what.get("border", "").strip())
        if named and where.startswith(controls):
            looked_at += 1
            edge = values[named[1]]
            if min(contrast(edge, values[ground]) for ground in GROUNDS) < 3:
                unseen.append(where)
    assert unseen == []
    assert looked_at >= 4


def test_the_style_sheet_can_be_filled_in_with_every_palette(qapp):
    assert all("$" not in style_sheet(colours) for colours in (LIGHT, DARK, HIGH_CONTRAST))


def test_a_system_that_requests_high_contrast_gets_it_unless_the_user_chose_another_theme():
    unknown = Qt.ColorScheme.Unknown
    assert _choose_colours("system", unknown, contrast=True) is HIGH_CONTRAST
    assert _choose_colours("light", unknown, contrast=True) is LIGHT
    assert _choose_colours("contrast", unknown, contrast=False) is HIGH_CONTRAST
    assert _choose_colours("system", Qt.ColorScheme.Dark, contrast=False) is DARK
