"""Errata in exports: report sections, table cells and a JSON document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.export.export_settings import make_origin
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.html_report.report_table import text_table
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import Json, Score
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.rank_intervals import RankInterval
from jurydesk.core.workflow.errata.errata_record import (
    AFTER,
    BEFORE,
    INFERENCE,
    StampedErratum,
    erratum_json,
)
from jurydesk.core.workflow.errata.erratum import (
    Erratum,
    ProfileEffect,
    ScoreChange,
    erratum_sentences,
)

HEADS = ("System", "Before", "After", "Change", "95 % interval", "p (Holm)", "Rank", "Items")

ERRATA = "errata"
"""Format of the document, in its settings; its member with the errata."""


def errata_json(task: AnyTask, errata: Sequence[StampedErratum]) -> Json:
    """Return the errata with the stamps and settings to make them again.

    The settings leave out errata without stamps or settings, and those whose groups are of another
    file than the newest's.
    """
    made = [one for one in errata if one.inference is not None and one.stamps_before()]
    newest = (made[-1].inference if made else None) or Inference()
    stamps: list[Json] = []
    entries = []
    for place, one in enumerate(errata):
        if one in made and one.inference is not None and one.inference.source == newest.source:
            before, after = (
                [_number(stamp, stamps) for stamp in side]
                for side in (one.stamps_before(), one.stamps_after())
            )
            entries.append(
                {
                    "place": place,
                    "created": one.erratum.created,
                    INFERENCE: to_json(replace(one.inference, source=None)),
                    BEFORE: before,
                    AFTER: after,
                }
            )
    origin = make_origin(ERRATA, task.id, stamps, newest, title=task.title, errata=entries)
    listed = [erratum_json(one.erratum) for one in errata]
    return {"schema": SCHEMA, "task": task.id, ERRATA: listed, **origin.members()}


def _number(stamp: Json, stamps: list[Json]) -> int:
    """Return the place of a stamp in a list, to which it is added if it is new."""
    if stamp not in stamps:
        stamps.append(stamp)
    return stamps.index(stamp)


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
        yield fill("{system} keeps its old result: {reason:lower}", system, Message(why))


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
