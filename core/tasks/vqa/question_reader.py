"""Reader of questions with their true answers, in the layouts of four programs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_list,
    parse_text,
)
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.item_fields import Fields, short_members, with_equal_names
from jurydesk.core.tasks.vqa.question_texts import (
    ANLS_TYPES,
    KNOWN,
    LIMIT,
    VQA_ID,
    read_choices,
    read_question_texts,
)
from jurydesk.core.tasks.vqa.questions import Question, QuestionId, VqaReferences, parse_question_id
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions

EXPECTED = "Annotations of VQA, DocVQA, ChartQA or GQA are expected."
UNCOUNTED_STEPS = ("exist", "query: name", "choose name")


ANLS_ID: Attribute[QuestionId] = Attribute(
    "questionId", "A number or text is expected.", parse_question_id
)
ANSWERS = Attribute("answers", "A list of answers is expected.", parse_list)
ANSWER = Attribute("answer", "Text is expected.", parse_text)
ANNOTATIONS = Attribute("annotations", "A list of questions is expected.", parse_list)
DATA = Attribute("data", "A list of questions is expected.", parse_list)
DATASET = Attribute("dataset_name", "The name of the dataset is expected.", parse_text)
QUESTION_TYPE = Attribute("question_type", "Text is expected.", parse_text)
ANSWER_TYPE = Attribute("answer_type", "Text is expected.", parse_text)
IMAGE_ID: Attribute[QuestionId] = Attribute(
    "image_id", "A number or text is expected.", parse_question_id
)


def find_program(data: Json) -> str:
    """Return the program whose references a file holds, by its shape; empty if none."""
    if isinstance(data, list):
        first = data[0] if data and isinstance(data[0], dict) else {}
        return "relaxed" if "label" in first or "annotation" in first else ""
    if not isinstance(data, dict):
        return ""
    if "annotations" in data:
        return "vqa"
    if "data" in data:
        first = next(iter(data["data"]), {}) if isinstance(data["data"], list) else {}
        is_vqa = isinstance(first, Question) or (isinstance(first, dict) and "question_id" in first)
        return "vqa" if is_vqa else "anls"
    one = next(iter(data.values()), None)
    return "gqa" if isinstance(one, dict) and "answer" in one else ""


def read_references(inputs: Inputs, options: VqaOptions) -> Reading[VqaReferences]:
    """Read the questions of a file, and the texts or choices of further files."""
    path = inputs["references"][0]
    compact = _CompactRecords() if options.program in ("auto", "vqa") else None
    file = read_json_file(path, limit=LIMIT, shrink=compact)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    program = find_program(root.value) if options.program == "auto" else options.program
    if not program:
        root.error(fill("The file holds {type}.", describe_value(root.value)), EXPECTED)
        return Reading(None, root.defects.to_tuple())
    read = {"vqa": _vqa, "anls": _anls, "relaxed": _relaxed, "gqa": _gqa}[program]
    questions = list(read(root))
    if not questions and not has_errors(root.defects.to_tuple()):
        root.error("The file has no question.", EXPECTED)
    known = {one.id: one for one in questions}
    scored = tuple(one.id for one in questions if one.is_balanced)
    _report_repeated(root, scored, options)
    if options.corrected or program != "vqa":
        scored = tuple(dict.fromkeys(scored))
    if questions and not scored and not has_errors(root.defects.to_tuple()):
        root.error("No question is balanced: none is scored.")
    defects = [*root.defects.to_tuple()]
    has_choices = False
    if inputs.get("questions"):
        texts = read_question_texts(inputs["questions"][0], known, path.name)
        defects += texts.defects
        known = texts.data or known
        has_choices = any(one.choices is not None for one in known.values())
    if inputs.get("choices"):
        choices = read_choices(inputs["choices"][0], known, path.name)
        defects += choices.defects
        known = choices.data or known
        has_choices = True
    if has_errors(defects):
        return Reading(None, tuple(defects))
    name = Path(path).name
    if any(one.fields for one in known.values()):
        fields = with_equal_names({key: one.fields for key, one in known.items()})
        known = {key: replace(one, fields=fields[key]) for key, one in known.items()}
    found = VqaReferences(str(path), name, program, known, scored, has_choices)
    return Reading(found, tuple(defects))


def _report_repeated(root: JsonCursor, scored: tuple[QuestionId, ...], options: VqaOptions) -> None:
    twice = [one for one, count in Counter(scored).items() if count > 1]
    if not twice:
        return
    names = name_list([str(one) for one in twice])
    found = fill("{questions} listed twice: {names}.", counted(len(twice), "question"), names)
    hint = "The last record counts, each time." if not options.corrected else "They count once."
    root.warning(found, hint, count=len(twice))


class _CompactRecords:
    """Replacement of VQA's records by questions while the file is parsed.

    A record as nearly all are takes a tenth of the memory so; any other is left to `_vqa`.
    """

    def __init__(self) -> None:
        self._types: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
        self._texts: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._fields: dict[Fields, Fields] = {}

    def __call__(self, value: dict[str, Json]) -> Json:
        """Return the question of a valid record whose answers have different ids, else itself."""
        if "answers" not in value or "question_type" not in value:
            return value
        texts = _numbered_answers(value["answers"])
        key, image = VQA_ID.of(value), IMAGE_ID.of(value)
        kind, answer_kind = value["question_type"], value.get("answer_type")
        if key is None or image is None or not texts:
            return value
        if type(kind) is not str or type(answer_kind) is not str:
            return value
        return Question(
            key,
            self._texts.setdefault(texts, texts),
            _text(value.get("question")),
            sys.intern(str(image)),
            types=question_types(self._types, kind, answer_kind),
            fields=self._fields.setdefault(found := short_members(value, KNOWN), found),
        )


def question_types(
    known: dict[tuple[str, str], dict[str, tuple[str, ...]]], kind: str, answer_kind: str
) -> Mapping[str, tuple[str, ...]]:
    """Return the types of a question, one object for all questions of these types."""
    types = known.get((kind, answer_kind))
    if types is None:
        types = {"question_type": (kind,), "answer_type": (answer_kind,)}
        known[kind, answer_kind] = types
    return types


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _vqa(root: JsonCursor) -> Iterator[Question]:
    """Yield the questions of VQA's annotations, or of TextVQA's data."""
    is_text_vqa = isinstance(root.value, dict) and "annotations" not in root.value
    entries = root.top_list(DATA if is_text_vqa else ANNOTATIONS, EXPECTED)
    if entries is None:
        return
    without_ids = 0
    known: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for index, value in enumerate(entries.value):
        if isinstance(value, Question):
            yield replace(value, types={}) if is_text_vqa else value
            continue
        entry = entries[index]
        key = entry.read(VQA_ID)
        answers = entry.read(ANSWERS) if isinstance(value, dict) else None
        if key is None or answers is None:
            continue
        types: Mapping[str, tuple[str, ...]] = {}
        if not is_text_vqa:
            kind, answer_kind, pictured = (
                entry.read(QUESTION_TYPE),
                entry.read(ANSWER_TYPE),
                entry.read(IMAGE_ID),
            )
            if kind is None or answer_kind is None or pictured is None:
                continue
            types = question_types(known, kind, answer_kind)
        read = _human_answers(entry, answers)
        if read is None:
            continue
        texts, records, has_ids = read
        without_ids += not has_ids
        image = value.get("image_id")
        yield Question(
            key,
            texts,
            _text(value.get("question")),
            "" if image is None else str(image),
            records,
            types,
            fields=short_members(value, KNOWN),
        )
    if without_ids:
        found_text = fill(
            "Answers of {questions} have no answer_id.", counted(without_ids, "question")
        )
        effect = "The program leaves out equal answers together, which lowers the accuracy."
        hint = "Add an answer_id to each; --profile corrected counts answers by position."
        entries.warning(found_text, effect, hint, count=without_ids)


def _human_answers(
    entry: JsonCursor, answers: list[Json]
) -> tuple[tuple[str, ...], tuple[object, ...], bool] | None:
    """Return the texts, what else distinguishes the records, and whether they have ids."""
    if not answers:
        entry[ANSWERS.name].error("The list is empty.", "At least one answer is expected.")
        return None
    texts = _numbered_answers(answers)
    if texts is not None:
        return texts, (), True
    return _other_answers(entry, answers)


def _numbered_answers(answers: list[Json]) -> tuple[str, ...] | None:
    """Return the texts of records with different ids, as nearly all are; None for others."""
    try:
        texts = tuple([sys.intern(one["answer"]) for one in answers])
        return texts if len({one["answer_id"] for one in answers}) == len(texts) else None
    except (TypeError, KeyError, IndexError):
        return None


def _other_answers(
    entry: JsonCursor, answers: list[Json]
) -> tuple[tuple[str, ...], tuple[object, ...], bool] | None:
    """Return the same of texts, and of records without different ids; report invalid ones."""
    texts: list[str] = []
    records: list[object] = []
    has_ids = True
    for number, one in enumerate(answers):
        text = one.get("answer") if isinstance(one, dict) else one
        if not isinstance(text, str):
            place = entry[ANSWERS.name][number]
            place.error(fill("The answer is {type}.", describe_value(text)), "Text is expected.")
            return None
        texts.append(text)
        if isinstance(one, dict):
            others = {name: value for name, value in one.items() if name != "answer"}
            records.append(json.dumps(others, sort_keys=True))
            has_ids = has_ids and "answer_id" in one
        else:
            records.append(number)
    is_distinct = len(set(records)) == len(records)
    return tuple(texts), () if is_distinct else tuple(records), has_ids


def _anls(root: JsonCursor) -> Iterator[Question]:
    """Yield the questions of DocVQA or InfographicVQA."""
    if isinstance(root.value, dict):
        root.read(DATASET)
    entries = root.top_list(DATA, EXPECTED)
    if entries is None:
        return
    for index, value in enumerate(entries.value):
        entry = entries[index]
        key = entry.read(ANLS_ID)
        answers = entry.read(ANSWERS) if isinstance(value, dict) else None
        if key is None or answers is None:
            continue
        texts = _texts(entry[ANSWERS.name], answers)
        if texts is None:
            continue
        types = {
            kind: tuple(map(str, found))  # one that is listed twice counts twice
            for name, kind in ANLS_TYPES.items()
            if isinstance(found := value.get(name), list)
        }
        image = value.get("image", value.get("docId", value.get("image_local_name", "")))
        text = value.get("question")
        asked, members = text if isinstance(text, str) else "", short_members(value, KNOWN)
        yield Question(key, texts, asked, str(image), (), types, fields=members)


def _texts(place: JsonCursor, values: list[Json]) -> tuple[str, ...] | None:
    """Return a list of texts that is not empty; report an error otherwise."""
    if not values:
        place.error("The list is empty.", "At least one answer is expected.")
        return None
    for number, value in enumerate(values):
        if not isinstance(value, str):
            found = fill("The answer is {type}.", describe_value(value))
            place[number].error(found, "Text is expected.")
            return None
    return tuple(values)


def _relaxed(root: JsonCursor) -> Iterator[Question]:
    """Yield the questions of ChartQA; their ids are their positions unless they have one."""
    if not isinstance(root.value, list):
        root.error(fill("The file holds {type}.", describe_value(root.value)), EXPECTED)
        return
    for index, value in enumerate(root.value):
        entry = root[index]
        if not isinstance(value, dict):
            found = fill("The element is {kind}.", describe_value(value))
            entry.error(found, "An object is expected.")
            continue
        name = "annotation" if "annotation" in value and "label" not in value else "label"
        label = value.get(name)
        texts: tuple[str, ...] | None = (label,) if isinstance(label, str) else None
        if isinstance(label, list):
            texts = _texts(entry[name], label)
        elif texts is None:
            entry[name].error(entry.describe_fault(name), "Text is expected.")
        if texts is None:
            continue
        key = parse_question_id(value.get("id"))
        text = value.get("query")
        yield Question(
            index if key is None else key,
            texts,
            text if isinstance(text, str) else "",
            str(value.get("imgname", "")),
            fields=short_members(value, KNOWN),
        )


def _gqa(root: JsonCursor) -> Iterator[Question]:
    """Yield the questions of GQA, balanced or not."""
    if not isinstance(root.value, dict):
        root.error(fill("The file holds {type}.", describe_value(root.value)), EXPECTED)
        return
    for key, value in root.value.items():
        entry = root[key]
        answer = entry.read(ANSWER)
        if answer is None:
            continue
        types = value.get("types")
        types = types if isinstance(types, dict) else {}
        groups = value.get("groups")
        group = groups.get("global") if isinstance(groups, dict) else None
        text = value.get("question")
        text = text if isinstance(text, str) else ""
        named = {
            kind: (str(types[kind]),) for kind in ("structural", "semantic") if types.get(kind)
        }
        named |= {"words": (str(len(text.split())),), "steps": (str(_steps(value)),)}
        entailed = value.get("entailed")
        yield Question(
            key,
            (answer,),
            text,
            str(value.get("imageId", "")),
            (),
            named,
            None,
            bool(value.get("isBalanced", True)),
            tuple(map(str, entailed)) if isinstance(entailed, list) else (),
            None if group is None else str(group),
            str(types.get("detailed", "")),
            fields=short_members(value, KNOWN),
        )


def _steps(value: Mapping[str, Json]) -> int:
    """Return the number of reasoning steps, without those that GQA does not count."""
    semantic = value.get("semantic")
    steps = [one for one in semantic if isinstance(one, dict)] if isinstance(semantic, list) else []
    texts = (f"{one.get('operation')}: {one.get('argument')}" for one in steps)
    return sum(not any(word in text for word in UNCOUNTED_STEPS) for text in texts)
