"""Data model of evaluations: metrics, scores, items, evidence, figures and resampling units.

Readers and metrics create these objects, desks store them and the window shows them. They hold
NumPy arrays and plain values, and depend on neither files nor Qt.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Json = Any
"""A value of None, bool, int, float, str, list and dict only."""

NO_JSON = {"json": False}
"""Metadata of a field that `to_json` leaves out; it needs a default."""

Better = Literal["higher", "lower", "neither"]
Aggregate = Literal["mean", "sum", "own"]


class UsageError(Exception):
    """Invalid request by the user, such as a profile that a format does not have.

    Its text is a full sentence for the user. `read_references`, `read_submission` and `evaluate`
    may raise it; the command line then exits with code 2.
    """


class InputError(Exception):
    """Wrong input: files with errors, or arguments of another type or value.

    `defects` are all defects of all files, an empty tuple for arguments; `result` has the scored
    systems, or is None if there is none.
    """

    defects: Any = ()
    result: Any = None


class ArgumentError(InputError, UsageError, TypeError, ValueError):
    """Argument of a Python function that it cannot take; its text is a full sentence.

    Callers of the original functions catch TypeError or ValueError, so that it is each of them.
    """


class ResourceMissing(Exception):  # noqa: N818 - a public name of plug-ins
    """Missing file or package without which no metric can be computed.

    Its text is a full sentence that names the resource and where it belongs; the command line
    exits with code 3. A resource that only some metrics need makes these NaN, with a defect.
    """


@dataclass(frozen=True, slots=True)
class Source:
    """One input file as it was read: its role in the competition, path, size and SHA-256."""

    role: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """Declaration of a metric, from which help, leaderboard, exports and stamps follow.

    `aggregate` says how the score follows from the item column of the same name: `"mean"` over
    the items where it is defined (not NaN), `"sum"`, or `"own"` where `combine` computes it from
    the columns named in `statistics`. `better` is `"neither"` for counts, which do not rank.
    """

    name: str
    title: str
    summary: str
    range: tuple[float, float]
    better: Better
    source: str
    aggregate: Aggregate = "mean"
    statistics: tuple[str, ...] = ()
    combine: Callable[[FloatArray], float] | None = field(default=None, metadata=NO_JSON)
    headline: bool = False
    decimals: int = 4
    fewest_groups: int = 20
    """Fewest groups, or items, with which simulations confirm the interval and tests of `combine`
    or of units."""
    doubt: str = ""
    """Reason why its values are not reliable, as a sentence; empty if they are."""
    caveat: str = ""
    """What its values can be compared with, as a sentence, if they depend on the other items."""
    log_counts: bool = field(default=False, metadata=NO_JSON)
    """Whether histograms of its items count on a logarithmic axis, as those of ranks do."""


def weighted_mean(rows: FloatArray) -> float:
    """Return the mean of values by weight, from rows (items, 2); undefined items are left out.

    It combines every declared metric of two statistics that a stamp records.
    """
    values, weights = rows[np.isfinite(rows).all(axis=1)].T
    total = float(weights.sum())
    return float(values @ weights) / total if total > 0 else math.nan


TABLE_SOURCE = translatable("a table of another program, not recomputed")
"""Source of the scores of another program's table."""


def column_summary(name: str, *, weighted: bool) -> str:
    """Return the summary of the mean of a column of another program's table."""
    if weighted:
        return fill("Weighted mean of the column {name}.", name)
    return fill("Mean of the column {name}.", name)


@dataclass(frozen=True, slots=True)
class CombinedSums:
    """Combination of rows that depends on sums alone, so that resamples need no rows.

    `parts` returns what is summed (items, parts) of rows (items, statistics), and `combine` the
    values (n,) of sums (n, parts).
    """

    parts: Callable[[FloatArray], FloatArray]
    combine: Callable[[FloatArray], FloatArray]

    def __call__(self, rows: FloatArray) -> float:
        """Return the value of all rows."""
        return float(self.combine(self.parts(rows).sum(axis=0)[np.newaxis])[0])


@dataclass(frozen=True, slots=True)
class Interval:
    """Confidence interval of a score at `level`, with its method."""

    low: float
    high: float
    level: float = 0.95
    method: str = "percentile bootstrap, 1000 resamples"


@dataclass(frozen=True, slots=True)
class Score:
    """Value of one metric for one system; NaN where undefined (a defect then says why).

    `n` is the number of items, `std` the population standard deviation of the items of a mean.
    """

    metric: str
    value: float
    n: int
    std: float = float("nan")
    interval: Interval | None = None

    def __eq__(self, other: object) -> bool:
        # Tuples compare a NaN equal to itself, as dataclasses did before Python 3.13.
        return isinstance(other, Score) and _fields_of(self) == _fields_of(other)


_fields_of = attrgetter("metric", "value", "n", "std", "interval")


@dataclass(frozen=True, slots=True)
class Passage:
    """Section of an item's readable content: a title, plain text and a remark.

    `shared` is True for content that all systems have in common, such as a question or a human
    story. `pictures` are file names, with or without suffix, in the competition's image folders.
    """

    title: str
    text: str
    note: str = ""
    shared: bool = False
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmissionText:
    """Text of a submission for one item, with the reference texts.

    `part` names the sub-task if the competition has several.
    """

    item: str
    text: str
    references: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ItemTable:
    """Items of one evaluation: their ids and named float64 columns of equal length.

    Columns hold sufficient statistics and per-item scores; NaN means undefined. `show(i)` loads
    the evidence of item `i` on demand: an object with `to_json`, or of any class where `evidence`
    is a `ColumnEvidence`. Where several items share their evidence (all detections of an image),
    `evidence_of` (items,) holds the index of each item's evidence.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, FloatArray]
    evidence: Callable[[int], Any] | None = None
    noun: str = "item"
    evidence_of: IntArray | None = None

    def __post_init__(self) -> None:
        shape = (len(self.ids),)
        wrong = [name for name, column in self.columns.items() if column.shape != shape]
        if wrong:
            raise ValueError(f"{len(self.ids)} ids, but columns of another length: {wrong}")

    def __len__(self) -> int:
        return len(self.ids)

    def show(self, item: int) -> Any:
        """Return the evidence of one item, or None if the task has none."""
        if self.evidence is None:
            return None
        return self.evidence(item if self.evidence_of is None else int(self.evidence_of[item]))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredItem:
    """One item of one evaluation: its id, its values by column, and its evidence, if any."""

    id: str
    values: Mapping[str, float]
    evidence: Any


@dataclass(frozen=True, slots=True)
class Axis:
    """Axis of a figure: title, unit, tick positions and labels, and limits."""

    title: str
    unit: str = ""
    ticks: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class CurveMark:
    """Named point of a curve, such as that of the largest F1."""

    title: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Mean curve over `x` (n,), with its band (n,) and the curves of the items (items, n).

    Rows of `members` are in the order of the evaluation's items; NaN rows are not drawn. In the
    form `steps`, a value holds from the point before it up to its own. In the form `bars`, `x`
    counts classes, whose names are the labels of its axis, and `overall` is the mean of all their
    items, NaN if unknown.
    """

    name: str
    title: str
    x_axis: Axis
    y_axis: Axis
    x: FloatArray
    mean: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None
    band: str = ""
    members: FloatArray | None = field(default=None, metadata=NO_JSON)
    value: str = ""
    """Item column that is shown beside a hovered member, such as its AP."""
    form: Literal["line", "steps", "bars"] = "line"
    marks: tuple[CurveMark, ...] = ()
    diagonal: str = ""
    """Name of the line on which both axes are equal, if it is drawn."""
    overall: float = math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """Matrix (rows, columns) with named axes; `lead` (rows,) is a separate column at the left."""

    name: str
    title: str
    x_axis: Axis
    y_axis: Axis
    values: FloatArray
    lead: FloatArray | None = None
    lead_label: str = ""
    decimals: int = 1


Figure = Curve | Heatmap
"""Figure that an evaluator makes and a desk stores."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Two item columns, `x` and `y`, against each other: a figure that follows from the items.

    If both are metrics, the board has it as well, with a point for each system.
    """

    name: str
    title: str
    x_axis: Axis
    y_axis: Axis
    x: str
    y: str


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Result of scoring one system, as shown in the leaderboard and stored in desks."""

    task: str
    system: str
    profile: str
    scores: tuple[Score, ...]
    items: ItemTable
    figures: tuple[Figure, ...] = ()
    defects: tuple[Defect, ...] = ()
    stamp: Json = None
    about: str = ""
    """Description by the submitter, if the file has one."""
    metrics: tuple[MetricInfo, ...] = ()
    """Declarations of metrics that are known only after reading, which the stamp records."""

    def score(self, metric: str) -> Score:
        """Return the score of a metric; KeyError if the evaluation has none."""
        for score in self.scores:
            if score.metric == metric:
                return score
        raise KeyError(metric)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Resampling units of scores that are not means, such as images with their detections.

    `ids` (units,) are the same for all systems. `scores(counts)` returns the scores, by metric, of
    a resample that contains unit i `counts[i]` times (0, 1, 2, ...).
    """

    ids: tuple[str, ...]
    scores: Callable[[FloatArray], Mapping[str, float]]
    noun: str = "units"
    """Plural noun for the units."""
    columns: Mapping[str, FloatArray] = field(default_factory=dict)
    """Descriptive values (units,) of each unit, by title."""
