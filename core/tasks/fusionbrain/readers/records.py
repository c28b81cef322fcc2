"""Records of a FusionBrain file by key, with their faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import (
    SHOWN_CHARACTERS,
    JsonCursor,
    describe_value,
    parse_list,
    parse_text,
)
from jurydesk.core.readers.json_file import JsonFile

TEXT, IMAGE = "text", "image"
EXPECTED_FILE = 'An object {"key": [{"type": "text", "content": "..."}]} is expected.'
EXPECTED_RECORD = "A list of objects with type and content is expected."
EXPECTED_ELEMENT = 'An object {"type": ..., "content": ...} is expected.'
THEIR_TEXT = "Their concatenation is scored."
EXPECTED_TYPE = '"text" or "image" is expected.'
NOT_A_LIST = "The value is an object, not a list."

Records = Mapping[str, JsonCursor]
"""Values of a file by key: a list of elements, or a single element if it is bare."""


def record_place(path: str, key: str, deeper: str = "") -> Place:
    """Return the place of a key, or of a value below it."""
    return Place(path, json_path=f'["{key}"]{deeper}')


def read_records(file: JsonFile, expected: str = EXPECTED_FILE) -> Reading[Records]:
    """Return the values of a file by key, or an error."""
    root = JsonCursor.of(file)
    if not isinstance(root.value, dict):
        root.error(fill("The file holds {type}.", describe_value(root.value)), expected)
    elif not root.value:
        root.error("The file contains no keys.", expected)
    elif wrapper := _wrapper(root.value):
        found = fill('The keys are in the member "{name}".', wrapper)
        root.error(found, expected, "Give that object alone as the file.")
    else:
        records = {key: root.at(f'["{key}"]', value) for key, value in root.value.items()}
        return Reading(records, file.defects)
    return Reading(None, root.defects.to_tuple())


def _wrapper(value: dict[str, Json]) -> str:
    """Return the only member of a file, if it holds the keys; empty for another file."""
    name, held = next(iter(value.items()))
    is_object = isinstance(held, dict) and bool(held) and not {"type", "content"} & held.keys()
    return name if len(value) == 1 and is_object else ""


def elements(record: JsonCursor) -> list[Json]:
    """Return the elements of a record, whatever they are."""
    return [record.value] if is_bare(record) else parse_list(record.value) or []


def is_bare(record: JsonCursor) -> bool:
    """Return whether a record is a single element instead of a list."""
    return isinstance(record.value, dict) and bool(record.value)


def is_void(record: JsonCursor) -> bool:
    """Return whether a record is an empty text or object, which iterates like an empty list."""
    return record.value in ("", {})


def element_kind(element: Json) -> str | None:
    """Return the type of an element: None if it is missing, "" if it is not text.

    Programs that only compare the type proceed to the next element if it is not text.
    """
    if not isinstance(element, dict) or "type" not in element:
        return None
    return parse_text(element["type"]) or ""


def element_content(element: Json) -> Json:
    """Return the content of an element, or None."""
    return element.get("content") if isinstance(element, dict) else None


def record_fault(record: JsonCursor) -> Defect | None:
    """Return the fault of a value that has no elements."""
    if isinstance(record.value, list) or is_bare(record):
        return None
    return record.fault(fill("The value is {type}.", describe_value(record.value)), EXPECTED_RECORD)


def _content_fault(element: JsonCursor) -> Defect | None:
    if not isinstance(element.value, dict):
        found = fill("The element is {type}.", describe_value(element.value))
        return element.fault(found, EXPECTED_ELEMENT)
    if "content" in element.value:
        return None
    return element["content"].fault("The content is missing.", EXPECTED_ELEMENT)


def _element_fault(element: JsonCursor) -> Defect | None:
    """Return the fault of the type, else of the content."""
    value = element.value
    if not isinstance(value, dict) or isinstance(value.get("type"), str):
        return _content_fault(element)
    found = "The type is missing."
    if "type" in value:
        found = fill("The type is {type}.", describe_value(value["type"]))
    return element["type"].fault(found, EXPECTED_TYPE)


def record_faults(record: JsonCursor) -> Iterator[Defect]:
    """Yield the faults of a record and its elements."""
    fault = record_fault(record)
    if fault is not None:
        yield fault
    for number, value in enumerate(elements(record)):
        if element_kind(value) in (TEXT, IMAGE) and "content" in value:
            continue
        element = record if is_bare(record) else record[number]
        fault = _element_fault(element)
        if fault is None:
            found = fill('The type is "{type}".', value["type"][:SHOWN_CHARACTERS])
            fault = element["type"].fault(found, EXPECTED_TYPE)
        yield fault


def first_text(
    record: JsonCursor,
    *,
    published: bool,
    nothing_is_empty: bool = False,
    of_characters: bool = False,
) -> str | Defect | None:
    """Return the first text of a prediction, a fault before it, or None.

    Args:
        record: Record of the prediction.
        published: Treat elements without a text as an empty text, and an empty value that is not
            a list as an empty list.
        nothing_is_empty: Treat null, false and zero as an empty text.
        of_characters: Treat a list of single characters as their concatenation.
    """
    fault = record_fault(record)
    if fault is not None:
        return None if published and is_void(record) else fault
    if is_bare(record):
        return record.fault(NOT_A_LIST, EXPECTED_RECORD)
    for number, element in enumerate(record.value):
        kind = element_kind(element)
        if kind is None:
            return _element_fault(record[number])
        if kind == TEXT:
            content = element_content(element)
            if isinstance(content, str):
                return content
            return _odd_text(record[number], nothing_is_empty, of_characters)
    return "" if record.value and published else None


def first_text_element(record: JsonCursor) -> JsonCursor | None:
    """Return the first element of type text."""
    kinds = map(element_kind, elements(record))
    number = next((number for number, kind in enumerate(kinds) if kind == TEXT), None)
    if number is None:
        return None
    return record if is_bare(record) else record[number]


def picture_path(
    record: JsonCursor | None, what: str, *, published: bool
) -> tuple[str | None, str]:
    """Return the path of a record's picture, or None with the reason; `what` names the record.

    The published program takes the second element, the corrected profile the first picture.
    """
    if record is None or record_fault(record) is not None:
        return None, fill("There is no valid {what}.", what)
    contained = elements(record)
    if not published:
        paths = [element_content(one) for one in contained if element_kind(one) == IMAGE]
        found = next((path for path in paths if isinstance(path, str)), None)
        return found, "" if found is not None else fill("The {what} has no picture.", what)
    if len(contained) < 2:
        return None, fill("The {what} has no second element.", what)
    if element_kind(contained[1]) != IMAGE:
        return None, fill("The second element of the {what} is not a picture.", what)
    path = element_content(contained[1])
    if not isinstance(path, str):
        return None, fill("The picture of the {what} has no path.", what)
    return path, ""


def are_characters(content: Json) -> bool:
    """Return whether a content is a list of single characters."""
    return isinstance(content, list) and all(isinstance(c, str) and len(c) == 1 for c in content)


def _odd_text(element: JsonCursor, nothing_is_empty: bool, of_characters: bool) -> str | Defect:
    """Return the text of an element whose content is not one, or its fault."""
    fault = _content_fault(element)
    if fault is not None:
        return fault
    content = element["content"]
    if nothing_is_empty and not content.value:
        return ""
    if of_characters and are_characters(content.value):
        return "".join(content.value)
    found = fill("The content is {type}.", describe_value(content.value))
    return content.fault(found, "Text is expected.")


def accepted_texts(
    record: JsonCursor,
    *,
    published: bool,
    nothing_is_empty: bool = False,
    of_characters: bool = False,
) -> tuple[str, ...] | Defect:
    """Return the accepted answers: the content of the truth's first element of any type.

    Args:
        record: Record of the truth.
        published: Treat a text instead of a list as its letters, and refuse a bare object;
            otherwise the text is the only answer.
        nothing_is_empty: Treat null, false and zero among the answers as an empty answer.
        of_characters: Treat a list of single characters as their concatenation.
    """
    fault = record_fault(record)
    if fault is not None:
        return fault
    if is_bare(record) and published:
        return record.fault(NOT_A_LIST, EXPECTED_RECORD)
    if not record.value:
        return record.fault("The list is empty.", EXPECTED_RECORD)
    element = record if is_bare(record) else record[0]
    fault = _content_fault(element)
    if fault is not None:
        return fault
    content = element["content"]
    if isinstance(content.value, str):
        return tuple(content.value) if published else (content.value,)
    if not isinstance(content.value, list):
        found = fill("The content is {type}.", describe_value(content.value))
        return content.fault(found, "A list of accepted answers is expected.")
    answers = []
    for number, answer in enumerate(content.value):
        text = "" if nothing_is_empty and not answer else answer
        text = "".join(text) if of_characters and are_characters(text) else text
        if not isinstance(text, str):
            found = fill("The accepted answer is {type}.", describe_value(answer))
            return content[number].fault(found, "Text is expected.")
        answers.append(text)
    return tuple(answers)
