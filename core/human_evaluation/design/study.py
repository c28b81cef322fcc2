"""Study: items, questionnaire, plan and raters, as stored in the organiser's desk."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from jurydesk.core.competition.rating_design import (
    STORIES,
    PictureRef,
    RatedItem,
    RatingPool,
    SystemOutput,
    Wording,
    noun_from_json,
)
from jurydesk.core.human_evaluation.design.balanced_plan import (
    Kind,
    PlannedItem,
    PlanRequest,
    make_plan,
    planned_item,
)
from jurydesk.core.human_evaluation.design.questionnaire import (
    Questionnaire,
    questionnaire_from_json,
)
from jurydesk.core.language import Message
from jurydesk.core.model.evaluation import Json

RATER_CODE = re.compile(r"[\w.-]{1,40}")
TASK_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class RatingTask:
    """Item of a rater under a random id, which is all that the rater sees of it."""

    id: str
    item: PlannedItem


@dataclass(frozen=True, slots=True)
class Rater:
    """Rater by code, with the tasks in their order; `is_program` if no person judged."""

    code: str
    tasks: tuple[RatingTask, ...]
    is_program: bool = False

    def to_json(self, *, is_imported: bool = False) -> Json:
        """Return the rater as JSON values: items one by one, or, of imported ratings, columns."""
        tasks: Json
        if is_imported:
            tasks = _task_columns([task.item for task in self.tasks])
        else:
            tasks = [[task.id, task.item.to_json()] for task in self.tasks]
        return [self.code, tasks, True] if self.is_program else [self.code, tasks]


def _task_columns(items: Sequence[PlannedItem]) -> Json:
    """Return items as columns: millions of them are read in seconds."""
    shown = {one: place for place, one in enumerate(dict.fromkeys(item.systems for item in items))}
    return {
        "sequences": [item.sequence for item in items],
        "together": list(map(list, shown)),
        "shown": [shown[item.systems] for item in items],
        "repeats": [row for row, item in enumerate(items) if item.kind == "repeat"],
    }


def _tasks(rater: int, data: Json) -> Iterator[RatingTask]:
    if not isinstance(data, dict):
        yield from (RatingTask(id, PlannedItem.from_json(item)) for id, item in data)
        return
    repeats, together = set(data["repeats"]), list(map(tuple, data["together"]))
    rows = zip(data["sequences"], data["shown"], strict=True)
    for row, (sequence, shown) in enumerate(rows):
        kind: Kind = "repeat" if row in repeats else "story"
        yield RatingTask(numbered_id(rater, row), planned_item(kind, sequence, together[shown]))


def numbered_id(rater: int, number: int) -> str:
    """Return the id of a rater's item; both numbers, from 0, are known to all."""
    return f"{rater:08x}{number:08x}"


@dataclass(frozen=True, slots=True)
class RatingStudy:
    """Complete plan of a study; `secret` is the key for pseudonymous names.

    `images` is the folder of the pictures, or empty. `imported` names the file of another program
    that the ratings are from, with its hash; such a study has no packets, and no rater signed.
    """

    pool: RatingPool
    questionnaire: Questionnaire
    request: PlanRequest
    seed: int
    raters: tuple[Rater, ...]
    images: str
    secret: str
    words: Wording = STORIES
    imported: str = ""

    @property
    def judges(self) -> tuple[Rater, ...]:
        """Programs beside people; where all raters are programs, they are the raters."""
        programs = tuple(rater for rater in self.raters if rater.is_program)
        return programs if len(programs) < len(self.raters) else ()

    def photo_name(self, rater: str, photo: str) -> str:
        """Return the pseudonymous name of a picture in a rater's packet, always the same."""
        message = f"{rater}\n{photo}".encode()
        return hmac.new(self.secret.encode(), message, hashlib.sha256).hexdigest()[:20]

    def answer_key(self, rater: str) -> str:
        """Return the key with which a rater's answers are signed: 64 hexadecimal digits."""
        message = f"{rater}\nanswers".encode()
        return hmac.new(self.secret.encode(), message, hashlib.sha256).hexdigest()

    def rated_item(self, item: PlannedItem) -> RatedItem:
        """Return the item with the entries that a rater sees at once."""
        whole = self.pool.items[item.sequence]
        if item.answer is not None:
            entries = Message(self.words.entry[1])
            text = Message(self.words.attention).format(entries=entries, answer=item.answer)
            return replace(whole, entries=(SystemOutput(text),))
        return replace(whole, entries=tuple(whole.entries[system] for system in item.systems))

    def to_json(self) -> Json:
        """Return the study as JSON values for `study_from_json`."""
        return {
            "systems": list(self.pool.systems),
            "items": [_item_json(item) for item in self.pool.items],
            "words": asdict(self.words),
            "questionnaire": self.questionnaire.to_json(),
            "request": asdict(self.request),
            "seed": self.seed,
            "raters": [one.to_json(is_imported=bool(self.imported)) for one in self.raters],
            "images": self.images,
            "secret": self.secret,
            **({"imported": self.imported} if self.imported else {}),
        }


def make_study(
    pool: RatingPool,
    questionnaire: Questionnaire,
    request: PlanRequest,
    seed: int | None = None,
    images: str = "",
    codes: Sequence[str] = (),
    words: Wording = STORIES,
) -> RatingStudy:
    """Make a study by a balanced plan; the seed is random by default. Raises InfeasiblePlan."""
    seed = secrets.randbelow(2**48) if seed is None else seed
    plan = make_plan(request, seed, len(questionnaire.scale) or 5, words)
    digits = max(2, len(str(request.raters)))
    names = codes or [f"r{number:0{digits}}" for number in range(1, request.raters + 1)]
    raters = tuple(
        Rater(code, tuple(RatingTask(secrets.token_hex(8), item) for item in items))
        for code, items in zip(names, plan.raters, strict=True)
    )
    return RatingStudy(
        pool, questionnaire, request, seed, raters, images, secrets.token_hex(16), words
    )


def study_from_json(data: Json) -> RatingStudy:
    """Decode a study; raises a builtin exception if it is invalid."""
    raters = tuple(
        Rater(code, tuple(_tasks(place, tasks)), *more)
        for place, (code, tasks, *more) in enumerate(data["raters"])
    )
    imported = str(data.get("imported", ""))
    study = RatingStudy(
        RatingPool(tuple(map(str, data["systems"])), tuple(_items(data))),
        questionnaire_from_json(data["questionnaire"], imported=bool(imported)),
        PlanRequest(**data["request"]),
        int(data["seed"]),
        raters,
        str(data["images"]),
        str(data["secret"]),
        _words(data["words"]),
        imported,
    )
    _check(study)
    return study


def _check(study: RatingStudy) -> None:
    """Raise ValueError if the parts of a study are inconsistent, as in a crafted desk."""
    codes = [rater.code for rater in study.raters]
    if not all(isinstance(rater.is_program, bool) for rater in study.raters):
        raise ValueError("the kind of a rater is damaged")
    tasks = [task for rater in study.raters for task in rater.tasks]
    if not all(isinstance(code, str) and RATER_CODE.fullmatch(code) for code in codes):
        raise ValueError("the code of a rater cannot be a file name")
    if not all(isinstance(task.id, str) and TASK_ID.fullmatch(task.id) for task in tasks):
        raise ValueError("the id of a rater's item is damaged")
    if len(set(codes)) < len(codes) or not all(rater.tasks for rater in study.raters) or not tasks:
        raise ValueError("two raters have the same code, or a rater has no items")
    if not all(type(number) in (int, float) for number in asdict(study.request).values()):
        raise ValueError("the request contains a value that is not a number")
    items, systems = study.pool.items, len(study.pool.systems)
    if any(len(item.entries) != systems for item in items):
        raise ValueError("an item lacks the entry of a system")
    shown = {(task.item.sequence, task.item.systems) for task in tasks}
    for sequence, together in shown:
        if sequence >= len(items) or max(together, default=systems) >= systems:
            raise ValueError("a rater's item is not in the study")


def _words(data: Json) -> Wording:
    item, entry, picture = (noun_from_json(data[name]) for name in ("item", "entry", "picture"))
    return Wording(item, entry, picture, str(data["attention"]), str(data["overall"]))


def _item_json(item: RatedItem) -> Json:
    return {
        "id": item.id,
        "pictures": _refs_json(item.pictures),
        "context": [list(part) for part in item.context],
        "entries": [[entry.text, _refs_json(entry.pictures)] for entry in item.entries],
    }


def _refs_json(pictures: Sequence[PictureRef]) -> Json:
    return [
        [one.name, None if one.box is None else list(one.box), *([one.found] if one.found else [])]
        for one in pictures
    ]


def _items(data: Json) -> Iterator[RatedItem]:
    for one in data["items"]:
        yield RatedItem(
            str(one["id"]),
            tuple(SystemOutput(str(text), _refs(pictures)) for text, pictures in one["entries"]),
            _refs(one["pictures"]),
            tuple((str(title), str(text)) for title, text in one["context"]),
        )


def _box(x: int, y: int, width: int, height: int) -> tuple[int, int, int, int]:
    return x, y, width, height


def _refs(data: Json) -> tuple[PictureRef, ...]:
    return tuple(
        PictureRef(str(name), None if box is None else _box(*map(int, box)), *map(str, found))
        for name, box, *found in data
    )
