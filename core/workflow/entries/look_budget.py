"""Budget of looks at the hidden data: different entries of a team, by its key and by its name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from jurydesk.core.desk.entry_ledger import SCORED, LedgerRow
from jurydesk.core.language import translatable
from jurydesk.core.model.look_alikes import skeleton
from jurydesk.core.workflow.entries.entry_policy import EntryPolicy

USED = {
    "total": translatable("refused: budget of {budget} used"),
    "month": translatable("refused: budget of {budget} a month used"),
    "day": translatable("refused: budget of {budget} a day used"),
}
"""Refusals by the budget that is used, as the ledger has them."""
PREFIX = {"total": 0, "month": len("2027-02"), "day": len("2027-02-01")}
"""Length of the part of a time that two looks of the same month or day share."""


def looks_of(rows: Sequence[LedgerRow], key: str, team: str) -> list[LedgerRow]:
    """Return the looks of a team, by its key or by a name that looks like its own."""
    name = skeleton(team)
    return [
        row for row in rows if row.kind == SCORED and (row.key == key or skeleton(row.team) == name)
    ]


def used_budget(
    rows: Sequence[LedgerRow], policy: EntryPolicy, key: str, team: str, now: str = ""
) -> str:
    """Return the refusal of one more look; empty if the budget has one left.

    `now` is the time of the ledger (ISO 8601 in UTC), this moment if not given.
    """
    time = now or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    looks = looks_of(rows, key, team)
    for name, length in PREFIX.items():
        budget = getattr(policy, name)
        count = sum(row.time[:length] == time[:length] for row in looks)
        if budget and count >= budget:
            return USED[name].format(budget=budget)
    return ""
