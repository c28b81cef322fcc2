"""Results of ratings (agreement, ranks, correlations) as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.core.cli.text.leaderboard_text import interval_text
from jurydesk.core.language import localize_number, translatable, translate, translate_text
from jurydesk.core.model.evaluation import Interval
from jurydesk.core.tables.text_table import align_columns

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
    from jurydesk.core.human_evaluation.results.ranking import QuestionAgreement, QuestionResult
    from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
    from jurydesk.core.statistics.agreement import Agreement

MEASURES = {
    "alpha": translatable("Alpha"),
    "icc": "ICC(2,k)",
    "icc_1k": "ICC(1,k)",
    "exact": translatable("Equal"),
}


def agreement_lines(
    found: Sequence[QuestionAgreement],
    ranks: Sequence[QuestionResult],
    raters: Sequence[RaterReport],
) -> list[str]:
    """Format the whole output of `ratings agreement`."""
    measures = [
        [translate_text(one.question), *(measure_text(getattr(one, name)) for name in MEASURES)]
        for one in found
    ]
    head = [translate("statement"), translate("alpha (ordinal)"), "ICC(2,k)", "ICC(1,k)"]
    head += [translate("equal")]
    return [
        *align_columns(head, measures, right=set()),
        *_undefined_reasons(found),
        "",
        *rank_lines(ranks),
        "",
        *rater_lines(raters),
    ]


def measure_text(measure: Agreement) -> str:
    """Return `0.612 [0.540, 0.681]`, or a dash for an undefined measure."""
    if not math.isfinite(measure.value):
        return "-"
    return f"{localize_number(f'{measure.value:.3f}')}{_span(measure.interval, 3)}"


def _span(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return ""
    limits = (f"{one:.{digits}f}" for one in (interval.low, interval.high))
    return f" {interval_text(*map(localize_number, limits))}"


def _undefined_reasons(found: Sequence[QuestionAgreement]) -> list[str]:
    """Return the reasons why measures are undefined, each once."""
    reasons = [
        (title, getattr(one, name).undefined)
        for one in found
        for name, title in MEASURES.items()
        if getattr(one, name).undefined
    ]
    return [
        translate(
            "{measure} is undefined: {reason}.",
            measure=translate(name),
            reason=translate_text(reason),
        )
        for name, reason in dict.fromkeys(reasons)
    ]


def rank_lines(ranks: Sequence[QuestionResult]) -> list[str]:
    """Format a table of systems by statements: mean and rank."""
    if not ranks:
        return []
    order = sorted(
        range(len(ranks[-1].ranks)), key=lambda i: (-_value_or_lowest(ranks[-1].scores[i].value), i)
    )
    rows = [
        [
            ranks[-1].ranks[i].system,
            *(f"{localize_number(f'{one.scores[i].value:.2f}')} ({one.ranks[i]})" for one in ranks),
        ]
        for i in order
    ]
    head = [translate("system"), *(translate_text(one.question) for one in ranks)]
    note = translate("mean (rank); systems without a significant difference at 95 % share ranks.")
    remarks = dict.fromkeys(translate_text(one.remark) for one in ranks if one.remark)
    return [*align_columns(head, rows, right=set(range(1, len(head)))), note, *remarks]


def _value_or_lowest(value: float) -> float:
    return value if math.isfinite(value) else -math.inf


def rater_lines(raters: Sequence[RaterReport]) -> list[str]:
    """Format a table with one line per rater."""
    head = [translate("rater"), translate("done"), translate("s/item"), translate("straight")]
    head += [translate("severity"), translate("drift"), translate("checks")]
    head += [translate("consistency")]
    rows = [
        [
            one.rater,
            f"{one.done}/{one.items}",
            _format(one.seconds, "{:.0f}"),
            _format(one.straight, "{:.0%}"),
            _format(one.severity, "{:+.2f}"),
            _format(one.drift, "{:+.2f}"),
            f"{one.attention[0]}/{one.attention[1]}" if one.attention[1] else "-",
            _format(one.consistency, "{:.0%}"),
        ]
        for one in raters
    ]
    return align_columns(head, rows, right=set(range(1, len(head))))


def _format(value: float, form: str) -> str:
    return localize_number(form.format(value)) if math.isfinite(value) else "-"


def correlation_lines(correlations: Sequence[RatingCorrelation]) -> list[str]:
    """Format a table of metrics against statements, one line per pair and level."""
    if not correlations:
        return ["", translate("No metric was computed for the rated systems.")]
    rows: dict[tuple[str, str, str], list[str]] = {}
    for one in correlations:
        key = (one.metric, one.question, one.level)
        labels = [one.metric, translate_text(one.question)]
        labels += [f"{translate_text(one.level)} ({one.n})"]
        rows.setdefault(key, labels).append(measure_text(one.found))
    kinds = dict.fromkeys(translate_text(one.kind) for one in correlations)
    head = [translate("metric"), translate("statement"), translate("over"), *kinds]
    return ["", *align_columns(head, list(rows.values()), right=set())]
