"""How far metrics follow people, as the lines that stand below a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jurydesk.app.style import numbers

if TYPE_CHECKING:
    from jurydesk.core.competition.rating_design import Noun
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
    from jurydesk.core.model.evaluation import MetricInfo
    from jurydesk.core.statistics.agreement import Agreement


def correlation_facts(
    people: StudyFindings | None, metric: MetricInfo | None, titles: Mapping[str, str], profile: str
) -> dict[str, str]:
    """What a metric and each statement (or a statement and each metric) have in common.

    These are Spearman's correlations over entries, where the metric has numbers of them, else over
    systems.
    """
    if people is None or metric is None:
        return {}
    found = rank_correlation(people.correlations.get(profile, ()))
    pairs = [one for one in found if metric.name in (one.metric, one.question)]
    return {
        titles.get(_other(one, metric.name), _other(one, metric.name)): measure(one.found)
        for one in pairs
    }


def _other(one: RatingCorrelation, name: str) -> str:
    return one.question if one.metric == name else one.metric


def rank_correlation(found: Sequence[RatingCorrelation]) -> list[RatingCorrelation]:
    """Spearman's correlation of each pair, over entries where that is known."""
    chosen: dict[tuple[str, str], RatingCorrelation] = {}
    for one in found:
        if one.kind == "spearman" and (one.level != "system" or one.pair not in chosen):
            chosen[one.pair] = one
    return list(chosen.values())


def measure(found: Agreement, decimals: int = 2) -> str:
    """A measure with its interval: `0.21  (0.16 – 0.26)`, or why it is undefined."""
    if found.undefined:
        return f"undefined: {found.undefined}"
    ends = numbers.interval(found.interval, decimals)
    value = numbers.number(found.value, decimals)
    return f"{value}  ({ends})" if ends else value


def levels(found: Sequence[RatingCorrelation], entry: Noun) -> str:
    """What was correlated, in words: `Spearman, over 600 stories`."""
    chosen = rank_correlation(found)
    if not chosen:
        return ""
    noun = ("system", "systems") if chosen[0].level == "system" else entry
    return f"Spearman over {numbers.quantity(chosen[0].n, *noun)}, with 95 % interval."
