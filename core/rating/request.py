"""What the organiser asks of a plan, and whether its numbers are possible together."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import comb

from core.defects import counted


class Infeasible(ValueError):  # noqa: N818 - says what is wrong
    """These numbers give no balanced plan; the text says why and which nearest ones do.

    `nearest` holds the same request with the numbers that are possible.
    """

    def __init__(self, why: str, nearest: Request) -> None:
        super().__init__(why)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class Request:
    """What the organiser wants. `available` is the number of sequences there are to draw from.

    `stories` are shown at once. `practice` items come first and do not count; `attention` items
    have known answers; `repeated` is the share of a rater's items that come a second time.
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


def require_feasible(request: Request) -> None:
    """Raise Infeasible where the numbers contradict each other."""
    for name, least in (("systems", request.stories), ("sequences", 1), ("raters", 1)):
        _at_least(request, name, least)
    _at_least(request, "ratings", 1)
    if request.sequences > request.available:
        there = counted(request.available, "sequence")
        why = f"{request.sequences:,} sequences were asked for, but there are {there}."
        raise _refusal(request, why, sequences=request.available)
    if request.ratings > request.raters:
        why = (
            f"{request.ratings} ratings of each story need as many raters, but there are "
            f"{request.raters}, and nobody rates a story twice."
        )
        raise _refusal(request, why, ratings=request.raters)
    total = comb(request.systems, request.stories) * request.sequences * request.ratings
    if request.raters > total:
        why = f"{request.raters} raters are too many for {counted(total, 'rating')} in all."
        raise _refusal(request, why, raters=total)
    if not 0 <= request.repeated <= 1:
        nearest = min(max(request.repeated, 0.0), 1.0)
        why = f"A share of {request.repeated:g} of the items cannot be repeated."
        raise _refusal(request, why, repeated=nearest)
    _require_extras(request)


def _require_extras(request: Request) -> None:
    unused = (request.available - request.sequences) * request.systems
    if request.practice > unused:
        why = (
            f"{counted(request.practice, 'practice item')} need stories that are not rated, "
            f"but {unused} are left."
        )
        raise _refusal(request, why, practice=unused)
    for name in ("practice", "attention"):
        if getattr(request, name) and request.stories > 1:
            why = f"{name.capitalize()} items are for stories that are shown one by one."
            raise _refusal(request, why, **{name: 0})


def _at_least(request: Request, name: str, least: int) -> None:
    if getattr(request, name) < least:
        verb = "is" if least == 1 else "are"
        why = f"At least {counted(least, name[:-1])} {verb} needed, not {getattr(request, name)}."
        raise _refusal(request, why, **{name: least})


def _refusal(request: Request, why: str, **possible: int | float) -> Infeasible:
    nearest = _feasible(Request(**{**asdict(request), **possible}))
    wanted, found = asdict(request), asdict(nearest)
    changed = [name for name in wanted if name in possible or found[name] != wanted[name]]
    changes = ", ".join(f"{name} {found[name]:g}" for name in changed)
    return Infeasible(f"{why} The nearest that is possible: {changes}.", nearest)


def _feasible(request: Request) -> Request:
    """The request, changed further where another of its numbers is not possible either."""
    if not request.available:  # nothing is possible
        return request
    try:
        require_feasible(request)
    except Infeasible as further:
        return further.nearest
    return request
