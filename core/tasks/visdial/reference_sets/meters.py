"""Statistics of reference sets: agreement with human annotations, size and correlation.

Values are per question, shares in percent. Means are over the questions with a defined value;
standard deviations are unbiased. Source: Massiceti et al., A Revised Generative Evaluation of
Visual Dialogue (2020), clusters/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray

AGREEMENT_METERS = ("precision", "recall", "IOU")
SET_METERS = ("gt_in_cluster", "cluster_size", "cluster_mean", "cluster_std")
METERS = (*AGREEMENT_METERS, *SET_METERS)
TITLES = {
    "precision": "Of the set, found relevant by people (precision, %)",
    "recall": "Of what people found relevant, in the set (recall, %)",
    "IOU": "Of both together, in both (intersection over union, %)",
    "gt_in_cluster": "Sets that hold the true answer (%)",
    "cluster_size": "Candidates in a set",
    "cluster_mean": "Mean correlation in a set",
    "cluster_std": "Spread of the correlations in a set",
}
"""Titles of the meters."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Mean and standard deviation of a statistic over its `n` questions; NaN without questions."""

    name: str
    mean: float
    std: float
    n: int


def compute_meters(
    masks: BoolArray, correlations: FloatArray, truth: IntArray, people: BoolArray | None
) -> dict[str, FloatArray]:
    """Compute every meter (questions,) of sets (questions, candidates); NaN where undefined.

    `people` marks the candidates judged relevant by people and the true answer; a row without
    marks is not annotated. The standard deviation of a set with one candidate is undefined.
    """
    size = masks.sum(axis=1).astype(np.float64)
    known = np.arange(len(truth))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(masks, correlations, 0.0).sum(axis=1) / size
        squares = np.where(masks, (correlations - mean[:, None]) ** 2, 0.0).sum(axis=1)
        spread = np.where(size > 1, np.sqrt(squares / (size - 1)), np.nan)
        meters = {
            "gt_in_cluster": 100.0 * masks[known, truth],
            "cluster_size": size,
            "cluster_mean": mean,
            "cluster_std": spread,
        }
        return {**_agreement(masks, people), **meters} if people is not None else meters


def _agreement(masks: BoolArray, people: BoolArray) -> dict[str, FloatArray]:
    """Return precision, recall and intersection over union, in percent."""
    both = (masks & people).sum(axis=1)
    annotated = np.where(people.any(axis=1), 100.0, np.nan)
    return {
        "precision": annotated * both / masks.sum(axis=1),
        "recall": annotated * both / people.sum(axis=1),
        "IOU": annotated * both / (masks | people).sum(axis=1),
    }


def summarize_meters(parts: Sequence[Mapping[str, FloatArray]]) -> tuple[Meter, ...]:
    """Summarize the meters of all parts; a meter that no part has is omitted."""
    names = [name for name in METERS if any(name in part for part in parts)]
    return tuple(_meter(name, [part[name] for part in parts if name in part]) for name in names)


def _meter(name: str, parts: Sequence[FloatArray]) -> Meter:
    values = np.concatenate(parts)
    values = values[~np.isnan(values)]
    mean = float(values.mean()) if len(values) else float("nan")
    std = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return Meter(name, mean, std, len(values))
