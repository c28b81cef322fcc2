"""Card of a choice of options that was tried: what it changes, its number, and the board's."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING

from jurydesk.app.pages.explain.explain_model import options_text
from jurydesk.app.pages.leaderboard.facts_card import FactsCard
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables import numbers

if TYPE_CHECKING:
    from jurydesk.core.analysis.explain_number import Explanation
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Summary

DECIMALS = 6
MANY_DECIMALS = 12
"""Decimals that tell any two results apart; more would be those of the computer."""


class WayCard(FactsCard):
    """Card of one choice of options, beside the table of all."""

    def show_way(self, way: Explanation, task: AnyTask, summary: Summary | None) -> None:
        """Show a choice of options; `summary` is the system's result on the board."""
        self.show_facts(
            translate_text(options_text(way, task)),
            " ".join(option_helps(way, task)),
            way_facts(way, task, summary),
        )


def option_helps(way: Explanation, task: AnyTask) -> list[str]:
    """Return what each changed option does."""
    helps = {one.name: one.metadata.get("help", "") for one in fields(task.scoring.options)}
    said = [translate_text(str(helps[name])) for name, _ in way.changes if helps.get(name)]
    return [text if text.endswith((".", "!", "?")) else f"{text}." for text in said]


def way_facts(way: Explanation, task: AnyTask, summary: Summary | None) -> dict[str, str]:
    """Return the number with many digits, that of the board, and what tells them apart."""
    scores = summary.scores if summary is not None else ()
    board = next((one.value for one in scores if one.metric == way.metric), math.nan)
    facts = {translate("Full precision"): numbers.number(way.value, MANY_DECIMALS)}
    if math.isfinite(board):
        facts[translate("This board")] = numbers.number(board, MANY_DECIMALS)
        facts[translate("Difference")] = numbers.signed(way.value - board, DECIMALS)
    if summary is not None:
        facts[translate("Scored on")] = numbers.quantity(summary.n_items, *task.item_noun)
    if way.is_match:
        facts[translate("Changed")] = numbers.quantity(len(way.moves), *task.item_noun)
    return facts


def line_to_cite(way: Explanation) -> str:
    """Return the short stamp of the number's result; empty if the number was missed."""
    return str(way.stamps[-1].get("short", "")) if way.stamps and way.stamps[-1] else ""
