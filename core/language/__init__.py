"""Language of what people read: the catalogue, and translation at display.

Window, command line and pages translate; everything below them returns English, so that desks,
exports and stamps do not depend on the language. Begin with `display_language.py`.
"""

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
from jurydesk.core.language.message import (
    Message,
    Reason,
    counted,
    failure_reason,
    fill,
    format_number,
    join_messages,
    name_list,
    reason,
    round_number,
    translatable,
)

__all__ = [
    "LANGUAGES",
    "Message",
    "Reason",
    "choose_language",
    "counted",
    "current_language",
    "failure_reason",
    "fill",
    "format_number",
    "isolate_user_texts",
    "join_messages",
    "localize_number",
    "name_list",
    "prefer_language",
    "reason",
    "round_number",
    "set_language",
    "system_language",
    "translatable",
    "translate",
    "translate_plural",
    "translate_text",
]
