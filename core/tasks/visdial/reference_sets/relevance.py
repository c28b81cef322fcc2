"""Reader of VisDial's dense relevance annotations."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note
from jurydesk.core.model.evaluation import FloatArray, Json
from jurydesk.core.readers.bounded_defects import defects_of_a_kind
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.visdial.dialogs import ROUNDS, QuestionKey, question_id
from jurydesk.core.tasks.visdial.reference_sets.conversations import Conversations

MEMBERS = ("gt_relevance", "relevance")
"""Names of the shares in the validation set and in the sample of the training set."""
EXPECTED = 'A list of {"image_id", "round_id", "gt_relevance"} is expected.'


@dataclass(frozen=True, slots=True, eq=False)
class DenseAnnotations:
    """Relevance of annotated rounds: their `rows` in the dialogues, and `shares` (rounds, c)."""

    rows: tuple[int, ...]
    shares: FloatArray

    def of(self, rounds: int) -> FloatArray:
        """Return the shares (rounds, c) of all rounds; NaN where a round is not annotated."""
        shares = np.full((rounds, self.shares.shape[1]), np.nan)
        shares[list(self.rows)] = self.shares
        return shares


def read_dense_annotations(path: Path, conversations: Conversations) -> Reading[DenseAnnotations]:
    """Read the annotations of a file; rounds count from 1, or from 0 if a 0 occurs."""
    file = read_json_file(path)
    if not file.is_readable:
        return Reading(None, file.defects)
    if not isinstance(file.data, list) or not all(isinstance(one, dict) for one in file.data):
        wrong = error(file.place(), "The file is not a list of annotations.", EXPECTED)
        return Reading(None, (*file.defects, wrong))
    first = 0 if any(one.get("round_id") == 0 for one in file.data) else 1
    known, width = conversations.rows(), conversations.candidates.shape[1]
    faults = defects_of_a_kind((), file.place(), "annotation")
    found, unknown = dict[int, FloatArray](), list[QuestionKey]()
    for index, entry in enumerate(file.data):
        outcome = _annotation(entry, first, width)
        if isinstance(outcome, str):
            faults.append(error(file.place(f"[{index}]"), outcome, EXPECTED))
            continue
        question, shares = outcome
        if question not in known:
            unknown.append(question)
        elif known[question] in found:
            again = fill("Question {question_id} is annotated twice.", question_id(question))
            faults.append(error(file.place(f"[{index}]"), again))
        else:
            found[known[question]] = shares
    defects = [*file.defects, *faults.to_tuple(), *_unknown_rounds(file.place(), unknown, found)]
    if has_errors(defects):
        return Reading(None, tuple(defects))
    rows = tuple(sorted(found))
    return Reading(DenseAnnotations(rows, np.array([found[row] for row in rows])), tuple(defects))


def _annotation(
    entry: dict[str, Json], first: int, width: int
) -> tuple[QuestionKey, FloatArray] | str:
    """Return the question and its shares, or the fault of the entry."""
    image, number = entry.get("image_id"), entry.get("round_id")
    if type(image) is not int:
        return '"image_id" is not a whole number.'
    if type(number) is not int or not first <= number < ROUNDS + first:
        return fill(
            "The round is {number}; {first} to {value} is expected.",
            str(number)[:40],
            first,
            ROUNDS - 1 + first,
        )
    shares = next((entry[name] for name in MEMBERS if name in entry), None)
    if not isinstance(shares, list) or not all(map(_is_share, shares)):
        return "The relevance is not a list of numbers."
    if len(shares) != width:
        return fill(
            "{numbers} for {candidates}.",
            counted(len(shares), "number"),
            counted(width, "candidate"),
        )
    return (image, number - first), np.array(shares, np.float64)


def _is_share(value: Json) -> bool:
    """Return True for a number within float64's range, which JSON does not limit."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _unknown_rounds(
    place: Place, unknown: list[QuestionKey], found: dict[int, FloatArray]
) -> list[Defect]:
    defects: list[Defect] = []
    if unknown:
        names = name_list([question_id(question) for question in unknown])
        text = fill(
            "Not among the dialogues: {questions} ({names}).",
            counted(len(unknown), "question"),
            names,
        )
        defects.append(note(place, text, "They are left out.", count=len(unknown)))
    if not found:
        defects.append(error(place, "No round of the dialogues is annotated.", EXPECTED))
    return defects
