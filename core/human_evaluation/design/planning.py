"""From files or a desk, and numbers, to a study: what the command line and the window ask for."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.slices import slice_by_query
from jurydesk.core.competition.rating_design import RatingPool
from jurydesk.core.competition.task import Reading
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design.balanced_plan import PlanRequest
from jurydesk.core.human_evaluation.design.item_pool import AnyTask, draw_pool, rated_summaries
from jurydesk.core.human_evaluation.design.questionnaire import (
    Questionnaire,
    questionnaire_path,
    read_questionnaire,
)
from jurydesk.core.human_evaluation.design.study import RatingStudy, make_study
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.model.defects import Defect, counted
from jurydesk.core.model.evaluation import UsageError

RATED = "rated-{}"
"""The name of a question or mean whose own name is a metric's."""


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """What an organiser wants: whose entries are rated, on which questions, by how many people.

    Rated are the `submissions`, where the competition reads them unscored, or else the `systems`
    of a desk (all of them, where none is named), on the items that fit the query `slice`. With
    `human` a text that people wrote for each item is rated as one more system's. Without `seed`
    one is drawn; without `questionnaire` it is the competition's own. `names` are those of the
    board, by file, where they are others than the files give.
    """

    submissions: tuple[Path, ...]
    sequences: int
    raters: int
    ratings: int
    references: tuple[Path, ...] = ()
    human: bool = False
    images: Path | None = None
    questionnaire: Path | None = None
    practice: int = 0
    attention: int = 0
    repeated: float = 0.0
    seed: int | None = None
    names: Mapping[Path, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    slice: str = ""


def plan_study(
    order: StudyRequest,
    task: AnyTask,
    desk: Desk | None = None,
    run: Run | None = None,
) -> Reading[RatingStudy]:
    """The study that an order gives, and everything that is wrong with its files.

    Raises UsageError where the order contradicts itself, and InfeasiblePlan where its numbers do.
    """
    if order.images is not None and not order.images.is_dir():
        raise UsageError(f"{order.images}: there is no such folder of pictures.")
    asked = read_questionnaire(
        order.questionnaire or questionnaire_path(task.presentation.rating.questionnaire)
    )
    if asked.data is None:
        return Reading(None, asked.defects)
    seed = secrets.randbelow(2**48) if order.seed is None else order.seed
    if order.submissions:
        found = _read_files(order, task)
    else:
        found = Reading(_draw(order, task, desk, seed, run or Run()), ())
    defects: tuple[Defect, ...] = (*asked.defects, *found.defects)
    if found.data is None:
        return Reading(None, defects)
    questionnaire = rename_questions(asked.data, task)
    request = PlanRequest(
        systems=len(found.data.systems),
        sequences=order.sequences,
        raters=order.raters,
        ratings=order.ratings,
        available=len(found.data.items),
        stories=questionnaire.stories,
        practice=order.practice,
        attention=order.attention,
        repeated=order.repeated,
    )
    images = str(order.images.resolve()) if order.images else ""
    words = task.presentation.rating.wording(task.item_noun)
    if is_metric(task, words.overall):
        words = replace(words, overall=RATED.format(words.overall))
    study = make_study(found.data, questionnaire, request, seed, images, words=words)
    return Reading(study, defects)


def _read_files(order: StudyRequest, task: AnyTask) -> Reading[RatingPool]:
    if order.slice:
        raise UsageError("Items are chosen by a query in a desk alone: score the files into it.")
    if task.presentation.rating.read_files is None:
        raise UsageError(
            f"{task.title} is rated from a desk: score the submissions into it first, and plan "
            "without them."
        )
    entries = task.presentation.rating.entry_noun[1]
    if order.human and not order.references:
        raise UsageError(
            f"{entries.capitalize()} of people can only be rated where a file of them is given."
        )
    return task.presentation.rating.read_files(
        order.submissions,
        order.references,
        human=order.human,
        seed=order.seed or 0,
        names=order.names,
    )


def _draw(order: StudyRequest, task: AnyTask, desk: Desk | None, seed: int, run: Run) -> RatingPool:
    """Draw the items from a desk; UsageError where it holds none that people can rate."""
    words = task.presentation.rating.wording(task.item_noun)
    summaries = desk.evaluations() if desk is not None else ()
    chosen = rated_summaries(task, summaries, order.systems)
    unknown = set(order.systems) - {one.system for one in chosen}
    if unknown:
        raise UsageError(f"The desk holds no result of {min(unknown)}: score it first.")
    if desk is None or not chosen:
        raise UsageError(
            f"No system's {words.entry[1]} were chosen: at least one system is needed. Score "
            "systems into the desk first."
        )
    photos = PhotoFolder(order.images)
    count = order.sequences + -(-order.practice // len(chosen))
    pool = draw_pool(
        desk,
        task,
        chosen,
        count,
        human=order.human,
        seed=seed,
        is_there=photos.has,
        wanted=_slice(order, task, desk, chosen, run),
        check=run.check,
    )
    if not pool.items:
        raise UsageError(nothing_to_rate(order, task))
    if order.images is None and task.presentation.rating.folder_optional:
        items = tuple(replace(one, pictures=()) for one in pool.items)
        return replace(pool, items=items)
    return pool


def _slice(
    order: StudyRequest, task: AnyTask, desk: Desk, chosen: Sequence[Summary], run: Run
) -> Collection[str] | None:
    """The ids of the items that fit the order's query; None where it has none."""
    if not order.slice:
        return None
    return slice_by_query(ItemAttributes(desk, task, chosen, run), order.slice).ids


def nothing_to_rate(order: StudyRequest, task: AnyTask) -> str:
    """Say why no item of a desk can be rated."""
    words = task.presentation.rating.wording(task.item_noun)
    if order.human:
        return f"People wrote no {words.entry[1]} for these {words.item[1]}: rate systems alone."
    where = f"in {order.images}" if order.images else f"a folder of {words.picture[1]} is needed"
    return (
        f"Nothing can be rated: every system needs a text for the same {words.item[0]}, or "
        f"{words.picture[1]} that are found ({where})."
    )


def rename_questions(asked: Questionnaire, task: AnyTask) -> Questionnaire:
    """Give each question whose id is a metric's name another one, as both are on one board."""
    questions = tuple(
        replace(one, id=RATED.format(one.id)[-40:]) if is_metric(task, one.id) else one
        for one in asked.questions
    )
    return replace(asked, questions=questions)


def is_metric(task: AnyTask, name: str) -> bool:
    """Return whether the competition has a metric of that name."""
    try:
        return bool(task.metric(name))
    except KeyError:
        return False


def items_per_rater(study: RatingStudy) -> str:
    """How many items a rater has: `12`, or `12 or 13`."""
    loads = sorted(len(rater.tasks) for rater in study.raters)
    return f"{loads[0]}" if loads[0] == loads[-1] else f"{loads[0]} or {loads[-1]}"


def describe_study(study: RatingStudy) -> str:
    """Return what was planned, in a sentence or two."""
    request = study.request
    return (
        f"{counted(len(study.pool.systems), 'system')}, "
        f"{counted(request.sequences, *study.words.item)}, "
        f"{counted(request.ratings, 'rating')} of each {study.words.entry[0]}; "
        f"{counted(request.raters, 'rater')} with {items_per_rater(study)} items each."
    )
