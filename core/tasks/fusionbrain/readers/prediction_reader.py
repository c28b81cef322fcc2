"""Reader of a system's predictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, join_messages, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, Severity, error, has_errors, note, warning
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.tasks.fusionbrain.damage_policy import (
    EMPTY_TEXT,
    LEFT_OUT,
    QUESTIONS,
    SCORES_0,
    accepts_character_lists,
    clip_defect,
    damage_outcome,
    reuse_sentence,
)
from jurydesk.core.tasks.fusionbrain.integral_score import GENERATION, RECOGNITION
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.records import (
    THEIR_TEXT,
    Records,
    are_characters,
    element_content,
    elements,
    first_text,
    first_text_element,
    picture_path,
    record_fault,
    record_faults,
    record_place,
)
from jurydesk.core.tasks.fusionbrain.readers.truth_reader import read_file

NO_PREDICTION = "There is no prediction."
REFUSED = "The published program refuses a file without all keys."
NO_ELEMENT = "The list is empty."
NO_TEXT = "There is no text."


def read_predictions(
    path: Path, competition: Challenge, *, published: bool
) -> Reading[Predictions]:
    """Read the records of one system; errors are defects that the published program refuses."""
    file = read_file(path)
    if file.data is None:
        return Reading(None, file.defects)
    defects = [*file.defects, *_unknown_keys(path, file.data, competition, published=published)]
    for questions in competition.questions.values():
        defects += _subtask_defects(str(path), file.data, questions, published=published)
    if has_errors(defects):
        return Reading(None, tuple(defects))
    return Reading(Predictions(file.data, path), tuple(defects))


def _unknown_keys(
    path: Path, records: Records, competition: Challenge, *, published: bool
) -> Iterator[Defect]:
    known = {one.key for questions in competition.questions.values() for one in questions}
    unknown = [key for key in records if key not in known]
    if not unknown:
        return
    found = fill(
        "Unknown keys: {keys} ({name_list}).", counted(len(unknown), "key"), name_list(unknown)
    )
    if published and not competition.is_split:
        consequence = "The published program refuses a file with other keys than the truth."
        yield error(Place(str(path)), found, consequence, "Remove them.")
    else:
        yield note(Place(str(path)), found, "They are not scored.", count=len(unknown))


def _subtask_defects(
    path: str, records: Records, questions: tuple[SubtaskQuestion, ...], *, published: bool
) -> Iterator[Defect]:
    previous = ""
    for question in questions:
        record = records.get(question.key)
        if record is None:
            severity = Severity.ERROR if published else Severity.WARNING
            consequence = REFUSED if published else LEFT_OUT
            yield Defect(severity, record_place(path, question.key), NO_PREDICTION, consequence)
            continue
        if question.subtask != GENERATION:
            yield from _text_defects(question.subtask, record, previous, published=published)
            yield from _unread_faults(record, published=published)
        else:
            _, reason = picture_path(record, translatable("prediction"), published=published)
            if reason:
                place = record_place(path, question.key)
                yield clip_defect(place, reason, published=published)
        previous = question.key


def _text_defects(
    subtask: str, record: JsonCursor, previous: str, *, published: bool
) -> Iterator[Defect]:
    """Yield the defects in the search for the first text; `previous` is the previous key."""
    by_character = accepts_character_lists(subtask, published=published)
    text = first_text(record, published=published, of_characters=by_character)
    severity, outcome = damage_outcome(subtask, published=published)
    element = first_text_element(record)
    if isinstance(text, Defect):
        yield replace(text, severity=severity, expected=join_messages([text.expected, outcome]))
    elif element is not None:
        if are_characters(element_content(element.value)):
            place = element["content"].place
            yield warning(place, "The content is a list of characters.", THEIR_TEXT)
    else:
        fault = record_fault(record)
        found = NO_TEXT if elements(record) else NO_ELEMENT
        found = found if fault is None else fault.found
        if not published:
            yield warning(record.place, found, LEFT_OUT)
        elif subtask not in QUESTIONS and subtask != RECOGNITION:
            yield warning(record.place, found, SCORES_0)
        elif text == "":
            yield warning(record.place, found, EMPTY_TEXT)
        elif previous:
            yield warning(record.place, found, reuse_sentence(previous))
        else:
            yield Defect(severity, record.place, found, outcome)


def _unread_faults(record: JsonCursor, *, published: bool) -> Iterator[Defect]:
    """Yield faults after the first text, which do not affect the score."""
    known = (first_text(record, published=published), record_fault(record))
    for fault in record_faults(record):
        if fault not in known:
            expected = join_messages([fault.expected, "It does not affect the score."])
            yield warning(fault.place, fault.found, expected)
