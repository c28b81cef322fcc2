"""The language of the process for the time of a test."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from jurydesk.core.language import Message, current_language, set_language
from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.language.message import PLACE

PART = re.compile(r"\{\w+[^{}]*\}")
WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}")


@contextmanager
def shown_in(code: str) -> Iterator[None]:
    """Set the display language within a block."""
    before = current_language()
    set_language(code)
    try:
        yield
    finally:
        set_language(before)


def untranslated_parts(text: str, code: str = "ru") -> list[str]:
    """Return the parts of a text of the program that the catalogue of a language lacks."""
    catalogue = language_catalogue(code)
    if not isinstance(text, Message):
        return [] if text in catalogue.texts else [text]
    parts = [one for one in text.arguments.values() if isinstance(one, Message)]
    missing = [one for part in parts for one in untranslated_parts(part, code)]
    is_known = text.template in (catalogue.forms if text.many else catalogue.texts)
    is_bare = not any(map(str.isalpha, PLACE.sub("", text.template)))
    is_json = text in ("null", "true", "false")
    return missing if is_known or is_bare or is_json else [text.template, *missing]


@cache
def english_fragments(code: str = "ru") -> tuple[str, ...]:
    """Return the longest part of three words or more of each English sentence of the catalogue.

    Parts that the translation has as well, such as names, are left out.
    """
    catalogue = language_catalogue(code)
    shown = {id: text for id, text in catalogue.texts.items() if id != text}
    parts = (max(PART.split(id), key=len) for id in shown)
    found = (part.strip(" .,:;()") for part in parts if WORDS.search(part))
    translations = "\n".join(shown.values())
    return tuple(sorted({one for one in found if one not in translations}))


def english_sentences(text: str, code: str = "ru") -> list[str]:
    """Return the parts of English sentences of the catalogue that a shown text contains."""
    return [one for one in english_fragments(code) if one in text]
