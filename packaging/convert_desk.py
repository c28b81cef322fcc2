"""Conversion of a desk of an early version (schemas 1 to 6 of November 2026) to schema 1.

    python packaging/convert_desk.py OLD.jurydesk NEW.jurydesk

Records of checks before schema 5 are left out. So is the evidence of results before schema 6, if
their competition stores it as columns today: such results have no item details until they are
scored again. A rating study of schema 2 gets the form of today; packets without a key must be
written again. Convert only your own desks: the old file is not validated.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import zlib
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jurydesk.core.competition.rating_design import STORIES
from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.desk import Desk
from jurydesk.core.desk.codec import pack_message
from jurydesk.core.desk.evaluation_rows import pack_evaluation
from jurydesk.core.desk.schema import APPLICATION_ID
from jurydesk.core.model.evaluation import Evaluation, ItemTable

NEWEST = 6
IN_COLUMNS = ("captions", "densecap", "keyword-spotting", "visdial", "vist")
PARTS = {
    "parts": ("precision", "recall", "fmean", "fragmentation", "penalty", "score"),
    "parameters": ("alpha", "beta", "gamma", "delta"),
}
"""Numbers of an alignment, by the list that early desks have of them."""
FRACTIONS = ("<f4", "<f8")


def convert(old: Path, new: Path) -> list[str]:
    """Write the converted desk, and return remarks; raise SystemExit if it is no early desk."""
    with closing(sqlite3.connect(f"{old.resolve().as_uri()}?mode=ro", uri=True)) as source:
        (application,) = source.execute("PRAGMA application_id").fetchone()
        (schema,) = source.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID or not 1 <= schema <= NEWEST or not has(source, "defect"):
            raise SystemExit(f"{old.name} is no desk of an early version.")
        Desk.create(new).close()
        with closing(sqlite3.connect(new)) as target, target:
            names = target.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            for (name,) in names:
                if name != "sqlite_sequence" and has(source, name):
                    copy_table(source, target, name)
            pack_messages(target)
            mark_fractions(target)
            remarks = [*convert_evidence(source, target), *convert_study(target)]
    with Desk.open(new, read_only=True) as desk:
        desk.evaluations()
    return remarks


def has(connection: sqlite3.Connection, table: str) -> bool:
    """Return whether there is a table of that name."""
    found = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    return found is not None


def copy_table(source: sqlite3.Connection, target: sqlite3.Connection, name: str) -> None:
    """Copy all rows of a table."""
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({name})")]
    rows = source.execute(f"SELECT {', '.join(columns)} FROM {name}")  # noqa: S608 - own names
    target.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)  # noqa: S608


def pack_messages(target: sqlite3.Connection) -> None:
    """Write the sentences of checks as messages, which early desks have as plain texts."""
    target.create_function("pack", 1, pack_message, deterministic=True)
    target.execute("UPDATE check_file SET reason = pack(reason)")
    target.execute(
        "UPDATE check_defect SET found = pack(found), expected = pack(expected), hint = pack(hint)"
    )


def mark_fractions(target: sqlite3.Connection) -> None:
    """Write in the first blocks of schema 6 where each array is, as later ones have it."""
    for sha256, packed, fractions in target.execute("SELECT * FROM evidence_block").fetchall():
        content = zlib.decompress(packed)
        end = 4 + int.from_bytes(content[:4], "little")
        header = json.loads(content[4:end])
        for _, _, layout in header:
            layout[:] = [[*one, one[0] not in FRACTIONS][:3] for one in layout]
        head = json.dumps(header, separators=(",", ":")).encode("ascii")
        changed = len(head).to_bytes(4, "little") + head + content[end:]
        if changed != content:
            name = hashlib.sha256(changed + fractions).hexdigest()
            row = name, zlib.compress(changed, 1), fractions
            target.execute("INSERT OR IGNORE INTO evidence_block VALUES (?, ?, ?)", row)
            target.execute("UPDATE evidence_part SET sha256 = ? WHERE sha256 = ?", (name, sha256))
            target.execute("DELETE FROM evidence_block WHERE sha256 = ?", (sha256,))


def convert_evidence(source: sqlite3.Connection, target: sqlite3.Connection) -> list[str]:
    """Convert evidence as JSON to blocks; return a remark for each result that loses it."""
    remarks = []
    results = source.execute(
        "SELECT id, task, system FROM evaluation WHERE id IN (SELECT evaluation FROM evidence)"
    ).fetchall()
    for key, task, system in results:
        if task in IN_COLUMNS:
            remarks.append(f"{system}: score it again to see its items in detail.")
            continue
        blocks = source.execute(
            "SELECT content FROM evidence WHERE evaluation = ? ORDER BY block", (key,)
        )
        values = [
            value
            for (content,) in blocks
            for value in json.loads(zlib.decompress(content).decode("utf-8", "surrogatepass"))
        ]
        if task == "fusionbrain":
            values = list(map(name_parts, values))
        items = ItemTable(("",) * len(values), {}, lambda number: JsonEvidence(values[number]))  # noqa: B023
        rows = pack_evaluation(Evaluation(task, system, "", (), items)).items
        target.executemany("INSERT OR IGNORE INTO evidence_block VALUES (?, ?, ?)", rows.blocks)
        target.executemany(
            "INSERT INTO evidence_part VALUES (?, ?, ?, ?)", [(key, *part) for part in rows.parts]
        )
    return remarks


def name_parts(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return evidence of FusionBrain in which the numbers of an alignment have their names."""
    if alignment := evidence.get("alignment"):
        for group, names in PARTS.items():
            alignment.update(zip(names, alignment.pop(group), strict=True))
    return evidence


def convert_study(target: sqlite3.Connection) -> list[str]:
    """Write a study of stories as one of items; return a remark for each packet without a key."""
    row = target.execute("SELECT content FROM rating_study").fetchone()
    if row is None:
        return []
    study = json.loads(zlib.decompress(row[0]))
    if "items" not in study:
        study["words"] = asdict(STORIES)
        study["items"] = [
            {
                "id": "-".join(photos),
                "pictures": [[photo, None] for photo in photos],
                "context": [],
                "entries": [[text, []] for text in texts],
            }
            for photos, texts in zip(study.pop("sequences"), study.pop("stories"), strict=True)
        ]
        content = zlib.compress(json.dumps(study).encode("utf-8", "replace"))
        target.execute("UPDATE rating_study SET content = ?", (content,))
    setting = "SELECT content FROM setting WHERE name = 'signed packets'"
    signed = json.loads((target.execute(setting).fetchone() or ["[]"])[0])
    packets = target.execute("SELECT sha256, rater FROM rating_packet ORDER BY rater").fetchall()
    return [
        f"{rater}: write the packet again, since new answers to the old one have no signature."
        for sha256, rater in packets
        if sha256 not in signed
    ]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python packaging/convert_desk.py OLD.jurydesk NEW.jurydesk")
    for remark in convert(Path(sys.argv[1]), Path(sys.argv[2])):
        print(remark)
