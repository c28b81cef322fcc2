"""Reading a user's JSON file so that what is wrong with it is said, with its line, not raised."""

from __future__ import annotations

import gc
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jurydesk.core.model.defects import (
    Defect,
    Place,
    counted,
    error,
    has_errors,
    name_list,
    warning,
)
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.text_file import (
    MAX_BYTES,
    REPLACEMENT,
    Damaged,
    line_and_column,
    read_text,
)

DEEPEST = 100
"""Levels that are read. Python's own limit depends on its version, and on who calls."""

_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1
_ELSE = bytes(set(range(256)) - set(b'[]{}"'))
_TEXT = re.compile(rb'"[^"]*(?:"|$)')


def is_too_deep(text: str) -> bool:
    """Whether lists and objects of valid JSON, or of its valid beginning, are nested too deeply."""
    raw = text.encode("utf-8", "replace")
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = _TEXT.sub(b"", raw.translate(None, _ELSE).replace(b'""', b""))
    if len(brackets) <= DEEPEST:
        return False
    steps = _STEPS[np.frombuffer(brackets, np.uint8)]
    return int(np.cumsum(steps, dtype=np.int32).max()) > DEEPEST


SHOWN_CHARACTERS = 40

_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_FOREIGN = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<word>-?Infinity|NaN)', re.DOTALL)


@dataclass(slots=True, eq=False)
class JsonFile:
    """A JSON file that was read: its value (None after an error) and what is wrong with it."""

    path: Path
    data: Json
    defects: tuple[Defect, ...]
    _text: str = ""
    _lines: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether the value could be read; its shape is the reader's to judge."""
        return not has_errors(self.defects)

    def place(self, key: str | None = None, index: int | None = None, deeper: str = "") -> Place:
        """The place of the file, of a member of its outermost object, or of one of its elements.

        `deeper` is the rest of the path, below the element. The line is the element's.
        """
        if key is None:
            return Place(str(self.path))
        if index is None:
            return Place(str(self.path), json_path=key + deeper)
        line = self.line(key, index)
        return Place(str(self.path), line=line, json_path=f"{key}[{index}]{deeper}")

    def line(self, key: str, index: int) -> int | None:
        """Return the line where element `index` of the outermost list `key` begins.

        None where all of them are on the same one, which then tells nothing.
        """
        if key not in self._lines:
            lines = tuple(_element_lines(self._text, key))
            told = len(lines) == 1 < lines[0] or len(set(lines)) > 1
            self._lines[key] = lines if told else ()
        lines = self._lines[key]
        return lines[index] if index < len(lines) else None


def read_json_file(
    path: Path,
    *,
    limit: int = MAX_BYTES,
    damaged: Damaged = "refuse",
    shrink: Callable[[dict[str, Json]], Json] | None = None,
    not_finite: bool = False,
) -> JsonFile:
    """Return the value of a JSON file, plain or gzip, of at most `limit` bytes of text.

    Never raises on what the file holds. A byte order mark, a member named twice and half
    characters are told and read; everything else that is no JSON in UTF-8 is an error. `shrink`
    gives what takes the place of an object as soon as it is read, so that large files fit. With
    `not_finite`, NaN and Infinity are read, for a reader that refuses each at its own place.
    """
    reading = read_text(path, limit=limit, damaged=damaged)
    if reading.data is None:
        return JsonFile(path, None, reading.defects)
    text, half = _without_half_characters(reading.data, path)
    data, faults = _parse(text, path, shrink, not_finite=not_finite)
    return JsonFile(path, data, (*reading.defects, *half, *faults), text)


def _without_half_characters(text: str, path: Path) -> tuple[str, tuple[Defect, ...]]:
    """Escapes of lone surrogates, which no text can hold, become U+FFFD."""
    if not re.search(r"\\u[dD][89a-fA-F]", text):
        return text, ()
    halves = [match for match in _HALF.finditer(text) if match["half"]]
    if not halves:
        return text, ()
    place = Place(str(path), *line_and_column(text, halves[0].start()))
    found = f"The escape {halves[0][0]} is one half of a character."
    expected = f"It was read as the replacement character U+FFFD ({len(halves):,} in all)."
    told = warning(place, found, expected, "Write both halves.", count=len(halves))
    return _HALF.sub(lambda match: r"\ufffd" if match["half"] else match[0], text), (told,)


def _parse(
    text: str,
    path: Path,
    shrink: Callable[[dict[str, Json]], Json] | None,
    *,
    not_finite: bool,
) -> tuple[Json, tuple[Defect, ...]]:
    repeated: list[str] = []
    foreign: list[str] = []

    def members(pairs: list[tuple[str, Json]]) -> Json:
        value = dict(pairs)
        if len(value) < len(pairs):
            repeated.append(first_repeated(name for name, _ in pairs))
        return value if shrink is None else shrink(value)

    def constant(word: str) -> float:
        foreign.append(word)
        return float(word)

    try:
        with _paused_garbage_collection():
            data = json.loads(text, object_pairs_hook=members, parse_constant=constant)
    except json.JSONDecodeError as fault:
        deep = is_too_deep(text[: fault.pos])
        return None, (_too_deep(path) if deep else _syntax_error(fault, path),)
    except RecursionError:
        return None, (_too_deep(path),)
    except ValueError:  # the only other one: Python's limit on the digits of a whole number
        found = "The JSON holds a whole number of thousands of digits."
        expected = f"At most {sys.get_int_max_str_digits():,} digits are read."
        hint = "Look for numbers that run into each other."
        return None, (error(Place(str(path)), found, expected, hint),)
    if is_too_deep(text):
        return None, (_too_deep(path),)
    if foreign and not not_finite:
        return None, (_non_json_constant(text, path),)
    return data, _repeated_names_defect(repeated, path)


def first_repeated(names: Iterable[str]) -> str:
    """Return the first name that is there twice; in one pass, since there may be a million."""
    return next(name for name, times in Counter(names).items() if times > 1)


@contextmanager
def _paused_garbage_collection() -> Iterator[None]:
    """Let the garbage wait: looking for cycles among millions of new lists doubles the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _too_deep(path: Path) -> Defect:
    found = "The JSON is nested too deeply to be read."
    hint = "Check that it is the right file."
    return error(Place(str(path)), found, "A few levels are expected.", hint)


def _syntax_error(fault: json.JSONDecodeError, path: Path) -> Defect:
    message = fault.msg.removesuffix(" at").removesuffix(" starting")
    rest = fault.doc[fault.pos : fault.pos + SHOWN_CHARACTERS].split("\n")[0].strip()
    rest = "".join(letter if letter.isprintable() else REPLACEMENT for letter in rest)
    if fault.pos >= len(fault.doc.rstrip()):
        there = "the file ends here."
    else:
        there = f"here stands: {rest}" if rest else "the line ends here."
    return error(
        Place(str(path), fault.lineno, fault.colno),
        f"The JSON is invalid: {message[:1].lower()}{message[1:]}, but {there}",
        hint="Nothing after this place was read: mend it and check again.",
    )


def _non_json_constant(text: str, path: Path) -> Defect:
    first = next(match for match in _FOREIGN.finditer(text) if match["word"])
    place = Place(str(path), *line_and_column(text, first.start()))
    found = f"The JSON is invalid: {first['word']} is no JSON value."
    return error(place, found, "A finite number or null is expected.")


def _repeated_names_defect(names: list[str], path: Path) -> tuple[Defect, ...]:
    if not names:
        return ()
    which = name_list([f'"{name}"' for name in dict.fromkeys(names)])
    found = f"{counted(len(names), 'object')} with a member that is there twice: {which}."
    told = warning(Place(str(path)), found, "The last one counts.", count=len(names))
    return (told,)


def _element_lines(text: str, key: str) -> Iterator[int]:
    """Yield the line of every element of the list `key` of the outermost object of valid JSON."""
    decoder = json.JSONDecoder()
    position, line, counted = _list_start(text, key, decoder), 1, 0
    while position is not None and text[position] != "]":
        line, counted = line + text.count("\n", counted, position), position
        yield line
        position = _after_space(text, decoder.raw_decode(text, position)[1])
        if text[position] == ",":
            position = _after_space(text, position + 1)


def _list_start(text: str, key: str, decoder: json.JSONDecoder) -> int | None:
    """Where the first element of the list `key` stands; the last one where it is there twice."""
    position, found = _after_space(text, 0), None
    if text[position : position + 1] != "{":  # also where the values were not read from a text
        return None
    position = _after_space(text, position + 1)
    while text[position] != "}":
        name, position = decoder.raw_decode(text, position)
        position = _after_space(text, _after_space(text, position) + 1)
        if name == key:
            found = _after_space(text, position + 1) if text[position] == "[" else None
        position = _after_space(text, decoder.raw_decode(text, position)[1])
        if text[position] == ",":
            position = _after_space(text, position + 1)
    return found


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
