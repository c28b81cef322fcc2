"""What a desk remembers of its submissions: every file that came in, and the organiser's rules.

Nothing is struck out: an older file of a team stays in the history with its hash and its time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.defects import Defect
from core.desk.identity import submission_of
from core.intake.settling import settle
from core.intake.submission import Rules, Submission
from core.intake.times import TimeError, deadline

if TYPE_CHECKING:
    from core.desk import Desk

RULES = "submission rules"
NOT_TAKEN = "not taken"


def rules_of(desk: Desk) -> Rules:
    """The rules of a desk; those of a new one have no deadline."""
    kept: dict[str, Any] = _setting(desk, RULES) or {}
    try:
        until = deadline(kept["deadline"]) if kept.get("deadline") else None
    except TimeError:  # a time zone that this computer does not know
        until = None
    given = {name: datetime.fromisoformat(at) for name, at in kept.get("received", {}).items()}
    return Rules(until, bool(kept.get("latest")), given)


def set_rules(desk: Desk, rules: Rules) -> None:
    """Keep these rules in the place of those before."""
    content = {
        "deadline": str(rules.deadline) if rules.deadline else "",
        "latest": rules.latest,
        "received": {name: at.isoformat() for name, at in rules.received.items()},
    }
    _set(desk, RULES, content)


def not_taken(desk: Desk) -> tuple[Defect, ...]:
    """What was told of links, documents and archives that nothing was taken from."""
    return tuple(Defect.from_json(one) for one in _setting(desk, NOT_TAKEN) or ())


def set_not_taken(desk: Desk, defects: Sequence[Defect]) -> None:
    """Keep these in the place of those before: no check of the files would find them again."""
    if tuple(defects) != not_taken(desk):
        _set(desk, NOT_TAKEN, [one.to_json() for one in defects])


def _setting(desk: Desk, name: str) -> Any:
    with desk.reading() as connection:
        row = connection.execute("SELECT content FROM setting WHERE name = ?", (name,)).fetchone()
    return json.loads(row[0]) if row else None


def _set(desk: Desk, name: str, content: Any) -> None:
    with desk.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, json.dumps(content))
        )


def remember(desk: Desk, submissions: Sequence[Submission]) -> None:
    """Keep every submission that the desk has not seen before, with the time of now.

    Of times that of the file is kept: the organiser's list may be another one tomorrow.
    """
    seen = datetime.now(UTC).isoformat(timespec="seconds")
    with desk.writing() as connection:
        connection.executemany(
            "INSERT INTO submission (team, name, system, path, size, sha256, files, received, seen)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path, sha256) DO UPDATE SET"
            " team = excluded.team, name = excluded.name, system = excluded.system,"
            " received = CASE excluded.received WHEN '' THEN received ELSE excluded.received END",
            [
                (
                    *(one.team, "/".join(one.parts), one.system, str(one.path), one.size),
                    *(one.sha256, one.files),
                    _written(one.changed or one.received),
                    seen,
                )
                for one in submissions
            ],
        )


def _written(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def history(desk: Desk) -> tuple[Submission, ...]:
    """Every submission that ever came in, in that order, as it was."""
    with desk.reading() as connection:
        rows = connection.execute(
            "SELECT team, path, name, size, sha256, files, received, system FROM submission "
            "ORDER BY id"
        ).fetchall()
    return tuple(
        Submission(
            team,
            Path(path),
            tuple(name.split("/")),
            size,
            sha256,
            files,
            datetime.fromisoformat(received) if received else None,
            system=system,
        )
        for team, path, name, size, sha256, files, received, system in rows
    )


def names(desk: Desk) -> tuple[str, ...]:
    """The systems whose submissions ever came in, in that order: by team, else by file."""
    with desk.reading() as connection:
        rows = connection.execute("SELECT system, path FROM submission ORDER BY id").fetchall()
    return tuple(dict.fromkeys(system or Path(path).stem for system, path in rows))


def standing(desk: Desk) -> tuple[Submission, ...]:
    """The last submission of every path, with what the desk's rules say of it."""
    last = {one.path: one for one in history(desk)}
    return settle(last.values(), rules_of(desk))


def marks(desk: Desk) -> Mapping[str, str]:
    """What is odd of the systems on the board, in a few words, by their names."""
    by_path = {str(one.path): one.marks() for one in standing(desk)}
    with desk.reading() as connection:
        rows = connection.execute("SELECT system, stamp FROM evaluation").fetchall()
    found = {}
    for system, stamp in rows:
        submission = submission_of(json.loads(stamp))
        if submission is not None and by_path.get(submission[0]):
            found[system] = by_path[submission[0]]
    return found
