"""Tables of the window, made again from the results of their stamps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jurydesk.core.analysis.comparison.item_differences import change_table, item_differences
from jurydesk.core.analysis.comparison.pairwise import align_values, pair_items
from jurydesk.core.analysis.units import resampling_units
from jurydesk.core.export.export_settings import settings_errors
from jurydesk.core.export.tables.figure_tables import FIGURE, figure_of_setting, figure_table
from jurydesk.core.export.tables.panel_tables import PANEL, panel_columns
from jurydesk.core.export.tables.result_tables import (
    CHANGES,
    DIFFERENCES,
    ITEMS,
    changed_entries,
    difference_table,
    item_table,
)
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.findings import load_findings
from jurydesk.core.human_evaluation.results.study_tables import STUDY, study_table
from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import Evaluation, MetricInfo, UsageError
from jurydesk.core.tables.columns import DataColumn, data_columns
from jurydesk.core.tables.table_file import FORMS, table_file, take_rows
from jurydesk.core.verification.scored_again import Recomputation

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.results.findings import StudyFindings


def make_table(again: Recomputation) -> bytes:
    """Make a table of the window again, with the rows of its settings.

    Raises StampError for damaged settings, UsageError for those that do not fit the results.
    """
    kind, values = again.settings.kind, again.settings.values
    make = MAKERS[kind.rsplit(" ", 1)[0]]
    with settings_errors():
        listed = None if values["rows"] is None else [int(row) for row in values["rows"]]
        try:
            columns = make(again, _findings(again))
        except LookupError as error:
            raise UsageError(fill("the result has no {args}.", error.args[0])) from error
    count = len(columns[0][1])
    rows = range(count) if listed is None else listed
    if not all(0 <= row < count for row in rows):
        raise UsageError("the result has no such columns and rows.")
    return table_file(kind, take_rows(columns, rows), again.origin.cells())


def _findings(again: Recomputation) -> StudyFindings | None:
    if again.settings.ratings is None:
        return None
    return load_findings(again.desk, again.run, keep=False, task=again.task)


def _rated(again: Recomputation, people: StudyFindings | None) -> list[Evaluation]:
    if people is None:
        return list(again.evaluations)
    return [people.with_ratings(one) for one in again.evaluations]


def _metrics(again: Recomputation, people: StudyFindings | None) -> dict[str, MetricInfo]:
    """Return the metrics with scores by name, and the questions."""
    scores = (score.metric for one in again.evaluations for score in one.scores)
    found = filter(None, map(again.task.scoring.metric_named, scores))
    every = (*found, *again.task.scoring.metrics, *(people.metrics if people else ()))
    return {info.name: info for info in every}


def _items(again: Recomputation, people: StudyFindings | None) -> list[DataColumn]:
    (evaluation,) = _rated(again, people)
    complete = again.task.scoring.complete_columns
    if again.settings.values["completed"] and complete is not None:
        items = evaluation.items
        columns = {**items.columns, **complete(items, again.run)}
        evaluation = replace(evaluation, items=replace(items, columns=columns))
    names = [str(name) for name in again.settings.values["columns"]]
    return data_columns(item_table(evaluation, names))


def _differences(again: Recomputation, people: StudyFindings | None) -> list[DataColumn]:
    values, found = again.settings.values, {one.system: one for one in _rated(again, people)}
    names, metric = [str(name) for name in values["systems"]], str(values["metric"])
    info = _metrics(again, people)[metric]
    first, second, *others = (
        resampling_units(again.task, found[name].items, found[name].profile) for name in names
    )
    items = pair_items(info, first, second)
    if items is None:
        raise UsageError(fill("{metric} has no values of items.", Message(metric)))
    aligned = [align_values(items, one, metric) for one in others]
    shown = dict(zip(names[2:], aligned, strict=True))
    return data_columns(difference_table(items, (names[0], names[1]), shown))


def _changes(again: Recomputation, people: StudyFindings | None) -> list[DataColumn]:
    values, (before, after) = again.settings.values, again.evaluations
    info = _metrics(again, people)[str(values["metric"])]
    if not values["reference"]:
        found = item_differences(again.task, before, after, info.name, again.run.check)
    else:
        units = (resampling_units(again.task, one.items, one.profile) for one in (after, before))
        items = pair_items(info, *units)
        found = [] if items is None else changed_entries(items)
    return data_columns(change_table(found))


def _figure(again: Recomputation, people: StudyFindings | None) -> list[DataColumn]:
    setting, (first, *others) = again.settings.values["figure"], _rated(again, people)
    figure = figure_of_setting(
        setting,
        first,
        _metrics(again, people),
        again.task.presentation.figures,
        again.task.presentation.scatters,
    )
    name = setting.get("distribution")
    shown = {one.system: one.items.columns[name] for one in others}
    return figure_table(figure, first, shown)


def _study(again: Recomputation, people: StudyFindings | None) -> list[DataColumn]:
    values = again.settings.values
    study = RatingStore(again.desk).required_study()
    columns = study_table(str(values["table"]), study, people, str(values["profile"]))
    return data_columns(columns)


def _panel(again: Recomputation, people: StudyFindings | None) -> list[DataColumn]:
    values = again.settings.values
    make = again.task.presentation.tables[str(values["table"])]
    return panel_columns(make(again.evaluations, values["choices"], again.run))


Maker = Callable[["Recomputation", "StudyFindings | None"], Sequence[DataColumn]]
MAKERS: Mapping[str, Maker] = {
    ITEMS: _items,
    DIFFERENCES: _differences,
    CHANGES: _changes,
    FIGURE: _figure,
    STUDY: _study,
    PANEL: _panel,
}
TABLES = tuple(f"{kind} {form}" for kind in MAKERS for form in FORMS)
"""All formats of tables."""
