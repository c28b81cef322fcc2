"""Reader of VisDial's dense relevance annotations."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import FloatArray, Json
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
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
    root = JsonCursor.of(file)
    if not isinstance(file.data, list) or not all(isinstance(one, dict) for one in file.data):
        root.error("The file is not a list of annotations.", EXPECTED)
        return Reading(None, root.defects.to_tuple())
    first = 0 if any(one.get("round_id") == 0 for one in file.data) else 1
    known, width = conversations.rows(), conversations.candidates.shape[1]
    found, unknown = dict[int, FloatArray](), list[QuestionKey]()
    for index in range(len(file.data)):
        outcome = _annotation(root[index], first, width)
        if isinstance(outcome, str):
            root[index].error(outcome, EXPECTED)
            continue
        question, shares = outcome
        if question not in known:
            unknown.append(question)
        elif known[question] in found:
            again = fill("Question {question_id} is annotated twice.", question_id(question))
            root[index].error(again)
        else:
            found[known[question]] = shares
    _report_unknown(root, unknown)
    if not found:
        root.error("No round of the dialogues is annotated.", EXPECTED)
    defects = root.defects.to_tuple()
    if has_errors(defects):
        return Reading(None, defects)
    rows = tuple(sorted(found))
    return Reading(DenseAnnotations(rows, np.array([found[row] for row in rows])), defects)


def _annotation(
    annotation: JsonCursor, first: int, width: int
) -> tuple[QuestionKey, FloatArray] | str:
    """Return the question and its shares, or the fault of the entry."""
    entry = annotation.value
    image, number = entry.get("image_id"), entry.get("round_id")
    if type(image) is not int:
        return annotation.describe_fault("image_id")
    if type(number) is not int or not first <= number < ROUNDS + first:
        return fill(
            "The round is {number}; {first} to {value} is expected.",
            describe_value(number, int),
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


def _report_unknown(root: JsonCursor, unknown: list[QuestionKey]) -> None:
    if unknown:
        found = fill(
            "Not among the dialogues: {questions} ({names}).",
            counted(len(unknown), "question"),
            name_list([question_id(question) for question in unknown]),
        )
        root.note(found, "They are left out.", count=len(unknown))
