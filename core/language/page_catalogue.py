"""Catalogue of a page: the part of a language's catalogue that the page's scripts use."""

from __future__ import annotations

import re
from typing import Any

from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.language.message import PLACE
from jurydesk.core.system.paths import resources_folder

WORD = re.compile(r"[a-z]+")


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
    whole, known = language_catalogue(code), {*WORD.findall(source.casefold())}
    source = re.sub(r'\\(["\\])', r"\1", source)  # signs inside strings of scripts and data
    return {
        "code": code,
        "texts": {
            id: text for id, text in whole.texts.items() if _words(id) <= known and id in source
        },
        "forms": {
            id: forms
            for id, forms in whole.forms.items()
            if _words(id) <= known or _words(whole.plurals[id]) <= known
        },
    }


def _words(text: str) -> set[str]:
    """Return the words of a text, most of which are quicker to look up than the text itself."""
    return set(WORD.findall(PLACE.sub(" ", text).casefold()))
