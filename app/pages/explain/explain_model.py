"""Tables of the Explain page: option changes, item differences, changed systems."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import translatable, translate_text
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.analysis.comparison.item_differences import ItemDifference
    from jurydesk.core.analysis.explain_number import Explanation
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.workflow.errata.erratum import Erratum, ProfileEffect, ScoreChange


def explanation_columns(
    found: Sequence[Explanation], task: AnyTask, doubtful: Container[str] = ()
) -> tuple[Column, ...]:
    """Return the options that were tried, after their value and distance from the number.

    `doubtful` are the metrics whose values are not reliable.
    """
    tones = ["good" if one.is_match else "text" for one in found]
    rows = frozenset(row for row, one in enumerate(found) if one.metric in doubtful)
    return (
        NumberColumn(
            "value",
            translatable("Value"),
            np.array([one.value for one in found]),
            decimals=6,
            doubtful=rows,
        ),
        NumberColumn(
            "difference",
            translatable("Difference"),
            np.array([0.0 if one.is_match else one.difference for one in found]),
            decimals=4,
            is_signed=True,
            tooltip=translatable(
                "The value minus your number, in its scale; 0 if it rounds or truncates to it."
            ),
        ),
        TextColumn(
            "way",
            translatable("Options"),
            [options_text(one, task) for one in found],
            paint=lambda row: tones[row],
            is_prose=True,
        ),
        TextColumn(
            "metric",
            translatable("Metric"),
            [_title(task, one.metric) for one in found],
            is_prose=True,
        ),
        NumberColumn(
            "moves",
            translatable("Changed"),
            np.array([len(one.moves) if one.is_match else np.nan for one in found]),
            decimals=0,
            tooltip=translatable("Number of {items} whose value changes.").format(
                items=task.item_noun[1]
            ),
        ),
    )


def silent_columns(found: Sequence[Explanation]) -> frozenset[str]:
    """Return the names of columns that say nothing: one metric alone, no changed items."""
    is_same = len({one.metric for one in found}) < 2
    names = {"metric": is_same, "moves": not any(one.is_match for one in found)}
    return frozenset(name for name, is_silent in names.items() if is_silent)


def options_text(one: Explanation, task: AnyTask) -> str:
    """Return the changed options of an explanation, by their labels and titles of choices."""
    from dataclasses import fields

    from jurydesk.core.model.options import option_label

    options = {entry.name: entry for entry in fields(task.scoring.options)}
    changes = [
        f"{translate_text(option_label(options[name]))}: "
        f"{translate_text((options[name].metadata.get('titles') or {}).get(value, str(value)))}"
        for name, value in one.changes
    ]
    return ", ".join(changes) or translatable("The options in use")


def _title(task: AnyTask, name: str) -> str:
    try:
        return str(task.metric(name).title)
    except KeyError:
        return name


def score_change_columns(part: ProfileEffect) -> tuple[Column, ...]:
    """Return the systems of one profile before and after."""
    from jurydesk.core.workflow.errata.errata_export import score_change_table

    return tuple(
        one if one.name in ("system", "ranks") else replace(one, show=None)
        for one in score_change_table((part,))
    )


def changed_items(one: ScoreChange) -> list[ItemDifference]:
    """Return a system's changed items."""
    from jurydesk.core.analysis.comparison.item_differences import ItemDifference

    return [ItemDifference(key, "", before, after) for key, before, after in one.items]


def erratum_finding(erratum: Erratum, part: ProfileEffect | None) -> str:
    """Return the effect of new reference data on a profile, and the systems without a new score."""
    from jurydesk.core.workflow.errata.errata_export import unscored_sentences
    from jurydesk.core.workflow.errata.erratum import effect_sentence

    sentences = [*([effect_sentence(part)] if part else []), *unscored_sentences(erratum)]
    return " ".join(map(translate_text, sentences))
