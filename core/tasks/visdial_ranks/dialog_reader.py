"""Reader of VisDial's dialogues and dense annotations."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_list,
)
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.item_fields import Fields, short_members, with_equal_names
from jurydesk.core.tasks.visdial_ranks.dialog_ranks import (
    Dialogue,
    RankReferences,
    RoundKey,
    round_id,
)

LIMIT = 2**31
"""Maximum size in bytes; the dialogues of v0.9 have up to 180 MB."""
DIALOGUES = "The dialogues of VisDial are expected."


def parse_count(value: Json) -> int | None:
    """Return a whole number of at least 0; None for anything else."""
    return value if type(value) is int and value >= 0 else None


DIALOGS = Attribute("dialogs", "A list of dialogues is expected.", parse_list)
DIALOG = Attribute("dialog", "A list of rounds is expected.", parse_list)
IMAGE = Attribute("image_id", "A whole number is expected.", parse_count)
ROUND = Attribute("round_id", "A whole number is expected.", parse_count)
TEXTS = "A list of texts is expected."
KNOWN = frozenset(
    ("image_id", "caption", "dialog", "question", "answer", "answer_options", "gt_index")
)
"""Members of dialogues and rounds that are read."""
LIST_OF_ROUNDS = "A list of annotated rounds is expected."


def read_references(inputs: Inputs) -> Reading[RankReferences]:
    """Read the dialogues, and the dense annotations if they are given."""
    path = inputs["dialogs"][0]
    file = read_json_file(path, limit=LIMIT)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    reader = _DialogReader(root)
    reader.read()
    defects = root.defects.to_tuple()
    if has_errors(defects):
        return Reading(None, defects)
    found = reader.references(path)
    relevance = inputs.get("relevance", ())
    if not relevance:
        return Reading(found, defects)
    dense = read_relevance(relevance[0], found)
    defects = (*defects, *dense.defects)
    if dense.data is None:
        return Reading(None, defects)
    return Reading(with_relevance(found, str(relevance[0]), dense.data), defects)


def with_relevance(
    references: RankReferences, path: str, relevance: dict[int, FloatArray]
) -> RankReferences:
    """Return the references with dense annotations."""
    return replace(references, relevance=relevance, relevance_path=path)


class _DialogReader:
    """Reads the rounds with options of all dialogues, and reports what is wrong with them."""

    def __init__(self, root: JsonCursor) -> None:
        self.root = root
        self.texts: dict[str, tuple[str, ...]] = {"questions": (), "answers": ()}
        self.dialogues: dict[int, Dialogue] = {}
        self.keys: list[RoundKey] = []
        self.truth: list[int] = []
        self.options: list[IntArray] = []
        self.last: list[bool] = []
        self.fields: dict[int, Fields] = {}

    def references(self, path: Path) -> RankReferences:
        return RankReferences(
            str(path),
            path.name,
            tuple(self.keys),
            np.array(self.truth, np.int64),
            tuple(self.options),
            np.array([len(one) for one in self.options], np.int64),
            {},
            "",
            tuple(self.last),
            self.dialogues,
            self.texts["questions"],
            self.texts["answers"],
            with_equal_names(self.fields),
        )

    def read(self) -> None:
        data = self.root["data"] if isinstance(self.root.value, dict) else self.root
        if isinstance(self.root.value, dict) and "data" not in self.root.value:
            self.root.report_missing("data", DIALOGUES)
            return
        if not isinstance(data.value, dict):
            data.error(fill("The value is {type}.", describe_value(data.value)), DIALOGUES)
            return
        for name in self.texts:
            found = data[name]
            if isinstance(found.value, list) and all(isinstance(one, str) for one in found.value):
                self.texts[name] = tuple(found.value)
            elif name not in data.value:
                data.report_missing(name, TEXTS)
            else:
                found.error(fill("The value is {type}.", describe_value(found.value)), TEXTS)
        dialogs = data.read(DIALOGS)
        if dialogs is None:
            return
        for number, value in enumerate(dialogs):
            self._dialog(data["dialogs"][number], value)
        if not self.keys and not self.root.defects:
            data["dialogs"].error("No round has options.", 'Lists "answer_options" are expected.')

    def _dialog(self, place: JsonCursor, value: Json) -> None:
        image = place.read(IMAGE)
        rounds = place.read(DIALOG) if isinstance(value, dict) else None
        if image is None or rounds is None:
            return
        if image in self.dialogues:
            found = fill("Image {image} has another dialogue already.", image)
            place.error(found, "One dialogue for each image is expected.")
            return
        turns = []
        for number, one in enumerate(rounds, start=1):
            turn = one if isinstance(one, dict) else {}
            turns.append((self._text(turn, "question"), self._text(turn, "answer")))
            if "answer_options" in turn:
                before = len(self.keys)
                self._options(place["dialog"], number - 1, turn, (image, number))
                if len(self.keys) > before:
                    self.fields[before] = short_members({**value, **turn}, KNOWN)
                self.last.append(number == len(rounds))
        del self.last[len(self.keys) :]
        caption = value.get("caption")
        self.dialogues[image] = Dialogue(caption if isinstance(caption, str) else "", tuple(turns))

    def _text(self, turn: dict[str, Json], name: str) -> int:
        """Return the index of a text; -1 if there is none."""
        index = parse_count(turn.get(name))
        return -1 if index is None or index >= len(self.texts[f"{name}s"]) else index

    def _options(
        self, dialog: JsonCursor, number: int, turn: dict[str, Json], key: RoundKey
    ) -> None:
        options, answers = turn["answer_options"], len(self.texts["answers"])
        if not isinstance(options, list) or set(map(type, options)) != {int}:
            place = dialog[number]["answer_options"]
            found = fill("The options are {type}.", describe_value(options))
            place.error(found, "A list of whole numbers is expected.")
            return
        if not 0 <= min(options) <= max(options) < answers:
            found = fill("An option is none of the {count:,} answers.", answers)
            dialog[number]["answer_options"].error(found, "Indices of answers are expected.")
            return
        truth = turn.get("gt_index")
        if truth is not None and not (type(truth) is int and 0 <= truth < len(options)):
            place = dialog[number]["gt_index"]
            found = fill("The index of the true answer is {type}.", describe_value(truth, int))
            place.error(found, "The index of an option, counted from 0, is expected.")
            return
        self.keys.append(key)
        self.truth.append(-1 if truth is None else truth)
        self.options.append(np.array(options, np.int32))


def read_relevance(path: Path, references: RankReferences) -> Reading[dict[int, FloatArray]]:
    """Read the relevance of the options, by index of the round."""
    file = read_json_file(path, limit=LIMIT)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    if not isinstance(root.value, list) or not root.value:
        root.error(fill("The file holds {type}.", describe_value(root.value)), LIST_OF_ROUNDS)
        return Reading(None, root.defects.to_tuple())
    found: dict[int, FloatArray] = {}
    first: dict[int, int] = {}
    for number, value in enumerate(root.value):
        entry = root[number]
        image = entry.read(IMAGE)
        turn = entry.read(ROUND) if isinstance(value, dict) else None
        if image is None or turn is None:
            continue
        index = references.index.get((image, turn))
        if index is None:
            text = fill("Round {id} has no options in the dialogues.", round_id((image, turn)))
            entry.error(text, "A round with options is expected; rounds count from 1.")
            continue
        if index in first:
            text = fill("Round {id} is also at [{first}].", round_id((image, turn)), first[index])
            entry.error(text, "One entry for each round is expected.")
            continue
        first[index] = number
        relevance = _relevance(entry, int(references.sizes[index]))
        if relevance is not None:
            found[index] = relevance
    _note_dense(root, references, found)
    defects = root.defects.to_tuple()
    return Reading(None if has_errors(defects) else found, defects)


def _relevance(entry: JsonCursor, size: int) -> FloatArray | None:
    name = "relevance" if "relevance" in entry.value else "gt_relevance"
    values = entry.value.get(name)
    place = entry[name]
    if not isinstance(values, list):
        place.error(entry.describe_fault(name), "A list of relevances is expected.")
        return None
    if len(values) != size:
        found = fill("The list has {relevances}.", counted(len(values), "relevance"))
        place.error(found, fill("One for each of the {size} options is expected.", size))
        return None
    for number, value in enumerate(values):
        if type(value) not in (int, float) or not 0 <= value <= 1:
            found = fill("The relevance is {type}.", describe_value(value, int, float))
            place[number].error(found, "A number from 0 to 1 is expected.")
            return None
    return np.array(values, np.float64)


def _note_dense(root: JsonCursor, references: RankReferences, found: dict[int, FloatArray]) -> None:
    """Note images with several annotated rounds, and true answers without relevance."""
    images = [references.keys[index][0] for index in found]
    twice = [image for image, count in Counter(images).items() if count > 1]
    if twice:
        text = fill(
            "{images} with several annotated rounds: {names}.",
            counted(len(twice), "image"),
            name_list([*map(str, twice)]),
        )
        root.note(text, "All of them are scored.", count=len(twice))
    truths = ((one, int(references.truth[one])) for one in found)
    denied = [one for one, truth in truths if truth >= 0 and found[one][truth] == 0]
    if denied:
        text = fill(
            "{rounds} whose true answer has relevance 0: {names}.",
            counted(len(denied), "round"),
            name_list([round_id(references.keys[one]) for one in denied]),
        )
        root.note(text, "NDCG gives nothing for it.", count=len(denied))
