"""Rules of the programs that evaluate dense captions, as rows of one table.

All merge ground truth into objects, let the detections of an image claim them by score, and
average the precision of the claims. They part in the rules of this table. Programs: DenseCap's Lua
program; densecap-pytorch (with torch 2 and torch 1.4), whose class ControlCap and DynRefer use;
Scenic's evaluator (PixelLLM, DenseVOC); that of Joint Inference and Visual Context (JIVC).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.detection.sort_orders import (
    numpy_text_descending,
    std_descending,
    torch7_descending,
)
from jurydesk.core.model.evaluation import FloatArray, IntArray

Profile = Literal[
    "published",
    "corrected",
    "densecap-pytorch",
    "densecap-pytorch-1.4",
    "controlcap",
    "dynrefer",
    "scenic",
    "jivc",
]
LUA: tuple[Profile, ...] = ("published", "corrected")
"""Profiles of DenseCap's own program, which have the same warnings."""
Precision = Literal["single", "double"]
TextRule = Literal["densecap", "words", "special words", "scenic", "ptb"]

AnyFloatArray = npt.NDArray[np.float32] | npt.NDArray[np.float64]

LEVELS = 100


@dataclass(frozen=True, slots=True)
class DetectionRules:
    """Rules of one program.

    Attributes:
        program: Name of the program in messages; "" for none.
        has_inclusive_pixels: A box from x1 to x2 has the width x2 - x1 + 1.
        truth_sides: Precision of the sides of the ground truth's boxes, before corners.
        truth_corners: Precision of the corners of the ground truth's boxes.
        merging: Precision of the IoU among boxes of the ground truth.
        mean: Precision of an object's box, the mean of its boxes.
        detection_corners: Precision of the corners of detections.
        scores: Precision of the scores.
        merges_above: Boxes are merged above an IoU of 0.7, not from it on.
        counts_once: Neighbours are counted once, not again after every merged object.
        counts_in_byte: Neighbours are counted modulo 256.
        keeps_degenerate: A box without area is an object, not left out.
        takes_last: Of equal neighbour counts and equal IoUs the last is taken, not the first.
        has_phantom_claims: A detection without overlap claims the last object of its image.
        claims_above: The IoU must exceed a threshold, not reach it.
        leaves_out: An image without detections, or without objects, does not count.
        stops: The program stops at an image without detections or without objects.
        text: Preparation of captions for METEOR.
        has_empty_claims: A claim of an object with an empty caption has METEOR 1.
        levels: Recall levels.
        rates: Precision of recall and precision.
        recalls_above: Recall must exceed a level, not reach it.
        order: Function that returns the descending order of scores.
        claims_stably: Tied detections claim in their order in the file, whatever `order` is.
        has_set_order: Images are in the order of a Python set of their ids.
        misses_scores: A detection without a score has the score 1.
    """

    program: str
    has_inclusive_pixels: bool = False
    truth_sides: Precision = "double"
    truth_corners: Precision = "double"
    merging: Precision = "double"
    mean: Precision = "double"
    detection_corners: Precision = "double"
    scores: Precision = "single"
    merges_above: bool = False
    counts_once: bool = False
    counts_in_byte: bool = False
    keeps_degenerate: bool = False
    takes_last: bool = False
    has_phantom_claims: bool = False
    claims_above: bool = False
    leaves_out: bool = False
    stops: bool = False
    text: TextRule = "densecap"
    has_empty_claims: bool = False
    levels: Callable[[], FloatArray] = lambda: np.arange(LEVELS) / LEVELS
    rates: Precision = "double"
    recalls_above: bool = False
    order: Callable[[FloatArray], IntArray] = lambda values: np.argsort(-values, kind="stable")
    claims_stably: bool = False
    has_set_order: bool = False
    misses_scores: bool = False


def _summed_levels() -> FloatArray:
    """Return sums of 0.01 with their rounding errors."""
    return np.add.accumulate(np.r_[0.0, np.full(LEVELS - 1, 0.01)])


def _rounded_levels() -> FloatArray:
    """Return torch 1.4's levels: 0.01 k in single precision."""
    return (0.01 * np.arange(LEVELS)).astype(np.float32).astype(np.float64)


def _vector_levels() -> FloatArray:
    """Return torch 2's levels, computed in vectors of eight but for the last four."""
    step = np.arange(LEVELS)
    starts = (0.01 * (step - step % 8)).astype(np.float32).astype(np.float64)
    levels = (starts + 0.01 * (step % 8)).astype(np.float32).astype(np.float64)
    levels[96:] = _rounded_levels()[96:]
    return levels


def _linspace_levels() -> FloatArray:
    return np.linspace(0.0, 1.0, LEVELS)


def _text_order(values: FloatArray) -> IntArray:
    """Return the order of scores as texts with three decimals."""
    return numpy_text_descending([f"{value:.3f}" for value in values.tolist()])


_LUA = DetectionRules(
    program="DenseCap's program",
    has_inclusive_pixels=True,
    truth_sides="single",
    truth_corners="single",
    mean="single",
    detection_corners="single",
    counts_in_byte=True,
    keeps_degenerate=True,
    has_phantom_claims=True,
    stops=True,
    levels=_summed_levels,
    order=torch7_descending,
)
_TORCH = DetectionRules(
    program="densecap-pytorch",
    truth_corners="single",
    detection_corners="single",
    stops=True,
    text="special words",
    levels=_vector_levels,
    rates="single",
    order=std_descending,
)
_CONTROLCAP = replace(
    _TORCH,
    program="ControlCap",
    truth_corners="double",
    detection_corners="double",
    leaves_out=True,
    stops=False,
    text="words",
    misses_scores=True,
)

RULES: Mapping[Profile, DetectionRules] = {
    "published": _LUA,
    "corrected": replace(
        _LUA,
        program="",
        counts_in_byte=False,
        has_phantom_claims=False,
        stops=False,
        levels=DetectionRules("").levels,
        order=DetectionRules("").order,
    ),
    "densecap-pytorch": _TORCH,
    "densecap-pytorch-1.4": replace(
        _TORCH, takes_last=True, levels=_rounded_levels, order=torch7_descending
    ),
    "controlcap": _CONTROLCAP,
    "dynrefer": replace(_CONTROLCAP, program="DynRefer"),
    "scenic": DetectionRules(
        program="Scenic",
        truth_sides="single",
        truth_corners="single",
        merging="single",
        mean="single",
        scores="double",
        text="scenic",
        has_empty_claims=True,
        rates="single",
        has_set_order=True,
    ),
    "jivc": DetectionRules(
        program="JIVC's program",
        truth_corners="single",
        merging="single",
        mean="single",
        scores="double",
        merges_above=True,
        counts_once=True,
        claims_above=True,
        stops=True,
        text="ptb",
        levels=_linspace_levels,
        rates="single",
        recalls_above=True,
        order=_text_order,
        claims_stably=True,
    ),
}


def round_to(values: FloatArray, precision: Precision) -> AnyFloatArray:
    """Return values in a precision."""
    return values.astype(np.float32) if precision == "single" else values


@dataclass(frozen=True, slots=True, eq=False)
class RecallLevels:
    """Recall levels (100,), ascending, and whether recall must exceed them.

    `dtype` is that of recall and precision.
    """

    values: AnyFloatArray
    is_exclusive: bool
    dtype: npt.DTypeLike

    def __len__(self) -> int:
        return len(self.values)

    def first_reaching(self, recall: FloatArray) -> IntArray:
        """Return the index (100,) of the first recall, ascending, that reaches each level."""
        side: Literal["left", "right"] = "right" if self.is_exclusive else "left"
        return np.searchsorted(self.rounded(recall), self.values, side=side)

    def count_reached(self, recall: FloatArray) -> IntArray:
        """Return the number (n,) of levels that each recall reaches."""
        side: Literal["left", "right"] = "left" if self.is_exclusive else "right"
        return np.searchsorted(self.values, self.rounded(recall), side=side)

    def rounded(self, rates: FloatArray) -> FloatArray:
        """Return recall or precision in the program's precision, as float64."""
        return rates.astype(self.dtype).astype(np.float64)


def rules_of(profile: Profile | DetectionRules) -> DetectionRules:
    """Return the rules of a profile; rules unchanged."""
    return profile if isinstance(profile, DetectionRules) else RULES[profile]


def recall_levels(profile: Profile | DetectionRules) -> RecallLevels:
    """Return the 100 recall levels of a profile."""
    rules = rules_of(profile)
    dtype = np.float32 if rules.rates == "single" else np.float64
    values = round_to(rules.levels(), rules.rates)
    return RecallLevels(values, rules.recalls_above, dtype)


def descending_order(values: FloatArray, profile: Profile | DetectionRules) -> IntArray:
    """Return the descending order (n,) of scores (n,), with the ties of a profile."""
    return rules_of(profile).order(values)
