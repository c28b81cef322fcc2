"""Planning of a study from files or a desk."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.slices import slice_by_query
from jurydesk.core.competition.rating_design import RatingPool
from jurydesk.core.competition.task import AnyTask, Reading
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design.balanced_plan import PlanRequest
from jurydesk.core.human_evaluation.design.item_pool import draw_pool, rated_summaries
from jurydesk.core.human_evaluation.design.questionnaire import (
    Questionnaire,
    questionnaire_path,
    read_questionnaire,
)
from jurydesk.core.human_evaluation.design.study import RatingStudy, make_study
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder, picture_places
from jurydesk.core.language import Message, counted, fill
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import UsageError

RATED = "rated-{}"
"""Name of a question or mean that would have the name of a metric."""


@dataclass(frozen=True, slots=True)
class StudyRequest:
    """Request for a study: rated entries, questionnaire, and numbers.

    The entries are `submissions`, if the competition reads them unscored, or else the `systems` of
    a desk (default: all), on the items that match the query `slice`. With `human`, human texts are
    rated as another system. `seed` is random by default; `questionnaire` is the competition's own
    by default. `names` are the systems' names by file, if they differ from those in the files.
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

    def plan_request(self, systems: int, available: int, stories: int = 1) -> PlanRequest:
        """Return the numbers of the plan, for systems and items of which some are drawn."""
        shared = (self.sequences, self.raters, self.ratings)
        checks = (self.practice, self.attention, self.repeated)
        return PlanRequest(systems, *shared, available, stories, *checks)


def plan_study(
    study_request: StudyRequest,
    task: AnyTask,
    desk: Desk | None = None,
    run: Run | None = None,
) -> Reading[RatingStudy]:
    """Make the study of a request, with the defects of its files.

    Raises UsageError if the request is contradictory, and InfeasiblePlan if its numbers are.
    """
    if study_request.images is not None and not study_request.images.is_dir():
        raise UsageError(
            fill("The folder of pictures {images} does not exist.", study_request.images)
        )
    reading = read_questionnaire(
        study_request.questionnaire or questionnaire_path(task.presentation.rating.questionnaire)
    )
    if reading.data is None:
        return Reading(None, reading.defects)
    seed = secrets.randbelow(2**48) if study_request.seed is None else study_request.seed
    if study_request.submissions:
        found = _read_files(study_request, task)
    else:
        found = Reading(_draw(study_request, task, desk, seed, run or Run()), ())
    defects: tuple[Defect, ...] = (*reading.defects, *found.defects)
    if found.data is None:
        return Reading(None, defects)
    questionnaire = rename_questions(reading.data, task)
    request = study_request.plan_request(
        len(found.data.systems), len(found.data.items), questionnaire.stories
    )
    images = str(study_request.images.resolve()) if study_request.images else ""
    words = task.presentation.rating.wording(task.item_noun)
    if is_metric(task, words.overall):
        words = replace(words, overall=RATED.format(words.overall))
    study = make_study(found.data, questionnaire, request, seed, images, words=words)
    return Reading(study, defects)


def _read_files(study_request: StudyRequest, task: AnyTask) -> Reading[RatingPool]:
    if study_request.slice:
        raise UsageError("A query needs the items of a desk: score the files into a desk first.")
    if task.presentation.rating.read_files is None:
        raise UsageError(
            fill(
                "{title} is rated from a desk: score the submissions into it first, then "
                "plan without --submission.",
                Message(task.title),
            )
        )
    entries = task.presentation.rating.entry_noun[1]
    if study_request.human and not study_request.references:
        raise UsageError(
            fill("Human {entries} need a file: give it as reference data.", Message(entries))
        )
    return task.presentation.rating.read_files(
        study_request.submissions,
        study_request.references,
        human=study_request.human,
        seed=study_request.seed or 0,
        names=study_request.names,
    )


def _draw(
    study_request: StudyRequest, task: AnyTask, desk: Desk | None, seed: int, run: Run
) -> RatingPool:
    """Draw the items from a desk; raise UsageError if there are none to rate."""
    words = task.presentation.rating.wording(task.item_noun)
    summaries = desk.evaluations() if desk is not None else ()
    chosen = rated_summaries(task, summaries, study_request.systems)
    unknown = set(study_request.systems) - {one.system for one in chosen}
    if unknown:
        raise UsageError(fill("The desk has no result of {min}: score it first.", min(unknown)))
    if desk is None or not chosen:
        raise UsageError(
            fill(
                "There are no {entry} to rate: score at least one system into the desk first.",
                Message(words.entry[1]),
            )
        )
    photos = PhotoFolder(study_request.images, picture_places(desk.inputs()))
    count = study_request.sequences + -(-study_request.practice // len(chosen))
    pool = draw_pool(
        desk,
        task,
        chosen,
        count,
        human=study_request.human,
        seed=seed,
        is_available=photos.has,
        wanted=_slice(study_request, task, desk, chosen, run),
        check=run.check,
    )
    if not pool.items:
        raise UsageError(nothing_to_rate(study_request, task))
    if study_request.images is None and task.presentation.rating.folder_optional:
        items = tuple(replace(one, pictures=()) for one in pool.items)
        return replace(pool, items=items)
    return pool


def _slice(
    study_request: StudyRequest, task: AnyTask, desk: Desk, chosen: Sequence[Summary], run: Run
) -> Collection[str] | None:
    """Return the ids of the items that match the query; None without a query."""
    if not study_request.slice:
        return None
    return slice_by_query(ItemAttributes(desk, task, chosen, run), study_request.slice).ids


def nothing_to_rate(study_request: StudyRequest, task: AnyTask) -> str:
    """Explain why no item of a desk can be rated."""
    words = task.presentation.rating.wording(task.item_noun)
    if study_request.human:
        return fill(
            "There are no human {entry} for these {item}: rate only systems.",
            Message(words.entry[1]),
            Message(words.item[1]),
        )
    where = (
        fill("in {folder}", study_request.images)
        if study_request.images
        else fill("a folder of {pictures} is needed", Message(words.picture[1]))
    )
    return fill(
        "There is nothing to rate: every system needs a text for the same {item}, or "
        "{picture} that exist ({where}).",
        Message(words.item[0]),
        Message(words.picture[1]),
        where,
    )


def rename_questions(questionnaire: Questionnaire, task: AnyTask) -> Questionnaire:
    """Rename questions that have the name of a metric, since both are on one board."""
    questions = tuple(
        replace(one, id=RATED.format(one.id)[-40:]) if is_metric(task, one.id) else one
        for one in questionnaire.questions
    )
    return replace(questionnaire, questions=questions)


def is_metric(task: AnyTask, name: str) -> bool:
    """Return whether the competition has a metric of that name."""
    try:
        return bool(task.metric(name))
    except KeyError:
        return False


def items_per_rater(study: RatingStudy) -> str:
    """Return the number of items per rater: `12`, or `12 or 13`."""
    loads = sorted(len(rater.tasks) for rater in study.raters)
    return str(loads[0]) if loads[0] == loads[-1] else fill("{low} or {high}", loads[0], loads[-1])


def describe_study(study: RatingStudy) -> str:
    """Describe the plan in a sentence or two."""
    request = study.request
    return fill(
        "{systems}, {count}, {ratings} of each {entry}; {raters} with {items_per_rater} "
        "items each.",
        counted(len(study.pool.systems), "system"),
        counted(request.sequences, *study.words.item),
        counted(request.ratings, "rating"),
        Message(study.words.entry[0]),
        counted(request.raters, "rater"),
        items_per_rater(study),
    )
