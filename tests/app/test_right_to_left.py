"""Right-to-left names in data leave the order of the words and numbers around them unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextLayout, QTextOption

from jurydesk.app.jobs.responsiveness.frame_queue import FrameQueue
from jurydesk.app.pages import PAGES
from jurydesk.core.language import display_language
from support import toy
from support.windows.untranslated import PaintedTexts, shown_texts
from support.windows.waiting import until_checked

OVERRIDE = "\u202e"
SYSTEMS = ("מערכת אחת", "نظام ٢", f"gnp{OVERRIDE}.שם")
ITEM = "פריט{n}"
ITEMS = 12
NAMES = "gnp|[\u0590-\u08ff]+(?:[ \ufffd._'-]*[\u0590-\u08ff\\d]+)*(?:[.]txt)?"
DATA = re.compile(f"{NAMES}|\u2068[^\u2069]*\u2069")
"""Texts of the files, and isolates."""


def is_reordered(text: str) -> bool:
    """Return whether the text around the data is not painted from left to right."""
    inside = {place for match in DATA.finditer(text) for place in range(*match.span())}
    layout = QTextLayout(text, QFont())
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    units = [place for place, letter in enumerate(text) for _ in range(1 + (ord(letter) > 0xFFFF))]
    around = [unit for unit, place in enumerate(units) if place not in inside]
    left = [line.cursorToX(unit)[0] for unit in around]
    return left != sorted(left)


def directed(texts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the texts with right-to-left letters or controls; one line at a time."""
    for where, text in texts:
        if re.search("[\u0590-\u08ff\u202a-\u202e]", text):
            lines = text.split("\n") if not text.startswith("<div>") else text[5:-6].split("<br>")
            yield from ((where, unescape(line)) for line in lines)


def files(folder: Path) -> Sequence[Path]:
    truth = {ITEM.format(n=n): n / ITEMS for n in range(ITEMS)}
    found = [toy.write(folder / "truth.txt", truth, "truth")]
    for number, name in enumerate(SYSTEMS):
        guesses = {key: value * (1 - 0.1 * number) for key, value in truth.items()}
        guesses.pop(ITEM.format(n=number))
        found.append(toy.write(folder / f"{name}.txt", guesses, name))
    return found


def test_no_page_reorders_the_text_around_a_name(qtbot, make_window, tmp_path, monkeypatch):
    monkeypatch.setattr(display_language, "_isolates", True)
    painted = PaintedTexts(monkeypatch)
    window = make_window()
    window.files.open_paths(files(tmp_path))
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)
    texts = set()
    for page in PAGES:
        window.show_page(page.id)
        qtbot.waitUntil(lambda: all(one.is_empty for one in window.findChildren(FrameQueue)))
        qtbot.waitUntil(lambda: window.jobs.idle)
        texts |= {*directed(painted.of(window))}
    texts |= {*directed(shown_texts(window))}
    assert len(texts) > 100
    found = [f"{where}: {text}" for where, text in texts if OVERRIDE in text or is_reordered(text)]
    assert not found, "\n".join(sorted(found))


def test_a_reordered_text_is_found(qapp):
    assert is_reordered("5 files of אבג: 7 items")
    assert is_reordered("אבג has 7 items")
    assert not is_reordered("5 files of \u2068אבג\u2069: 7 items")
    assert not is_reordered("אבג דהו")
