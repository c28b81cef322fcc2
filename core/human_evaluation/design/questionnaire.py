"""Questionnaire as data, which an organiser may replace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast, get_args

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import fill, translatable, translate_text
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import (
    Attribute,
    JsonCursor,
    describe_value,
    parse_text,
    parse_whole_number,
)
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.system.paths import resources_folder

Kind = Literal["likert", "best-worst", "pairwise", "comment", "number", "category"]
KINDS: tuple[str, ...] = get_args(Kind)
ASKED_KINDS = KINDS[:4]
"""Kinds of questions that packets ask; only tables of other programs have the others."""

PHOTOS_MISSING = "photos-missing"
"""Answer for an item without its photos, which cannot be rated; not a valid question id."""

STORIES_OF_KIND = {"likert": (1, 1), "pairwise": (2, 2), "best-worst": (3, 8), "comment": (1, 8)}
"""Smallest and largest number of stories shown at once."""

MAX_COMMENT_LENGTH = 4000

TRANSLATION_REMARK = (
    "The statements are translated by the authors of Jurydesk. "
    "The original of each one follows its explanation."
)
ORIGINAL = translatable("In the original: “{statement}”")


@dataclass(frozen=True, slots=True)
class RatingQuestion:
    """Question about every item.

    The answer to `likert` is 1 to the length of the scale; to `pairwise` the number of the better
    story, or 0 for neither if `tie` words that answer; to `best-worst` the numbers of the best and
    the worst one; to `comment` a text; to `number` a number within `limits`; to `category` the
    place of one of the `labels`. A number with labels is one of as many steps. With `lower`, as in
    imported tables, less is better, or the preferred entry is the worse one.
    """

    id: str
    kind: Kind
    statement: str
    help: str = ""
    good: str = ""
    bad: str = ""
    tie: str = ""
    required: bool = True
    limits: tuple[float, float] | None = None
    labels: tuple[str, ...] = ()
    lower: bool = False

    def accepts(self, value: Json, scale: int, stories: int) -> bool:
        """Return whether a value is a valid answer, for a scale and a number of stories."""
        if self.kind == "comment":
            return isinstance(value, str) and len(value) <= MAX_COMMENT_LENGTH
        if self.kind == "number":
            low, high = self.span(scale)
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and low <= value <= high
        if self.kind == "category":
            return _is_integer_up_to(value, len(self.labels))
        if self.kind == "best-worst":
            return (
                isinstance(value, list)
                and len(value) == 2
                and value[0] != value[1]
                and all(_is_integer_up_to(one, stories) for one in value)
            )
        if self.kind == "pairwise" and self.tie and value == 0:
            return isinstance(value, int) and not isinstance(value, bool)
        return _is_integer_up_to(value, scale if self.kind == "likert" else stories)

    def to_json(self) -> dict[str, Json]:
        """Return the question as JSON values; without a wording of ties it has none."""
        members = {name: getattr(self, name) for name in RatingQuestion.__dataclass_fields__}
        members["limits"], members["labels"] = list(self.limits or ()), list(self.labels)
        optional = ("tie", "limits", "labels", "lower")
        return {k: v for k, v in members.items() if v or k not in optional}

    def span(self, scale: int) -> tuple[float, float]:
        """Return the lowest and the highest mean, for a scale of that length."""
        if self.limits is not None:
            return self.limits
        fixed = {"pairwise": (0.0, 1.0), "best-worst": (-1.0, 1.0)}
        return fixed.get(self.kind, (1.0, float(scale)))


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

    @property
    def statements(self) -> tuple[str, ...]:
        """Ids of the statements that are rated on the scale."""
        return tuple(one.id for one in self.questions if one.kind == "likert")

    def accepts(self, question: str, value: Json) -> bool:
        """Return whether a value is a valid answer; None removes an answer."""
        if question == PHOTOS_MISSING:
            return value is True or value is None
        known = self._by_id.get(question)
        if known is None:
            return False
        return value is None or known.accepts(value, len(self.scale), self.stories)

    def is_lower(self, question: str) -> bool:
        """Return whether less is better by a question."""
        known = self._by_id.get(question)
        return known is not None and known.lower

    def to_json(self) -> dict[str, Json]:
        """Return the questionnaire as JSON values for `parse_questionnaire`."""
        return {
            "id": self.id,
            "title": self.title,
            "stories": self.stories,
            "instructions": list(self.instructions),
            "scale": list(self.scale),
            "questions": [one.to_json() for one in self.questions],
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
        return replace(one, statement=statement, help=text, tie=one.tie and translated(one.tie))

    questions = tuple(map(question, questionnaire.questions))
    remark = () if questions == questionnaire.questions else (translated(TRANSLATION_REMARK),)
    return replace(
        questionnaire,
        title=translated(questionnaire.title),
        questions=questions,
        scale=tuple(map(translated, questionnaire.scale)),
        instructions=(*map(translated, questionnaire.instructions), *remark),
    )


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
    root = JsonCursor.of(file)
    return Reading(parse_questionnaire(root), root.defects.to_tuple())


def parse_questionnaire(root: JsonCursor) -> Questionnaire | None:
    """Parse a questionnaire from JSON values."""
    data = root.value
    if not isinstance(data, dict):
        root.error(
            fill("The file contains {type}.", describe_value(data)), "An object is expected."
        )
        return None
    name, title = root.read(NAME), root.read(TITLE)
    scale = _texts(root, "scale")
    instructions = _texts(root, "instructions")
    given = data.get("entries", data.get("stories", 1))
    stories = parse_whole_number(given)
    if stories is None or not 1 <= stories <= 8:
        found = fill('"stories" is {given}.', describe_value(given, int))
        expected = "A number from 1 to 8 is expected."
        root["stories"].error(found, expected)
        stories = 1
    questions = tuple(_questions(root))
    _check(root, questions, scale, stories)
    if has_errors(root.defects.to_tuple()) or name is None or title is None:
        return None
    return Questionnaire(name, title, questions, scale, instructions, stories)


def questionnaire_from_json(data: Json, *, imported: bool = False) -> Questionnaire:
    """Decode a questionnaire; raise a builtin exception if it is invalid.

    With `imported` it is that of another program's table, whose questions may have any names.
    """
    if imported:
        questions = tuple(map(_imported_question, data["questions"]))
        if not questions or len({one.id for one in questions}) < len(questions):
            raise ValueError("the questions of a table have no names of their own")
        scale = tuple(map(str, data["scale"]))
        return Questionnaire(
            str(data["id"]), str(data["title"]), questions, scale, (), int(data["stories"])
        )
    root = JsonCursor.of(JsonFile(Path("questionnaire.json"), data, ()))
    found = parse_questionnaire(root)
    if found is None:
        raise ValueError(root.defects.to_tuple()[0].found)
    return found


def _name(value: Json) -> str | None:
    """Return a valid short name of letters, digits and hyphens, else None."""
    sound = isinstance(value, str) and value.replace("-", "").replace("_", "").isalnum()
    return value if sound and len(value) <= 40 and value.isascii() else None


def _texts(root: JsonCursor, key: str) -> tuple[str, ...]:
    value = root.value.get(key, [])
    if isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value):
        return tuple(value)
    root[key].error(
        fill('"{name}" is {type}.', key, describe_value(value)), "A list of texts is expected."
    )
    return ()


def _questions(root: JsonCursor) -> Iterator[RatingQuestion]:
    questions = root["questions"]
    if not isinstance(questions.value, list) or not questions.value:
        questions.error('"questions" is not a list of questions.', "At least one is needed.")
        return
    for index in range(len(questions.value)):
        question = _question(questions[index])
        if question is not None:
            yield question


def _question(question: JsonCursor) -> RatingQuestion | None:
    value = question.value
    number = (question.index or 0) + 1
    if not isinstance(value, dict):
        expected = "An object with id, kind and statement is expected."
        question.error(
            fill("Question {number}: it is {type}.", number, describe_value(value)), expected
        )
        return None
    texts: dict[str, str] = {}
    for member in MEMBERS:
        if member in OPTIONAL and member.name not in value:
            continue
        text = member.of(value)
        if text is None:
            fault = question.describe_fault(member.name)
            question.error(fill("Question {number}: {fault}", number, fault), member.expected)
            return None
        texts[member.name] = text
    required = value.get("required", True)
    if not isinstance(required, bool):
        found = fill('Question {number}: "required" is {type}.', number, describe_value(required))
        question.error(found, "true or false is expected.")
        return None
    kind = cast(Kind, texts.pop("kind"))
    return RatingQuestion(kind=kind, required=required, **texts)  # type: ignore[arg-type]


def _imported_question(data: Json) -> RatingQuestion:
    """Decode a question of an imported table."""
    kind, span = data["kind"], tuple(map(float, data.get("limits", ())))
    if kind not in KINDS or len(span) not in (0, 2) or (kind == "number") != (len(span) == 2):
        raise ValueError("the kind or the limits of a question are damaged")
    return RatingQuestion(
        str(data["id"]),
        cast(Kind, kind),
        str(data["statement"]),
        tie=str(data.get("tie", "")),
        required=False,
        limits=(span[0], span[1]) if span else None,
        labels=tuple(map(str, data.get("labels", ()))),
        lower=bool(data.get("lower", False)),
    )


def _kind(value: Json) -> str | None:
    return value if isinstance(value, str) and value in ASKED_KINDS else None


NAME = Attribute("id", "A short name is expected.", _name)
TITLE = Attribute("title", "A title is expected.", parse_text)
OPTIONAL = tuple(
    Attribute(name, "A text is expected.", parse_text) for name in ("help", "good", "bad", "tie")
)
MEMBERS = (
    Attribute("id", "A short name of letters, digits and hyphens is expected.", _name),
    Attribute("kind", fill("One of {kinds} is expected.", ", ".join(ASKED_KINDS)), _kind),
    Attribute("statement", "Text is expected: the statement.", parse_text),
    *OPTIONAL,
)


def _check(
    root: JsonCursor, questions: tuple[RatingQuestion, ...], scale: tuple[str, ...], stories: int
) -> None:
    ids = [one.id for one in questions]
    for index, question in enumerate(questions):
        if question.id in ids[:index] or question.id == PHOTOS_MISSING:
            found = fill(
                'Question {number}: the id "{id}" is already used.', index + 1, question.id
            )
            root["questions"][index].error(found, "Every question needs its own id.")
        if question.tie and question.kind != "pairwise":
            found = fill(
                'Question {number}: "tie" with the kind "{kind}".', index + 1, question.kind
            )
            root["questions"][index].error(found, 'Only "pairwise" has ties.')
        low, high = STORIES_OF_KIND[question.kind]
        if not low <= stories <= high:
            wanted = f"{low}" if low == high else fill("{low} to {high}", low, high)
            found = fill(
                'Question {number}: "{kind}" with {stories} stories at once.',
                index + 1,
                question.kind,
                stories,
            )
            root["questions"][index].error(found, fill('"stories" must be {wanted}.', wanted))
    if any(one.kind == "likert" for one in questions) and not 2 <= len(scale) <= 9:
        found = fill('"scale" has {scale} labels.', len(scale))
        root["scale"].error(found, "2 to 9 labels are expected, from the lowest.")
