"""Reader of FusionBrain's shared files: task ids, input and truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, join_messages, name_list
from jurydesk.core.model.defects import Defect, Place, Severity, error, has_errors, note, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.reference_remarks import note_unused_entries
from jurydesk.core.tasks.fusionbrain.damage_policy import (
    SCORES_0,
    accepts_character_lists,
    damage_outcome,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import (
    BY_NUMBER,
    CAPTIONING,
    GENERATION,
    NAMES,
    SUBTASKS,
    TEXTQA,
    VQA,
)
from jurydesk.core.tasks.fusionbrain.questions import Accepted, Challenge, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.records import EXPECTED_FILE as EXPECTED_RECORDS
from jurydesk.core.tasks.fusionbrain.readers.records import (
    THEIR_TEXT,
    Records,
    accepted_texts,
    element_content,
    elements,
    read_records,
    record_faults,
    record_place,
)

EXPECTED_FILE = 'An object {"key": number of the sub-task} is expected.'
NUMBERS = ", ".join(f"{one.number} {one.name}" for one in SUBTASKS)


def read_task_ids(path: Path, only: str = "") -> Reading[Mapping[str, str]]:
    """Read the sub-task of every key, or of the keys of the sub-task `only`, in file order."""
    records = read_file(path, EXPECTED_FILE)
    if records.data is None:
        return Reading(None, records.defects)
    defects = (*records.defects, *_id_defects(records.data))
    if has_errors(defects):
        return Reading(None, defects)
    names = {key: BY_NUMBER[str(record.value)] for key, record in records.data.items()}
    selected = {key: name for key, name in names.items() if only in ("", name)}
    if not selected:
        found = fill("No key belongs to the sub-task {only}.", only)
        return Reading(None, (*defects, error(Place(str(path)), found)))
    return Reading(selected, defects)


def _id_defects(records: Records) -> Iterator[Defect]:
    for record in records.values():
        if not isinstance(record.value, int | str) or str(record.value) not in BY_NUMBER:
            found = fill("The sub-task is {type}.", describe_value(record.value))
            yield record.fault(found, fill("One of {numbers} is expected.", NUMBERS))


NO_ANSWER = "There is no accepted answer."
LETTERS = "Each of its letters counts as an accepted answer."
ONE_ANSWER = "It counts as the only accepted answer."


def read_challenge(inputs: Inputs, options: FusionBrainOptions) -> Reading[Challenge]:
    """Read the questions with their accepted answers, and the defects of the shared files.

    Raises:
        UsageError: An option is invalid.
    """
    options.hidden_scores()
    options.weight_paths()
    truth_path = inputs["truth"][0]
    truth = read_file(truth_path)
    asked_path = next(iter(inputs.get("input", ())), None)
    asked: Reading[Records] = read_file(asked_path) if asked_path else Reading({}, ())
    subtasks = _subtasks(inputs, options, truth.data)
    defects = [*truth.defects, *asked.defects, *subtasks.defects]
    if truth.data is None or asked.data is None or subtasks.data is None:
        return Reading(None, tuple(defects))
    questions: dict[str, list[SubtaskQuestion]] = {name: [] for name in NAMES}
    for key, subtask in subtasks.data.items():
        place, record = record_place(str(truth_path), key), truth.data.get(key)
        accepted = _accepted_answers(subtask, place, record, options)
        question = SubtaskQuestion(subtask, key, accepted, record, asked.data.get(key))
        defects += _truth_defects(question, str(truth_path), published=options.published)
        questions[subtask].append(question)
    unused = [key for key in truth.data if key not in subtasks.data]
    if unused and not options.subtask:
        defects += note_unused_entries(Place(str(truth_path)), unused, inputs["task-ids"][0].name)
    if asked_path:
        defects += _keys_without_input(asked_path, subtasks.data, asked.data)
    defects += _statistics_faults(inputs)
    if has_errors(defects):
        return Reading(None, tuple(defects))
    competition = Challenge(
        {name: tuple(entries) for name, entries in questions.items() if entries},
        whole=not options.subtask,
        is_split=bool(inputs.get("task-ids")),
        truth=truth_path,
        input=asked_path,
        images=tuple(inputs.get("images", ())),
        real_images=next(iter(inputs.get("real-images", ())), None),
        real_statistics=next(iter(inputs.get("real-statistics", ())), None),
    )
    return Reading(competition, tuple(defects))


def _statistics_faults(inputs: Inputs) -> list[Defect]:
    """Return the fault of damaged statistics, which scoring opens only with a network's weights."""
    from jurydesk.core.neural.inception.npz_statistics import is_statistics_file, read_statistics

    faults = []
    for path in filter(is_statistics_file, inputs.get("real-statistics", ())):
        if not path.is_file():  # `check` and scoring say so of every file that is opened late
            continue
        try:
            read_statistics(path)
        except UsageError as fault:
            faults.append(error(Place(str(path)), *fault.args))
    return faults


def read_file(path: Path, expected: str = EXPECTED_RECORDS) -> Reading[Records]:
    """Read the values of a file by key."""
    file = read_json_file(path)
    return read_records(file, expected) if file.is_readable else Reading(None, file.defects)


def _subtasks(
    inputs: Inputs, options: FusionBrainOptions, truth: Records | None
) -> Reading[Mapping[str, str]]:
    """Return the sub-task of every key, in the order of the task ids or the truth."""
    if inputs.get("task-ids"):
        return read_task_ids(inputs["task-ids"][0], options.subtask)
    if options.subtask:
        return Reading(dict.fromkeys(truth or (), options.subtask), ())
    place = Place(str(inputs["truth"][0]))
    found = "The sub-tasks of its keys are unknown."
    expected = "The file of task ids is expected (--task-ids)."
    hint = "If all keys belong to one sub-task, choose it (--subtask)."
    return Reading(None, (error(place, found, expected, hint),))


def _accepted_answers(
    subtask: str, place: Place, record: JsonCursor | None, options: FusionBrainOptions
) -> Accepted:
    if subtask == GENERATION:
        return ()
    if record is None:
        found, expected = "The key is missing in the truth.", "Accepted answers are expected."
        return error(place, found, expected)
    return accepted_texts(
        record,
        published=options.published,
        nothing_is_empty=subtask == TEXTQA,
        of_characters=accepts_character_lists(subtask, published=options.published),
    )


def _truth_defects(question: SubtaskQuestion, path: str, *, published: bool) -> Iterator[Defect]:
    """Yield the defects of a question's truth and their consequences."""
    if question.subtask == GENERATION:
        return
    severity, outcome = damage_outcome(question.subtask, published=published)
    accepted, record = question.accepted, question.truth
    if isinstance(accepted, Defect):
        if record is None and published:
            severity, outcome = Severity.ERROR, "The published program stops without it."
        expected = join_messages([accepted.expected, outcome])
        yield replace(accepted, severity=severity, expected=expected)
        return
    if not accepted:
        place = record_place(path, question.key, "[0].content")
        if published and question.subtask in (CAPTIONING, VQA):
            severity, outcome = Severity.WARNING, SCORES_0
        yield Defect(severity, place, NO_ANSWER, outcome)
    if record is not None:
        yield from _tolerated_defects(question, record, path, published=published)


def _tolerated_defects(
    question: SubtaskQuestion, record: JsonCursor, path: str, *, published: bool
) -> Iterator[Defect]:
    """Yield warnings about a text instead of a list, and about ignored elements."""
    content = element_content(elements(record)[0])
    if isinstance(content, str):
        place = record_place(path, question.key, "[0].content")
        outcome = LETTERS if published else ONE_ANSWER
        yield warning(place, "The content is text, not a list.", outcome)
        content = []
    for number, answer in enumerate(content):
        if isinstance(answer, list) and accepts_character_lists(
            question.subtask, published=published
        ):
            place = record_place(path, question.key, f"[0].content[{number}]")
            yield warning(place, "The accepted answer is a list of characters.", THEIR_TEXT)
    for fault in record_faults(record):
        yield warning(fault.place, fault.found, "It does not affect the score.")


def _keys_without_input(path: Path, keys: Iterable[str], asked: Records) -> Iterator[Defect]:
    """Yield defects for keys in only one of task ids and input."""
    missing = [key for key in keys if key not in asked]
    if missing:
        found = fill(
            "Missing in the input: {keys} ({name_list}).",
            counted(len(missing), "key"),
            name_list(missing),
        )
        consequence = "The published program cannot split the file; their questions are unknown."
        yield warning(Place(str(path)), found, consequence, count=len(missing))
    unknown = [key for key in asked if key not in set(keys)]
    if unknown:
        found = fill(
            "Without a sub-task: {keys} ({name_list}).",
            counted(len(unknown), "key"),
            name_list(unknown),
        )
        yield note(Place(str(path)), found, "They are not scored.", count=len(unknown))
