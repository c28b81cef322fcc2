"""Reader of JSON files that reports problems as defects with line and column."""

from __future__ import annotations

import json
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import is_too_deep
from jurydesk.core.readers.text_file import (
    MAX_BYTES,
    REPLACEMENT,
    Damaged,
    line_and_column,
    read_text,
)
from jurydesk.core.system.garbage import paused_garbage_collection

SHOWN_CHARACTERS = 40
PARSER_MESSAGES = (
    translatable("expecting value"),
    translatable("expecting ',' delimiter"),
    translatable("expecting ':' delimiter"),
    translatable("expecting property name enclosed in double quotes"),
    translatable("extra data"),
    translatable("illegal trailing comma before end of array"),
    translatable("illegal trailing comma before end of object"),
    translatable("invalid \\escape"),
    translatable("invalid \\escape:"),
    translatable("invalid \\uXXXX escape"),
    translatable("invalid control character"),
    translatable("unterminated string"),
)
"""Messages of Python's parser, in the middle of a sentence."""

_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<word>-?Infinity|NaN)', re.DOTALL)


@dataclass(slots=True, eq=False)
class JsonFile:
    """Content of a JSON file (None after an error) and its defects."""

    path: Path
    data: Json
    defects: tuple[Defect, ...]
    duplicates: tuple[str, ...] = ()
    """Names of members that an object has twice."""
    _text: str = ""
    _lines: dict[str, _ElementLines] = field(default_factory=dict)

    @property
    def is_readable(self) -> bool:
        """Whether the value could be read, whatever its structure."""
        return not has_errors(self.defects)

    @property
    def described_table(self) -> str:
        """Delimiter and columns of a file that is a table; empty for any other."""
        return describe_table(self._text)

    def line(self, key: str, index: int) -> int | None:
        """Return the line where element `index` of the top-level list `key` begins.

        None if all elements are on the same line, which is then no help.
        """
        # A list on one line, however long, would be decoded again to find no other line.
        if self._text.find("\n") in (-1, len(self._text) - 1):
            return None
        if key not in self._lines:
            self._lines[key] = _ElementLines(_element_lines(self._text, key))
        return self._lines[key].of(index)


class _ElementLines:
    """Lines where the elements of a list begin, which are counted as far as they are asked for."""

    def __init__(self, lines: Iterator[int]) -> None:
        self._more = lines
        self._lines = array("q")
        self._differ = False

    def of(self, index: int) -> int | None:
        """Return the line of an element; None if all are on the same one."""
        while index >= len(self._lines) or not self._differ:
            line = next(self._more, None)
            if line is None:
                break
            self._lines.append(line)
            self._differ = self._differ or line != self._lines[0]
        if index >= len(self._lines):
            return None
        is_alone = len(self._lines) == 1 < self._lines[0]
        return self._lines[index] if self._differ or is_alone else None


def read_json_file(
    path: Path,
    *,
    limit: int = MAX_BYTES,
    damaged: Damaged = "refuse",
    shrink: Callable[[dict[str, Json]], Json] | None = None,
    not_finite: bool = False,
) -> JsonFile:
    """Read a JSON file, plain or gzip; problems of its content become defects, never exceptions.

    A byte order mark, duplicate members and lone surrogates are warnings; JSON Lines are read as a
    list, with a note; anything else that is not JSON in UTF-8 is an error.

    Args:
        path: File to read.
        limit: Maximum size of the text in bytes.
        damaged: Treatment of bytes that are not UTF-8.
        shrink: Function that replaces each object while parsing, so that large files fit.
        not_finite: Whether NaN and Infinity are read, for a reader that rejects each itself.
    """
    reading = read_text(path, limit=limit, damaged=damaged)
    if reading.data is None:
        return JsonFile(path, None, reading.defects)
    text, surrogates = _replace_lone_surrogates(reading.data, path)
    duplicates: list[str] = []
    data, faults = _parse(text, path, shrink, duplicates, not_finite=not_finite)
    defects = (*reading.defects, *surrogates, *faults)
    return JsonFile(path, data, defects, tuple(duplicates), text)


def parse_json_text(text: str, path: Path) -> tuple[Json, tuple[Defect, ...]]:
    """Parse the text of a JSON file, or JSON Lines; NaN and Infinity are read."""
    text, surrogates = _replace_lone_surrogates(text, path)
    duplicates: list[str] = []
    data, faults = _parse(text, path, None, duplicates, not_finite=True)
    return data, (*surrogates, *faults)


HALF_OF_A_PAIR = translatable("The escape {halves} is half of a surrogate pair.")


def _replace_lone_surrogates(text: str, path: Path) -> tuple[str, tuple[Defect, ...]]:
    """Replace escapes of lone surrogates, which no text can hold, by U+FFFD."""
    if not re.search(r"\\u[dD][89a-fA-F]", text):
        return text, ()
    halves = [match for match in _SURROGATE.finditer(text) if match["half"]]
    if not halves:
        return text, ()
    place = Place(str(path), *line_and_column(text, halves[0].start()))
    found = fill(HALF_OF_A_PAIR, halves[0][0])
    expected = fill(
        "It was read as the replacement character U+FFFD ({halves:,} in all).", len(halves)
    )
    defect = warning(place, found, expected, "Write both halves.", count=len(halves))
    return _SURROGATE.sub(lambda match: r"\ufffd" if match["half"] else match[0], text), (defect,)


def _parse(
    text: str,
    path: Path,
    shrink: Callable[[dict[str, Json]], Json] | None,
    duplicates: list[str],
    *,
    not_finite: bool,
) -> tuple[Json, tuple[Defect, ...]]:
    constants: list[str] = []

    def build_object(pairs: list[tuple[str, Json]]) -> Json:
        value = dict(pairs)
        if len(value) < len(pairs):
            times = Counter(name for name, _ in pairs)  # one pass: there may be a million
            duplicates.append(next(name for name, count in times.items() if count > 1))
        return value if shrink is None else shrink(value)

    def parse_constant(word: str) -> float:
        constants.append(word)
        return float(word)

    decoder = json.JSONDecoder(object_pairs_hook=build_object, parse_constant=parse_constant)
    notes: tuple[Defect, ...] = ()
    try:
        with paused_garbage_collection():
            data, end = _first_value(decoder, text)
            if end < len(text):
                data, notes = _json_lines(decoder, text, data, end, path)
    except json.JSONDecodeError as fault:
        deep = is_too_deep(text[: fault.pos])
        return None, (_too_deep(path) if deep else _syntax_error(fault, path),)
    except RecursionError:
        return None, (_too_deep(path),)
    except ValueError:  # the only other one: Python's limit on the digits of an integer
        found = "The JSON contains a whole number with thousands of digits."
        expected = fill(
            "At most {get_int_max_str_digits:,} digits are read.", sys.get_int_max_str_digits()
        )
        hint = "Check for a missing separator between numbers."
        return None, (error(Place(str(path)), found, expected, hint),)
    if is_too_deep(text):
        return None, (_too_deep(path),)
    if constants and not not_finite:
        return None, (_non_json_constant(text, path),)
    return data, (*notes, *_duplicates_defect(duplicates, path))


def _first_value(decoder: json.JSONDecoder, text: str) -> tuple[Json, int]:
    """Return the first value, and where the next begins: at the end of valid JSON."""
    data, end = decoder.raw_decode(text, _skip_space(text, 0))
    return data, _skip_space(text, end)


def _json_lines(
    decoder: json.JSONDecoder, text: str, first: Json, end: int, path: Path
) -> tuple[list[Json], tuple[Defect, ...]]:
    """Return the objects of JSON Lines, of which `first` was read up to `end`.

    Raises JSONDecodeError if what follows the first object is no other on a new line.
    """
    gap = text[len(text[:end].rstrip(" \t\r\n")) : end]
    begin = text[_skip_space(text, 0)]  # of an object that `shrink` may have replaced
    if begin != "{" or "\n" not in gap or text[end] != "{":
        raise json.JSONDecodeError("Extra data", text, end)
    values: list[Json] = [first]
    while end < len(text):
        value, end = decoder.raw_decode(text, end)
        values.append(value)
        end = _skip_space(text, end)
    found = fill(
        "The file is JSON Lines: {objects}, one after the other.", counted(len(values), "object")
    )
    return values, (note(Place(str(path)), found, "They were read as a list."),)


def _too_deep(path: Path) -> Defect:
    found = "The JSON is nested too deeply to be read."
    hint = "Check that it is the right file."
    return error(Place(str(path)), found, "A few levels are expected.", hint)


_NAME = re.compile(r'"?[A-Za-z_][\w .:-]*"?', re.ASCII)
SEPARATOR_LINE = re.compile(r"[\"']?sep=([,;\t])[\"']?[ \t]*\r?(?:\n|$)", re.IGNORECASE)
"""First line of a table by which Excel knows the delimiter."""
_DELIMITERS = {
    "\t": translatable("tabs"),
    ";": translatable("semicolons"),
    ",": translatable("commas"),
}


def describe_table(text: str) -> str:
    """Return the delimiter and the columns of a table (`a table with commas: id, caption`).

    Empty if the first line is not a header, or if the second has fewer fields.
    """
    named = SEPARATOR_LINE.match(text)
    header, _, rest = text[named.end() if named else 0 :].partition("\n")
    header, second = header.rstrip("\r"), rest.partition("\n")[0]
    for delimiter, phrase in _DELIMITERS.items():
        names = header.split(delimiter)
        fits = len(names) > 1 and second.count(delimiter) >= len(names) - 1
        known = names[not names[0].strip('"') :]  # pandas writes its index without a name
        if fits and all(_NAME.fullmatch(name) for name in known):
            columns = name_list([name.strip('"') for name in known], 6)
            return fill("a table with {phrase}: {columns}", phrase, columns)
    return ""


def _syntax_error(fault: json.JSONDecodeError, path: Path) -> Defect:
    table = describe_table(fault.doc) if fault.pos == 0 else ""
    if table:
        return error(Place(str(path)), fill("The file is {table}.", table), "JSON is expected.")
    message = fault.msg.removesuffix(" at").removesuffix(" starting")
    rest = fault.doc[fault.pos : fault.pos + SHOWN_CHARACTERS].split("\n")[0].strip()
    rest = "".join(letter if letter.isprintable() else REPLACEMENT for letter in rest)
    phrase = translatable(f"{message[:1].lower()}{message[1:]}")
    if fault.pos >= len(fault.doc.rstrip()):
        found = fill("The JSON is invalid: {phrase}, but the file ends here.", phrase)
    elif rest:
        found = fill("The JSON is invalid: {phrase}, but found: {rest}", phrase, rest)
    else:
        found = fill("The JSON is invalid: {phrase}, but the line ends here.", phrase)
    hint = "The rest of the file was not read: fix this and check again."
    place = Place(str(path), fault.lineno, fault.colno)
    return error(place, found, _usual_cause(fault.doc, fault.pos), hint)


_CUT = re.compile(r"\.|[eE][+-]?|-|t(ru?)?|f(a(ls?)?)?|n(ul?)?")
"""What is left of a number or a word that the end of the file cuts."""


def _usual_cause(text: str, position: int) -> str:
    """Return what usually makes a text no JSON at a place, as a sentence; empty if unknown."""
    end = len(text.rstrip())
    if position >= end or _CUT.fullmatch(text, position, end):
        return "It may be cut: the complete file is expected."
    if text.startswith(("//", "/*", "#"), position):
        return "JSON has no comments."
    if text[position] == "|":
        return "This may be a Markdown table: JSON is expected."
    if text[position] == "'":
        return "JSON has its texts in double quotes; Python prints them in single ones."
    before = text[:position].rstrip(" \t\r\n")
    closing = text[position:].lstrip(", \t\r\n")[:1]
    if closing in ("}", "]") and (text[position] == "," or before.endswith(",")):
        return "JSON has no comma before a closing bracket."
    return ""


def _non_json_constant(text: str, path: Path) -> Defect:
    match = next(match for match in _CONSTANT.finditer(text) if match["word"])
    place = Place(str(path), *line_and_column(text, match.start()))
    found = fill("The JSON is invalid: {match} is not a JSON value.", match["word"])
    return error(place, found, "A finite number or null is expected.")


def _duplicates_defect(names: list[str], path: Path) -> tuple[Defect, ...]:
    if not names:
        return ()
    which = name_list([f'"{name}"' for name in dict.fromkeys(names)])
    found = fill("{objects} with duplicate members: {which}.", counted(len(names), "object"), which)
    return (warning(Place(str(path)), found, "The last one counts.", count=len(names)),)


def _element_lines(text: str, key: str) -> Iterator[int]:
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: None)  # a long list is not kept
    position, line, counted = _list_start(text, key, decoder), 1, 0
    while position is not None and text[position] != "]":
        line, counted = line + text.count("\n", counted, position), position
        yield line
        position = _skip_space(text, decoder.raw_decode(text, position)[1])
        if text[position] == ",":
            position = _skip_space(text, position + 1)


def _list_start(text: str, key: str, decoder: json.JSONDecoder) -> int | None:
    """Return the position of the first element of the last top-level list named `key`."""
    position, start = _skip_space(text, 0), None
    if text[position : position + 1] != "{":  # also if the values were not read from a text
        return None
    position = _skip_space(text, position + 1)
    while text[position] != "}":
        name, position = decoder.raw_decode(text, position)
        position = _skip_space(text, _skip_space(text, position) + 1)
        if name == key:
            start = _skip_space(text, position + 1) if text[position] == "[" else None
        position = _skip_space(text, decoder.raw_decode(text, position)[1])
        if text[position] == ",":
            position = _skip_space(text, position + 1)
    return start


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
