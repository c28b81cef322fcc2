"""Kit by which a desk takes sealed entries: recorded in the ledger with its reference version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jurydesk.core.desk.entry_ledger import KIT, NewRow, append_row, read_ledger
from jurydesk.core.language import translatable
from jurydesk.core.participant_kit.kit import EntryKeys, ParticipantKit
from jurydesk.core.sealed.key_store import KeyPair, key_pair
from jurydesk.core.sealed.public_keys import parse_key_text
from jurydesk.core.workflow.entries.entry_review import ledger_key, reference_sha256

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

HANDED_OUT = translatable("kit handed out")


def kit_of_entries(desk: Desk) -> tuple[EntryKeys, KeyPair | None]:
    """Return the keys for a kit, and the organiser's if it was made now. Raises KeyStoreError."""
    organiser, is_new = key_pair("organiser")
    keys = EntryKeys(organiser.text, organiser.encryption_text, reference_sha256(desk))
    return keys, organiser if is_new else None


def record_kit(desk: Desk, kit: ParticipantKit) -> None:
    """Put a kit into the ledger, once: entries that name it, and its title, are taken."""
    title = {"title": kit.title}
    if kit.entries is None or any(
        (row.kind, row.entry, row.result) == (KIT, kit.sha256, title) for row in read_ledger(desk)
    ):
        return
    organiser = ledger_key(parse_key_text(kit.entries.signing))
    reference = kit.entries.reference
    row = NewRow(KIT, HANDED_OUT, organiser, entry=kit.sha256, reference=reference, result=title)
    append_row(desk, lambda _: row)
