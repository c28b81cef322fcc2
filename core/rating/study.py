"""A study: stories, questionnaire, plan and raters, as the organiser's desk keeps them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from core.model import Json
from core.rating.plan import Item, Request, plan
from core.rating.pool import Pool
from core.rating.questionnaire import Questionnaire, from_json

ATTENTION_TEXT = (
    "this is no story , but a check that the texts are read . please choose {answer} for every "
    "statement ."
)


@dataclass(frozen=True, slots=True)
class Task:
    """One item of one rater under its random id, which is all that the rater sees of it."""

    id: str
    item: Item


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater by code, with the tasks in their order."""

    code: str
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """Everything that a plan fixed. `secret` makes names that tell nothing of what they name.

    `images` is the folder of the photos, or empty.
    """

    pool: Pool
    questionnaire: Questionnaire
    request: Request
    seed: int
    raters: tuple[Rater, ...]
    images: str
    secret: str

    def photo_name(self, rater: str, photo: str) -> str:
        """The name of a photo in a rater's packet: random, but the same each time."""
        message = f"{rater}\n{photo}".encode()
        return hmac.new(self.secret.encode(), message, hashlib.sha256).hexdigest()[:20]

    def texts(self, item: Item) -> tuple[str, ...]:
        """The stories that an item shows."""
        if item.answer is not None:
            return (ATTENTION_TEXT.format(answer=item.answer),)
        return tuple(self.pool.stories[item.sequence][system] for system in item.systems)

    def to_json(self) -> Json:
        """The study as JSON values; `study_from_json` reads it back."""
        return {
            "systems": list(self.pool.systems),
            "sequences": [list(photos) for photos in self.pool.sequences],
            "stories": [list(texts) for texts in self.pool.stories],
            "questionnaire": self.questionnaire.to_json(),
            "request": asdict(self.request),
            "seed": self.seed,
            "raters": [
                [one.code, [[task.id, task.item.to_json()] for task in one.tasks]]
                for one in self.raters
            ],
            "images": self.images,
            "secret": self.secret,
        }


def make_study(
    pool: Pool,
    questionnaire: Questionnaire,
    request: Request,
    seed: int | None = None,
    images: str = "",
    codes: Sequence[str] = (),
) -> Study:
    """A study after a balanced plan; without a seed a random one is drawn. Raises Infeasible."""
    seed = secrets.randbelow(2**48) if seed is None else seed
    made = plan(request, seed, len(questionnaire.scale) or 5)
    digits = max(2, len(str(request.raters)))
    names = codes or [f"r{number:0{digits}}" for number in range(1, request.raters + 1)]
    raters = tuple(
        Rater(code, tuple(Task(secrets.token_hex(8), item) for item in items))
        for code, items in zip(names, made.raters, strict=True)
    )
    return Study(pool, questionnaire, request, seed, raters, images, secrets.token_hex(16))


def study_from_json(data: Json) -> Study:
    """The study that `Study.to_json` wrote."""
    raters = tuple(
        Rater(code, tuple(Task(id, Item.from_json(item)) for id, item in tasks))
        for code, tasks in data["raters"]
    )
    return Study(
        Pool(
            tuple(data["systems"]),
            tuple(tuple(photos) for photos in data["sequences"]),
            tuple(tuple(texts) for texts in data["stories"]),
        ),
        from_json(data["questionnaire"]),
        Request(**data["request"]),
        data["seed"],
        raters,
        data["images"],
        data["secret"],
    )
