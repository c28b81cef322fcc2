"""Reader of generated answers and reference sets."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard, TypeVar

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.options import option_path
from jurydesk.core.readers.id_spellings import note_number_ids, parse_number_id
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.item_fields import short_members, with_equal_names
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
SPECIAL = re.compile(
    r"</?(?:s|start|end|sos|bos|eos|pad|unk|mask|cls|sep)>|<\|\w{2,20}\|>"
    r"|\[(?:cls|sep|pad|unk|mask|bos|eos)\]|__(?:start|end|unk|null|pad|bos|eos)__",
    re.IGNORECASE | re.ASCII,
)
BARE = re.compile(r"(?<!\w)(START|END|UNK|EOS)(?!\w)")
"""Special tokens without signs around them, in capitals."""
_SIGNS = re.compile(r"[\W_]+")
KNOWN = frozenset(
    (
        *("image_id", "round_id", "refs", "question", "gt_answer"),
        *("in_cluster_idxs", "correlations", "threshold"),
    )
)
"""Members of a reference set that are read."""
IDS = ("image_id", "round_id")
EXPECTED = "One list entry for every question is expected."

Entry = dict[str, Json]
T = TypeVar("T")


def read_reference_sets(path: Path, options: VisDialOptions) -> Reading[DialogReferences]:
    """Read the reference sets of a file, and saved document frequencies if requested."""
    file = read_json_file(path, limit=LIMIT, not_finite=True)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    sets, _ = _read_entries(root, _reference_set, "refs")
    defects = [*root.defects.to_tuple(), *_mark_defects(root)]
    if not has_errors(defects) and not sets:
        defects.append(error(root.place, "There is no reference set.", EXPECTED))
    empty = [question for question, one in sets.items() if not one.answers]
    if empty:
        names = name_list([question_id(question) for question in empty])
        found = fill("No reference: {questions} ({names}).", counted(len(empty), "question"), names)
        defects.append(warning(root.place, found, "They are not scored.", count=len(empty)))
    bare = [question for question, one in sets.items() if not all(map(str.strip, one.answers))]
    if bare:
        names = name_list([question_id(question) for question in bare])
        found = fill(
            "A reference without any word: {questions} ({names}).",
            counted(len(bare), "question"),
            names,
        )
        hint = "The published program fails on them; they have no fastText distance."
        defects.append(warning(root.place, found, hint, count=len(bare)))
    saved = read_frequencies(option_path(options.frequencies)) if options.frequencies else None
    defects += saved.defects if saved else ()
    if has_errors(defects):
        return Reading(None, tuple(defects))
    defects += missing_models(options, root.place)
    fields = with_equal_names({question: one.fields for question, one in sets.items()})
    named = {
        question: replace(sets[question], fields=fields[question]) for question in sorted(sets)
    }
    references = DialogReferences(named, str(path), saved.data if saved else None)
    return Reading(references, tuple(defects))


def read_generations(path: Path, references: DialogReferences) -> Reading[Generations]:
    """Read the generated answers to the questions with references."""
    file = read_json_file(path, limit=LIMIT, not_finite=True)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    entries, seen = _read_entries(root, _generations, "generations")
    root.defects.extend(_unmatched_questions(root, seen, references))
    defects = [*root.defects.to_tuple(), *_remarks(root.place, entries)]
    if has_errors(defects):
        return Reading(None, tuple(defects))
    paired = {question: entries[question] for question in references.sets if question in entries}
    return Reading(Generations(paired), tuple(defects))


def _read_entries(
    root: JsonCursor, parse: Callable[[Entry], T | None], member: str
) -> tuple[dict[QuestionKey, T], Collection[QuestionKey]]:
    """Parse every entry with `parse`, which wants texts in `member`; report invalid ones.

    Returns the results by question, and all questions.
    """
    read: dict[QuestionKey, T] = {}
    first: dict[QuestionKey, int] = {}
    if not isinstance(root.value, list):
        root.error(fill("The file holds {type}.", describe_value(root.value)), EXPECTED)
        return read, first
    base = _first_round(root.value)
    if base:
        root.note("The rounds count from 1.", "They are read as 0 to 9.")
    for index, entry in enumerate(root.value):
        question = _question(entry, base)
        if question is None:
            _report_question(root[index])
        elif first.setdefault(question, index) != index:
            found = fill(
                "Question {question_id} is repeated; it first appears at [{first}].",
                question_id(question),
                first[question],
            )
            root[index].error(found, "One entry for each question is expected.")
        elif (value := parse(entry)) is None:
            _report_texts(root[index], member)
        else:
            read[question] = value
    note_number_ids(root, IDS, lambda entry: _question(entry, base) is not None)
    return read, first


def _first_round(entries: Sequence[Json]) -> int:
    """Return 1 if the rounds are 1 to 10, else 0."""
    rounds = {parse_number_id(one.get("round_id")) for one in entries if isinstance(one, dict)}
    return int(ROUNDS in rounds and 0 not in rounds)


def _question(entry: Json, base: int) -> QuestionKey | None:
    """Return the key of an entry's question, or None if it is invalid."""
    if not isinstance(entry, dict):
        return None
    image, number = entry.get("image_id"), entry.get("round_id")
    if type(image) is not int or type(number) is not int:
        image, number = parse_number_id(image), parse_number_id(number)
    if image is None or number is None or not 0 <= number - base < ROUNDS:
        return None
    return image, number - base


def _report_question(entry: JsonCursor) -> None:
    image, number = entry["image_id"], entry["round_id"]
    if not isinstance(entry.value, dict):
        entry.error(fill("The entry is {type}.", describe_value(entry.value)), EXPECTED)
    elif image.value is None:
        image.error("The image is missing.", "A whole number is expected.")
    elif parse_number_id(image.value) is None:
        found = fill("The image is {type}.", describe_value(image.value))
        image.error(found, "A whole number is expected.")
    elif number.value is None:
        number.error("The round is missing.", "0 to 9 is expected.")
    else:
        found = fill("The round is {type}.", describe_value(number.value, int))
        number.error(found, "0 to 9 is expected.")


def _texts(entry: Entry, member: str) -> tuple[str, ...] | None:
    values = entry.get(member)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        return None
    return tuple(values)


def _report_texts(entry: JsonCursor, member: str) -> None:
    """Report an invalid list of texts."""
    texts = entry[member]
    if texts.value is None:
        found = fill('"{name}" is missing.', member)
        texts.error(found, "A list of texts is expected.")
    elif not isinstance(texts.value, list):
        found = fill('"{name}" is {type}.', member, describe_value(texts.value))
        texts.error(found, "A list of texts is expected.")
    elif not texts.value:
        texts.error("The list is empty.", "At least one answer is expected.")
    else:
        wrong = (i for i, value in enumerate(texts.value) if not isinstance(value, str))
        text = texts[next(wrong)]
        if text.value is None:
            text.error("The text is missing.", "Text is expected.")
        else:
            text.error(fill("The text is {type}.", describe_value(text.value)), "Text is expected.")


def _generations(entry: Entry) -> tuple[str, ...] | None:
    return _texts(entry, "generations") or None


def _reference_set(entry: Entry) -> ReferenceSet | None:
    answers = _texts(entry, "refs")
    if answers is None:
        return None
    chosen, threshold = entry.get("in_cluster_idxs"), entry.get("threshold")
    marks = tuple(map(int, chosen)) if chosen and _are_marks(chosen) else None
    return ReferenceSet(
        answers,
        _text(entry.get("question")),
        _text(entry.get("gt_answer")),
        marks,
        _numbers(entry.get("correlations"), len(marks or ())),
        float(threshold) if _is_number(threshold) else None,
        short_members(entry, KNOWN),
    )


def _are_marks(chosen: Json) -> bool:
    """Return True for a list of 0 and 1, as numbers or booleans."""
    return isinstance(chosen, list) and all(type(m) in (int, bool) and m in (0, 1) for m in chosen)


def _mark_defects(root: JsonCursor) -> Iterator[Defect]:
    """Warn of invalid marks, which are only displayed and do not affect scores."""
    entries = root.value if isinstance(root.value, list) else []
    marks = ((i, one.get("in_cluster_idxs")) for i, one in enumerate(entries) if type(one) is dict)
    wrong = [index for index, chosen in marks if chosen and not _are_marks(chosen)]
    if wrong:
        place = root[wrong[0]]["in_cluster_idxs"].place
        found = fill("No list of 0 and 1: {entries}.", counted(len(wrong), "entry", "entries"))
        expected = "A mark for each candidate is expected."
        hint = reason("The sets are scored; their candidates are not shown.")
        yield warning(place, found, expected, hint, count=len(wrong))
    shown = [
        (index, name)
        for index, one in enumerate(entries)
        if type(one) is dict
        for name in ("correlations", "threshold")
        if one.get(name) is not None and not _are_numbers(one[name])
    ]
    if shown:
        index, name = shown[0]
        found = fill('"{name}" is {type}.', name, describe_value(entries[index][name]))
        yield note(root[index][name].place, found, "It is not shown.", count=len(shown))


def _are_numbers(value: Json) -> bool:
    return all(map(_is_number, value)) if isinstance(value, list) else _is_number(value)


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
    root: JsonCursor, seen: Collection[QuestionKey], references: DialogReferences
) -> Iterator[Defect]:
    if not isinstance(root.value, list):
        return
    for question in references.sets:
        if question not in seen:
            found = fill(
                "Question {question_id} has references, but no generated answer.",
                question_id(question),
            )
            yield root.fault(found, "Every question with references needs an answer.")
    unknown = [question for question in seen if question not in references.sets]
    if unknown:
        names = name_list([question_id(question) for question in unknown])
        found = fill(
            "No reference set: {questions} ({names}).", counted(len(unknown), "question"), names
        )
        yield note(root.place, found, "They are left out.", count=len(unknown))


def without_signs(answer: str) -> str:
    """Return an answer whose special tokens, of which the reader warns, are ordinary words."""
    return SPECIAL.sub(lambda token: _SIGNS.sub(" ", token[0]), answer)


def _remarks(place: Place, entries: dict[QuestionKey, tuple[str, ...]]) -> Iterator[Defect]:
    marked = [
        question
        for question, answers in entries.items()
        if any(SPECIAL.search(answer) or BARE.search(answer) for answer in answers)
    ]
    if marked:
        names = name_list([question_id(question) for question in marked])
        found = fill(
            "START, END or other special tokens in: {questions} ({names}).",
            counted(len(marked), "question"),
            names,
        )
        consequence = "They are scored as words."
        yield warning(place, found, consequence, "Remove them.", count=len(marked))
    empty = [question for question, answers in entries.items() if not all(map(str.strip, answers))]
    if empty:
        names = name_list([question_id(question) for question in empty])
        found = fill(
            "Empty answers: {questions} ({names}).", counted(len(empty), "question"), names
        )
        yield note(place, found, "They are counted and not scored.", count=len(empty))
