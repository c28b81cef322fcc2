"""Structure of the web pages that screen readers, keyboards and display settings rely on.

axe-core examines the pages in a browser (tests/app/rating_client/test_axe.py); this needs none.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[1] / "resources" / "web"
PAGES = {
    "rating": "page.html",
    "kit": "page.html",
    "report": "report.html",
    "sealed": "certificate.html",
}
NAMED = ("button", "a", "input", "select", "textarea", "summary", "dialog", "nav")
WITHOUT_END = ("input", "meta", "br", "img", "link")
LEAST_CONTRAST = 4.5
"""Of text (WCAG 2.2, 1.4.3)."""
LEAST_TARGET = 24
"""Height of a target in pixels (WCAG 2.2, 2.5.8)."""
TEXT_COLOURS = ("text", "mute", "acc", "good", "bad", "warn")


class Elements(HTMLParser):
    """Elements of a page: name, attributes and the text inside."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        words: list[str] = []
        self.all.append((tag, {name: value or "" for name, value in attrs}, words))
        if tag not in WITHOUT_END:
            self._open.append((tag, words))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, words in self._open:
            words.append(data.strip())


def elements(name: str):
    return Elements((WEB / name / PAGES[name]).read_text("utf-8")).all


def style(name: str) -> str:
    return (WEB / name / f"{name}.css").read_text("utf-8")


def scripts(name: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((WEB / name).glob("*.js")))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_its_language_title_and_parts(name):
    found = elements(name)
    (page,) = [attributes for tag, attributes, _ in found if tag == "html"]
    assert page["lang"] == "en"
    assert {"title", "main", "header", "h1"} <= {tag for tag, _, _ in found}


@pytest.mark.parametrize("name", PAGES)
def test_every_control_has_a_name(name):
    found = elements(name)
    labels = {
        attributes.get("for") for tag, attributes, words in found if tag == "label" and any(words)
    }
    filled = set(re.findall(r'(?:\bat|\$)\("([\w-]+)"\)', scripts(name)))
    nameless = [
        (tag, attributes)
        for tag, attributes, words in found
        if tag in NAMED
        and not any(words)
        and not {"aria-label", "aria-labelledby"} & {*attributes}
        and attributes.get("id") not in labels | filled
    ]
    assert nameless == []


@pytest.mark.parametrize("name", PAGES)
def test_ids_are_unique_and_referred_to(name):
    found = elements(name)
    ids = [attributes["id"] for _, attributes, _ in found if "id" in attributes]
    assert len(ids) == len(set(ids))
    used = [
        word
        for _, attributes, _ in found
        for key in ("for", "aria-labelledby", "aria-describedby")
        for word in attributes.get(key, "").split()
    ]
    assert set(used) <= set(ids)


@pytest.mark.parametrize("name", PAGES)
def test_the_focus_follows_the_order_of_the_page(name):
    found = elements(name)
    orders = [attributes["tabindex"] for _, attributes, _ in found if "tabindex" in attributes]
    assert set(orders) <= {"0", "-1"}
    assert not re.search(r'tabIndex\s*=\s*[1-9]|tabindex: "?[1-9]', scripts(name))
    assert ":focus-visible { outline: 2px" in style(name)


@pytest.mark.parametrize("name", ["rating", "kit", "sealed"])
def test_progress_is_announced(name):
    roles = [attributes.get("role") for _, attributes, _ in elements(name)]
    live = [attributes.get("aria-live") for _, attributes, _ in elements(name)]
    assert {"status", "alert"} & {*roles} or {"polite", "assertive"} & {*live}


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * one for one in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_is_that_of_wcag():
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", PAGES)
def test_text_has_enough_contrast_in_both_themes(name):
    themes = re.findall(r":root[^{]*\{([^}]*--bg[^}]*)\}", style(name))
    assert len(themes) == 2
    for theme in themes:
        colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", theme))
        pairs = [
            (text, ground) for text in TEXT_COLOURS if text in colours for ground in ("bg", "card")
        ]
        pairs += [("text", "acc-bg"), *([("on-acc", "acc")] if "on-acc" in colours else [])]
        low = [pair for pair in pairs if contrast(*(colours[one] for one in pair)) < LEAST_CONTRAST]
        assert low == []


@pytest.mark.parametrize("name", PAGES)
def test_targets_are_large_enough(name):
    css = style(name)
    root = float((re.search(r":root \{[^}]*font-size: (\d+)px", css) or ["", 16])[1])
    found = re.findall(r"([^{}]*\bbutton\b[^{}]*)\{[^}]*min-height: ([\d.]+)(rem|px)?", css)
    heights = [float(number) * (root if unit == "rem" else 1) for _, number, unit in found]
    assert heights
    assert min(heights) >= LEAST_TARGET


@pytest.mark.parametrize("name", PAGES)
def test_colours_of_the_system_are_respected(name):
    forced = style(name).partition("@media (forced-colors: active) {")[2]
    assert "Highlight" in forced
    pressed = "[aria-pressed=true]"
    assert (pressed in forced) == (pressed in style(name).partition("@media (forced")[0])


@pytest.mark.parametrize("name", PAGES)
def test_motion_can_be_reduced(name):
    css = style(name)
    moves = re.search(r"\b(animation|transition|scroll-behavior: smooth)\b", css) is not None
    assert moves == ("@media (prefers-reduced-motion: reduce)" in css)
    assert not re.search(r"behavior: .smooth|\.animate\(", scripts(name))
