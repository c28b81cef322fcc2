"""The columns that a board can be sliced by, those that a reader knows first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.entries import entries

if TYPE_CHECKING:
    from core.board import Board
    from core.model import Evaluation
    from core.tasks.registry import AnyTask

MOST = 24


@dataclass(frozen=True, slots=True)
class Sliceable:
    """Names of texts and numbers of the items, what the items are called, and an example."""

    names: tuple[str, ...]
    noun: tuple[str, str]
    example: str


def sliceable(task: AnyTask, evaluation: Evaluation, board: Board | None) -> Sliceable:
    """By what the items can be sliced.

    Texts come first (a sub-task, say), then numbers that are no metric, then metrics that rank.
    """
    found = entries(task, evaluation.items, evaluation.profile)
    texts = list(task.attributes(evaluation.items))
    metrics = [] if board is None else [info for info in board.metrics if info.better != "neither"]
    ranking = [info.name for info in metrics if info.name in found.columns]
    plain = [name for name in found.columns if name not in ranking]
    noun = (found.noun.removesuffix("s"), found.noun) if found.noun else task.item_noun
    headline = None if board is None else board.headline
    main = headline.name if headline and headline.name in ranking else next(iter(ranking), "")
    example = f"{main} < 0.2" if main else f"{plain[0]} > 3" if plain else ""
    return Sliceable(tuple([*texts, *plain, *ranking][:MOST]), noun, example)
