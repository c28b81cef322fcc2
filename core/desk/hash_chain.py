"""Chain of rows, each with the hash of the one before: a changed or removed row breaks it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from jurydesk.core.model.canonical_json import canonical_bytes
from jurydesk.core.model.evaluation import Json

BEGINNING = "0" * 64
"""Previous hash of the first row."""
PREFIX = b"jurydesk-ledger-v1\n"
"""Begins what is hashed, so that no row is a document of another kind."""


def hash_of_row(row: Mapping[str, Json]) -> str:
    """Return the SHA-256 of everything in a row but its hash."""
    covered = {name: value for name, value in row.items() if name != "hash"}
    return hashlib.sha256(PREFIX + canonical_bytes(covered)).hexdigest()


def first_bad_row(rows: Sequence[Mapping[str, Json]]) -> int:
    """Return the place, from 1, of the first row that does not continue the chain; 0 if all do."""
    previous = BEGINNING
    for number, row in enumerate(rows, start=1):
        if not _continues(row, number, previous):
            return number
        previous = str(row["hash"])
    return 0


def _continues(row: Mapping[str, Json], number: int, previous: str) -> bool:
    try:
        found = hash_of_row(row)
    except (ValueError, TypeError):
        return False
    return (row.get("number"), row.get("previous"), row.get("hash")) == (number, previous, found)
