"""Results for programs and notebooks: scores, intervals, items, defects and stamps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.comparison.pairwise import MetricComparison
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.export.export_settings import ExportOrigin
from jurydesk.core.export.pairwise_export import comparisons_json
from jurydesk.core.export.results_json import competition_json, system_json, unscored_system_json
from jurydesk.core.language import counted, format_number, join_messages
from jurydesk.core.library.frames import require_frames
from jurydesk.core.library.notebook import table_html
from jurydesk.core.model.defects import Defect, Severity, format_defects
from jurydesk.core.model.evaluation import Evaluation, InputError, Json, Passage, Source
from jurydesk.core.tables.numbers import interval, number, signed

if TYPE_CHECKING:
    import polars

SHOWN_DEFECTS = 5
"""Number of defects in an exception's text; `FilesError.defects` has all of them."""


class Defects(tuple[Defect, ...]):
    """Defects of files, in the order of detection."""

    __slots__ = ()

    @property
    def errors(self) -> Defects:
        """Defects that prevent scoring."""
        return self._defects_of(Severity.ERROR)

    @property
    def warnings(self) -> Defects:
        """Defects that do not prevent scoring."""
        return self._defects_of(Severity.WARNING)

    @property
    def frame(self) -> polars.DataFrame:
        """Frame of defects: severity, path, line, json_path, found, expected, hint, count."""
        require_frames()
        import polars

        columns = {
            "severity": [str(one.severity) for one in self],
            "path": [one.place.path for one in self],
            "line": [one.place.line for one in self],
            "json_path": [one.place.json_path for one in self],
            "found": [one.found for one in self],
            "expected": [one.expected for one in self],
            "hint": [one.hint for one in self],
            "count": [one.count for one in self],
        }
        numbers = {"line": polars.Int64, "count": polars.Int64}
        schema = {name: numbers.get(name, polars.String) for name in columns}
        return polars.DataFrame(columns, schema=schema)

    def __str__(self) -> str:
        return "\n".join(format_defects(self)) or "No defects."

    def _repr_html_(self) -> str:
        rows = [
            (
                str(one.severity),
                one.place.format(one.place.name),
                one.found,
                join_messages([one.expected, one.hint]),
            )
            for one in self
        ]
        return table_html(("", "place", "found", "advice"), rows, "No defects.")

    def _defects_of(self, severity: Severity) -> Defects:
        return Defects(one for one in self if one.severity is severity)


class FilesError(InputError):
    """Errors in input files, because of which a system or all of them could not be scored.

    `defects` are all defects of all files; `result` has the scored systems, or is None if the
    reference files have errors.
    """

    def __init__(self, defects: Sequence[Defect], result: Result | None = None) -> None:
        self.defects = Defects(defects)
        self.result = result
        errors = self.defects.errors
        more = len(errors) - SHOWN_DEFECTS
        lines = [
            f"{counted(len(errors), 'error')} in the files.",
            *map(str, errors[:SHOWN_DEFECTS]),
        ]
        super().__init__("\n".join([*lines, f"... and {more:,} more"] if more > 0 else lines))


@dataclass(frozen=True, slots=True)
class ScoreInterval:
    """Confidence interval at `level`, with its method."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, eq=False)
class System:
    """Scored system."""

    evaluation: Evaluation = field(repr=False)
    """Underlying evaluation, which is not part of the stable interface."""
    _explain: Callable[[int], Sequence[Passage]] = field(repr=False)
    name: str = ""

    @property
    def profile(self) -> str:
        """`"published"` (the original program's number) or another profile of the competition."""
        return self.evaluation.profile

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Value of each metric; NaN if undefined, which a defect explains."""
        return {score.metric: score.value for score in self.evaluation.scores}

    @cached_property
    def intervals(self) -> Mapping[str, ScoreInterval]:
        """Interval of each metric that has one."""
        return {
            score.metric: ScoreInterval(
                score.interval.low, score.interval.high, score.interval.level, score.interval.method
            )
            for score in self.evaluation.scores
            if score.interval is not None
        }

    @cached_property
    def items(self) -> polars.DataFrame:
        """Frame with a row per item: its id and its columns (metrics and statistics), float64."""
        require_frames()
        import polars

        table = self.evaluation.items
        return polars.DataFrame({"item": list(table.ids), **table.columns})

    @property
    def defects(self) -> Defects:
        """Defects of the system's file, including those found while scoring."""
        return Defects(self.evaluation.defects)

    @property
    def stamp(self) -> Mapping[str, Any]:
        """Stamp as JSON values, which `jurydesk verify` reads."""
        return dict(self.evaluation.stamp or {})

    def explain(self, item: str) -> Mapping[str, str]:
        """Return the explanation of an item as text by title; raise KeyError for an unknown id."""
        ids = self.evaluation.items.ids
        if item not in ids:
            raise KeyError(item)
        return {one.title: one.text for one in self._explain(ids.index(item))}

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {value:z.4f}" for name, value in list(self.scores.items())[:4])
        return f"<System {self.name!r}, {self.profile}: {values}>"


class Result:
    """Scored systems of a competition, iterable and indexed by name.

    Returned by `jurydesk.score` and `jurydesk.open`.
    """

    def __init__(
        self,
        task: AnyTask,
        systems: Sequence[System],
        defects: Sequence[Defect] = (),
        refused: Sequence[tuple[str, str, Sequence[Defect]]] = (),
        shared: Sequence[Defect] = (),
        sources: Sequence[Source] = (),
        rank_by: str = "",
    ) -> None:
        self._task = task
        self.systems = tuple(systems)
        """Scored systems, in the order of their files."""
        self._refused, self._shared = refused, shared
        self.defects = Defects(defects)
        """Every defect of every file."""
        self.sources = tuple(sources)
        """Files that were read, with their SHA-256."""
        self.rank_by = rank_by or task.scoring.rank_by
        """Name of the metric that ranks the systems; empty for the first headline metric."""

    def __getitem__(self, name: str) -> System:
        """Return the system of that name; raise KeyError if there is none."""
        for one in self.systems:
            if one.name == name:
                return one
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(one.name == name for one in self.systems)

    def __iter__(self) -> Iterator[System]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def task(self) -> str:
        """Id of the competition, such as `"vist"`."""
        return self._task.id

    @cached_property
    def scores(self) -> polars.DataFrame:
        """Frame with a row per system and metric: value, low, high, level, n and std."""
        require_frames()
        import polars

        rows = [
            (one.name, one.profile, score.metric, score.value, *limits, score.n, score.std)
            for one in self.systems
            for score in one.evaluation.scores
            for limits in [
                (score.interval.low, score.interval.high, score.interval.level)
                if score.interval
                else (None, None, None)
            ]
        ]
        texts = ("system", "profile", "metric")
        numbers = ("value", "low", "high", "level")
        schema = {
            **dict.fromkeys(texts, polars.String),
            **dict.fromkeys(numbers, polars.Float64),
            "n": polars.Int64,
            "std": polars.Float64,
        }
        return polars.DataFrame(rows, schema=schema, orient="row")

    @cached_property
    def items(self) -> polars.DataFrame:
        """Frame with a row per system and item, as in `score --items`."""
        require_frames()
        import polars

        frames = [
            one.items.select(
                polars.lit(one.name).alias("system"),
                polars.lit(one.profile).alias("profile"),
                polars.all(),
            )
            for one in self.systems
        ]
        return polars.concat(frames, how="diagonal") if frames else polars.DataFrame()

    def to_json(self) -> Json:
        """Return the document of `jurydesk score --json`."""
        systems = [system_json(one.evaluation) for one in self.systems]
        systems += [unscored_system_json(*one) for one in self._refused]
        return competition_json(self.task, systems, self._shared)

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.systems) or "no system"
        return f"<Result of {self.task}: {names}; {counted(len(self.defects), 'defect')}>"

    def _repr_html_(self) -> str:
        infos = list(self._task.headlines)
        known = {name for one in self.systems for name in one.scores}
        infos = [info for info in infos or self._task.scoring.metrics[:6] if info.name in known]
        if self.rank_by in known:
            first = self._task.metric(self.rank_by)
            infos = [first, *(info for info in infos if info.name != first.name)]
        rows = [
            (one.name, *(_cell(one, info.name, info.decimals) for info in infos))
            for one in self.systems
        ]
        head = ("system", *(info.title for info in infos))
        remark = f"{self._task.title}: {counted(len(self.defects), 'defect')}"
        return table_html(head, rows, "No system was scored.", remark)


def _cell(system: System, metric: str, decimals: int) -> str:
    value = system.scores.get(metric, math.nan)
    if math.isnan(value):
        return "-"
    limits = system.intervals.get(metric)
    style = f".{decimals}f"
    ends = [format_number(end, style) for end in (limits.low, limits.high)] if limits else []
    between = f" [{', '.join(ends)}]" if ends else ""
    return f"{format_number(value, style)}{between}"


@dataclass(frozen=True, eq=False)
class PairedComparison:
    """Comparison of two systems by one or more metrics; differences are first minus second."""

    task: str
    profile: str
    systems: tuple[str, str]
    metrics: tuple[MetricComparison, ...] = field(repr=False)
    _origin: ExportOrigin = field(repr=False)

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Frame with a row per metric: both scores, difference, low, high, p of the first test."""
        require_frames()
        import polars

        rows = [
            (
                one.metric.name,
                one.first.value,
                one.second.value,
                one.difference,
                one.interval.low if one.interval else None,
                one.interval.high if one.interval else None,
                _value_or_none(one.tests[0].p) if one.tests else None,
                one.tests[0].name if one.tests else None,
            )
            for one in self.metrics
        ]
        columns = ("first", "second", "difference", "low", "high", "p")
        schema = {
            "metric": polars.String,
            **dict.fromkeys(columns, polars.Float64),
            "test": polars.String,
        }
        return polars.DataFrame(rows, schema=schema, orient="row")

    @cached_property
    def tests(self) -> polars.DataFrame:
        """Frame with a row per metric and test: p and the number of rounds (0: exact)."""
        require_frames()
        import polars

        rows = [
            (one.metric.name, test.name, _value_or_none(test.p), test.rounds)
            for one in self.metrics
            for test in one.tests
        ]
        schema = {
            "metric": polars.String,
            "test": polars.String,
            "p": polars.Float64,
            "rounds": polars.Int64,
        }
        return polars.DataFrame(rows, schema=schema, orient="row")

    @cached_property
    def items(self) -> polars.DataFrame:
        """Frame with a row per metric and shared item, largest difference first."""
        require_frames()
        import polars

        rows = [
            (one.metric.name, one.items.ids[row], first, second, first - second)
            for one in self.metrics
            if one.items is not None
            for row in one.items.by_disagreement().tolist()
            for first, second in [(float(one.items.first[row]), float(one.items.second[row]))]
        ]
        schema = {
            "metric": polars.String,
            "item": polars.String,
            **dict.fromkeys(("first", "second", "difference"), polars.Float64),
        }
        return polars.DataFrame(rows, schema=schema, orient="row")

    def to_json(self) -> Json:
        """Return the document of `jurydesk compare --json`."""
        return comparisons_json(self.task, self.profile, self.systems, self.metrics, self._origin)

    def _repr_html_(self) -> str:
        rows = [
            (
                one.metric.title,
                number(one.first.value, one.metric.decimals),
                number(one.second.value, one.metric.decimals),
                signed(one.difference, one.metric.decimals),
                interval(one.interval, one.metric.decimals) or "-",
                f"{one.tests[0].p:.3f}" if one.tests else "-",
            )
            for one in self.metrics
        ]
        head = ("metric", *self.systems, "difference", "95 % interval", "p, pair alone")
        return table_html(head, rows, "The systems have no metric in common.")


def _value_or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
