"""Who rates what, in which order: a balanced design made from a few numbers and a seed.

A *combination* is what a rater sees of one item (a *sequence*) at once: one system's entry (a
*story*), or the entries of two (pairwise) or more systems (best-worst). The plan promises:

- every combination of every sequence gets the same number of ratings;
- every rater meets every combination of systems equally often, to within one;
- all raters have equally much to do, to within one;
- nobody rates the same combination of the same sequence twice (but for marked repetitions);
- over all full rounds (one of each combination), each stands at each place equally often, to
  within one, and follows each other one as evenly as a Williams square makes it;
- where several stories are shown at once, each system stands at each place equally often.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Literal, get_args

from jurydesk.core.competition.rating_design import STORIES, Wording
from jurydesk.core.human_evaluation.design.plan_request import (
    InfeasiblePlan,
    PlanRequest,
    require_feasible,
)
from jurydesk.core.model.evaluation import Json

__all__ = [
    "BalancedPlan",
    "InfeasiblePlan",
    "PlanRequest",
    "PlannedItem",
    "make_plan",
    "require_feasible",
    "williams_design",
]

Kind = Literal["story", "practice", "attention", "repeat"]

SWAPS_PER_SLOT = 4
"""So many random exchanges of raters mix a design that begins in rows."""

SHUFFLES = 20
"""So many orders are tried for one in which no sequence follows itself."""


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """What a rater sees at once: a sequence, and the systems whose stories are shown, in order.

    Sequences and systems are numbers from 0. `answer` is what an attention item asks for.
    """

    kind: Kind
    sequence: int
    systems: tuple[int, ...]
    answer: int | None = None

    def to_json(self) -> Json:
        """The item as JSON values."""
        return {**asdict(self), "systems": list(self.systems)}

    @classmethod
    def from_json(cls, data: Json) -> PlannedItem:
        """The item that `to_json` wrote; ValueError where a value is none that it writes."""
        item = cls(data["kind"], data["sequence"], tuple(data["systems"]), data["answer"])
        numbers = (item.sequence, *item.systems, 0 if item.answer is None else item.answer)
        if item.kind not in get_args(Kind) or not all(
            type(number) is int and number >= 0 for number in numbers
        ):
            raise ValueError("an item of a rater is damaged")
        return item


@dataclass(frozen=True, slots=True)
class BalancedPlan:
    """The drawn sequences (numbers into those available), and each rater's items in order."""

    request: PlanRequest
    seed: int
    drawn: tuple[int, ...]
    raters: tuple[tuple[PlannedItem, ...], ...]


def make_plan(
    request: PlanRequest, seed: int, scale: int = 5, words: Wording = STORIES
) -> BalancedPlan:
    """A balanced plan; equal arguments give equal plans. Raises Infeasible.

    `scale` is the length of the scale from which answers of attention items are drawn, `words`
    are for the text of Infeasible.
    """
    require_feasible(request, words)
    dice = random.Random(seed)  # noqa: S311 - a design, no secret
    drawn = tuple(dice.sample(range(request.available), request.sequences))
    arms = list(combinations(range(request.systems), request.stories))
    cells = [_shuffle(_cyclic(request, arm), dice) for arm in range(len(arms))]
    shown = _Placements(request.stories)
    shares = _shares(cells, request.raters)
    rounds = _CombinationOrder(len(arms), dice)
    raters = []
    for rater in range(request.raters):
        order = _order_items([shares[rater][arm] for arm in range(len(arms))], rounds, dice)
        items = [
            PlannedItem("story", drawn[cell], shown.turned(arms[arm], cell)) for arm, cell in order
        ]
        practice = _practice(request, drawn, dice)
        raters.append((*practice, *_add_checks(items, request, dice, scale)))
    return BalancedPlan(request, seed, drawn, tuple(raters))


Cells = list[list[int]]
"""The raters of every sequence, for one combination."""


def _cyclic(request: PlanRequest, arm: int) -> Cells:
    """Deal the ratings of a combination in turn, going on where the one before it ended."""
    first = arm * request.sequences * request.ratings
    return [
        [(first + cell * request.ratings + k) % request.raters for k in range(request.ratings)]
        for cell in range(request.sequences)
    ]


def _shuffle(cells: Cells, dice: random.Random) -> Cells:
    """Exchange raters between sequences at random: everybody's number of items stays."""
    if len(cells) < 2:
        return cells
    for _ in range(SWAPS_PER_SLOT * len(cells) * len(cells[0])):
        one, other = dice.sample(cells, 2)
        i, j = dice.randrange(len(one)), dice.randrange(len(other))
        if one[i] not in other and other[j] not in one:
            one[i], other[j] = other[j], one[i]
    return cells


def _shares(cells: Sequence[Cells], raters: int) -> list[list[list[int]]]:
    """For every rater and combination, the sequences to rate."""
    shares: list[list[list[int]]] = [[[] for _ in cells] for _ in range(raters)]
    for arm, by_sequence in enumerate(cells):
        for cell, chosen in enumerate(by_sequence):
            for rater in chosen:
                shares[rater][arm].append(cell)
    return shares


class _Placements:
    """Turns a combination further each time a sequence shows it, so that places are balanced."""

    def __init__(self, stories: int) -> None:
        self._stories = stories
        self._seen: dict[tuple[int, ...], int] = {}

    def turned(self, systems: tuple[int, ...], cell: int) -> tuple[int, ...]:
        if self._stories == 1:
            return systems
        turn = self._seen.get(systems, 0)
        self._seen[systems] = turn + 1
        turn %= self._stories
        return systems[turn:] + systems[:turn]


def williams_design(size: int) -> list[list[int]]:
    """Return a Williams design: balanced orders of `size` conditions.

    Each condition stands at each place, and follows each other one, equally often:
    `size` rows where it is even, twice as many where it is odd (Williams 1949).
    """
    zigzag = [(k + 1) // 2 if k % 2 else -(k // 2) for k in range(size)]
    square = [[(place + row) % size for place in zigzag] for row in range(size)]
    return square if size % 2 == 0 else square + [row[::-1] for row in square]


class _CombinationOrder:
    """The order of the combinations in each round, dealt from one square to all raters."""

    def __init__(self, arms: int, dice: random.Random) -> None:
        names = dice.sample(range(arms), arms)
        self._rows = [[names[k] for k in row] for row in williams_design(arms)]
        self._next = 0

    def full(self) -> list[int]:
        """The order of the next round."""
        row = self._rows[self._next % len(self._rows)]
        self._next += 1
        return row

    def partial(self, present: Sequence[int], dice: random.Random) -> list[int]:
        """An order of those combinations that are left for a last round."""
        return dice.sample(present, len(present))


def _order_items(
    share: Sequence[list[int]], rounds: _CombinationOrder, dice: random.Random
) -> list[tuple[int, int]]:
    """A rater's (combination, sequence) pairs in order; no sequence twice running if possible."""
    whole = min(map(len, share))
    rows = [rounds.full() for _ in range(whole)]
    arms = [arm for row in dice.sample(rows, whole) for arm in row]
    arms += rounds.partial([arm for arm, cells in enumerate(share) if len(cells) > whole], dice)
    best: list[tuple[int, int]] = []
    fewest = len(arms) + 1
    for _ in range(SHUFFLES):
        decks = [dice.sample(cells, len(cells)) for cells in share]
        order = [(arm, decks[arm].pop()) for arm in arms]
        running = sum(before[1] == after[1] for before, after in pairwise(order))
        if running < fewest:
            best, fewest = order, running
        if not running:
            break
    return best


def _add_checks(
    items: list[PlannedItem], request: PlanRequest, dice: random.Random, scale: int
) -> list[PlannedItem]:
    """The items with those that come twice, and those with known answers."""
    result = list(items)
    distance = max(len(items) // 2, 1)
    chosen = dice.sample(range(len(items)), round(request.repeated * len(items)))
    for place in sorted(chosen, reverse=True):
        first = items[place]
        again = PlannedItem("repeat", first.sequence, first.systems)
        earliest = min(place + distance, len(result))
        result.insert(dice.randint(earliest, len(result)), again)
    for _ in range(request.attention):
        model = dice.choice(items)
        asked = PlannedItem("attention", model.sequence, model.systems, dice.randint(1, scale))
        result.insert(dice.randint(0, len(result)), asked)
    return result


def _practice(request: PlanRequest, drawn: Sequence[int], dice: random.Random) -> list[PlannedItem]:
    """Stories of sequences that were not drawn."""
    unused = sorted(set(range(request.available)) - set(drawn))
    stories = [(cell, system) for cell in unused for system in range(request.systems)]
    chosen = dice.sample(stories, request.practice)
    return [PlannedItem("practice", cell, (system,)) for cell, system in chosen]
