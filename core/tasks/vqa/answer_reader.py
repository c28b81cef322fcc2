"""Reader of a system's answers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.id_spellings import KnownIds
from jurydesk.core.readers.json_cursor import Attribute, JsonCursor, describe_value, parse_text
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.program_answers import read_program_answers
from jurydesk.core.tasks.vqa.question_texts import LIMIT
from jurydesk.core.tasks.vqa.questions import Answers, QuestionId, VqaReferences, parse_question_id
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions

ID_NAMES = {"vqa": "question_id", "anls": "questionId", "gqa": "questionId", "relaxed": "id"}
ANSWER_NAMES = {"vqa": "answer", "anls": "answer", "gqa": "prediction", "relaxed": "answer"}
LAST_COUNTS = ("vqa", "gqa")
"""Programs in which the last of several answers counts."""


def read_answer_file(
    path: Path, references: VqaReferences, options: VqaOptions
) -> Reading[Answers]:
    """Read one system's answers, with all defects of the file."""
    program = references.program
    id_name, answer_name = ID_NAMES[program], ANSWER_NAMES[program]
    file = read_json_file(path, limit=LIMIT)
    file = read_program_answers(file, id_name, answer_name, text_ids=program == "gqa")
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    expected = fill(
        'A list of objects with "{id}" and "{answer}" is expected.', id_name, answer_name
    )
    if not isinstance(root.value, list) or not root.value:
        _report_shape(root, expected)
        return Reading(None, root.defects.to_tuple())
    found = list(_entries(root, program, expected))
    answers: dict[QuestionId, str] = {}
    first: dict[QuestionId, int] = {}
    unknown: list[tuple[int, QuestionId]] = []
    for index, key, answer in found:
        if key in first:
            _report_repeated(root, index, key, first[key], references, options)
        elif key not in references.questions:
            unknown.append((index, key))
        else:
            _check_choice(root, index, key, answer, references, answer_name)
        first[key] = index
        answers[key] = answer
    meant = _report_unknown(root, unknown, references)
    if len(found) == len(root.value):  # an invalid entry may be the one that is missing
        _report_missing(root, {*answers, *meant}, references, options)
    defects = root.defects.to_tuple()
    return Reading(None if has_errors(defects) else Answers(str(path), answers), defects)


def _report_shape(root: JsonCursor, expected: str) -> None:
    if root.value == []:
        root.error("The list is empty.", expected)
        return
    found = fill("The file holds {type}.", describe_value(root.value))
    lists = (
        [name for name, one in root.value.items() if isinstance(one, list)]
        if isinstance(root.value, dict)
        else []
    )
    hint = fill('The list "{name}" alone is expected as the file.', lists[0]) if lists else ""
    root.error(found, expected, hint)


def _entries(
    root: JsonCursor, program: str, expected: str
) -> Iterator[tuple[int, QuestionId, str]]:
    """Yield position, id and answer of the valid entries; report the others."""
    identity: Attribute[QuestionId] = Attribute(
        ID_NAMES[program], "A number or text is expected.", parse_question_id
    )
    answer = Attribute(ANSWER_NAMES[program], "Text is expected.", parse_text)
    for index, value in enumerate(root.value):
        if type(value) is dict:
            key = identity.of(value)
            if key is None and program == "relaxed" and identity.name not in value:
                key = index
            text = value.get(answer.name)
            if key is not None and type(text) is str:
                yield index, key, text
                continue
            if key is not None:
                _report_answer(root[index], key, answer.name, text)
            else:
                root[index].report_invalid(identity)
        else:
            root[index].error(fill("The element is {kind}.", describe_value(value)), expected)


def _report_answer(entry: JsonCursor, key: QuestionId, name: str, value: Json) -> None:
    fault = entry.describe_fault(name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    hint = fill('Write it as text: "{value}".', str(value)) if is_number else ""
    found = fill("Question {id}: {fault}", str(key), fault)
    entry[name].error(found, "Text is expected.", hint)


def _report_repeated(
    root: JsonCursor,
    index: int,
    key: QuestionId,
    first: int,
    references: VqaReferences,
    options: VqaOptions,
) -> None:
    found = fill("Question {id} also has an answer at [{first}].", _quote(key), first)
    if references.program in LAST_COUNTS and not options.corrected:
        root[index].warning(found, "The last one counts.", "Keep one of them.")
    else:
        root[index].error(found, "One answer is expected.", "Keep one of them.")


def _report_unknown(
    root: JsonCursor, unknown: Sequence[tuple[int, QuestionId]], references: VqaReferences
) -> set[QuestionId]:
    """Report answers to no question of the references; return the questions that ids mean.

    Ids of another type or spelling are told apart: the programs compare them as they are.
    """
    name, expected = ID_NAMES[references.program], "A question of the references is expected."
    names = KnownIds((key, (key,)) for key in references.questions) if unknown else None
    meant = {key: names.find(key) for _, key in unknown} if names else {}
    mistyped = [one for one in unknown if meant[one[1]] is not None]
    if mistyped:
        index, key = mistyped[0]
        found = fill(
            "{entries} with another spelling of the question id: {names}.",
            counted(len(mistyped), "entry", "entries"),
            name_list([_quote(key) for _, key in mistyped]),
        )
        hint = fill("Write the id as in the references: {id}.", _quote(meant[key] or 0))
        root[index][name].error(found, expected, hint)
    foreign = [one for one in unknown if meant[one[1]] is None]
    known = {one for one in meant.values() if one is not None}
    if not foreign:
        return known
    found = fill(
        "{answers} to questions that are not in {name}: {names}.",
        counted(len(foreign), "answer"),
        references.named_by,
        name_list([_quote(key) for _, key in foreign]),
    )
    place = root[foreign[0][0]][name]
    if references.program == "gqa":
        place.note(found, "They are left out.", count=len(foreign))
    else:
        place.error(found, expected, "Check that both files are of the same questions.")
    return known


def _quote(key: QuestionId) -> str:
    return f'"{key}"' if isinstance(key, str) else str(key)


def _check_choice(
    root: JsonCursor,
    index: int,
    key: QuestionId,
    answer: str,
    references: VqaReferences,
    name: str,
) -> None:
    """Report an answer that is none of the choices, if there are any."""
    choices = references.questions[key].choices
    if choices is None or answer in choices:
        return
    near = get_close_matches(answer, choices, n=1)
    hint = reason('Is "{choice}" meant?', near[0]) if near else ""
    found = fill("The answer to question {id} is none of its choices.", _quote(key))
    root[index][name].error(found, "One of the multiple choices is expected.", hint)


def _report_missing(
    root: JsonCursor,
    answers: Collection[QuestionId],
    references: VqaReferences,
    options: VqaOptions,
) -> None:
    missing = [_quote(key) for key in dict.fromkeys(references.scored) if key not in answers]
    if not missing:
        return
    found = fill(
        "{questions} without an answer: {names}.",
        counted(len(missing), "question"),
        name_list(missing),
    )
    if options.missing == "zero":
        root.warning(found, "They count as 0.", count=len(missing))
        return
    expected = fill("An answer is expected for every question of {name}.", references.named_by)
    root.error(found, expected, "Add them, or use --missing zero.")
