"""Language of the process, and the functions that translate.

English needs no catalogue: its sentences are the keys. The catalogue of another language is read
when its first sentence is shown.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from string import Formatter

from jurydesk.core.language.catalogue_marker import Homograph
from jurydesk.core.language.text_direction import isolate, isolate_runs

TYPE_CHECKING = False  # type checkers know it; importing `typing` takes part of the start-up time
if TYPE_CHECKING:
    from typing import Any

    from jurydesk.core.language.catalogue import Catalogue
    from jurydesk.core.language.sentence_matcher import SentenceMatcher

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
    if _current != "en":
        sentence = _translate_sentence(sentence)
        return _formatter().format(sentence, **values) if values else sentence
    return sentence.format(**values) if values else sentence


def translate_plural(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the form of a sentence for `count`, which its named place `{count}` shows."""
    if _isolates and values:
        values = _isolate_values(values)
    if _current == "en":
        return (one if count == 1 else many).format(count=f"{count:,}", **values)
    found = language_catalogue(_current)
    forms = found.forms.get(one)
    if forms is None and _current == PSEUDO:
        forms = (_translate_sentence(one), _translate_sentence(many))
    wanted = forms[found.plural(count)] if forms else one if count == 1 else many
    return _formatter().format(wanted, count=localize_number(f"{count:,}"), **values)


def translate_text(text: str, language: str = "") -> str:
    """Return a sentence of the core in a language, or unchanged if it is unknown.

    The core returns English; its finished sentences are recognized by their templates. Without
    `language` it is the current one.
    """
    code = language or _current
    shown = (
        text if code == "en" or not text else _translate_recognized(code, catalogue_key(text, code))
    )
    return isolate_runs(shown) if _isolates and not language else shown


def _isolate_values(values: dict[str, object]) -> dict[str, object]:
    return {
        name: isolate(value) if isinstance(value, str) else value for name, value in values.items()
    }


def localize_number(text: str, language: str = "") -> str:
    """Return a formatted number as the language writes it: `1,234.5` becomes `1 234,5`."""
    return text.translate(_NUMBERS) if (language or _current) == "ru" else text


_NUMBERS = {ord(","): "\u00a0", ord("."): ","}


def catalogue_key(text: str, code: str) -> str:
    """Return the key of a text in the catalogue of a language."""
    return text.key if isinstance(text, Homograph) and code != PSEUDO else text


def _translate_sentence(sentence: str) -> str:
    known = language_catalogue(_current).texts.get(catalogue_key(sentence, _current))
    if known is None and _current == PSEUDO:
        from jurydesk.core.language.catalogue import pseudo

        return pseudo(sentence)
    return sentence if known is None else known


@cache
def language_catalogue(code: str) -> Catalogue:
    """Return the catalogue of a language other than English."""
    from jurydesk.core.language.catalogue import pseudo_catalogue, read_catalogue
    from jurydesk.core.system.paths import resources_folder

    if code == PSEUDO:
        return pseudo_catalogue(language_catalogue("ru"))
    return read_catalogue(resources_folder() / "language" / f"{code}.po")


@cache
def _matcher(code: str) -> SentenceMatcher:
    from jurydesk.core.language.sentence_matcher import SentenceMatcher

    return SentenceMatcher(language_catalogue(code), partial(localize_number, language=code))


@lru_cache(4096)
def _translate_recognized(code: str, text: str) -> str:
    matcher = _matcher(code)
    found = matcher.translate(text)
    if found is None and text[:1].isupper():  # a noun at the beginning, such as a title
        found = matcher.translate(text[:1].lower() + text[1:])
        found = None if found is None else found[:1].upper() + found[1:]
    return text if found is None else found


class _LocalFormatter(Formatter):
    """Formats numbers in named places as the language writes them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        shown: str = super().format_field(value, format_spec)
        is_number = isinstance(value, float) or (isinstance(value, int) and bool(format_spec))
        return localize_number(shown) if is_number else shown


@cache
def _formatter() -> Formatter:
    return _LocalFormatter()
