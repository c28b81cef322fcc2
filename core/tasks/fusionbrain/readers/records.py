"""Records of a FusionBrain file by key, with the faults of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_file import JsonFile

TEXT, IMAGE = "text", "image"
EXPECTED_FILE = 'An object {"key": [{"type": "text", "content": "..."}]} is expected.'
EXPECTED_RECORD = "A list of objects with type and content is expected."
EXPECTED_ELEMENT = 'An object {"type": ..., "content": ...} is expected.'
THEIR_TEXT = "The text that they make is scored."
SHOWN = 40


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A fault in a record: path below the key, what was found, what is expected.

    `is_nothing` marks a null, a false or a zero, which some programs take for an empty text.
    """

    path: str
    found: str
    expected: str
    is_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a record: its type and content, and what is wrong with either.

    `kind` is None where no type stands, and "" where one stands that is no text: programs that
    only compare it go on to the next element then.
    """

    kind: str | None
    content: Json = None
    kind_fault: RecordFault | None = None
    content_fault: RecordFault | None = None

    @property
    def fault(self) -> RecordFault | None:
        """What is wrong with it, the type first."""
        return self.kind_fault or self.content_fault


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a key; `bare` if it is a single object instead of a list.

    `is_void` marks an empty text or object, in which a program that goes through it finds as
    little as in an empty list.
    """

    key: str
    elements: tuple[Element, ...]
    fault: RecordFault | None = None
    bare: bool = False
    is_void: bool = False


Records = Mapping[str, Record]


def json_path(key: str, fault: RecordFault | None = None) -> str:
    """Return the place of a key, or of a fault below it, within a file."""
    return f'["{key}"]{fault.path if fault else ""}'


def record_place(path: str, key: str, fault: RecordFault | None = None) -> Place:
    """Return the place of a key, or of a fault below it."""
    return Place(path, json_path=json_path(key, fault))


def read_records(file: JsonFile) -> tuple[Records | None, tuple[Defect, ...]]:
    """Return the records of a file by key; None and an error where it holds no object."""
    if not isinstance(file.data, dict):
        found = "The file holds no object."
        return None, (error(file.place(), found, EXPECTED_FILE),)
    if not file.data:
        return None, (error(file.place(), "The file has no key.", EXPECTED_FILE),)
    return {key: _record(key, value) for key, value in file.data.items()}, ()


def _record(key: str, value: Json) -> Record:
    if isinstance(value, dict) and value:
        return Record(key, (_element(value, ""),), bare=True)
    if not isinstance(value, list):
        fault = RecordFault("", f"This is {describe_value(value)}.", EXPECTED_RECORD)
        return Record(key, (), fault, is_void=value in ("", {}))
    return Record(key, tuple(_element(one, f"[{i}]") for i, one in enumerate(value)))


def _element(value: Json, path: str) -> Element:
    if not isinstance(value, dict):
        fault = RecordFault(path, f"This is {describe_value(value)}.", EXPECTED_ELEMENT)
        return Element(None, None, fault, fault)
    absent = RecordFault(f"{path}.content", "The content is missing.", EXPECTED_ELEMENT)
    content_fault = None if "content" in value else absent
    kind, kind_fault = value.get("type"), None
    if not isinstance(kind, str):
        said = describe_value(kind) if "type" in value else "missing"
        kind_fault = RecordFault(
            f"{path}.type", f"The type is {said}.", '"text" or "image" is expected.'
        )
        kind = "" if "type" in value else None
    return Element(kind, value.get("content"), kind_fault, content_fault)


def describe_value(value: Json) -> str:
    """Return a JSON value in a few words, for a sentence."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f'the text "{value[:SHOWN]}{"…" if len(value) > SHOWN else ""}"'
        case list():
            return "a list"
    return "an object"


def remarks(record: Record) -> Iterator[RecordFault]:
    """Yield every malformed element of a record."""
    if record.fault is not None:
        yield record.fault
    for number, element in enumerate(record.elements):
        if element.fault is not None:
            yield element.fault
        elif element.kind is not None and element.kind not in (TEXT, IMAGE):
            path = "" if record.bare else f"[{number}]"
            found = f'The type is "{element.kind[:SHOWN]}".'
            yield RecordFault(f"{path}.type", found, '"text" or "image" is expected.')


def first_text(
    record: Record, *, published: bool, of_characters: bool = False
) -> str | RecordFault | None:
    """Return the first text of a prediction; None where there is none.

    When published, a prediction with elements but no text is an empty text, and one that is no
    list but empty is like an empty list. A fault is where the search ends at something without a
    type, or at a content that is no text. With `of_characters` a list of single characters is the
    text that they make.
    """
    if record.fault is not None:
        return None if published and record.is_void else record.fault
    if record.bare:
        return RecordFault("", "This is an object, not a list.", EXPECTED_RECORD)
    for number, element in enumerate(record.elements):
        if element.kind is None:
            return element.fault
        if element.kind == TEXT:
            if element.content_fault is not None:
                return element.content_fault
            return _text(element.content, f"[{number}].content", of_characters=of_characters)
    return "" if record.elements and published else None


def has_text(record: Record) -> bool:
    """Return whether a text stands in the record."""
    return any(element.kind == TEXT for element in record.elements)


def character_list_place(record: Record) -> RecordFault | None:
    """Return the place of the first text where that is a list of its characters."""
    texts = ((i, one.content) for i, one in enumerate(record.elements) if one.kind == TEXT)
    number, content = next(texts, (0, None))
    if not _are_characters(content):
        return None
    return RecordFault(f"[{number}].content", "The content is a list of characters.", THEIR_TEXT)


def _text(content: Json, path: str, *, of_characters: bool) -> str | RecordFault:
    if isinstance(content, str):
        return content
    if of_characters and _are_characters(content):
        return "".join(content)
    found = f"The content is {describe_value(content)}."
    return RecordFault(path, found, "Text is expected.", is_nothing=not content)


def _are_characters(content: Json) -> bool:
    return isinstance(content, list) and all(isinstance(c, str) and len(c) == 1 for c in content)


def accepted_texts(
    record: Record,
    *,
    published: bool,
    nothing_is_empty: bool = False,
    of_characters: bool = False,
) -> tuple[str, ...] | RecordFault:
    """Return the accepted answers: the content of the truth's first element of any type.

    A text in place of the list is one answer when corrected, and as many answers as it has
    letters when published, as the original goes through it. A bare object is sound when
    corrected only. With `nothing_is_empty` a null or a zero among the answers is an empty one,
    with `of_characters` a list of single characters is the text that they make.
    """
    if record.fault is not None:
        return record.fault
    if record.bare and published:
        return RecordFault("", "This is an object, not a list.", EXPECTED_RECORD)
    if not record.elements:
        return RecordFault("", "The list is empty.", EXPECTED_RECORD)
    element = record.elements[0]
    if element.content_fault is not None:
        return element.content_fault
    path = ".content" if record.bare else "[0].content"
    if isinstance(element.content, str):
        return tuple(element.content) if published else (element.content,)
    if not isinstance(element.content, list):
        found = f"The content is {describe_value(element.content)}."
        return RecordFault(path, found, "A list of accepted answers is expected.")
    answers = []
    for number, answer in enumerate(element.content):
        text = "" if nothing_is_empty and not answer else answer
        text = "".join(text) if of_characters and _are_characters(text) else text
        if not isinstance(text, str):
            found = f"The accepted answer is {describe_value(answer)}."
            return RecordFault(f"{path}[{number}]", found, "Text is expected.")
        answers.append(text)
    return tuple(answers)
