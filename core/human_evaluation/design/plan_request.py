"""Request for a plan, and whether its numbers are feasible."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import comb

from jurydesk.core.competition.rating_design import STORIES, Wording
from jurydesk.core.language import counted
from jurydesk.core.model.evaluation import UsageError


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
        requested = f"{request.sequences:,} {words.item[1]} were requested"
        why = f"{requested}, but there are only {available}."
        raise _refusal(request, words, why, sequences=request.available)
    if request.ratings > request.raters:
        why = (
            f"{request.ratings} ratings of each {singular} need as many raters, but there are "
            f"only {request.raters}, and no rater rates the same {singular} twice."
        )
        raise _refusal(request, words, why, ratings=request.raters)
    total = comb(request.systems, request.stories) * request.sequences * request.ratings
    if request.raters > total:
        why = f"{request.raters} raters are too many for {counted(total, 'rating')} in all."
        raise _refusal(request, words, why, raters=total)
    if not 0 <= request.repeated <= 1:
        nearest = min(max(request.repeated, 0.0), 1.0)
        why = f"The share of repeated items must be from 0 to 1, not {request.repeated:g}."
        raise _refusal(request, words, why, repeated=nearest)
    unused = (request.available - request.sequences) * request.systems
    if request.practice > unused:
        why = (
            f"{counted(request.practice, 'practice item')} need {plural} that are not rated, "
            f"but {unused} are left."
        )
        raise _refusal(request, words, why, practice=unused)
    if request.stories > 1 and request.practice:
        why = f"Practice items need {plural} that are shown one by one."
        raise _refusal(request, words, why, practice=0)
    if request.stories > 1 and request.attention:
        why = f"Items with a known answer need {plural} that are shown one by one."
        raise _refusal(request, words, why, attention=0)


def _require_minimum(request: PlanRequest, name: str, least: int, words: Wording) -> None:
    if getattr(request, name) < least:
        noun = words.item if name == "sequences" else (name[:-1], name)
        given = getattr(request, name)
        if least == 1:
            why = f"At least {counted(least, *noun)} is needed, not {given}."
        else:
            why = f"At least {counted(least, *noun)} are needed, not {given}."
        raise _refusal(request, words, why, **{name: least})


def _refusal(
    request: PlanRequest, words: Wording, why: str, **possible: int | float
) -> InfeasiblePlan:
    nearest = _make_feasible(PlanRequest(**{**asdict(request), **possible}), words)
    wanted, found = asdict(request), asdict(nearest)
    changed = [name for name in wanted if name in possible or found[name] != wanted[name]]
    titles = {"sequences": words.item[1]}
    changes = ", ".join(f"{titles.get(name, name)} {found[name]:g}" for name in changed)
    return InfeasiblePlan(f"{why} The nearest feasible plan: {changes}.", nearest)


def _make_feasible(request: PlanRequest, words: Wording) -> PlanRequest:
    """Return the request, adjusted further if another number is not feasible either."""
    if not request.available:  # nothing is feasible
        return request
    try:
        require_feasible(request, words)
    except InfeasiblePlan as further:
        return further.nearest
    return request
