"""Catalogue of a page: the part of a language's catalogue that the page's scripts use."""

from __future__ import annotations

import re
from typing import Any

from jurydesk.core.language.catalogue import PLACE
from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.system.paths import resources_folder

WORD = re.compile(r"[a-z]+")


def language_script() -> str:
    """Return the script that translates a page."""
    return (resources_folder() / "web" / "language" / "language.js").read_text(encoding="utf-8")


def page_catalogue(code: str, source: str) -> dict[str, Any]:
    """Return the sentences of a language whose English words occur in a page's source.

    Args:
        code: The language; English needs no sentences.
        source: The page and its scripts and data as text.
    """
    if code == "en":
        return {"code": code, "texts": {}, "forms": {}}
    # Scripts have sentences inside braces, too.
    whole, known = language_catalogue(code), {*WORD.findall(source.casefold())}
    return {
        "code": code,
        "texts": {id: text for id, text in whole.texts.items() if _words(id) <= known},
        "forms": {
            id: [whole.plurals[id], *forms]
            for id, forms in whole.forms.items()
            if _words(id) <= known or _words(whole.plurals[id]) <= known
        },
    }


def _words(text: str) -> set[str]:
    """Return the words of a text without its places.

    Scripts may compose a sentence of other parts than the program, but of the same words.
    """
    return set(WORD.findall(PLACE.sub(" ", text).casefold()))
