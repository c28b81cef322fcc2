"""Check records in a desk, which are appended and never overwritten."""

from __future__ import annotations

import sqlite3

from jurydesk.core.desk.codec import replace_surrogates
from jurydesk.core.model.checks import PHASES, CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Defect, Place, Severity


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
                replace_surrogates(one.reason),
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


def _read(connection: sqlite3.Connection, key: int) -> CheckRecord:
    (time,) = connection.execute("SELECT at FROM check_record WHERE id = ?", (key,)).fetchone()
    files = connection.execute(
        "SELECT path, role, outcome, reason, at FROM check_file WHERE record = ? ORDER BY position",
        (key,),
    )
    defects: dict[str, list[Defect]] = {phase: [] for phase in PHASES}
    rows = connection.execute(
        "SELECT phase, severity, path, line, character, json_path, found, expected, hint, count, "
        "repair FROM check_defect WHERE record = ? ORDER BY position",
        (key,),
    )
    for phase, severity, path, line, character, json_path, *texts in rows:
        place = Place(path, line, character, json_path)
        defects[phase].append(Defect(Severity(severity), place, *texts))
    log = DefectLog(*(tuple(defects[phase]) for phase in PHASES))
    return CheckRecord(time, tuple(FileCheck(*row) for row in files), log)


def _row(defect: Defect) -> tuple[object, ...]:
    place = defect.place
    values = (
        *(str(defect.severity), place.path, place.line, place.column, place.json_path),
        *(defect.found, defect.expected, defect.hint, defect.count, defect.repair),
    )
    return tuple(replace_surrogates(one) if isinstance(one, str) else one for one in values)


def _comparable_content(record: CheckRecord) -> tuple[object, ...]:
    files = [(one.path, one.role, one.outcome, one.reason) for one in record.files]
    return files, record.defects
