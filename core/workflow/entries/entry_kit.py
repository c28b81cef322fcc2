"""Kit by which a desk takes sealed entries: recorded in the ledger with its reference version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jurydesk.core.desk.entry_ledger import KIT, NewRow, append_row, read_ledger
from jurydesk.core.language import translatable
from jurydesk.core.participant_kit.kit import EntryKeys, ParticipantKit
from jurydesk.core.sealed.key_store import key_pair
from jurydesk.core.sealed.public_keys import parse_key_text
from jurydesk.core.workflow.entries.entry_review import ledger_key, reference_sha256

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

HANDED_OUT = translatable("kit handed out")


def kit_of_entries(desk: Desk) -> EntryKeys:
    """Return the keys for a kit; the organiser's is made on first use. Raises KeyStoreError."""
    organiser, _ = key_pair("organiser")
    return EntryKeys(organiser.text, organiser.encryption_text, reference_sha256(desk))


def record_kit(desk: Desk, kit: ParticipantKit) -> None:
    """Put a kit into the ledger, once: entries that name it are taken."""
    if kit.entries is None or any(
        row.kind == KIT and row.entry == kit.sha256 for row in read_ledger(desk)
    ):
        return
    organiser = ledger_key(parse_key_text(kit.entries.signing))
    row = NewRow(KIT, HANDED_OUT, organiser, entry=kit.sha256, reference=kit.entries.reference)
    append_row(desk, lambda _: row)
