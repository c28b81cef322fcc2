"""Correlations of metrics with ratings, as facts for the Board page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jurydesk.core.human_evaluation.results.metric_correlation import BOTH
from jurydesk.core.human_evaluation.results.study_tables import measure_text
from jurydesk.core.language import translate
from jurydesk.core.tables import numbers

if TYPE_CHECKING:
    from jurydesk.core.competition.rating_design import Noun
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
    from jurydesk.core.model.evaluation import MetricInfo


def correlation_facts(
    people: StudyFindings | None, metric: MetricInfo | None, titles: Mapping[str, str], profile: str
) -> dict[str, str]:
    """Return correlations of a metric with the statements, or of a statement with the metrics.

    These are Spearman's correlations over entries where the metric has values for them, else over
    systems.
    """
    if people is None or metric is None:
        return {}
    found = spearman_correlations(people.correlations.get(profile, ()))
    pairs = [one for one in found if metric.name in (one.metric, one.question)]
    return {
        titles.get(_counterpart(one, metric.name), _counterpart(one, metric.name)): measure_text(
            one.found
        )
        for one in pairs
    }


def _counterpart(one: RatingCorrelation, name: str) -> str:
    return one.question if one.metric == name else one.metric


def spearman_correlations(found: Sequence[RatingCorrelation]) -> list[RatingCorrelation]:
    """Return Spearman's correlation of each pair, over entries where it is known."""
    chosen: dict[tuple[str, str], RatingCorrelation] = {}
    for one in found:
        if (
            one.kind == "spearman"
            and one.level != BOTH
            and (one.level != "system" or one.pair not in chosen)
        ):
            chosen[one.pair] = one
    return list(chosen.values())


def correlation_caption(found: Sequence[RatingCorrelation], entry: Noun) -> str:
    """Return a caption: `Spearman over 600 stories, with 95 % interval.`."""
    chosen = spearman_correlations(found)
    if not chosen:
        return ""
    noun = ("system", "systems") if chosen[0].level == "system" else entry
    return translate(
        "Spearman over {entries}, with 95 % interval.",
        entries=numbers.quantity(chosen[0].n, *noun),
    )
