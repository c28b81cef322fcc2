"""The language of the process for the time of a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from jurydesk.core.language import Message, current_language, set_language
from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.language.message import PLACE


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
