"""Reader of files beside the annotations: texts of VQA's questions, choices of GQA's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_list,
)
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.reference_remarks import note_unused_entries
from jurydesk.core.tasks.item_fields import short_members
from jurydesk.core.tasks.vqa.questions import Question, QuestionId, parse_question_id

LIMIT = 2**31
ANLS_TYPES = {
    "answer_type": "answer_type",
    "evidence": "evidence",
    "operation/reasoning": "reasoning",
}
"""Lists of types of InfographicVQA, by member, with the kind of their scores."""
KNOWN = frozenset(
    (
        *("question_id", "questionId", "id", "image_id", "imageId", "imgname", "docId", "image"),
        *("image_local_name", "image_url", "flickr_original_url", "flickr_300k_url"),
        *("question", "query", "answers", "answer", "label", "annotation", "fullAnswer"),
        *("multiple_choice_answer", "multiple_choices", "question_type", "answer_type"),
        *("question_tokens", "image_width", "image_height", "ocr_output_file", "semanticStr"),
        *("entailed", "equivalent", "isBalanced", "ucsf_document_id", *ANLS_TYPES),
    )
)
"""Members of a question that are read, or that differ from question to question."""


VQA_ID: Attribute[QuestionId] = Attribute(
    "question_id", "A number or text is expected.", parse_question_id
)
QUESTIONS = Attribute("questions", "A list of questions is expected.", parse_list)


def are_texts(value: Json) -> TypeGuard[list[str]]:
    """Return whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def read_question_texts(
    path: Path, known: Mapping[QuestionId, Question], references: str
) -> Reading[dict[QuestionId, Question]]:
    """Read the texts of VQA's questions, and the choices of multiple choice."""
    file = read_json_file(path, limit=LIMIT)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    entries = root.top_list(QUESTIONS, "The questions of VQA are expected.")
    if entries is None:
        return Reading(None, root.defects.to_tuple())
    found = dict(known)
    is_choice = root.value.get("task_type") == "Multiple Choice"
    seen: dict[QuestionId, int] = {}
    for index, value in enumerate(entries.value):
        key = VQA_ID.of(value) if isinstance(value, dict) else None
        if key is None:
            entries[index].read(VQA_ID)
            continue
        if seen.setdefault(key, index) != index:
            said = fill("Question {key} is also listed at questions[{seen}].", key, seen[key])
            entries[index].note(said, "The last one counts.")
        if key not in found:
            continue
        choices = value.get("multiple_choices") if is_choice else None
        if is_choice and not are_texts(choices):
            place = entries[index]["multiple_choices"]
            place.error(entries[index].describe_fault("multiple_choices"), "Texts are expected.")
            continue
        text = value.get("question")
        if text is not None and not isinstance(text, str):
            said = entries[index].describe_fault("question")
            entries[index]["question"].warning(said, "Text is expected.")
        found[key] = replace(
            found[key],
            text=text if isinstance(text, str) else "",
            choices=tuple(choices) if choices is not None else None,
            fields=(*found[key].fields, *short_members(value, KNOWN)),
        )
    unused = [str(one) for one in seen if one not in known]
    root.defects.extend(note_unused_entries(root.place, unused, references))
    lacking = [str(one) for one in known if one not in seen]
    if lacking:
        said = fill(
            "{questions} not in the file: {names}.",
            counted(len(lacking), "question"),
            name_list(lacking),
        )
        root.note(said, "They have no text here.", count=len(lacking))
    defects = root.defects.to_tuple()
    return Reading(None if has_errors(defects) else found, defects)


def read_choices(
    path: Path, known: Mapping[QuestionId, Question], references: str
) -> Reading[dict[QuestionId, Question]]:
    """Read the valid and plausible answers of GQA's questions."""
    file = read_json_file(path, limit=LIMIT)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    if not isinstance(root.value, dict):
        expected = "The choices of GQA are expected."
        root.error(fill("The file holds {type}.", describe_value(root.value)), expected)
        return Reading(None, root.defects.to_tuple())
    found = dict(known)
    lacking = []
    for key, one in known.items():
        value = root.value.get(str(key))
        given = value if isinstance(value, dict) else {}
        valid, plausible = given.get("valid"), given.get("plausible")
        if are_texts(valid) and are_texts(plausible):
            found[key] = replace(one, valid=tuple(valid), plausible=tuple(plausible))
        elif one.is_balanced:
            lacking.append(str(key))
    if root.value and not root.value.keys() & set(map(str, known)):
        root.report_missing(
            next(iter(map(str, known)), ""), "The choices of each question are expected."
        )
        return Reading(None, root.defects.to_tuple())
    unused = sorted(root.value.keys() - set(map(str, known)))
    root.defects.extend(note_unused_entries(root.place, unused, references))
    if lacking:
        said = fill(
            "{questions} without choices: {names}.",
            counted(len(lacking), "question"),
            name_list(lacking),
        )
        root.error(said, 'Lists of texts "valid" and "plausible" are expected.')
    defects = root.defects.to_tuple()
    return Reading(None if has_errors(defects) else found, defects)
