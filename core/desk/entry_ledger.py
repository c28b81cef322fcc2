"""Ledger of sealed entries: every look at the hidden data, and every act of the organiser.

Rows are only appended, each with the hash of the one before. A row of a look is written in one
transaction with the scores that it returned.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from jurydesk.core.desk.codec import damage_at, parse_stored, replace_surrogates
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.desk.evaluation_rows import pack_evaluation
from jurydesk.core.desk.hash_chain import BEGINNING, first_bad_row, hash_of_row
from jurydesk.core.desk.look_result import require_look_result, require_row_values
from jurydesk.core.desk.schema import LEDGER
from jurydesk.core.desk.tables import evaluation_table
from jurydesk.core.language import fill
from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.canonical_json import canonical_sha256
from jurydesk.core.model.evaluation import Evaluation, Json, Source

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

SCORED, AGAIN, REFUSED, HELD = "scored", "same entry again", "refused", "held"
APPROVED, REVOKED, POLICY, KIT = "approved", "revoked", "policy", "kit"
"""What a row of the ledger records: of entries, and of the organiser."""
COLUMNS = "number, content, hash, message, result"


class LedgerAlteredError(DeskError):
    """Ledger whose chain of hashes is broken."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """Row of the ledger.

    `kind` is one of the constants above and `decision` says it in words, which `message` keeps
    with its template. `key` is the public key of a team (of a kit: the organiser's) in base 64,
    `entry` the hash of the signed body, `contents` that of its files alone. `result` is what went
    back; the row has its hash. `reason` is the organiser's, and `system` the name of the result in
    the desk.
    """

    number: int
    previous: str
    time: str
    kind: str
    decision: str
    key: str = ""
    team: str = ""
    entry: str = ""
    contents: str = ""
    reference: str = ""
    policy: str = ""
    returned: str = ""
    reason: str = ""
    system: str = ""
    hash: str = ""
    message: str = ""
    result: Json = None

    def chained(self) -> dict[str, Json]:
        """Return what the hash of the row covers."""
        names = (one for one in self.__slots__ if one not in ("hash", "message", "result"))
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class NewRow:
    """Row before it is appended; number, time and hashes follow then."""

    kind: str
    decision: str
    key: str = ""
    team: str = ""
    entry: str = ""
    contents: str = ""
    reference: str = ""
    policy: str = ""
    reason: str = ""
    result: Json = None


Decide = Callable[[Sequence[LedgerRow]], NewRow]
"""Function that returns the next row for the rows before; it may raise to write nothing."""


def read_ledger(desk: Desk) -> tuple[LedgerRow, ...]:
    """Read the ledger; raise LedgerAlteredError unless every row continues the chain."""
    with desk.reading() as connection:
        return _read_checked(connection, desk.path.name)


def append_row(desk: Desk, decide: Decide) -> LedgerRow:
    """Append a row that changes no result, in one transaction with reading those before."""
    with desk.writing() as connection:
        return _append(connection, desk.path.name, decide, "")


def record_look(
    desk: Desk, evaluation: Evaluation, sources: Sequence[Source], role: str, decide: Decide
) -> LedgerRow:
    """Store the result of an entry and its row of the ledger, in one transaction.

    `sources` are the files that were read, `role` that of submissions.
    """
    packed = pack_evaluation(evaluation)
    with desk.writing() as connection:
        key = evaluation_table.insert_evaluation(connection, evaluation, packed)
        desk.merge_inputs_within(connection, sources, role)
        # Another program may have taken the name meanwhile.
        (system,) = connection.execute(
            "SELECT system FROM evaluation WHERE id = ?", (key,)
        ).fetchone()
        return _append(connection, desk.path.name, decide, system)


def _append(connection: sqlite3.Connection, desk: str, decide: Decide, system: str) -> LedgerRow:
    rows = _read_checked(connection, desk)
    new = decide(rows)
    result = replace_surrogates(json.dumps(new.result, ensure_ascii=False, sort_keys=True))
    row = LedgerRow(
        len(rows) + 1,
        rows[-1].hash if rows else BEGINNING,
        datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        new.kind,
        str(new.decision),
        *(new.key, replace_surrogates(new.team), new.entry, new.contents, new.reference),
        policy=new.policy,
        returned="" if new.result is None else canonical_sha256(new.result),
        reason=replace_surrogates(new.reason),
        system=system,
        message=new.decision,
        result=new.result,
    )
    chained = row.chained()
    content = json.dumps(chained, ensure_ascii=False, sort_keys=True)
    message = json.dumps(encode_message(new.decision), ensure_ascii=False)
    found = hash_of_row(chained)
    values = (row.number, content, found, message, result)
    connection.execute(LEDGER)
    connection.execute(f"INSERT INTO entry_ledger ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", values)  # noqa: S608
    return _row({**chained, "hash": found}, row.message, row.result)


def _read_checked(connection: sqlite3.Connection, desk: str) -> tuple[LedgerRow, ...]:
    known = "SELECT 1 FROM sqlite_schema WHERE name = 'entry_ledger'"
    if connection.execute(known).fetchone() is None:  # a desk of earlier days
        return ()
    stored = connection.execute(
        f"SELECT {COLUMNS} FROM entry_ledger ORDER BY number"  # noqa: S608 - own names
    ).fetchall()
    chain: list[Mapping[str, Json]] = []
    rows = []
    for number, content, found, message, result in stored:
        with damage_at("entry_ledger", number):
            chained, back = parse_stored(content), parse_stored(result)
            if not isinstance(chained, dict):
                raise TypeError(type(chained).__name__)
            require_row_values(chained)
            if chained["kind"] == SCORED:
                require_look_result(back)
            chain.append({**chained, "hash": found})
            shown = decode_message(parse_stored(message))
            rows.append(_row({**chained, "hash": found}, shown, back))
    bad = first_bad_row(chain) or next(
        (number for number, row in enumerate(rows, start=1) if _is_altered(row)), 0
    )
    if bad:
        raise LedgerAlteredError(
            fill("The ledger of {name} was altered: row {number} does not fit.", desk, bad)
        )
    return tuple(rows)


def _row(chained: Mapping[str, Json], message: str, result: Json) -> LedgerRow:
    return LedgerRow(**chained, message=message, result=result)


def _is_altered(row: LedgerRow) -> bool:
    """Return whether what stands beside a row is not what it covers."""
    try:
        returned = "" if row.result is None else canonical_sha256(row.result)
    except ValueError:
        return True
    return returned != row.returned or str(row.message) != row.decision
