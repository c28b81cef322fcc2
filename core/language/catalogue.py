"""Catalogue of translated sentences: a gettext `.po` file, read where it is.

The format is that of GNU gettext; reading it takes some milliseconds and needs no compiled copy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

PLACE = re.compile(r"\{(\w+)([^{}]*)\}")
"""A named place of a sentence, with its format."""
_LINE = re.compile(r'(msgid|msgid_plural|msgstr|msgstr\[(\d)\])? ?(".*")')


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Translations by English sentence; a sentence with plural forms has several.

    `plural` returns the index of the form for a count, and `plurals` maps a singular to its plural.
    """

    texts: dict[str, str]
    forms: dict[str, tuple[str, ...]]
    plurals: dict[str, str]
    plural: Callable[[int], int]


@dataclass(slots=True)
class _Entry:
    id: str = ""
    many: str | None = None
    forms: dict[int, str] | None = None


def read_catalogue(path: Path) -> Catalogue:
    """Read a `.po` file. Untranslated entries are left out."""
    from gettext import c2py

    texts: dict[str, str] = {}
    forms: dict[str, tuple[str, ...]] = {}
    plurals: dict[str, str] = {}
    rule = "n != 1"
    for entry in _entries(path.read_text(encoding="utf-8")):
        found = tuple((entry.forms or {}).values())
        if not entry.id:
            head = re.search(r"plural=([^;]+);", found[0])
            rule = head[1] if head else rule
        elif entry.many is not None and all(found):
            forms[entry.id], plurals[entry.id] = found, entry.many
        elif found and found[0]:
            texts[entry.id] = found[0]
    return Catalogue(texts, forms, plurals, c2py(rule))


def _entries(text: str) -> Iterator[_Entry]:
    entry, kind, form = _Entry(), "", 0
    for line in text.splitlines():
        match = None if line.startswith("#") else _LINE.fullmatch(line)
        if match is None:
            continue
        name, number, quoted = match.groups()
        if name == "msgid" and kind:
            yield entry
            entry = _Entry()
        if name:
            kind, form = name, int(number or 0)
        # The escapes of gettext are those of JSON; most lines have none.
        part = json.loads(quoted) if "\\" in quoted else quoted[1:-1]
        if kind == "msgid":
            entry.id += part
        elif kind == "msgid_plural":
            entry.many = (entry.many or "") + part
        else:
            entry.forms = entry.forms or {}
            entry.forms[form] = entry.forms.get(form, "") + part
    if kind:
        yield entry


def places(sentence: str) -> list[str]:
    """Return the named places of a sentence, with their formats."""
    return sorted(match[0] for match in PLACE.finditer(sentence))


FILLER = "~~~~~~ "
"""A word of mean length, so that the lines of a lengthened text break as in a language."""


def pseudo(sentence: str) -> str:
    """Return a sentence lengthened by 40 %, with accents, and with its named places unchanged."""
    accents = str.maketrans("aeiouyAEIOUYcnsCNS", "áéíóúýÁÉÍÓÚÝçñšÇÑŠ")
    parts = re.split(r"(\{[^{}]*\})", sentence)
    shown = "".join(part if part.startswith("{") else part.translate(accents) for part in parts)
    room = round(0.4 * len(sentence))
    more = (FILLER * (room // len(FILLER) + 1))[:room]
    return f"{shown} {more.rstrip():~<{room}}"


def pseudo_catalogue(source: Catalogue) -> Catalogue:
    """Return the catalogue of the pseudo-language `xx`, for the sentences of another one."""
    return Catalogue(
        {id: pseudo(id) for id in source.texts},
        {id: (pseudo(id), pseudo(many)) for id, many in source.plurals.items()},
        source.plurals,
        lambda count: int(count != 1),
    )
