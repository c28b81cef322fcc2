"""Records of a FusionBrain file by key, with their faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_file import JsonFile

TEXT, IMAGE = "text", "image"
EXPECTED_FILE = 'An object {"key": [{"type": "text", "content": "..."}]} is expected.'
EXPECTED_RECORD = "A list of objects with type and content is expected."
EXPECTED_ELEMENT = 'An object {"type": ..., "content": ...} is expected.'
THEIR_TEXT = "Their concatenation is scored."
EXPECTED_TYPE = '"text" or "image" is expected.'
MAX_TEXT = 40


@dataclass(frozen=True, slots=True)
class RecordFault:
    """A fault in a record: path below the key, found value, expected value.

    `is_nothing` marks null, false and zero, which some programs treat as an empty text.
    """

    path: str
    found: str
    expected: str
    is_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a record: type and content, with their faults.

    `kind` is None for a missing type, "" for one that is not text, at which programs that only
    compare it proceed to the next element.
    """

    kind: str | None
    content: Json = None
    kind_fault: RecordFault | None = None
    content_fault: RecordFault | None = None

    @property
    def fault(self) -> RecordFault | None:
        """Fault of the type, else of the content."""
        return self.kind_fault or self.content_fault


@dataclass(frozen=True, slots=True)
class Record:
    """Record of a key.

    `bare` is True for a single object instead of a list, `is_void` for an empty text or object,
    which iterates like an empty list.
    """

    key: str
    elements: tuple[Element, ...]
    fault: RecordFault | None = None
    bare: bool = False
    is_void: bool = False


Records = Mapping[str, Record]


def json_path(key: str, fault: RecordFault | None = None) -> str:
    """Return the JSON path of a key, or of a fault below it."""
    return f'["{key}"]{fault.path if fault else ""}'


def record_place(path: str, key: str, fault: RecordFault | None = None) -> Place:
    """Return the place of a key, or of a fault below it."""
    return Place(path, json_path=json_path(key, fault))


def read_records(file: JsonFile) -> tuple[Records | None, tuple[Defect, ...]]:
    """Return the records of a file by key, or None with an error."""
    if not isinstance(file.data, dict):
        return None, (error(file.place(), "The file is not a JSON object.", EXPECTED_FILE),)
    if not file.data:
        return None, (error(file.place(), "The file contains no keys.", EXPECTED_FILE),)
    return {key: _record(key, value) for key, value in file.data.items()}, ()


def _record(key: str, value: Json) -> Record:
    if isinstance(value, dict) and value:
        return Record(key, (_element(value, ""),), bare=True)
    if not isinstance(value, list):
        fault = RecordFault(
            "", fill("The value is {kind}.", describe_value(value)), EXPECTED_RECORD
        )
        return Record(key, (), fault, is_void=value in ("", {}))
    return Record(key, tuple(_element(one, f"[{i}]") for i, one in enumerate(value)))


def _element(value: Json, path: str) -> Element:
    if not isinstance(value, dict):
        fault = RecordFault(
            path, fill("The element is {kind}.", describe_value(value)), EXPECTED_ELEMENT
        )
        return Element(None, None, fault, fault)
    missing = RecordFault(f"{path}.content", "The content is missing.", EXPECTED_ELEMENT)
    content_fault = None if "content" in value else missing
    kind, kind_fault = value.get("type"), None
    if not isinstance(kind, str):
        found = "The type is missing."
        if "type" in value:
            found = fill("The type is {kind}.", describe_value(kind))
        kind_fault = RecordFault(f"{path}.type", found, EXPECTED_TYPE)
        kind = "" if "type" in value else None
    return Element(kind, value.get("content"), kind_fault, content_fault)


def describe_value(value: Json) -> str:
    """Describe a JSON value in a few words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return fill("the number {value}", str(value))
        case str():
            shown = value if len(value) <= MAX_TEXT else f"{value[:MAX_TEXT]}…"
            return fill('the text "{shown}"', shown)
        case list():
            return translatable("a list")
    return translatable("an object")


def element_faults(record: Record) -> Iterator[RecordFault]:
    """Yield the faults of a record and its elements."""
    if record.fault is not None:
        yield record.fault
    for number, element in enumerate(record.elements):
        if element.fault is not None:
            yield element.fault
        elif element.kind is not None and element.kind not in (TEXT, IMAGE):
            path = "" if record.bare else f"[{number}]"
            found = fill('The type is "{kind}".', Message(element.kind[:MAX_TEXT]))
            yield RecordFault(f"{path}.type", found, EXPECTED_TYPE)


def first_text(
    record: Record, *, published: bool, of_characters: bool = False
) -> str | RecordFault | None:
    """Return the first text of a prediction, a fault before it, or None.

    Args:
        record: Record of the prediction.
        published: Treat elements without a text as an empty text, and an empty value that is not
            a list as an empty list.
        of_characters: Treat a list of single characters as their concatenation.
    """
    if record.fault is not None:
        return None if published and record.is_void else record.fault
    if record.bare:
        return RecordFault("", "The value is an object, not a list.", EXPECTED_RECORD)
    for number, element in enumerate(record.elements):
        if element.kind is None:
            return element.fault
        if element.kind == TEXT:
            if element.content_fault is not None:
                return element.content_fault
            return _text(element.content, f"[{number}].content", of_characters=of_characters)
    return "" if record.elements and published else None


def has_text(record: Record) -> bool:
    """Return True if a record contains an element of type text."""
    return any(element.kind == TEXT for element in record.elements)


def character_list_place(record: Record) -> RecordFault | None:
    """Return the place of the first text if it is a list of characters."""
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
    found = fill("The content is {kind}.", describe_value(content))
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

    Args:
        record: Record of the truth.
        published: Treat a text instead of a list as its letters, and refuse a bare object;
            otherwise the text is the only answer.
        nothing_is_empty: Treat null, false and zero among the answers as an empty answer.
        of_characters: Treat a list of single characters as their concatenation.
    """
    if record.fault is not None:
        return record.fault
    if record.bare and published:
        return RecordFault("", "The value is an object, not a list.", EXPECTED_RECORD)
    if not record.elements:
        return RecordFault("", "The list is empty.", EXPECTED_RECORD)
    element = record.elements[0]
    if element.content_fault is not None:
        return element.content_fault
    path = ".content" if record.bare else "[0].content"
    if isinstance(element.content, str):
        return tuple(element.content) if published else (element.content,)
    if not isinstance(element.content, list):
        found = fill("The content is {kind}.", describe_value(element.content))
        return RecordFault(path, found, "A list of accepted answers is expected.")
    answers = []
    for number, answer in enumerate(element.content):
        text = "" if nothing_is_empty and not answer else answer
        text = "".join(text) if of_characters and _are_characters(text) else text
        if not isinstance(text, str):
            found = fill("The accepted answer is {kind}.", describe_value(answer))
            return RecordFault(f"{path}[{number}]", found, "Text is expected.")
        answers.append(text)
    return tuple(answers)
