"""Evaluation of any lists of keyword spotting: by ranks, by blocks, or of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import Curve, Evaluation, FloatArray, IntArray, Score
from jurydesk.core.model.evidence_columns import ColumnEvidence, EvidenceColumns
from jurydesk.core.system.memory import return_freed_memory
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.keyword_spotting.judgements import RankedLists, RelevanceJudgements
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evaluator import (
    evaluate,
    scoring_remarks,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.overlap.block_evaluation import (
    curve_text,
    evaluate_blocks,
)
from jurydesk.core.tasks.keyword_spotting.overlap.label_lists import LabelLists
from jurydesk.core.tasks.keyword_spotting.overlap.match_dump import match_lines
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import (
    SpottingLists,
    SpottingMatch,
)
from jurydesk.core.tasks.keyword_spotting.overlap.spotting_figures import (
    hit_curve,
    other_figures,
)
from jurydesk.core.tasks.keyword_spotting.overlap.stored_lists import (
    error_columns,
    stored_columns,
)
from jurydesk.core.tasks.keyword_spotting.overlap.table_evaluation import (
    TableLists,
    evaluate_table,
    table_remarks,
)
from jurydesk.core.tasks.keyword_spotting.overlap.unit_curves import unit_curves, whole_curve

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions

MEAN_CURVE = ".mean"
"""Suffix of the file of the mean curve."""


def evaluate_overlap(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions, run: Run
) -> Evaluation:
    """Return the scores of a system under its protocol; may raise UsageError."""
    if isinstance(lists, TableLists):
        return evaluate_table(lists, options)
    if isinstance(lists, LabelLists):
        return _with_label_scores(evaluate(relevance, lists, options, run))
    assert isinstance(lists, SpottingLists)  # noqa: S101 - the only other kind
    if lists.references.protocol.rules.scored == "blocks":
        evaluation = run.call(evaluate_blocks, lists, options)
    else:
        found = evaluate(relevance, lists, options, run)
        evaluation = _with_overlap_scores(found, lists, options)
    return_freed_memory()
    return replace(
        evaluation, defects=(*evaluation.defects, *_write_files(evaluation, lists, options))
    )


def overlap_remarks(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of a system."""
    if isinstance(lists, TableLists):
        yield from table_remarks(lists)
    elif isinstance(lists, SpottingLists) and lists.references.protocol.rules.scored == "blocks":
        yield from lists.defects(options.profile)
    else:
        yield from scoring_remarks(relevance, lists, options, run)


def _with_overlap_scores(
    evaluation: Evaluation, lists: SpottingLists, options: KeywordSpottingOptions
) -> Evaluation:
    """Add recall and gAP; a curve that the switches change replaces average precision."""
    matching = lists.matching(options.profile)
    rows = {name: number for number, name in enumerate(lists.references.units)}
    kept = np.array([rows[name] for name in evaluation.items.ids], np.int64)
    found = evaluation.items.columns["num_rel_ret"]
    columns = {"recall": found / np.maximum(matching.relevant_counts[kept], 1)}
    rules = matching.rules
    if rules.collapse or rules.interpolate or rules.trapezoid:
        values = unit_curves(matching).average_precisions(trapezoid=rules.trapezoid)[kept]
        columns |= {"ap": values, "map": values}
    added = _with_stored_lists(_with_columns(evaluation, columns), matching, kept)
    figures = (*added.figures, *hit_curve(matching), *other_figures(matching))
    added = replace(added, figures=figures)
    if not lists.file.has_scores:
        return added
    whole = whole_curve(matching).average_precisions(trapezoid=rules.trapezoid)
    score = Score("gAP", float(whole[0]), len(kept))
    return replace(added, scores=(*added.scores, score))


def _with_stored_lists(
    evaluation: Evaluation, matching: SpottingMatch, units: IntArray
) -> Evaluation:
    """Add what a desk needs to make the claims again, and the counts of errors."""
    items = evaluation.items
    if not isinstance(items.evidence, ColumnEvidence):
        return evaluation
    columns = {**items.columns, **error_columns(matching, units)}
    build = partial(_stored_evidence, items.evidence.build, matching, units)
    evidence = ColumnEvidence(build, RankedList.from_row)
    return replace(evaluation, items=replace(items, columns=columns, evidence=evidence))


def _stored_evidence(
    build: Callable[[], Sequence[EvidenceColumns]], matching: SpottingMatch, units: IntArray
) -> Sequence[EvidenceColumns]:
    return (*build(), EvidenceColumns(stored_columns(matching, units)))


def _with_label_scores(evaluation: Evaluation) -> Evaluation:
    """Give the mean over the queries with a hit as `map`, that over all as `map_all`."""
    values = np.nan_to_num(evaluation.items.columns["ap"])
    positive = np.where(values > 0, values, np.nan)
    return _with_columns(evaluation, {"ap": values, "map_all": values, "map": positive})


def _with_columns(evaluation: Evaluation, columns: dict[str, FloatArray]) -> Evaluation:
    """Return the evaluation with columns and their means, in place of those of the same name."""
    means = {name: _mean(name, values) for name, values in columns.items()}
    scores = [means.pop(one.metric, one) for one in evaluation.scores]
    items = replace(evaluation.items, columns={**evaluation.items.columns, **columns})
    return replace(evaluation, scores=(*scores, *means.values()), items=items)


def _mean(name: str, values: FloatArray) -> Score:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Score(name, 0.0 if len(values) else float("nan"), 0)
    return Score(name, float(defined.mean()), len(defined), float(defined.std()))


def _write_files(
    evaluation: Evaluation, lists: SpottingLists, options: KeywordSpottingOptions
) -> Iterator[Defect]:
    """Write the curves and the matches that were asked for; yield a warning if it fails."""
    matching = lists.matching(options.profile)
    texts: dict[str, str] = {}
    if options.curve:
        curves = [one for one in evaluation.figures if isinstance(one, Curve)][:2]
        names = options.curve, options.curve + MEAN_CURVE
        texts |= {name: curve_text(curve) for name, curve in zip(names, curves, strict=True)}
    if options.dump_matches:
        texts[options.dump_matches] = "".join(match_lines(matching))
    for name, text in texts.items():
        try:
            write_atomically(Path(name), text.encode())
        except OSError as fault:
            found = fill("The file was not written: {reason}.", failure_reason(fault))
            yield warning(Place(name), found)
