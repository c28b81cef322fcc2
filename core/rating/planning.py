"""From files and numbers to a study: what the command line and the window both ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.defects import counted
from core.model import UsageError
from core.rating.plan import Request
from core.rating.pool import read_pool
from core.rating.questionnaire import Questionnaire, builtin, read_questionnaire
from core.rating.study import Study, make_study
from core.task import Reading


@dataclass(frozen=True, slots=True)
class Order:
    """What an organiser wants: whose stories are rated, on which questions, by how many people.

    `human` has one human story of each sequence rated as one system more. Without `seed` one is
    drawn; without `questionnaire` it is that of the VIST Challenge 2018. `names` are those of the
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


def planned(order: Order) -> Reading[Study]:
    """The study that an order gives, and everything that is wrong with its files.

    Raises UsageError where the order contradicts itself, and Infeasible where its numbers do.
    """
    if not order.submissions:
        raise UsageError("Nobody's stories were chosen: at least one system is needed.")
    if order.human and not order.references:
        raise UsageError("Human stories can only be rated where a file of them is given.")
    if order.images is not None and not order.images.is_dir():
        raise UsageError(f"{order.images}: there is no such folder of photos.")
    asked = questionnaire_of(order)
    if asked.data is None:
        return Reading(None, asked.defects)
    pool = read_pool(
        order.submissions,
        order.references,
        human=order.human,
        seed=order.seed or 0,
        names=order.names,
    )
    defects = (*asked.defects, *pool.defects)
    if pool.data is None:
        return Reading(None, defects)
    request = Request(
        systems=len(pool.data.systems),
        sequences=order.sequences,
        raters=order.raters,
        ratings=order.ratings,
        available=len(pool.data.sequences),
        stories=asked.data.stories,
        practice=order.practice,
        attention=order.attention,
        repeated=order.repeated,
    )
    images = str(order.images.resolve()) if order.images else ""
    return Reading(make_study(pool.data, asked.data, request, order.seed, images), defects)


def questionnaire_of(order: Order) -> Reading[Questionnaire]:
    """The questionnaire of an order, and what is wrong with its file."""
    if order.questionnaire is None:
        return Reading(builtin(), ())
    return read_questionnaire(order.questionnaire)


def items_each(study: Study) -> str:
    """How many items a rater has: `12`, or `12 or 13`."""
    loads = sorted(len(rater.tasks) for rater in study.raters)
    return f"{loads[0]}" if loads[0] == loads[-1] else f"{loads[0]} or {loads[-1]}"


def told(study: Study) -> str:
    """What was planned, in a sentence or two."""
    request = study.request
    return (
        f"{counted(len(study.pool.systems), 'system')}, "
        f"{counted(request.sequences, 'sequence')}, {counted(request.ratings, 'rating')} of "
        f"each story; {counted(request.raters, 'rater')} with {items_each(study)} items each."
    )
