"""Protocols of keyword spotting by overlap: the rules of the programs in use, as rows of a table.

Sources: Puigcerver et al., ICDAR 2017 H-KWS (kws-eval); PRHLT, kws-assessment; Wilkinson et al.,
Neural Ctrl-F, ICCV 2017; Retsinas et al., ICDAR 2023 (SegFreeKWS); Sudholt and Fink, PHOCNet.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

Places = Literal["boxes", "segments", "table", "words"]
Measure = Literal["iou", "hypothesis", "reference", "ink", "location"]
Claim = Literal["greedy", "nearest", "best"]
Repeated = Literal["ignore", "miss"]
Order = Literal["desc", "asc", "file"]
Scored = Literal["blocks", "ranks", "table"]


@dataclass(frozen=True, slots=True)
class SpottingRules:
    """Rules of a protocol.

    Attributes:
        name: Name of the protocol.
        places: What a query is searched in: boxes on pages, segments (lines or words that are cut
            out), a table of events, or labelled words.
        scored: Whether measures are computed from blocks of equal scores, from ranks, or from a
            table.
        measure: Overlap of a listed box with a relevant one; `location` is 1 for equal segments.
        threshold: Least overlap of a hit.
        strict: Whether the overlap must exceed the threshold.
        claim: Which relevant box a listed one takes: in the order of scores the free one that it
            overlaps most (`greedy`); the nearest of all words of the page (`nearest`); or each
            relevant box takes the listed one that overlaps it most (`best`).
        repeated: Whether a box that finds what was found before is ignored or is a miss.
        order: Order of the scores.
        collapse: Whether neighbours with equal scores are one point of the curve.
        interpolate: Whether a precision is the largest at its recall or above.
        trapezoid: Whether the area below the curve is made of trapezoids.
        means_over: Queries of the means: those with a relevant box, or with a result as well.
        top: Number of first results of a query that count; 0 for all.
        limit_relevant: Whether a query has at most `top` relevant boxes.
        drop_first: Whether the first result of a query is left out.
        single: Whether scores and overlaps are compared in single precision.
        bounded: Whether coordinates are unsigned numbers of 32 bits.
    """

    name: str
    places: Places
    scored: Scored
    measure: Measure = "iou"
    threshold: float = 0.5
    strict: bool = False
    claim: Claim = "greedy"
    repeated: Repeated = "miss"
    order: Order = "desc"
    collapse: bool = False
    interpolate: bool = False
    trapezoid: bool = False
    means_over: Literal["relevant", "listed"] = "relevant"
    top: int = 0
    limit_relevant: bool = False
    drop_first: bool = False
    single: bool = False
    bounded: bool = False

    def passes(self, overlap: Any) -> Any:
        """Return whether an overlap suffices."""
        return overlap > self.threshold if self.strict else overlap >= self.threshold

    @property
    def sees_whole_page(self) -> bool:
        """Whether words of other queries decide about a box."""
        return self.claim == "nearest" or self.measure == "ink"

    def changed(self, choices: dict[str, Any]) -> tuple[SpottingRules, tuple[str, ...]]:
        """Return these rules with other values, and which of them differ; None changes nothing."""
        known = {one.name for one in fields(self)}
        wanted = {
            name: value
            for name, value in choices.items()
            if name in known and value is not None and value != getattr(self, name)
        }
        return replace(self, **wanted), tuple(wanted)


def _pages(name: str, threshold: float, **rules: Any) -> SpottingRules:
    return SpottingRules(name, "boxes", "ranks", threshold=threshold, **rules)


_BLOCKS: dict[str, Any] = {
    **dict.fromkeys(("collapse", "interpolate", "trapezoid", "single", "bounded"), True),
    "repeated": "ignore",
    "means_over": "listed",
}

PROTOCOLS = {
    one.name: one
    for one in (
        SpottingRules("icdar2017", "boxes", "blocks", "hypothesis", **_BLOCKS),
        SpottingRules("segments", "segments", "blocks", "location", **_BLOCKS),
        SpottingRules("table", "table", "table", "location", interpolate=True),
        _pages("ctrlf25", 0.25, claim="nearest"),
        _pages("ctrlf50", 0.5, claim="nearest"),
        _pages("segfree25", 0.25, claim="best", measure="ink", strict=True),
        _pages("segfree50", 0.5, claim="best", measure="ink", strict=True),
        _pages("iou25", 0.25),
        _pages("iou50", 0.5),
        SpottingRules("words", "words", "ranks", "location", order="asc"),
    )
}
"""Rules by name; `reference` and `hypothesis` are values of a switch, not protocols."""
