"""Reader of FusionBrain's shared files: task ids, input and truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.model.defects import (
    Defect,
    Place,
    Severity,
    counted,
    error,
    has_errors,
    name_list,
    note,
    warning,
)
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_file import JsonFile, read_json_file
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
from jurydesk.core.tasks.fusionbrain.questions import Challenge, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.records import (
    THEIR_TEXT,
    Record,
    RecordFault,
    Records,
    accepted_texts,
    describe_value,
    read_records,
    record_place,
    remarks,
)

EXPECTED_FILE = 'An object {"key": number of the sub-task} is expected.'
NUMBERS = ", ".join(f"{one.number} {one.name}" for one in SUBTASKS)


def read_task_ids(path: Path, only: str = "") -> Reading[Mapping[str, str]]:
    """Return the sub-task of every key, in file order, or only the keys of `only`."""
    file = read_json_file(path)
    if not file.is_readable:
        return Reading(None, file.defects)
    defects = (*file.defects, *_faults(file))
    if has_errors(defects):
        return Reading(None, defects)
    found = {key: BY_NUMBER[str(number)] for key, number in file.data.items()}
    chosen = {key: name for key, name in found.items() if only in ("", name)}
    if not chosen:
        defects = (*defects, error(file.place(), f"No key belongs to the sub-task {only}."))
        return Reading(None, defects)
    return Reading(chosen, defects)


def _faults(file: JsonFile) -> Iterator[Defect]:
    if not isinstance(file.data, dict):
        yield error(file.place(), "The file holds no object.", EXPECTED_FILE)
    elif not file.data:
        yield error(file.place(), "The file has no key.", EXPECTED_FILE)
    else:
        for key, number in file.data.items():
            if _is_unknown(number):
                found = f"The sub-task is {describe_value(number)}."
                yield error(
                    record_place(str(file.path), key), found, f"One of {NUMBERS} is expected."
                )


def _is_unknown(number: Json) -> bool:
    # A true would pass for "True" only, and a 1.0 for "1.0": neither is a number of a sub-task.
    return not isinstance(number, int | str) or str(number) not in BY_NUMBER


NO_TRUTH = RecordFault("", "The truth has no such key.", "Every key needs accepted answers.")
NO_ANSWER = "There is no accepted answer."
LETTERS = "Its letters count as accepted answers, one by one."
ONE_ANSWER = "It counts as the only accepted answer."


def read_challenge(inputs: Inputs, options: FusionBrainOptions) -> Reading[Challenge]:
    """Return the questions with their accepted answers, and every defect of the shared files.

    UsageError where an option is not written as it should be.
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
        record = truth.data.get(key)
        question = SubtaskQuestion(
            subtask, key, _accepted_answers(subtask, record, options), record, asked.data.get(key)
        )
        defects += _truth_defects(question, str(truth_path), published=options.published)
        questions[subtask].append(question)
    if asked_path:
        defects += _keys_without_input(asked_path, subtasks.data, asked.data)
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


def read_file(path: Path) -> Reading[Records]:
    """Return the records of a file, and what is wrong with the file as a whole or its types."""
    file = read_json_file(path)
    if not file.is_readable:
        return Reading(None, file.defects)
    records, faults = read_records(file)
    return Reading(records, (*file.defects, *faults))


def _subtasks(
    inputs: Inputs, options: FusionBrainOptions, truth: Records | None
) -> Reading[Mapping[str, str]]:
    """Return the sub-task of every key, in the order of the file that decides which keys count."""
    if inputs.get("task-ids"):
        return read_task_ids(inputs["task-ids"][0], options.subtask)
    if options.subtask:
        return Reading(dict.fromkeys(truth or (), options.subtask), ())
    place = Place(str(inputs["truth"][0]))
    found = "It is not known which sub-task its keys belong to."
    expected = "The file of task ids is expected (--task-ids)."
    hint = "Where all keys are of one sub-task, name it (--subtask)."
    return Reading(None, (error(place, found, expected, hint),))


def _accepted_answers(
    subtask: str, record: Record | None, options: FusionBrainOptions
) -> tuple[str, ...] | RecordFault:
    if subtask == GENERATION:
        return ()
    if record is None:
        return NO_TRUTH
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
    if isinstance(accepted, RecordFault):
        if record is None and published:
            severity, outcome = Severity.ERROR, "The published program cannot go on without it."
        place = record_place(path, question.key, accepted)
        expected = f"{accepted.expected} {outcome}"
        yield Defect(severity, place, accepted.found, expected)
        return
    if not accepted:
        place = record_place(path, question.key, RecordFault("[0].content", "", ""))
        if published and question.subtask in (CAPTIONING, VQA):
            severity, outcome = Severity.WARNING, SCORES_0
        yield Defect(severity, place, NO_ANSWER, outcome)
    if record is not None:
        yield from _oddities(question, record, path, published=published)


def _oddities(
    question: SubtaskQuestion, record: Record, path: str, *, published: bool
) -> Iterator[Defect]:
    """Yield warnings about tolerated deviations: a text instead of a list, ignored elements."""
    content = record.elements[0].content
    if isinstance(content, str):
        place = record_place(path, question.key, RecordFault("[0].content", "", ""))
        outcome = LETTERS if published else ONE_ANSWER
        yield warning(place, "The content is text, not a list.", outcome)
        content = []
    for number, answer in enumerate(content):
        if isinstance(answer, list) and accepts_character_lists(
            question.subtask, published=published
        ):
            place = record_place(path, question.key, RecordFault(f"[0].content[{number}]", "", ""))
            yield warning(place, "The accepted answer is a list of characters.", THEIR_TEXT)
    for fault in remarks(record):
        yield warning(
            record_place(path, question.key, fault), fault.found, "Nothing depends on it."
        )


def _keys_without_input(path: Path, keys: Iterable[str], asked: Records) -> Iterator[Defect]:
    """Yield keys without a record in the input, which only the image metrics need."""
    missing = [key for key in keys if key not in asked]
    if missing:
        found = f"No record: {counted(len(missing), 'key')} ({name_list(missing)})."
        consequence = (
            "The published program cannot split the file then; here their questions are unknown."
        )
        yield warning(Place(str(path)), found, consequence, count=len(missing))
    unknown = [key for key in asked if key not in set(keys)]
    if unknown:
        found = f"Of no sub-task: {counted(len(unknown), 'key')} ({name_list(unknown)})."
        yield note(Place(str(path)), found, "They are not scored.", count=len(unknown))
