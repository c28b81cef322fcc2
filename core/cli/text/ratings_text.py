"""Tables of a study's results (agreement, ranks, raters, correlations) as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.human_evaluation.results.study_tables import (
    MEASURES,
    agreement_remarks,
    agreement_table,
    correlation_table,
    effect_lines,
    pair_family,
    preference_table,
    program_table,
    ranking_table,
)
from jurydesk.core.language import Message, fill, translate, translate_text
from jurydesk.core.tables.columns import Column
from jurydesk.core.tables.text_table import UNDEFINED, align_columns, plain_number, terminal_cell

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
    from jurydesk.core.human_evaluation.results.rater_reports import RaterReport


def agreement_lines(people: StudyFindings) -> list[str]:
    """Format the whole output of `ratings agreement`."""
    head = [translate("statement"), translate("alpha (ordinal)"), "ICC(2,k)", "ICC(1,k)"]
    head += [translate("Gwet's AC")]
    question, *measures = agreement_table(people)
    columns = [_names(question), *(_numbers(one, show=None) for one in measures)]
    return [
        *align_columns([*head, translate("equal")], list(zip(*columns, strict=True))),
        *agreement_remarks(people),
        *_missing_intervals(people),
        "",
        *rank_lines(people),
        *preference_lines(people),
        "",
        *rater_lines(people.raters),
        *program_lines(people),
    ]


def _missing_intervals(people: StudyFindings) -> Iterator[str]:
    """Yield why measures have no interval, each reason with its measures."""
    found: dict[str, dict[str, None]] = {}
    for name, title, _ in MEASURES:
        for one in people.agreements:
            if note := getattr(one, name).note:
                found.setdefault(note, {})[translate(title)] = None
    for note, titles in found.items():
        yield translate(
            "{note:capital} ({measures}).", note=Message(note), measures=", ".join(titles)
        )


def rank_lines(people: StudyFindings) -> list[str]:
    """Format a table of systems by statements: mean and rank."""
    if not people.outcomes:
        return list(map(translate_text, people.remarks))
    system, overall, *rest = ranking_table(people)
    means = len(people.outcomes) - 1
    shown = [*rest[:means], overall, *rest[means:]]
    cells = [[one.replace("  ", " ") for one in _numbers(mean, intervals=())] for mean in shown]
    head = [translate("system"), *(one.name for one in shown)]
    rows = list(zip(_names(system), *cells, strict=True))
    note = translate("mean (ranks that the ratings leave possible at 95 %).")
    remarks = map(translate_text, people.remarks)
    return [*align_columns(head, rows, right=range(1, len(head))), note, *remarks]


def preference_lines(people: StudyFindings) -> list[str]:
    """Format a table with one line per pair of systems that were compared."""
    if not people.preferences:
        return []
    question, system, other, *counts, difference, p = preference_table(people)
    columns = [
        *(_names(one) for one in (question, system, other)),
        *(_numbers(one) for one in (*counts, difference, p)),
    ]
    head = [translate("statement"), translate("system"), translate("other")]
    head += [translate("preferred"), translate("other preferred"), translate("neither")]
    head += [translate("difference"), translate("p, all pairs")]
    rows = list(zip(*columns, strict=True))
    family = [translate_text(pair_family(people))] if np.isfinite(p.values).any() else []
    table = align_columns(head, rows, right=range(3, len(head)))
    return ["", *table, *family, *effect_lines(people)]


def program_lines(people: StudyFindings) -> list[str]:
    """Format a table of the programs among the raters, which count for no rank."""
    if not people.judges:
        return []
    program, question, system, mean, both, more, agreement, bias = program_table(people)
    columns = [
        *(_names(one) for one in (program, question, system)),
        *(_numbers(one) for one in (mean, both, more)),
        *(_numbers(agreement, show=None), _numbers(bias)),
    ]
    head = [translate("program"), translate("statement"), translate("system")]
    head += [translate("people's mean"), translate("by both"), translate("by the program")]
    head += [translate("agreement"), translate("bias")]
    rows = list(zip(*columns, strict=True))
    note = translate("Programs count for no rank and no agreement of people.")
    return ["", *align_columns(head, rows, right=range(3, len(head))), note]


def rater_lines(raters: Sequence[RaterReport]) -> list[str]:
    """Format a table with one line per rater."""
    head = [translate("rater"), translate("done"), translate("s/item"), translate("straight")]
    head += [translate("severity"), translate("drift"), translate("checks")]
    head += [translate("consistency")]
    rows = [
        [
            one.rater,
            f"{one.done}/{one.items}",
            plain_number(one.seconds, 0),
            _percent(one.straight),
            plain_number(one.severity, 2, "+"),
            plain_number(one.drift, 2, "+"),
            f"{one.attention[0]}/{one.attention[1]}" if one.attention[1] else UNDEFINED,
            _percent(one.consistency),
        ]
        for one in raters
    ]
    return align_columns(head, rows, right=range(1, len(head)))


def _percent(share: float) -> str:
    return UNDEFINED if share != share else f"{share:.0%}"


def correlation_lines(
    people: StudyFindings, correlations: Sequence[RatingCorrelation]
) -> list[str]:
    """Format a table of metrics against statements, one line per pair and level."""
    origin = [translate_text(people.imported_remark)] if people.imported else []
    if not correlations:
        return ["", translate("No metric was computed for the rated systems."), *origin]
    metric, question, over, count, *kinds = correlation_table(people, correlations)
    levels = zip(_names(over), count.values, strict=True)
    columns = [
        *(_names(metric), _names(question)),
        [f"{translate_text(level)} ({n})" for level, n in levels],
        *(_numbers(one, show=None) for one in kinds),
    ]
    head = [translate("metric"), translate("statement"), translate("over")]
    head += [one.name for one in kinds]
    notes = dict.fromkeys(one.found.note for one in correlations if one.found.interval is None)
    within = fill("{entries:capital} are compared within their system.", Message(people.entry[1]))
    remarks = filter(None, [*notes, within, *origin])
    table = align_columns(head, list(zip(*columns, strict=True)))
    return ["", *table, *map(translate_text, remarks)]


def _names(column: Column) -> list[str]:
    return list(map(str, column.file_cells or column.values))


def _numbers(column: Any, **changes: Any) -> list[str]:
    changed = replace(column, **changes)
    return [terminal_cell(changed, row) for row in range(len(column.values))]
