"""Check records in a desk, which are appended and never overwritten."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from jurydesk.core.desk.codec import (
    compact_json,
    damage_at,
    pack_message,
    parse_stored,
    replace_surrogates,
    unpack_message,
)
from jurydesk.core.model.checks import PHASES, CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Defect, Place, Severity, Transformation
from jurydesk.core.model.json_codec import from_json, to_json


def insert_record(connection: sqlite3.Connection, record: CheckRecord) -> None:
    """Append a record; it replaces the last one if they differ only in times."""
    last = connection.execute("SELECT max(id) FROM check_record").fetchone()[0]
    if last is not None and _comparable_content(_read(connection, last)) == _comparable_content(
        record
    ):
        connection.execute("DELETE FROM check_record WHERE id = ?", (last,))
    key = connection.execute("INSERT INTO check_record (at) VALUES (?)", (record.time,)).lastrowid
    connection.executemany(
        "INSERT INTO check_file VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                key,
                place,
                replace_surrogates(one.path),
                one.role,
                one.outcome,
                pack_message(one.reason),
                one.time,
            )
            for place, one in enumerate(record.files)
        ),
    )
    connection.executemany(
        "INSERT INTO check_defect VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (key, position, phase, *_row(one))
            for position, (phase, one) in enumerate(
                (phase, one) for phase in PHASES for one in getattr(record.defects, phase)
            )
        ),
    )


def read_check_records(connection: sqlite3.Connection) -> list[CheckRecord]:
    """Read every record, oldest first."""
    keys = connection.execute("SELECT id FROM check_record ORDER BY id").fetchall()
    return [_read(connection, key) for (key,) in keys]


def read_check_times(connection: sqlite3.Connection) -> list[str]:
    """Read the times of all records, oldest first."""
    return [at for (at,) in connection.execute("SELECT at FROM check_record ORDER BY id")]


def _read(connection: sqlite3.Connection, key: int) -> CheckRecord:
    (time,) = connection.execute("SELECT at FROM check_record WHERE id = ?", (key,)).fetchone()
    files = connection.execute(
        "SELECT path, role, outcome, reason, at FROM check_file WHERE record = ? ORDER BY position",
        (key,),
    ).fetchall()
    defects: dict[str, list[Defect]] = {phase: [] for phase in PHASES}
    rows = connection.execute(
        "SELECT phase, severity, path, line, character, json_path, found, expected, hint, count, "
        "repair FROM check_defect WHERE record = ? ORDER BY position",
        (key,),
    ).fetchall()
    with damage_at("check_record", key):
        for phase, severity, path, line, character, json_path, *texts, count, repair in rows:
            place = Place(path, line, character, json_path)
            found, expected, hint = map(unpack_message, texts)
            defect = Defect(Severity(severity), place, found, expected, hint, count)
            if repair is not None:
                wanted = from_json(Transformation, parse_stored(repair))
                defect = replace(defect, transformation=wanted)
            defects[phase].append(defect)
        log = DefectLog(*(tuple(defects[phase]) for phase in PHASES))
        known = tuple(
            FileCheck(path, role, outcome, unpack_message(reason), at)
            for path, role, outcome, reason, at in files
        )
    return CheckRecord(time, known, log)


def _row(defect: Defect) -> tuple[object, ...]:
    place = defect.place
    path, json_path = (one and replace_surrogates(one) for one in (place.path, place.json_path))
    said = map(pack_message, (defect.found, defect.expected, defect.hint))
    where = path, place.line, place.column, json_path
    wanted = defect.transformation
    repair = None if wanted is None else compact_json(to_json(wanted))
    return str(defect.severity), *where, *said, defect.count, repair


def _comparable_content(record: CheckRecord) -> tuple[object, ...]:
    files = [(one.path, one.role, one.outcome, one.reason) for one in record.files]
    return files, record.defects
