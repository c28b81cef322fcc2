"""Numbers that a platform's server showed, beside those that the desk computes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from typing import TYPE_CHECKING

from jurydesk.core.model.evaluation import MetricInfo

if TYPE_CHECKING:
    from jurydesk.core.desk.summary import Summary

MOST_DECIMALS = 30
_MEANS = (".mean", ".value", ".score")
"""Ends of names of numbers that stand for the whole metric."""


@dataclass(frozen=True, slots=True)
class ServerScore:
    """Number of a server for a system and metric.

    `text` is as the server wrote it, `recomputed` the desk's number. They are compared at the
    server's `decimals`, half to even; `scale` is 100 if the server's column is in percent.
    """

    system: str
    profile: str
    metric: str
    column: str
    text: str
    recomputed: float
    scale: int

    @property
    def decimals(self) -> int:
        """Number of decimals that the server keeps."""
        return max(0, -int(Decimal(self.text).as_tuple().exponent))

    @property
    def difference(self) -> Decimal | None:
        """The server's number minus the desk's, rounded alike; None if the desk has none."""
        if not math.isfinite(self.recomputed):
            return None
        return Decimal(self.text) - round_as(self.recomputed * self.scale, self.decimals)

    @property
    def difference_text(self) -> str:
        """The difference at the server's decimals: `0` if there is none; empty if unknown."""
        found = self.difference
        return "" if found is None else f"{found:+f}" if found else "0"


def round_as(value: float, decimals: int) -> Decimal:
    """Return a number rounded to decimals, half to even, as servers that store decimals do."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)


def match_metrics(
    columns: Iterable[str], metrics: Sequence[MetricInfo], chosen: Mapping[str, str]
) -> dict[str, str]:
    """Return the metric of each column: the `chosen` one, or that of the same name or title."""
    by_key = {_key(info.title): info.name for info in metrics}
    by_key |= {_key(info.name): info.name for info in metrics}
    found = {}
    for column in columns:
        known = (by_key[key] for key in _keys(column) if key in by_key)
        metric = chosen.get(column) or next(known, None)
        if metric is not None:
            found[column] = metric
    return found


def _keys(column: str) -> Iterator[str]:
    yield _key(column)
    for end in _MEANS:
        yield _key(column.removesuffix(end))
    yield _key(column.rpartition(".")[2])


def _key(name: str) -> str:
    return re.sub(r"[^0-9a-zа-яё]+", "", name.casefold())


def server_scores(
    summaries: Sequence[Summary],
    metrics: Sequence[MetricInfo],
    chosen: Mapping[str, str] | None = None,
) -> list[ServerScore]:
    """Return the server's number of every system and metric, of which one column has the name.

    Of several numbers of a metric that with most decimals is taken. `chosen` is the metric of a
    column by its name.
    """
    found: dict[tuple[str, str, str], list[tuple[str, str, float]]] = {}
    for one in summaries:
        values = {score.metric: score.value for score in one.scores}
        best: dict[str, tuple[str, str]] = {}
        for column, metric in match_metrics(one.server, metrics, chosen or {}).items():
            text = one.server[column]
            if metric in values and _is_number(text):
                shown = best.get(metric)
                if shown is None or len(text) > len(shown[1]):
                    best[metric] = column, text
        for metric, (column, text) in best.items():
            several = found.setdefault((one.profile, metric, column), [])
            several.append((one.system, text, values[metric]))
    return [
        ServerScore(system, profile, metric, column, text, value, scale)
        for (profile, metric, column), several in found.items()
        for scale in [_scale(several)]
        for system, text, value in several
    ]


def _is_number(text: str) -> bool:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return False
    exponent = number.as_tuple().exponent
    return number.is_finite() and isinstance(exponent, int) and -MOST_DECIMALS < exponent < 20


def _scale(several: Sequence[tuple[str, str, float]]) -> int:
    """Return 100 if the numbers of a column are nearer to percentages."""
    pairs = [(float(text), value) for _, text, value in several if math.isfinite(value)]
    gaps = {scale: sum(abs(said - scale * value) for said, value in pairs) for scale in (1, 100)}
    return 100 if gaps[100] < gaps[1] else 1


def parse_columns(pairs: Sequence[str]) -> dict[str, str]:
    """Parse `COLUMN=METRIC` pairs; raise ValueError with the pair that is none."""
    found = {}
    for pair in pairs:
        column, equals, metric = pair.rpartition("=")
        if not equals or not column:
            raise ValueError(pair)
        found[column] = metric
    return found
