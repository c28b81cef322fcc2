"""A study with recognizable names, and its packets, for tests."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.competition.rating_design import PictureRef, RatedItem, RatingPool, SystemOutput
from jurydesk.core.desk import Desk
from jurydesk.core.execution.intervals import add_intervals
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.answers_file import (
    RaterAnswers,
    answers_bytes,
    make_answers,
)
from jurydesk.core.human_evaluation.answers.merge_answers import merge_answers
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.balanced_plan import PlanRequest
from jurydesk.core.human_evaluation.design.questionnaire import Questionnaire
from jurydesk.core.human_evaluation.design.study import Rater, RatingStudy, make_study
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet import PacketContent, packet_content
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Score
from jurydesk.core.model.options import options_json
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tasks.vist.vist_task import TASK
from support.rating import random_answers
from support.rating.questionnaires import builtin_questionnaire

PICTURES = sorted((resources_folder() / "examples" / "vist" / "images").glob("*.png"))
SYSTEMS = ("ZEBRAnet", "QUAGGAnet", "OKAPInet")


def pool(sequences: int = 6, systems: Sequence[str] = SYSTEMS) -> RatingPool:
    def item(s: int) -> RatedItem:
        photos = [f"{9000 + s}{k}" for k in range(5)]
        texts = [f"in tale {s} by voice {i} somebody laughs ." for i in range(len(systems))]
        return RatedItem(
            "-".join(photos), tuple(map(SystemOutput, texts)), tuple(map(PictureRef, photos))
        )

    return RatingPool(tuple(systems), tuple(map(item, range(sequences))))


def photos_in(folder: Path, sequences: int = 5) -> Path:
    """Return the folder with drawn photos of the first few sequences of the pool."""
    ids = [photo.name for item in pool().items[:sequences] for photo in item.pictures]
    for photo, picture in zip(ids, PICTURES, strict=False):
        shutil.copy(picture, folder / f"{photo}.png")
    return folder


def study(
    sequences: int = 6,
    raters: int = 4,
    ratings: int = 2,
    questionnaire: Questionnaire | None = None,
    images: str = "",
    **extra: Any,
) -> RatingStudy:
    found = pool(sequences + (2 if extra.get("practice") else 0))
    asked = questionnaire or builtin_questionnaire("vist2018")
    request = PlanRequest(
        len(SYSTEMS), sequences, raters, ratings, len(found.items), asked.stories, **extra
    )
    return make_study(found, asked, request, 5, images)


def contents(made: RatingStudy, images: Path | None = None) -> list[PacketContent]:
    photos = PhotoFolder(images)
    return [packet_content(made, rater, photos) for rater in made.raters]


def desk_with(path: Path, made: RatingStudy) -> Desk:
    """Return a desk that contains the study and has written its packets."""
    desk = Desk.create(path)
    desk.set_competition(TASK.id, TASK.title, options_json(TASK.scoring.options()))
    store = RatingStore(desk)
    store.set_study(made)
    for content in contents(made):
        store.add_packet(content.sha256, content.rater)
    return desk


def events_of(made: RatingStudy, rater: Rater, seed: int = 0) -> list[RatingEvent]:
    """Return events of a rater who answers everything at random."""
    ids = [task.id for task in rater.tasks]
    return random_answers.whole_sitting(
        ids, made.questionnaire, random.Random(f"{rater.code} {seed}")
    )


def answers_for(
    made: RatingStudy, number: int, seed: int = 0, count: int | None = None
) -> RaterAnswers:
    rater = made.raters[number]
    content = packet_content(made, rater, PhotoFolder(None))
    return make_answers(
        content.sha256, rater.code, events_of(made, rater, seed)[:count], content.key
    )


def write_answers(
    folder: Path, made: RatingStudy, number: int, seed: int = 0, count: int | None = None
) -> Path:
    answers = answers_for(made, number, seed, count)
    path = folder / f"{answers.rater}-{seed}-{count or 'all'}.juryanswers"
    path.write_bytes(answers_bytes(answers))
    return path


def rate(desk: Desk, folder: Path, made: RatingStudy, raters: int) -> None:
    """Merge the answers of the first raters into a desk."""
    paths = [write_answers(folder, made, number) for number in range(raters)]
    assert merge_answers(RatingStore(desk), paths).taken == raters


def rated_desk(path: Path, made: RatingStudy, raters: int) -> Path:
    """Return a desk with two of the systems scored, and the answers of the first raters."""
    with desk_with(path, made) as desk:
        for seed, system in enumerate(made.pool.systems[:2]):
            desk.add(evaluation_of(made, system, seed))
        rate(desk, path.parent, made, raters)
    return path


def evaluation_of(made: RatingStudy, system: str, seed: int) -> Evaluation:
    """Return an evaluation of a system, with a different METEOR for each story and its interval."""
    ids = tuple(item.id for item in reversed(made.pool.items))
    column = np.random.default_rng(seed).random(len(ids))
    items = ItemTable(ids, {"meteor": column}, noun="sequence")
    score = Score("meteor", float(column.mean()), len(ids), float(column.std()))
    bare = Evaluation("vist", system, "published", (score,), items)
    return add_intervals(TASK, bare, Run(), RESAMPLES, SEED, Inference())


def write_json(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value))
    return path
