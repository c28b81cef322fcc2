"""Catalogue of a page: the part of a language's catalogue that the page's scripts use."""

from __future__ import annotations

import re
from typing import Any

from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.language.message import PLACE
from jurydesk.core.system.paths import resources_folder

WORD = re.compile(r"[a-z]+")
TEXTS = (
    re.compile(r'"((?:[^"\\\n]|\\.)*)"'),
    re.compile(r"'([^'\\\n]*)'"),
    re.compile(r">\s*([^<>]+?)\s*<"),
)


def language_script() -> str:
    """Return the script that translates a page."""
    return (resources_folder() / "web" / "language" / "language.js").read_text(encoding="utf-8")


def page_catalogue(code: str, source: str) -> dict[str, Any]:
    """Return the sentences of a language that occur in a page's source.

    Args:
        code: The language; English needs no sentences.
        source: The page and its scripts and data as text.
    """
    if code == "en":
        return {"code": code, "texts": {}, "forms": {}}
    whole, texts = language_catalogue(code), _texts(source)
    words = {*WORD.findall(source.casefold())}
    return {
        "code": code,
        "texts": {id: text for id, text in whole.texts.items() if id in texts},
        "forms": {
            id: forms
            for id, forms in whole.forms.items()
            if _words(id) <= words or _words(whole.plurals[id]) <= words
        },
    }


def _texts(source: str) -> set[str]:
    """Return the texts of a page: strings of its scripts and data, and those between its tags."""
    found = {text for pattern in TEXTS for text in pattern.findall(source)}
    return {re.sub(r'\\(["\\])', r"\1", text) if "\\" in text else text for text in found}


def _words(text: str) -> set[str]:
    return set(WORD.findall(PLACE.sub(" ", text).casefold()))
