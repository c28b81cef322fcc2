"""Errata in exports: report sections and table cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from jurydesk.core.errata.erratum import Erratum, ProfileEffect, ScoreChange, erratum_sentences
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.html_report.report_table import text_table
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Score
from jurydesk.core.statistics.rank_intervals import RankInterval

HEADS = ("System", "Before", "After", "Change", "95 % interval", "p (Holm)", "Rank", "Items")


def errata_sections(errata: Sequence[Erratum]) -> list[ReportSection]:
    """Return a report section per erratum, newest first."""
    return [_section(erratum) for erratum in reversed(errata)]


def _section(erratum: Erratum) -> ReportSection:
    day = erratum.created[:10]
    sentences = [*erratum_sentences(erratum), *unscored_sentences(erratum)]
    rows = [
        [_label(one, part, erratum), *moved_cells(one, part)]
        for part in erratum.parts
        for one in part.systems
    ]
    return ReportSection(
        f"Errata of {day}", " ".join(sentences), text_table(HEADS, rows, f"Errata of {day}")
    )


def unscored_sentences(erratum: Erratum) -> Iterator[str]:
    """Yield a sentence per system that could not be scored again."""
    for system, why in erratum.left_out:
        text = translatable("{system} keeps its old result: {reason}")
        yield text.format(system=system, reason=f"{why[:1].lower()}{why[1:]}")


def _label(one: ScoreChange, part: ProfileEffect, erratum: Erratum) -> str:
    return one.system if len(erratum.parts) == 1 else f"{one.system} ({part.profile})"


def moved_cells(one: ScoreChange, part: ProfileEffect) -> list[str]:
    """Return before, after, change, its interval, p, ranks and changed items as texts."""
    decimals = part.metric.decimals
    limits = one.interval
    ends = "" if limits is None else f"{_format_signed(limits.low, decimals)} to "
    ends += "" if limits is None else _format_signed(limits.high, decimals)
    mark = " *" if one.is_beyond_noise() else ""
    return [
        _value(one.before, decimals),
        _value(one.after, decimals),
        f"{_format_signed(one.change, decimals)}{mark}",
        ends,
        _format_p_value(one.p_corrected),
        f"{_places(one.rank_before)} → {_places(one.rank_after)}",
        f"{len(one.items):,}" if one.items else "",
    ]


def _value(score: Score, decimals: int) -> str:
    return f"{score.value:.{decimals}f}" if math.isfinite(score.value) else "–"


def _format_signed(value: float, decimals: int) -> str:
    if not math.isfinite(value):
        return "–"
    rounded = f"{value:+.{decimals}f}"
    return f"{0:.{decimals}f}" if float(rounded) == 0 else rounded.replace("-", "−")


def _format_p_value(p: float) -> str:
    if not math.isfinite(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _places(rank: RankInterval | None) -> str:
    if rank is None:
        return "–"
    return str(rank.best) if rank.best == rank.worst else f"{rank.best}–{rank.worst}"
