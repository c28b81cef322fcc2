"""Certificates and revocations from the ledger of a desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from jurydesk.core.desk.entry_ledger import (
    APPROVED,
    KIT,
    REVOKED,
    SCORED,
    LedgerRow,
    NewRow,
    append_row,
    read_ledger,
)
from jurydesk.core.export.html_report.certificate_page import certificate_page
from jurydesk.core.export.html_report.entry_board import SEVERAL, EntryBoard, entry_board_page
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.canonical_json import canonical_sha256
from jurydesk.core.model.evaluation import Json, UsageError
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.sealed.certificate import (
    SUFFIX,
    Certificate,
    Revocation,
    parse_certificate,
    revocation_of,
    signed_bytes,
)
from jurydesk.core.sealed.key_store import KeyPair
from jurydesk.core.system.paths import file_name_of
from jurydesk.core.workflow.entries.entry_review import ledger_key

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

REVOCATION = translatable("revoked")


def certificate_of(row: LedgerRow, organiser: KeyPair) -> bytes:
    """Return the certificate of a look, always the same bytes; UsageError for another row."""
    if row.kind != SCORED:
        raise UsageError(
            fill("Number {number} of the ledger is not a look that was scored.", row.number)
        )
    return signed_bytes("certificate", certificate_body(row), organiser)


def certificate_files(row: LedgerRow, organiser: KeyPair) -> dict[str, bytes]:
    """Return the files that go back for a look by name: the certificate, and its page."""
    content = certificate_of(row, organiser)
    name = f"{file_name_of(row.team, 'team')}-{row.number}"
    return {f"{name}{SUFFIX}": content, f"{name}.html": certificate_page(content)}


def public_board(rows: Sequence[LedgerRow], organiser: KeyPair) -> bytes | None:
    """Return the public page of the looks that count and were not revoked; None without any.

    Raises UsageError if kits with several titles were handed out: they may be other competitions.
    """
    revoked = revocations(rows)
    looks = [row for row in rows if row.kind == SCORED]
    certificates = (parse_certificate(certificate_of(row, organiser)) for row in looks)
    valid = tuple(one for one in certificates if revocation_of(one, revoked) is None)
    if len({one.competition for one in valid}) > 1:
        raise UsageError(SEVERAL)
    board = EntryBoard(valid)
    return entry_board_page(board) if board.rows else None


def certificate_body(row: LedgerRow) -> dict[str, Json]:
    """Return what a certificate says of a look: only what its row of the ledger covers."""
    result = row.result
    policy, told = result["policy"], result["told"]
    if canonical_sha256(policy) != row.policy:
        raise UsageError(
            fill("The policy of number {number} was changed after the look.", row.number)
        )
    ledger = {"number": row.number, "hash": row.hash, "looks": result["look"]}
    return {
        **{name: result[name] for name in ("competition", "statement", "made", "counts", "best")},
        **{name: getattr(row, name) for name in ("reference", "entry", "contents", "team")},
        **{name: told[name] for name in ("scores", "rank", "stamp", "profile")},
        "team_key": row.key,
        "ledger": {**ledger, "budget": policy["total"]},
        "policy": policy,
        "overruled": row.reason,
        "issued": row.time,
    }


def contradiction(rows: Sequence[LedgerRow], certificate: Certificate) -> str:
    """Return how a certificate contradicts the ledger; empty if it does not.

    A ledger that was written anew has other hashes than the certificates that are out.
    """
    organisers = {row.key for row in rows if row.kind == KIT and row.key}
    if organisers and ledger_key(certificate.organiser) not in organisers:
        return translatable("A certificate is signed with another key than the kits of the desk.")
    number = certificate.ledger.number
    row = rows[number - 1] if 0 < number <= len(rows) else None
    if row is None:
        return fill("The ledger lacks number {number} of a certificate.", number)
    if (row.hash, row.entry) != (certificate.ledger.hash, certificate.entry):
        return fill("Number {number} of the ledger is not that of a certificate.", number)
    return ""


def revoke(desk: Desk, what: Literal["entry", "key"], value: str, reason: str) -> LedgerRow:
    """Revoke the certificate of an entry, or a team's key for entries from now on."""
    row = NewRow(REVOKED, REVOCATION, reason=reason)
    named = {"entry": value} if what == "entry" else {"key": value}
    return append_row(desk, lambda _: replace(row, **named))


def revocations(rows: Sequence[LedgerRow]) -> list[Revocation]:
    """Return all revocations of a ledger.

    A key that was approved again is not among them: no look was taken in between.
    """
    approved = {row.key: row.number for row in rows if row.kind == APPROVED}
    return [
        Revocation("entry" if row.entry else "key", row.entry or row.key, row.time, row.reason)
        for row in rows
        if row.kind == REVOKED and approved.get(row.key, 0) < row.number
    ]


def revocation_list(desk: Desk, organiser: KeyPair) -> bytes:
    """Return the signed list of all revocations of a desk."""
    revoked = to_json(revocations(read_ledger(desk)))
    return signed_bytes("revocations", {"revoked": revoked}, organiser)
