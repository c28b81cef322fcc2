"""Reader of generated answers and reference sets."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard, TypeVar

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import defects_of_a_kind
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.visdial.dialogs import (
    ROUNDS,
    DialogReferences,
    Generations,
    QuestionKey,
    ReferenceSet,
    question_id,
)
from jurydesk.core.tasks.visdial.document_frequencies import read_frequencies
from jurydesk.core.tasks.visdial.embeddings.embedder import missing_models
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions

LIMIT = 2**31
"""Maximum size in bytes; the published reference sets have about 300 MB."""
SPECIAL = re.compile(r"<(START|END|EOS|PAD|UNK)>|\[(CLS|SEP|PAD)\]|(?<!\w)(START|END)(?!\w)")
EXPECTED = "One list entry for every question is expected."

Entry = dict[str, Json]
T = TypeVar("T")


def read_reference_sets(path: Path, options: VisDialOptions) -> Reading[DialogReferences]:
    """Read the reference sets of a file, and saved document frequencies if requested."""
    file = read_json_file(path, limit=LIMIT)
    if not file.is_readable:
        return Reading(None, file.defects)
    sets, _, faults = _read_entries(file, _reference_set)
    defects = [*file.defects, *faults, *_mark_defects(file)]
    if not has_errors(defects) and not sets:
        defects.append(error(file.place(), "There is no reference set.", EXPECTED))
    empty = [question for question, one in sets.items() if not one.answers]
    if empty:
        names = name_list([question_id(question) for question in empty])
        found = fill("No reference: {questions} ({names}).", counted(len(empty), "question"), names)
        defects.append(warning(file.place(), found, "They are not scored.", count=len(empty)))
    bare = [question for question, one in sets.items() if not all(map(str.strip, one.answers))]
    if bare:
        names = name_list([question_id(question) for question in bare])
        found = fill(
            "A reference without any word: {questions} ({names}).",
            counted(len(bare), "question"),
            names,
        )
        hint = "The published program fails on them; they have no fastText distance."
        defects.append(warning(file.place(), found, hint, count=len(bare)))
    saved = read_frequencies(Path(options.frequencies)) if options.frequencies else None
    defects += saved.defects if saved else ()
    if has_errors(defects):
        return Reading(None, tuple(defects))
    defects += missing_models(options, file.place())
    references = DialogReferences(
        dict(sorted(sets.items())), str(path), saved.data if saved else None
    )
    return Reading(references, tuple(defects))


def read_generations(path: Path, references: DialogReferences) -> Reading[Generations]:
    """Read the generated answers to the questions with references."""
    file = read_json_file(path, limit=LIMIT)
    if not file.is_readable:
        return Reading(None, file.defects)
    entries, seen, faults = _read_entries(file, _generations)
    defects = [
        *file.defects,
        *faults,
        *_unmatched_questions(file, seen, references),
        *_remarks(file, entries),
    ]
    if has_errors(defects):
        return Reading(None, tuple(defects))
    paired = {question: entries[question] for question in references.sets if question in entries}
    return Reading(Generations(paired), tuple(defects))


@dataclass(frozen=True, slots=True)
class EntryFault:
    """A fault in an entry: member (or ""), found value, expected value."""

    member: str
    found: str
    expected: str


def _read_entries(
    file: JsonFile, parse: Callable[[Entry], T | EntryFault]
) -> tuple[dict[QuestionKey, T], Collection[QuestionKey], Sequence[Defect]]:
    """Parse every entry with `parse`; return the results by question, and the errors."""
    if not isinstance(file.data, list):
        return {}, (), [error(file.place(), "The file is not a list.", EXPECTED)]
    read: dict[QuestionKey, T] = {}
    first: dict[QuestionKey, int] = {}
    faults = defects_of_a_kind((), file.place(), "entry", "entries")
    for index, entry in enumerate(file.data):
        question = _question(entry)
        value = question if isinstance(question, EntryFault) else parse(entry)
        if not isinstance(question, EntryFault):
            if question in first:
                value = _repetition_fault(question, first[question])
            first.setdefault(question, index)
        if isinstance(value, EntryFault):
            where = f"[{index}].{value.member}" if value.member else f"[{index}]"
            faults.append(error(file.place(where), value.found, value.expected))
        elif not isinstance(question, EntryFault):
            read[question] = value
    return read, first, faults.to_tuple()


def _question(entry: Json) -> QuestionKey | EntryFault:
    if not isinstance(entry, dict):
        return EntryFault("", "The entry is not an object.", EXPECTED)
    image, number = entry.get("image_id"), entry.get("round_id")
    if type(image) is not int:
        found = (
            "The image is missing."
            if image is None
            else fill("The image is {quote}.", _quote(image))
        )
        return EntryFault("image_id", found, "A whole number is expected.")
    if type(number) is not int or not 0 <= number < ROUNDS:
        found = (
            "The round is missing."
            if number is None
            else fill("The round is {quote}.", _quote(number))
        )
        return EntryFault("round_id", found, translatable("0 to 9 is expected."))
    return image, number


def _quote(value: Json) -> str:
    return str(value)[:40]


def _repetition_fault(question: QuestionKey, first: int) -> EntryFault:
    found = fill(
        "Question {question_id} is repeated; it first appears at [{first}].",
        question_id(question),
        first,
    )
    return EntryFault("", found, "One entry for each question is expected.")


def _texts(entry: Entry, member: str) -> tuple[str, ...] | EntryFault:
    values = entry.get(member)
    if not isinstance(values, list):
        found = (
            fill('"{member}" is missing.', member)
            if values is None
            else fill('"{member}" is {quote}.', member, _quote(values))
        )
        return EntryFault(member, found, "A list of texts is expected.")
    for number, value in enumerate(values):
        if not isinstance(value, str):
            found = (
                "The text is missing."
                if value is None
                else fill("The text is {quote}.", _quote(value))
            )
            return EntryFault(f"{member}[{number}]", found, "Text is expected.")
    return tuple(values)


def _generations(entry: Entry) -> tuple[str, ...] | EntryFault:
    answers = _texts(entry, "generations")
    if answers == ():
        return EntryFault("generations", "The list is empty.", "At least one answer is expected.")
    return answers


def _reference_set(entry: Entry) -> ReferenceSet | EntryFault:
    answers = _texts(entry, "refs")
    if isinstance(answers, EntryFault):
        return answers
    chosen, threshold = entry.get("in_cluster_idxs"), entry.get("threshold")
    marks = tuple(map(int, chosen)) if chosen and _are_marks(chosen) else None
    return ReferenceSet(
        answers,
        _text(entry.get("question")),
        _text(entry.get("gt_answer")),
        marks,
        _numbers(entry.get("correlations"), len(marks or ())),
        float(threshold) if _is_number(threshold) else None,
    )


def _are_marks(chosen: Json) -> bool:
    """Return True for a list of 0 and 1, as numbers or booleans."""
    return isinstance(chosen, list) and all(type(m) in (int, bool) and m in (0, 1) for m in chosen)


def _mark_defects(file: JsonFile) -> Iterator[Defect]:
    """Warn of invalid marks, which are only displayed and do not affect scores."""
    entries = file.data if isinstance(file.data, list) else []
    marks = ((i, one.get("in_cluster_idxs")) for i, one in enumerate(entries) if type(one) is dict)
    wrong = [index for index, chosen in marks if chosen and not _are_marks(chosen)]
    if wrong:
        place = file.place(f"[{wrong[0]}].in_cluster_idxs")
        found = fill("No list of 0 and 1: {entries}.", counted(len(wrong), "entry", "entries"))
        expected = "A mark for each candidate is expected."
        hint = "The sets are scored; their candidates are not shown."
        yield warning(place, found, expected, hint, count=len(wrong))


def _numbers(values: Json, count: int) -> tuple[float, ...] | None:
    """Return the correlation of every candidate, if the file has them."""
    if not isinstance(values, list) or len(values) != count:
        return None
    return tuple(map(float, values)) if all(map(_is_number, values)) else None


def _is_number(value: Json) -> TypeGuard[float]:
    """Return True for a number within float64's range, which JSON does not limit."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _unmatched_questions(
    file: JsonFile, seen: Collection[QuestionKey], references: DialogReferences
) -> Iterator[Defect]:
    if not isinstance(file.data, list):
        return
    absent = (
        error(
            file.place(),
            fill(
                "Question {question_id} has references, but no generated answer.",
                question_id(question),
            ),
            "Every question with references needs an answer.",
        )
        for question in references.sets
        if question not in seen
    )
    yield from defects_of_a_kind(absent, file.place(), "question").to_tuple()
    unknown = [question for question in seen if question not in references.sets]
    if unknown:
        names = name_list([question_id(question) for question in unknown])
        found = fill(
            "No reference set: {questions} ({names}).", counted(len(unknown), "question"), names
        )
        yield note(file.place(), found, "They are left out.", count=len(unknown))


def _remarks(file: JsonFile, entries: dict[QuestionKey, tuple[str, ...]]) -> Iterator[Defect]:
    marked = [
        question
        for question, answers in entries.items()
        if any(SPECIAL.search(answer) for answer in answers)
    ]
    if marked:
        names = name_list([question_id(question) for question in marked])
        found = fill(
            "START, END or other special tokens in: {questions} ({names}).",
            counted(len(marked), "question"),
            names,
        )
        consequence = "They are scored as words."
        yield warning(file.place(), found, consequence, "Remove them.", count=len(marked))
    empty = [question for question, answers in entries.items() if not all(map(str.strip, answers))]
    if empty:
        names = name_list([question_id(question) for question in empty])
        found = fill(
            "Empty answers: {questions} ({names}).", counted(len(empty), "question"), names
        )
        yield note(file.place(), found, "They are counted and not scored.", count=len(empty))
