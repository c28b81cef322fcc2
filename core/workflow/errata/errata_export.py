"""Errata in exports: report sections, table cells and a JSON document."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.export.export_settings import make_origin
from jurydesk.core.export.html_report.report import ReportSection
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.export.stamps_export import published_source
from jurydesk.core.language import Message, fill, format_number, join_messages, translatable
from jurydesk.core.model.evaluation import Json, Score
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.statistics.rank_intervals import RankInterval
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.html_table import html_table
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
    listed = [_published(erratum_json(one.erratum)) for one in errata]
    return {"schema": SCHEMA, "task": task.id, ERRATA: listed, **origin.members()}


def _published(entry: Json) -> Json:
    """Return an erratum without the paths of this computer."""
    return {
        **entry,
        **{side: list(map(published_source, entry[side])) for side in ("before", "after")},
    }


def _number(stamp: Json, stamps: list[Json]) -> int:
    """Return the place of a stamp in a list, to which it is added if it is new."""
    if stamp not in stamps:
        stamps.append(stamp)
    return stamps.index(stamp)


def errata_sections(errata: Sequence[Erratum]) -> list[ReportSection]:
    """Return a report section per erratum, newest first."""
    return [_section(erratum) for erratum in reversed(errata)]


def _section(erratum: Erratum) -> ReportSection:
    title = fill("Errata of {created}", erratum.created[:10])
    sentences = [*erratum_sentences(erratum), *unscored_sentences(erratum)]
    table = html_table(score_change_table(erratum.parts), title)
    return ReportSection(title, join_messages(sentences), table)


def unscored_sentences(erratum: Erratum) -> Iterator[str]:
    """Yield a sentence per system that could not be scored again."""
    for system, why in erratum.left_out:
        yield fill("{system} keeps its old result: {reason:lower}", system, Message(why))


def score_change_table(parts: Sequence[ProfileEffect]) -> list[Column]:
    """Return the systems of these profiles before and after, with their ranks."""
    rows = [(one, part.metric.decimals) for part in parts for one in part.systems]
    several = len(parts) > 1
    doubt = [bool(part.metric.doubt) for part in parts for _ in part.systems]

    def number(
        name: str,
        title: str,
        value: Callable[[ScoreChange], float],
        text: Callable[[ScoreChange, int], str],
        tooltip: str = "",
        decimals: int = max((decimals for _, decimals in rows), default=4),
    ) -> NumberColumn:
        return NumberColumn(
            name,
            title,
            np.array([value(one) for one, _ in rows], np.float64),
            show=lambda row: text(*rows[row]),
            tooltip=tooltip,
            decimals=decimals,
            doubtful=np.flatnonzero(doubt).tolist(),
        )

    names = [
        f"{one.system} ({part.profile})" if several else one.system
        for part in parts
        for one in part.systems
    ]
    return [
        TextColumn("system", translatable("System"), names),
        number("before", translatable("Before"), lambda one: one.before.value,
               lambda one, decimals: _value(one.before, decimals)),
        number("after", translatable("After"), lambda one: one.after.value,
               lambda one, decimals: _value(one.after, decimals)),
        number("change", translatable("Change"), lambda one: one.change, _change),
        number("ranks", translatable("Rank"),
               lambda one: one.rank_after.best if one.rank_after else math.nan,
               lambda one, _: f"{_places(one.rank_before)} → {_places(one.rank_after)}"),
        number("items", translatable("Items"), lambda one: len(one.items),
               lambda one, _: f"{len(one.items):,}" if one.items else "",
               translatable("Items whose value changed."), 0),
    ]  # fmt: skip


def _change(one: ScoreChange, decimals: int) -> str:
    return _format_signed(one.change, decimals)


def _value(score: Score, decimals: int) -> str:
    return format_number(score.value, f".{decimals}f") if math.isfinite(score.value) else "–"


def _format_signed(value: float, decimals: int) -> str:
    if not math.isfinite(value):
        return "–"
    return format_number(value, f"+.{decimals}f").replace("-", "−")


def _places(rank: RankInterval | None) -> str:
    if rank is None:
        return "–"
    return str(rank.best) if rank.best == rank.worst else f"{rank.best}–{rank.worst}"
