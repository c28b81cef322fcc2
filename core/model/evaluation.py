"""The nouns that cross every border of the program.

Readers make them, metrics and statistics fill them, the desk keeps them, the window shows them.
They hold NumPy arrays and plain values, and know neither files nor Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.defects import Defect

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Json = Any
"""A value made of None, bool, int, float, str, list and dict only."""

Better = Literal["higher", "lower", "neither"]
Aggregate = Literal["mean", "sum", "own"]


class UsageError(Exception):
    """The user asked for what does not exist, such as a profile that a format lacks.

    Its text is a full sentence for the user; `read_references`, `read_submission` and `evaluate`
    may raise it, and the command line ends with exit code 2.
    """


class ResourceMissing(Exception):  # noqa: N818 - says what is wrong
    """No metric can be computed, because a file or a package that it needs is not installed.

    Its text is a full sentence that names what is missing and where it goes; the command line
    ends with exit code 3. Where only some metrics lack theirs, those are NaN with a defect.
    """


@dataclass(frozen=True, slots=True)
class Source:
    """One input file as it was read: its role in the competition, place, size and SHA-256."""

    role: str
    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """A metric declared as data; help, board, export and stamp are made from it.

    `aggregate` says how the score follows from the items' column of the same name: `"mean"` over
    the items where it is defined (not NaN), `"sum"`, or `"own"` where `combine` computes it from
    the columns named in `statistics`. `better` is `"neither"` for counts, which rank nobody.
    """

    name: str
    title: str
    summary: str
    range: tuple[float, float]
    better: Better
    source: str
    aggregate: Aggregate = "mean"
    statistics: tuple[str, ...] = ()
    combine: Callable[[FloatArray], float] | None = None
    headline: bool = False
    decimals: int = 4


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval that holds the true value with probability `level`, and how it was made."""

    low: float
    high: float
    level: float = 0.95
    method: str = "percentile bootstrap, 1000 resamples"


@dataclass(frozen=True, slots=True)
class Score:
    """One number of one system: NaN where it is undefined (a defect then says why).

    `n` is the number of items that it is made of, `std` the standard deviation (population) of
    those that a mean averages.
    """

    metric: str
    value: float
    n: int
    std: float = float("nan")
    interval: Interval | None = None

    def __eq__(self, other: object) -> bool:
        # A tuple takes a NaN for equal to itself, as dataclasses did before Python 3.13.
        return isinstance(other, Score) and _fields_of(self) == _fields_of(other)


_fields_of = attrgetter("metric", "value", "n", "std", "interval")


class Evidence(Protocol):
    """What an inspector needs to show one item; every task has its own, all are plain data."""

    def to_json(self) -> Json:
        """Return the evidence as JSON values, which its class reads back with `from_json`."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of what a reader sees of an item: a title, text shown as text, and a remark.

    `shared` says that every system has the same, such as a question or a human story. `pictures`
    are names of files, with or without ending, in the folders that the competition takes.
    """

    title: str
    text: str
    note: str = ""
    shared: bool = False
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubmissionText:
    """What a submission says of one item, in words, and what the reference data say of it.

    `part` names the sub-task, where a competition has several.
    """

    item: str
    text: str
    references: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ItemTable:
    """The items of one evaluation: their ids and named float64 columns of equal length.

    Columns hold sufficient statistics and per-item scores; NaN means undefined. `show(i)` loads
    what an inspector shows of item `i`, when it is asked for. Where several items share their
    evidence (all detections of an image), `evidence_of` (items,) numbers it for each.
    """

    ids: tuple[str, ...]
    columns: Mapping[str, FloatArray]
    evidence: Callable[[int], Evidence] | None = None
    noun: str = "item"
    evidence_of: IntArray | None = None

    def __post_init__(self) -> None:
        wrong = [name for name, column in self.columns.items() if column.shape != (len(self.ids),)]
        if wrong:
            raise ValueError(f"{len(self.ids)} ids, but columns of another length: {wrong}")

    def __len__(self) -> int:
        return len(self.ids)

    def show(self, item: int) -> Evidence | None:
        """Return the evidence of one item; None where the task keeps none."""
        if self.evidence is None:
            return None
        return self.evidence(item if self.evidence_of is None else int(self.evidence_of[item]))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredItem:
    """One item of one evaluation: its id, its numbers by column, and its evidence if kept."""

    id: str
    values: Mapping[str, float]
    evidence: Any


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a figure: what it measures, its unit, and where its ticks stand."""

    title: str
    unit: str = ""
    ticks: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    limits: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A mean curve over `x` (n,), its band (n,), and the items' own curves (items, n).

    `members` rows belong to the items of the evaluation in their order; NaN rows are not drawn.
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
    members: FloatArray | None = None
    value: str = ""
    """The item column that is shown beside a hovered member (its AP, say)."""


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """A matrix (rows, columns) with named axes; `lead` (rows,) stands apart at the left."""

    name: str
    title: str
    x_axis: Axis
    y_axis: Axis
    values: FloatArray
    lead: FloatArray | None = None
    lead_label: str = ""
    decimals: int = 1


Figure = Curve | Heatmap


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """All that is known of one system after scoring: the unit that boards and desks are made of."""

    task: str
    system: str
    profile: str
    scores: tuple[Score, ...]
    items: ItemTable
    figures: tuple[Figure, ...] = ()
    defects: tuple[Defect, ...] = ()
    stamp: Json = None
    about: str = ""
    """The submitter's own description, where the file has one."""

    def score(self, metric: str) -> Score:
        """Return the score of that name; KeyError where the evaluation has none."""
        for score in self.scores:
            if score.metric == metric:
                return score
        raise KeyError(metric)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn together when scores are resampled, such as an image with its detections.

    `ids` (units,) name them for all systems; `scores(counts)` gives every score, by its metric,
    of a competition in which unit i comes `counts[i]` times (0, 1, 2, ...).
    """

    ids: tuple[str, ...]
    scores: Callable[[FloatArray], Mapping[str, float]]
    noun: str = "units"
    """The units in the plural."""
    columns: Mapping[str, FloatArray] = field(default_factory=dict)
    """What a reader sees of each unit (units,), by what it is called."""
