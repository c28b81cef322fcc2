"""Balanced assignment of items to raters, from a few numbers and a seed.

A *combination* is what a rater sees of one item (a *sequence*) at once: one system's entry (a
*story*), or the entries of two (pairwise) or more systems (best-worst). The plan guarantees:

- every combination of every sequence gets the same number of ratings;
- every rater meets every combination of systems equally often, to within one;
- all raters have the same number of items, to within one;
- no rater rates the same combination of the same sequence twice (except marked repetitions);
- over all full rounds (one of each combination), each has each position equally often, to within
  one, and follows each other one as evenly as in a Williams design;
- if several stories are shown at once, each system has each position equally often.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import combinations, cycle, islice, pairwise
from math import comb
from typing import Literal, get_args

from jurydesk.core.competition.rating_design import STORIES, Wording
from jurydesk.core.language import Message, counted, fill, join_messages
from jurydesk.core.model.evaluation import Json, UsageError

Kind = Literal["story", "practice", "attention", "repeat"]

SWAPS_PER_SLOT = 4
"""Number of random exchanges of raters per slot, which shuffle the cyclic design."""

SHUFFLES = 20
"""Number of orders that are tried to find one in which no sequence follows itself."""


class InfeasiblePlan(UsageError):  # noqa: N818 - says what is wrong
    """Request without a balanced plan; the message says why.

    `nearest` is the request with the nearest feasible numbers.
    """

    def __init__(self, why: str, nearest: PlanRequest) -> None:
        super().__init__(why)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """Numbers of a plan; `available` is the number of sequences to draw from.

    A sequence is any item, and a story any system's entry; `stories` are shown at once. `practice`
    items come first and do not count; `attention` items have known answers; `repeated` is the share
    of a rater's items that are shown twice.
    """

    systems: int
    sequences: int
    raters: int
    ratings: int
    available: int
    stories: int = 1
    practice: int = 0
    attention: int = 0
    repeated: float = 0.0


def require_feasible(request: PlanRequest, words: Wording = STORIES) -> None:
    """Raise InfeasiblePlan if the numbers contradict each other; `words` are the nouns."""
    singular, plural = words.entry
    for name, least in (("systems", request.stories), ("sequences", 1), ("raters", 1)):
        _require_minimum(request, name, least, words)
    _require_minimum(request, "ratings", 1, words)
    if request.sequences > request.available:
        available = counted(request.available, *words.item)
        why = fill(
            "{count:,} {items} were requested, but there are only {available}.",
            request.sequences,
            Message(words.item[1]),
            available,
        )
        raise _refusal(request, words, why, sequences=request.available)
    if request.ratings > request.raters:
        why = fill(
            "{ratings} ratings of each {singular} need as many raters, but there are "
            "only {raters}, and no rater rates the same {singular2} twice.",
            request.ratings,
            Message(singular),
            request.raters,
            Message(singular),
        )
        raise _refusal(request, words, why, ratings=request.raters)
    total = comb(request.systems, request.stories) * request.sequences * request.ratings
    if request.raters > total:
        why = fill(
            "{raters} raters are too many for {ratings} in all.",
            request.raters,
            counted(total, "rating"),
        )
        raise _refusal(request, words, why, raters=total)
    if not 0 <= request.repeated <= 1:
        nearest = min(max(request.repeated, 0.0), 1.0)
        why = fill(
            "The share of repeated items must be from 0 to 1, not {repeated:g}.", request.repeated
        )
        raise _refusal(request, words, why, repeated=nearest)
    unused = (request.available - request.sequences) * request.systems
    if request.practice > unused:
        why = fill(
            "{practice_items} need {plural} that are not rated, but {unused} are left.",
            counted(request.practice, "practice item"),
            Message(plural),
            unused,
        )
        raise _refusal(request, words, why, practice=unused)
    if request.stories > 1 and request.practice:
        why = fill("Practice items need {plural} that are shown one by one.", Message(plural))
        raise _refusal(request, words, why, practice=0)
    if request.stories > 1 and request.attention:
        why = fill(
            "Items with a known answer need {plural} that are shown one by one.", Message(plural)
        )
        raise _refusal(request, words, why, attention=0)


def _require_minimum(request: PlanRequest, name: str, least: int, words: Wording) -> None:
    if getattr(request, name) < least:
        noun = words.item if name == "sequences" else (name[:-1], name)
        given = getattr(request, name)
        if least == 1:
            why = fill("At least {count} is needed, not {given}.", counted(least, *noun), given)
        else:
            why = fill("At least {count} are needed, not {given}.", counted(least, *noun), given)
        raise _refusal(request, words, why, **{name: least})


def _refusal(
    request: PlanRequest, words: Wording, why: str, **possible: int | float
) -> InfeasiblePlan:
    nearest = _make_feasible(PlanRequest(**{**asdict(request), **possible}), words)
    wanted, found = asdict(request), asdict(nearest)
    changed = [name for name in wanted if name in possible or found[name] != wanted[name]]
    titles = {"sequences": words.item[1]}
    changes = join_messages(
        [
            fill("{name} {value:g}", Message(titles.get(name, name)), found[name])
            for name in changed
        ],
        ", ",
    )
    return InfeasiblePlan(
        fill("{why} The nearest feasible plan: {changes}.", Message(why), changes), nearest
    )


def _make_feasible(request: PlanRequest, words: Wording) -> PlanRequest:
    """Return the request, adjusted further if another number is not feasible either."""
    if not request.available:  # nothing is feasible
        return request
    try:
        require_feasible(request, words)
    except InfeasiblePlan as further:
        return further.nearest
    return request


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """Item of a plan: a sequence, and the systems whose stories are shown, in order.

    Sequences and systems are numbers from 0. `answer` is the one that an attention item asks for.
    """

    kind: Kind
    sequence: int
    systems: tuple[int, ...]
    answer: int | None = None

    def to_json(self) -> Json:
        """Return the item as JSON values."""
        return {**asdict(self), "systems": list(self.systems)}

    @classmethod
    def from_json(cls, data: Json) -> PlannedItem:
        """Decode an item; raise ValueError if a value is invalid."""
        return planned_item(data["kind"], data["sequence"], tuple(data["systems"]), data["answer"])


@lru_cache(1 << 16)
def planned_item(
    kind: Kind, sequence: int, systems: tuple[int, ...], answer: int | None = None
) -> PlannedItem:
    """Return an item, which raters share; raise ValueError if a value is invalid."""
    numbers = (sequence, *systems, 0 if answer is None else answer)
    if kind not in get_args(Kind) or not all(type(one) is int and one >= 0 for one in numbers):
        raise ValueError("an item of a rater is damaged")
    return PlannedItem(kind, sequence, systems, answer)


@dataclass(frozen=True, slots=True)
class BalancedPlan:
    """Drawn sequences (indices of the available ones), and each rater's items in order."""

    request: PlanRequest
    seed: int
    drawn: tuple[int, ...]
    raters: tuple[tuple[PlannedItem, ...], ...]


def make_plan(
    request: PlanRequest, seed: int, scale: int = 5, words: Wording = STORIES
) -> BalancedPlan:
    """Make a balanced plan; equal arguments give equal plans. Raises InfeasiblePlan.

    `scale` is the length of the scale from which answers of attention items are drawn; `words` are
    the nouns for messages.
    """
    require_feasible(request, words)
    rng = random.Random(seed)  # noqa: S311 - a design, no secret
    drawn = tuple(rng.sample(range(request.available), request.sequences))
    arms = list(combinations(range(request.systems), request.stories))
    cells = [_shuffle(_deal_cyclically(request, arm), rng) for arm in range(len(arms))]
    shown: Counter[tuple[int, ...]] = Counter()
    shares = _shares(cells, request.raters)
    names = rng.sample(range(len(arms)), len(arms))
    rounds = cycle([[names[k] for k in row] for row in williams_design(len(arms))])
    raters = []
    for rater in range(request.raters):
        order = _order_items([shares[rater][arm] for arm in range(len(arms))], rounds, rng)
        items = [
            PlannedItem("story", drawn[cell], _rotate(arms[arm], shown)) for arm, cell in order
        ]
        practice = _practice_items(request, drawn, rng)
        raters.append((*practice, *_add_checks(items, request, rng, scale)))
    return BalancedPlan(request, seed, drawn, tuple(raters))


Cells = list[list[int]]
"""Raters of every sequence, for one combination."""


def _deal_cyclically(request: PlanRequest, arm: int) -> Cells:
    """Deal the ratings of a combination in turn, continuing after the previous combination."""
    first = arm * request.sequences * request.ratings
    return [
        [(first + cell * request.ratings + k) % request.raters for k in range(request.ratings)]
        for cell in range(request.sequences)
    ]


def _shuffle(cells: Cells, rng: random.Random) -> Cells:
    """Exchange raters between sequences at random, with the same number of items for each."""
    if len(cells) < 2:
        return cells
    for _ in range(SWAPS_PER_SLOT * len(cells) * len(cells[0])):
        one, other = rng.sample(cells, 2)
        i, j = rng.randrange(len(one)), rng.randrange(len(other))
        if one[i] not in other and other[j] not in one:
            one[i], other[j] = other[j], one[i]
    return cells


def _shares(cells: Sequence[Cells], raters: int) -> list[list[list[int]]]:
    shares: list[list[list[int]]] = [[[] for _ in cells] for _ in range(raters)]
    for arm, by_sequence in enumerate(cells):
        for cell, chosen in enumerate(by_sequence):
            for rater in chosen:
                shares[rater][arm].append(cell)
    return shares


def _rotate(systems: tuple[int, ...], shown: Counter[tuple[int, ...]]) -> tuple[int, ...]:
    """Rotate a combination each time it is shown, which balances positions."""
    turn = shown[systems] % len(systems)
    shown[systems] += 1
    return systems[turn:] + systems[:turn]


def williams_design(size: int) -> list[list[int]]:
    """Return a Williams design: balanced orders of `size` conditions.

    Each condition has each position, and follows each other one, equally often: `size` rows if it
    is even, twice as many if it is odd (Williams 1949).
    """
    zigzag = [(k + 1) // 2 if k % 2 else -(k // 2) for k in range(size)]
    square = [[(place + row) % size for place in zigzag] for row in range(size)]
    return square if size % 2 == 0 else square + [row[::-1] for row in square]


def _order_items(
    share: Sequence[list[int]], rounds: Iterator[list[int]], rng: random.Random
) -> list[tuple[int, int]]:
    """Order a rater's (combination, sequence) pairs, without repeated sequences if possible.

    `rounds` are the orders of full rounds, from one Williams design for all raters; an incomplete
    last round has a random order.
    """
    whole = min(map(len, share))
    arms = [arm for row in rng.sample(list(islice(rounds, whole)), whole) for arm in row]
    partial = [arm for arm, cells in enumerate(share) if len(cells) > whole]
    arms += rng.sample(partial, len(partial))
    best: list[tuple[int, int]] = []
    fewest = len(arms) + 1
    for _ in range(SHUFFLES):
        decks = [rng.sample(cells, len(cells)) for cells in share]
        order = [(arm, decks[arm].pop()) for arm in arms]
        running = sum(before[1] == after[1] for before, after in pairwise(order))
        if running < fewest:
            best, fewest = order, running
        if not running:
            break
    return best


def _add_checks(
    items: list[PlannedItem], request: PlanRequest, rng: random.Random, scale: int
) -> list[PlannedItem]:
    result = list(items)
    distance = max(len(items) // 2, 1)
    chosen = rng.sample(range(len(items)), round(request.repeated * len(items)))
    for place in sorted(chosen, reverse=True):
        first = items[place]
        again = PlannedItem("repeat", first.sequence, first.systems)
        earliest = min(place + distance, len(result))
        result.insert(rng.randint(earliest, len(result)), again)
    for _ in range(request.attention):
        model = rng.choice(items)
        asked = PlannedItem("attention", model.sequence, model.systems, rng.randint(1, scale))
        result.insert(rng.randint(0, len(result)), asked)
    return result


def _practice_items(
    request: PlanRequest, drawn: Sequence[int], rng: random.Random
) -> list[PlannedItem]:
    unused = sorted(set(range(request.available)) - set(drawn))
    stories = [(cell, system) for cell in unused for system in range(request.systems)]
    chosen = rng.sample(stories, request.practice)
    return [PlannedItem("practice", cell, (system,)) for cell, system in chosen]
