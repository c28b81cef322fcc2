"""Reader of VisDial dialogues: captions, questions and candidate answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import IntArray, Json
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.visdial.dialogs import ROUNDS, QuestionKey, question_id

LIMIT = 2**31
"""Maximum size in bytes; VisDial's training set has about 800 MB."""
FEWEST = 6
"""Minimum number of candidates: method G clusters the others into five groups."""
LARGEST = 2**63 - 1
"""Maximum id of an image."""
SHAPE = 'VisDial\'s {"data": {"questions", "answers", "dialogs"}} is expected.'

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Conversations:
    """All rounds of all dialogues, concatenated.

    `questions` and `answers` are lists of distinct texts, `captions` those of the dialogues. Round
    i has the key `image[i]`, `number[i]`; `question[i]` and `answer[i]` are indices of texts,
    `candidates` (rounds, c) indices of answers, `truth[i]` the true answer's index among them.
    If the candidates were not read, c is 0 and `truth` is -1.
    """

    path: str
    questions: tuple[str, ...]
    answers: tuple[str, ...]
    captions: tuple[str, ...]
    image: IntArray
    number: IntArray
    question: IntArray
    answer: IntArray
    candidates: Numbers
    truth: IntArray

    def __len__(self) -> int:
        return len(self.image)

    def key(self, row: int) -> QuestionKey:
        """Return the question of a round: its image and its number in the dialogue."""
        return int(self.image[row]), int(self.number[row])

    def rows(self) -> dict[QuestionKey, int]:
        """Return the row of every round."""
        keys = zip(self.image.tolist(), self.number.tolist(), strict=True)
        return {key: row for row, key in enumerate(keys)}


def read_conversations(path: Path, *, candidates: bool = True) -> Reading[Conversations]:
    """Read a VisDial file's dialogues; without `candidates` only the true answers."""
    file = read_json_file(
        path, limit=LIMIT, shrink=_compact_round if candidates else _drop_candidates
    )
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    data = root["data"]
    if not all(isinstance(data[name].value, list) for name in ("questions", "answers", "dialogs")):
        root.error("The file is not a VisDial file.", SHAPE)
        return Reading(None, root.defects.to_tuple())
    for name in ("questions", "answers"):
        _report_other_values(data[name])
    dialogs = data["dialogs"]
    reader = _Rounds(dialogs, data.value, candidates)
    reader.read()
    if not has_errors(root.defects.to_tuple()) and not reader.rows:
        dialogs.error("The file has no rounds.", SHAPE)
    if has_errors(root.defects.to_tuple()):
        return Reading(None, root.defects.to_tuple())
    conversations = reader.conversations()
    _report_other_answers(dialogs, conversations)
    return Reading(conversations, root.defects.to_tuple())


def _report_other_answers(dialogs: JsonCursor, read: Conversations) -> None:
    """Report rounds whose "gt_index" and "answer" name different texts."""
    if not read.candidates.shape[1]:
        return
    marked = read.candidates[np.arange(len(read)), read.truth]
    differing = np.nonzero(marked != read.answer)[0].tolist()
    wrong = [r for r in differing if read.answers[marked[r]] != read.answers[read.answer[r]]]
    if wrong:
        names = name_list([question_id(read.key(row)) for row in wrong])
        found = fill(
            '"gt_index" does not point to the answer: {rounds} ({names}).',
            counted(len(wrong), "round"),
            names,
        )
        hint = reason(
            "Candidates are correlated with the answer; the set holds the candidate at the index."
        )
        dialogs.warning(found, "", hint, count=len(wrong))


def _compact_round(value: dict[str, Json]) -> Json:
    """Return a round with its candidates as int32: the training set has 123 million."""
    options = value.get("answer_options")
    if isinstance(options, list) and all(type(one) is int and 0 <= one < 2**31 for one in options):
        value["answer_options"] = np.array(options, np.int32)
    return value


def _drop_candidates(value: dict[str, Json]) -> Json:
    value.pop("answer_options", None)
    return value


def _report_other_values(texts: JsonCursor) -> None:
    wrong = [i for i, text in enumerate(texts.value) if not isinstance(text, str)]
    if wrong:
        found = fill("Not text: {entries}.", counted(len(wrong), "entry", "entries"))
        texts[wrong[0]].error(found)


class _Rounds:
    """Reader of the rounds; `rows` are the valid ones."""

    def __init__(self, dialogs: JsonCursor, data: dict[str, Json], candidates: bool) -> None:
        self._dialogs, self._data, self._candidates = dialogs, data, candidates
        self._counts = len(data["questions"]), len(data["answers"])
        self._width = 0
        self._options: list[Numbers] = []
        self._captions: list[str] = []
        self.rows: list[tuple[int, int, int, int, int]] = []

    def read(self) -> None:
        """Read all rounds, and report every invalid round or dialogue."""
        seen: dict[int, int] = {}
        for index, dialog in enumerate(self._dialogs.value):
            image, rounds = _member(dialog, "image_id"), _member(dialog, "dialog")
            if type(image) is not int or not isinstance(rounds, list) or len(rounds) > ROUNDS:
                found = "The entry is not a dialogue."
                if image is not None and type(image) is not int:
                    found = self._dialogs[index].describe_fault("image_id")
                expected = fill(
                    '"image_id" and a "dialog" of at most {rounds} rounds are expected.', ROUNDS
                )
                self._dialogs[index].error(found, expected)
            elif not -LARGEST <= image <= LARGEST:
                found = fill('"image_id" is {type}.', describe_value(image, int))
                expected = "A whole number of at most 19 digits is expected."
                self._dialogs[index].error(found, expected)
            elif seen.setdefault(image, index) != index:
                found = fill(
                    "Image {image} is repeated; it first appears at [{seen}].", image, seen[image]
                )
                expected = "One dialogue for every image is expected."
                self._dialogs[index].error(found, expected)
            else:
                self._captions.append(str(_member(dialog, "caption") or ""))
                for number, one in enumerate(rounds):
                    problem = self._add_round(image, number, one)
                    if problem:
                        self._dialogs[index]["dialog"][number].error(*problem)

    def _add_round(self, image: int, number: int, one: Json) -> tuple[str, str] | None:
        """Add a round; if invalid, return the found and the expected value."""
        for name, count in zip(("question", "answer"), self._counts, strict=True):
            value = _member(one, name)
            if type(value) is not int or not 0 <= value < count:
                return _wrong_index(name, value, count)
        truth = -1
        if self._candidates:
            options, truth = _member(one, "answer_options"), _member(one, "gt_index")
            problem = self._wrong_candidates(options, truth)
            if problem:
                return problem
            self._options.append(options)
        self.rows.append((image, number, one["question"], one["answer"], truth))
        return None

    def _wrong_candidates(self, options: Json, truth: Json) -> tuple[str, str] | None:
        """Return the fault of the candidates; every round needs as many as the first."""
        wanted = self._width or FEWEST
        expected = fill(
"{wanted} candidates are expected.", wanted) if self._width else (
            fill(
"At least {fewest} candidates are expected.", FEWEST)
        )  # fmt: skip
        if not isinstance(options, np.ndarray):
            return '"answer_options" is not a list of answer indices.', expected
        if len(options) < wanted or (self._width and len(options) != wanted):
            return fill("There are {candidates}.", counted(len(options), "candidate")), expected
        if int(options.max()) >= self._counts[1]:
            return (
                fill("Answer {int} does not exist.", int(options.max())),
                "Indices of answers are expected.",
            )
        if type(truth) is not int or not 0 <= truth < len(options):
            return _wrong_index("gt_index", truth, len(options))
        self._width = len(options)
        return None

    def conversations(self) -> Conversations:
        """Return all rounds that were read."""
        image, number, question, answer, truth = np.array(self.rows, np.int64).T
        empty = np.zeros((len(self.rows), 0), np.int32)
        return Conversations(
            str(self._dialogs.file.path),
            tuple(self._data["questions"]),
            tuple(self._data["answers"]),
            tuple(self._captions),
            image,
            number,
            question,
            answer,
            np.stack(self._options) if self._options else empty,
            truth,
        )


def _wrong_index(name: str, value: Json, count: int) -> tuple[str, str]:
    found = fill('"{name}" is missing.', name)
    if value is not None:
        found = fill('"{name}" is {type}.', name, describe_value(value, int))
    return found, fill("A number from 0 to {value} is expected.", count - 1)


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None
