"""Language of what people read: the catalogue, and translation at display.

Window, command line and pages translate; everything below them returns English, so that desks,
exports and stamps do not depend on the language. Begin with `display_language.py`.
"""

from jurydesk.core.language.catalogue_marker import translatable
from jurydesk.core.language.display_language import (
    LANGUAGES,
    choose_language,
    current_language,
    isolate_user_texts,
    localize_number,
    prefer_language,
    set_language,
    system_language,
    translate,
    translate_plural,
    translate_text,
)

__all__ = [
    "LANGUAGES",
    "choose_language",
    "current_language",
    "isolate_user_texts",
    "localize_number",
    "prefer_language",
    "set_language",
    "system_language",
    "translatable",
    "translate",
    "translate_plural",
    "translate_text",
]
