"""Questionnaire as data, which an organiser may replace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast, get_args

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import translatable, translate_text
from jurydesk.core.model.defects import Defect, error, has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_attributes import (
    Attribute,
    AttributeMismatch,
    json_type_name,
    parse_text,
    parse_whole_number,
)
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.system.paths import resources_folder

Kind = Literal["likert", "best-worst", "pairwise", "comment"]
KINDS: tuple[str, ...] = get_args(Kind)

PHOTOS_MISSING = "photos-missing"
"""Answer for an item without its photos, which cannot be rated; not a valid question id."""

STORIES_OF_KIND = {"likert": (1, 1), "pairwise": (2, 2), "best-worst": (3, 8), "comment": (1, 8)}
"""Smallest and largest number of stories shown at once."""

MAX_COMMENT_LENGTH = 4000
DEFAULT = "general"

TRANSLATION_REMARK = (
    "The statements are translated by the authors of Jurydesk. "
    "The original of each one follows its explanation."
)
ORIGINAL = translatable("In the original: “{statement}”")


@dataclass(frozen=True, slots=True)
class RatingQuestion:
    """Question about every item.

    The answer to `likert` is 1 to the length of the scale; to `pairwise` the number of the better
    story; to `best-worst` the numbers of the best and the worst one; to `comment` a text.
    """

    id: str
    kind: Kind
    statement: str
    help: str = ""
    good: str = ""
    bad: str = ""
    required: bool = True

    def accepts(self, value: Json, scale: int, stories: int) -> bool:
        """Return whether a value is a valid answer, for a scale and a number of stories."""
        if self.kind == "comment":
            return isinstance(value, str) and len(value) <= MAX_COMMENT_LENGTH
        if self.kind == "best-worst":
            return (
                isinstance(value, list)
                and len(value) == 2
                and value[0] != value[1]
                and all(_is_integer_up_to(one, stories) for one in value)
            )
        return _is_integer_up_to(value, scale if self.kind == "likert" else stories)


def question_range(kind: str, scale: int) -> tuple[float, float]:
    """Return the lowest and the highest mean of a question, for a scale of that length."""
    return {"pairwise": (0.0, 1.0), "best-worst": (-1.0, 1.0)}.get(kind, (1.0, float(scale)))


def _is_integer_up_to(value: Json, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """Instructions, labels of the scale from the lowest, and questions in their order.

    `stories` is the number of systems' entries shown at once.
    """

    id: str
    title: str
    questions: tuple[RatingQuestion, ...]
    scale: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    stories: int = 1
    _by_id: dict[str, RatingQuestion] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {one.id: one for one in self.questions})

    @property
    def required(self) -> tuple[str, ...]:
        """Ids of the questions that must be answered."""
        return tuple(one.id for one in self.questions if one.required)

    @property
    def rated(self) -> tuple[RatingQuestion, ...]:
        """Questions with numeric answers."""
        return tuple(one for one in self.questions if one.kind != "comment")

    def question(self, id: str) -> RatingQuestion:
        """Return the question of that id; raises KeyError if there is none."""
        return self._by_id[id]

    def accepts(self, question: str, value: Json) -> bool:
        """Return whether a value is a valid answer; None removes an answer."""
        if question == PHOTOS_MISSING:
            return value is True or value is None
        known = self._by_id.get(question)
        if known is None:
            return False
        return value is None or known.accepts(value, len(self.scale), self.stories)

    def to_json(self) -> dict[str, Json]:
        """Return the questionnaire as JSON values for `parse_questionnaire`."""
        return {
            "id": self.id,
            "title": self.title,
            "stories": self.stories,
            "instructions": list(self.instructions),
            "scale": list(self.scale),
            "questions": [
                {name: getattr(one, name) for name in RatingQuestion.__dataclass_fields__}
                for one in self.questions
            ],
        }


def translate_questionnaire(questionnaire: Questionnaire, language: str) -> Questionnaire:
    """Return a questionnaire with its texts in a language, if the catalogue has them.

    The help of a statement then ends with the original; ids and answers do not change.
    """
    if language == "en":
        return questionnaire

    def translated(text: str) -> str:
        return translate_text(text, language)

    def question(one: RatingQuestion) -> RatingQuestion:
        statement = translated(one.statement)
        if statement == one.statement:
            return one
        original = translated(ORIGINAL).replace("{statement}", one.statement)
        text = " ".join(filter(None, (translated(one.help), original)))
        return replace(one, statement=statement, help=text)

    questions = tuple(map(question, questionnaire.questions))
    remark = () if questions == questionnaire.questions else (translated(TRANSLATION_REMARK),)
    return replace(
        questionnaire,
        title=translated(questionnaire.title),
        questions=questions,
        scale=tuple(map(translated, questionnaire.scale)),
        instructions=(*map(translated, questionnaire.instructions), *remark),
    )


def builtin_questionnaire(name: str = DEFAULT) -> Questionnaire:
    """Return a questionnaire of the program."""
    reading = read_questionnaire(questionnaire_path(name))
    if reading.data is None:
        raise ValueError(f"the questionnaire {name} of the program is damaged: {reading.defects}")
    return reading.data


def questionnaire_path(named: str | Path) -> Path:
    """Return the path of a questionnaire; a text names one of the program."""
    return (
        named
        if isinstance(named, Path)
        else resources_folder() / "questionnaires" / f"{named}.json"
    )


def read_questionnaire(path: Path) -> Reading[Questionnaire]:
    """Read a questionnaire from a JSON file, with its defects."""
    file = read_json_file(path)
    if not file.is_readable:
        return Reading(None, file.defects)
    found, defects = parse_questionnaire(file)
    return Reading(found, (*file.defects, *defects))


def parse_questionnaire(file: JsonFile) -> tuple[Questionnaire | None, list[Defect]]:
    """Parse a questionnaire from JSON values."""
    data, defects = file.data, _DefectCollector(file)
    if not isinstance(data, dict):
        defects.add(None, f"The file contains {json_type_name(data)}.", "An object is expected.")
        return None, defects.found
    name = defects.read(data, Attribute("id", "A short name is expected.", _name))
    title = defects.read(data, Attribute("title", "A title is expected.", parse_text))
    scale = _texts(data, "scale", defects)
    instructions = _texts(data, "instructions", defects)
    stories: Json = data.get("entries", data.get("stories", 1))
    if parse_whole_number(stories) is None or not 1 <= stories <= 8:
        defects.add("stories", f'"stories" is {stories!r}.', "A number from 1 to 8 is expected.")
        stories = 1
    questions = tuple(_questions(data, defects))
    _check(questions, scale, stories, defects)
    if has_errors(defects.found) or name is None or title is None:
        return None, defects.found
    return Questionnaire(name, title, questions, scale, instructions, stories), defects.found


def questionnaire_from_json(data: Json) -> Questionnaire:
    """Decode a questionnaire; raise ValueError if it is invalid."""
    found, defects = parse_questionnaire(JsonFile(Path("questionnaire.json"), data, ()))
    if found is None:
        raise ValueError(defects[0].found)
    return found


class _DefectCollector:
    """Collector of the defects of a file."""

    def __init__(self, file: JsonFile) -> None:
        self.file = file
        self.found: list[Defect] = []

    def add(self, key: str | None, found: str, expected: str, index: int | None = None) -> None:
        self.found.append(error(self.file.place(key, index), found, expected))

    def read(self, data: dict[str, Json], wanted: Attribute[str]) -> str | None:
        value = wanted.of(data)
        if isinstance(value, AttributeMismatch):
            self.add(wanted.name, value.found, value.expected)
            return None
        return value


def _name(value: Json) -> str | None:
    """Return a valid short name of letters, digits and hyphens, else None."""
    sound = isinstance(value, str) and value.replace("-", "").replace("_", "").isalnum()
    return value if sound and len(value) <= 40 and value.isascii() else None


def _texts(data: dict[str, Json], key: str, defects: _DefectCollector) -> tuple[str, ...]:
    value = data.get(key, [])
    if isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value):
        return tuple(value)
    defects.add(key, f'"{key}" is {json_type_name(value)}.', "A list of texts is expected.")
    return ()


def _questions(data: dict[str, Json], defects: _DefectCollector) -> Iterator[RatingQuestion]:
    listed = data.get("questions")
    if not isinstance(listed, list) or not listed:
        defects.add(
            "questions", '"questions" is not a list of questions.', "At least one is needed."
        )
        return
    for index, value in enumerate(listed):
        question = _question(value, index, defects)
        if question is not None:
            yield question


def _question(value: Json, index: int, defects: _DefectCollector) -> RatingQuestion | None:
    def add(found: str, expected: str) -> None:
        defects.add("questions", f"Question {index + 1}: {found}", expected, index)

    if not isinstance(value, dict):
        add(f"it is {json_type_name(value)}.", "An object with id, kind and statement is expected.")
        return None
    texts: dict[str, str] = {}
    for name, parse in _MEMBERS.items():
        needed = name in ("id", "kind", "statement")
        if not needed and name not in value:
            continue
        text = Attribute(name, _EXPECTED[name], parse).of(value)
        if isinstance(text, AttributeMismatch):
            add(text.found, text.expected)
            return None
        texts[name] = text
    required = value.get("required", True)
    if not isinstance(required, bool):
        add(f'"required" is {json_type_name(required)}.', "true or false is expected.")
        return None
    kind = cast(Kind, texts.pop("kind"))
    return RatingQuestion(kind=kind, required=required, **texts)


def _kind(value: Json) -> str | None:
    return value if isinstance(value, str) and value in KINDS else None


_MEMBERS: dict[str, Callable[[Json], str | None]] = {
    "id": _name,
    "kind": _kind,
    "statement": parse_text,
    "help": parse_text,
    "good": parse_text,
    "bad": parse_text,
}
_EXPECTED = {
    "id": "A short name of letters, digits and hyphens is expected.",
    "kind": f"One of {', '.join(KINDS)} is expected.",
    "statement": "Text is expected: the statement.",
    "help": "A text is expected.",
    "good": "A text is expected.",
    "bad": "A text is expected.",
}


def _check(
    questions: tuple[RatingQuestion, ...],
    scale: tuple[str, ...],
    stories: int,
    defects: _DefectCollector,
) -> None:
    ids = [one.id for one in questions]
    for index, question in enumerate(questions):
        if question.id in ids[:index] or question.id == PHOTOS_MISSING:
            found = f'Question {index + 1}: the id "{question.id}" is already used.'
            defects.add("questions", found, "Every question needs its own id.", index)
        low, high = STORIES_OF_KIND[question.kind]
        if not low <= stories <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            found = f'Question {index + 1}: "{question.kind}" with {stories} stories at once.'
            defects.add("questions", found, f'"stories" must be {wanted}.', index)
    if any(one.kind == "likert" for one in questions) and not 2 <= len(scale) <= 9:
        found = f'"scale" has {len(scale)} labels.'
        defects.add("scale", found, "2 to 9 labels are expected, from the lowest.")
