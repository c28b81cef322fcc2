"""Language of the process, and the functions that translate.

English needs no catalogue: its sentences are the keys. The catalogue of another language is read
when its first sentence is shown.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from functools import cache

from jurydesk.core.language.message import (
    Argument,
    Message,
    change_first_letter,
    fill_plural,
    format_number,
    replace_places,
)
from jurydesk.core.language.text_direction import isolate, isolate_runs

TYPE_CHECKING = False  # type checkers know it; importing `typing` takes part of the start-up time
if TYPE_CHECKING:
    from jurydesk.core.language.catalogue import Catalogue

LANGUAGES = {"en": "English", "ru": "Русский"}
"""Names of the languages in themselves."""
PSEUDO = "xx"
"""Language of lengthened English, for checks of the layout."""
VARIABLE = "JURYDESK_LANG"
LANGUAGE_OPTION = "--lang"

_current = "en"
_is_requested = False
"""Whether `--lang` or `JURYDESK_LANG` named the language."""
_isolates = False
"""Whether right-to-left text in sentences is isolated: in the window, not in terminals."""


def current_language() -> str:
    """Return the code of the language that is shown."""
    return _current


def set_language(code: str) -> None:
    """Show a language from now on; ValueError if there is none of this code."""
    global _current
    if code not in (*LANGUAGES, PSEUDO):
        raise ValueError(f"the language {code} is none of {', '.join(LANGUAGES)}")
    _current = code


def system_language() -> str:
    """Return the language of `JURYDESK_LANG` or of the system's locale, else English."""
    names = [os.environ.get(name, "") for name in (VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG")]
    if sys.platform == "win32" and not any(names):
        import ctypes
        import locale

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        names.append(locale.windows_locale.get(number, ""))
    code = next(filter(None, names), "en").replace("-", "_").split("_")[0].split(".")[0].lower()
    return code if code in (*LANGUAGES, PSEUDO) else "en"


def choose_language(arguments: Sequence[str]) -> list[str]:
    """Set the language of `--lang`, if it is the first argument, else of the system.

    Returns the other arguments; raises ValueError if there is no such language.
    """
    global _is_requested
    first, _, code = arguments[0].partition("=") if arguments else ("", "", "")
    if first != LANGUAGE_OPTION:
        set_language(system_language())
        _is_requested = bool(os.environ.get(VARIABLE))
        return list(arguments)
    rest = list(arguments[1:])
    if not code:
        code = rest.pop(0) if rest else ""
    set_language(code)
    _is_requested = True
    return rest


def prefer_language(code: str) -> None:
    """Show the language of the preferences, unless the start of the program named one.

    A code without a language, such as the empty one, changes nothing.
    """
    if code in LANGUAGES and not _is_requested:
        set_language(code)


def isolate_user_texts() -> None:
    """Isolate right-to-left text in all sentences from now on, so that their order remains."""
    global _isolates
    _isolates = True


def translate(sentence: str, /, **values: object) -> str:
    """Return a sentence in the current language, with values in its named places."""
    if _isolates and values:
        values = _isolate_values(values)
    message = Message(sentence).format(**values) if values else Message(sentence)
    return _show(message, _current, is_known=True)


def translate_plural(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the form of a sentence for `count`, which its named place `{count}` shows."""
    if _isolates and values:
        values = _isolate_values(values)
    return _show(fill_plural(one, many, count, values), _current, is_known=True)


def translate_text(text: str, language: str = "") -> str:
    """Return a text of the core in a language, or unchanged if the catalogue lacks it.

    The core returns English; messages keep their templates, and other texts are looked up as a
    whole. Without `language` it is the current one.
    """
    shown = _show(text, language or _current)
    return isolate_runs(shown) if _isolates and not language else shown


def _show(text: str, code: str, *, is_known: bool = False) -> str:
    """Return a text in a language; `is_known` lengthens it in the pseudo-language anyway."""
    if code == "en" or not text:
        return str.__str__(text)
    catalogue = language_catalogue(code)
    if not isinstance(text, Message):
        return catalogue.texts.get(text, text)
    count, key, wanted = text.arguments.get("count"), text.template, None
    if text.many:
        forms, number = catalogue.forms.get(key), count if isinstance(count, int) else 0
        wanted = forms[catalogue.plural(number)] if forms else None
        key = key if number == 1 else text.many
    elif code == PSEUDO and not text.arguments:
        key = str.__str__(text)  # without its meaning
    if wanted is None:
        wanted = catalogue.texts.get(key)
    if wanted is None and code == PSEUDO and is_known:
        from jurydesk.core.language.catalogue import pseudo

        wanted = pseudo(key)
    if wanted is None and not text.arguments:
        return str.__str__(text)

    def show(value: Argument, style: str) -> str:
        if isinstance(value, str):
            shown = _show(value, code) if isinstance(value, Message) else value
            return change_first_letter(shown, style) if style else shown
        style = style or ("," if text.many and isinstance(value, int) else "")
        is_local = bool(style) or isinstance(value, float)
        return localize_number(format_number(value, style), code) if is_local else str(value)

    return replace_places(key if wanted is None else wanted, text.arguments, show)


def _isolate_values(values: dict[str, object]) -> dict[str, object]:
    return {
        name: isolate(value) if isinstance(value, str) else value for name, value in values.items()
    }


def localize_number(text: str, language: str = "") -> str:
    """Return a formatted number as the language writes it: `1,234.5` becomes `1 234,5`.

    Russian writes the zero that English may leave out: `> .05` becomes `> 0,05`.
    """
    if (language or _current) != "ru":
        return text
    return _BARE_POINT.sub("0.", text).translate(_NUMBERS)


_BARE_POINT = re.compile(r"(?<!\d)\.(?=\d)")
_NUMBERS = {ord(","): "\u00a0", ord("."): ","}


@cache
def language_catalogue(code: str) -> Catalogue:
    """Return the catalogue of a language other than English."""
    from jurydesk.core.language.catalogue import pseudo_catalogue, read_catalogue
    from jurydesk.core.system.paths import resources_folder

    if code == PSEUDO:
        return pseudo_catalogue(language_catalogue("ru"))
    return read_catalogue(resources_folder() / "language" / f"{code}.po")
