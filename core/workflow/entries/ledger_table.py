"""Ledger of sealed entries as a table, and the sentences of what a look returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurydesk.core.desk.entry_ledger import LedgerRow
from jurydesk.core.language import fill, translatable
from jurydesk.core.tables.columns import Column, TextColumn

COLUMNS = {
    "number": translatable("number"),
    "time": translatable("time"),
    "team": translatable("team"),
    "decision": translatable("decision"),
    "reason": translatable("reason"),
    "system": translatable("system"),
}
"""Titles of the columns by the fields of rows."""


def ledger_columns(rows: Sequence[LedgerRow]) -> list[Column]:
    """Return the columns of rows of the ledger, in the rows' order."""
    cells = {name: [str(getattr(one, name)) for one in rows] for name in COLUMNS}
    cells["time"] = [f"{one.time[:10]} {one.time[11:16]}Z" for one in rows]  # UTC
    cells["decision"] = [one.message for one in rows]
    return [
        TextColumn(name, title, cells[name], is_prose=name == "decision")
        for name, title in COLUMNS.items()
    ]


def look_sentences(row: LedgerRow) -> Iterator[str]:
    """Yield what goes back to a team of a look, as the policy has it."""
    result = row.result
    for score in result["told"]["scores"]:
        limits = f" [{score['low']}, {score['high']}]" if score.get("low") else ""
        yield f"{score['metric']} {score['value']}{limits}"
    rank = result["told"]["rank"]
    if rank["place"]:
        yield fill("rank {place} of {of}", rank["place"].replace("-", "–"), rank["of"])
    if not result["counts"]:
        number = result["best"]
        yield fill("no new best: the scores are those of number {number}", number)
    yield fill("ledger number {number}", row.number)
