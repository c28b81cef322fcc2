"""Other spellings of ids: of spreadsheets, paths, pictures' files, and numbers with zeros."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from jurydesk.core.language import counted, fill
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import JsonCursor, parse_whole_number

K = TypeVar("K")
_EXTENSION = re.compile(r"\.(?:jpe?g|png|gif|bmp|tiff?|webp)$", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"(?:^(?=[0-9]{1,18}$)|_(?=[0-9]{12}$))0*([0-9]+)$")
"""A number as text, or at the end of COCO's file names: COCO_val2014_000000000042."""
_OF_A_SHEET = re.compile(r"=\"([^\"]*)\"|'(.+?)'?|([0-9]{1,18})[.,]0+")
"""Text as a formula or after an apostrophe in Excel, and a number of a column of fractions."""


def plain_id(text: str) -> str:
    """Return an id without blanks and what a spreadsheet adds: `="4017"`, `'4017`, `4017.0`."""
    name = text.strip()
    found = _OF_A_SHEET.fullmatch(name)
    return next(filter(None, found.groups()), name) if found else name


def id_spellings(text: str) -> Iterator[str]:
    """Yield a name, its plain form, the last part of that, its stem, and the number at its end."""
    name = text.strip()
    plain = plain_id(name)
    base = plain[max(plain.rfind("/"), plain.rfind("\\")) + 1 :]
    stem = _EXTENSION.sub("", base)
    number = _NUMBER.search(stem)
    known = [name, plain, base, stem, *([number[1]] if number else [])]
    yield from (one for one in dict.fromkeys(known) if one)


class KnownIds(Generic[K]):
    """Ids by every spelling of them, and of other names for the same."""

    def __init__(self, named: Iterable[tuple[K, Iterable[object]]]) -> None:
        self._ids: dict[str, dict[K, None]] = {}
        for key, names in named:
            for spelling in {one for name in names for one in id_spellings(_text(name))}:
                self._ids.setdefault(spelling, {})[key] = None

    def find(self, key: object) -> K | None:
        """Return the one id that an unknown one can mean; None for none or several."""
        texts = id_spellings(_text(key))
        found = {one: None for text in texts for one in self._ids.get(text, ())}
        return next(iter(found)) if len(found) == 1 else None


def _text(key: object) -> str:
    return str(int(key) if isinstance(key, float) and key.is_integer() else key)


def is_file_name(key: object) -> bool:
    """Return whether an id is the name of a picture's file."""
    return isinstance(key, str) and bool(_EXTENSION.search(key.strip()))


def parse_number_id(value: Json) -> int | None:
    """Return a whole number, also of another spelling: a text, or a file name of COCO's kind."""
    if not isinstance(value, str):
        return parse_whole_number(value)
    numbers = (parse_whole_number(one) for one in id_spellings(value))
    return next((one for one in numbers if one is not None), None)


def note_number_ids(
    root: JsonCursor, names: Iterable[str], is_read: Callable[[Json], bool]
) -> None:
    """Note ids of the entries that are read, written as text or as fractions."""
    entries = root.value if isinstance(root.value, list) else []
    places = [
        root[index][name]
        for index, entry in enumerate(entries)
        for name in names
        if type(entry) is dict and type(entry.get(name)) is not int and is_read(entry)
    ]
    if places:
        found = fill("Text or a fraction as an id: {times}.", counted(len(places), "time"))
        places[0].note(found, "It is read as a whole number.", count=len(places))
