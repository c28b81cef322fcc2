"""Catalogue of a page: the part of a language's catalogue that the page's scripts use."""

from __future__ import annotations

from jurydesk.core.language.catalogue import PLACE
from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import resources_folder


def language_script() -> str:
    """Return the script that translates a page."""
    return (resources_folder() / "web" / "language" / "language.js").read_text(encoding="utf-8")


def page_catalogue(code: str, source: str) -> Json:
    """Return the sentences of a language whose English letters occur in a page's source.

    Args:
        code: The language; English needs no sentences.
        source: The page and its scripts and data as text.
    """
    if code == "en":
        return {"code": code, "texts": {}, "forms": {}}
    whole = language_catalogue(code)
    return {
        "code": code,
        "texts": {id: text for id, text in whole.texts.items() if _occurs(id, source)},
        "forms": {
            id: [whole.plurals[id], *forms]
            for id, forms in whole.forms.items()
            if _occurs(id, source)
        },
    }


def _occurs(sentence: str, source: str) -> bool:
    literals = [part.strip() for i, part in enumerate(PLACE.split(sentence)) if i % 3 == 0]
    return all(part in source for part in literals if part)
