"""Columns by which a board can be sliced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.app.tables.item_columns import available_metrics, column_heading
from jurydesk.app.widgets.filtering import SAMPLED, FilterColumn
from jurydesk.core.analysis.units import resampling_units

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.model.evaluation import Evaluation

MAX_COLUMNS = 24


@dataclass(frozen=True, slots=True)
class SliceColumns:
    """Columns for slicing, with the noun of the items and an example query.

    `columns` maps names to titles and tooltips.
    """

    columns: Mapping[str, tuple[str, str]]
    noun: tuple[str, str]
    example: str
    filters: tuple[FilterColumn, ...] = ()
    """Columns that a query can name."""


def find_slice_columns(task: AnyTask, evaluation: Evaluation) -> SliceColumns:
    """Return the columns by which the items can be sliced.

    Text columns come first (a sub-task, say), then numbers that are not metrics, then metrics.
    """
    found = resampling_units(task, evaluation.items, evaluation.profile)
    attributes = task.presentation.attributes(evaluation.items)
    texts = list(attributes)
    known = {info.name: info for info in available_metrics(task, evaluation)}
    infos = [info for info in known.values() if info.better != "neither"]
    ranking = [info.name for info in infos if info.name in found.columns]
    headlines = [info.name for info in infos if info.headline and info.name in ranking]
    plain = [name for name in found.columns if name not in ranking]
    noun = (found.noun.removesuffix("s"), found.noun) if found.noun else task.item_noun
    main = next(iter((*headlines, *ranking)), "")
    example = f"{main} < 0.2" if main else f"{plain[0]} > 3" if plain else ""
    names = [*texts, *plain, *ranking][:MAX_COLUMNS]
    columns = {
        name: column_heading(name, known.get(name), task.presentation.statistics.get(name))
        for name in names
    }
    few = len(evaluation.items) <= SAMPLED  # texts may have to be read item by item
    filters = [
        FilterColumn(name, "", numeric=False, texts=texts_of() if few else ())
        for name, texts_of in attributes.items()
    ]
    filters += [FilterColumn(name) for name in found.columns]
    return SliceColumns(columns, noun, example, tuple(filters))
