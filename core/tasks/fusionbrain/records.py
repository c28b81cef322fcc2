"""The records of a FusionBrain file: what stands under every key, sound or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.defects import Defect, Place, error
from core.model import Json
from core.tasks.json_file import JsonFile

TEXT, IMAGE = "text", "image"
EXPECTED_FILE = 'An object {"key": [{"type": "text", "content": "..."}]} is expected.'
EXPECTED_RECORD = "A list of objects with type and content is expected."
EXPECTED_ELEMENT = 'An object {"type": ..., "content": ...} is expected.'
SHOWN = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong below a key: the path from there, what stands there, what should.

    `is_nothing` marks a null, a false or a zero, which some programs take for an empty text.
    """

    path: str
    found: str
    expected: str
    is_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One part of a record: its type and content, or the fault that hides them."""

    kind: str
    content: Json
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What stands under a key; `bare` where it is one object instead of a list of them."""

    key: str
    elements: tuple[Element, ...]
    fault: Fault | None = None
    bare: bool = False


Records = Mapping[str, Record]


def json_path(key: str, fault: Fault | None = None) -> str:
    """The place of a key, or of a fault below it, within a file."""
    return f'["{key}"]{fault.path if fault else ""}'


def place_of(path: str, key: str, fault: Fault | None = None) -> Place:
    """The place of a key, or of a fault below it."""
    return Place(path, json_path=json_path(key, fault))


def read_records(file: JsonFile) -> tuple[Records | None, tuple[Defect, ...]]:
    """The records of a file by key; None and an error where it holds no object."""
    if not isinstance(file.data, dict):
        found = "The file holds no object."
        return None, (error(file.place(), found, EXPECTED_FILE),)
    if not file.data:
        return None, (error(file.place(), "The file has no key.", EXPECTED_FILE),)
    return {key: _record(key, value) for key, value in file.data.items()}, ()


def _record(key: str, value: Json) -> Record:
    if isinstance(value, dict):
        return Record(key, (_element(value, ""),), bare=True)
    if not isinstance(value, list):
        return Record(key, (), Fault("", f"This is {described(value)}.", EXPECTED_RECORD))
    return Record(key, tuple(_element(one, f"[{i}]") for i, one in enumerate(value)))


def _element(value: Json, path: str) -> Element:
    if not isinstance(value, dict):
        fault = Fault(path, f"This is {described(value)}.", EXPECTED_ELEMENT)
        return Element("", None, fault)
    if not isinstance(value.get("type"), str):
        kind = described(value.get("type")) if "type" in value else "missing"
        fault = Fault(f"{path}.type", f"The type is {kind}.", '"text" or "image" is expected.')
        return Element("", None, fault)
    if "content" not in value:
        fault = Fault(f"{path}.content", "The content is missing.", EXPECTED_ELEMENT)
        return Element(value["type"], None, fault)
    return Element(value["type"], value["content"])


def described(value: Json) -> str:
    """A JSON value in a few words, for a sentence."""
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


def remarks(record: Record) -> Iterator[Fault]:
    """Everything that is no element as it should be, whoever looks at it."""
    if record.fault is not None:
        yield record.fault
    for number, element in enumerate(record.elements):
        if element.fault is not None:
            yield element.fault
        elif element.kind not in (TEXT, IMAGE):
            path = "" if record.bare else f"[{number}]"
            found = f'The type is "{element.kind[:SHOWN]}".'
            yield Fault(f"{path}.type", found, '"text" or "image" is expected.')


def first_text(record: Record, *, published: bool) -> str | Fault | None:
    """The first text of a prediction; None where there is none.

    When published, a prediction with elements but no text is an empty text. A fault is where the
    search ends at something that is no element, or at a content that is no text.
    """
    if record.fault is not None:
        return record.fault
    if record.bare:
        return Fault("", "This is an object, not a list.", EXPECTED_RECORD)
    for number, element in enumerate(record.elements):
        if element.fault is not None and element.kind in ("", TEXT):
            return element.fault
        if element.kind == TEXT:
            return _text(element.content, f"[{number}].content")
    return "" if record.elements and published else None


def has_text(record: Record) -> bool:
    """Whether a text stands in the record."""
    return any(element.kind == TEXT for element in record.elements)


def _text(content: Json, path: str) -> str | Fault:
    if isinstance(content, str):
        return content
    found = f"The content is {described(content)}."
    return Fault(path, found, "Text is expected.", is_nothing=not content)


def accepted_texts(
    record: Record, *, published: bool, nothing_is_empty: bool = False
) -> tuple[str, ...] | Fault:
    """The accepted answers of the truth: the content of its first element.

    A text in place of the list is one answer when corrected, and as many answers as it has
    letters when published, as the original goes through it. A bare object is sound when
    corrected only. With `nothing_is_empty` a null or a zero among the answers is an empty one.
    """
    if record.fault is not None:
        return record.fault
    if record.bare and published:
        return Fault("", "This is an object, not a list.", EXPECTED_RECORD)
    if not record.elements:
        return Fault("", "The list is empty.", EXPECTED_RECORD)
    element = record.elements[0]
    if element.fault is not None:
        return element.fault
    path = ".content" if record.bare else "[0].content"
    if isinstance(element.content, str):
        return tuple(element.content) if published else (element.content,)
    if not isinstance(element.content, list):
        found = f"The content is {described(element.content)}."
        return Fault(path, found, "A list of accepted answers is expected.")
    for number, answer in enumerate(element.content):
        if not isinstance(answer, str) and not (nothing_is_empty and not answer):
            found = f"The accepted answer is {described(answer)}."
            return Fault(f"{path}[{number}]", found, "Text is expected.")
    return tuple(answer or "" for answer in element.content)
