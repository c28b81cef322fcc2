"""What a desk remembers of its submissions: every file that came in, and the organiser's rules.

Nothing is struck out: an older file of a team stays in the history with its hash and its time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.desk.input_table import submission_of
from jurydesk.core.desk.item_queries import stamps
from jurydesk.core.desk.submission_table import (
    SubmissionRow,
    add_submissions,
    read_submissions,
    set_setting,
    setting,
)
from jurydesk.core.intake.deadlines import TimeError, deadline
from jurydesk.core.intake.resolve import settle
from jurydesk.core.intake.submission import Rules, Submission

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

RULES = "submission rules"


def rules_of(desk: Desk) -> Rules:
    """The rules of a desk; those of a new one have no deadline."""
    kept: dict[str, Any] = setting(desk, RULES) or {}
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
    set_setting(desk, RULES, content)


def remember(desk: Desk, submissions: Sequence[Submission]) -> None:
    """Record every submission that the desk has not seen before, with the present time.

    Of the times that of the file is recorded: the organiser's list may be another one tomorrow.
    """
    rows = [
        SubmissionRow(
            one.team,
            "/".join(one.parts),
            one.system,
            str(one.path),
            one.size,
            one.sha256,
            one.files,
            moment.isoformat() if (moment := one.changed or one.received) else "",
        )
        for one in submissions
    ]
    if rows:
        add_submissions(desk, rows)


def history(desk: Desk) -> tuple[Submission, ...]:
    """Return every submission that ever came in, in that order, as it was."""
    return tuple(
        Submission(
            one.team,
            Path(one.path),
            tuple(one.name.split("/")),
            one.size,
            one.sha256,
            one.files,
            datetime.fromisoformat(one.received) if one.received else None,
            system=one.system,
        )
        for one in read_submissions(desk)
    )


def names(desk: Desk) -> tuple[str, ...]:
    """The systems whose submissions ever came in, in that order: by team, else by file."""
    rows = read_submissions(desk)
    return tuple(dict.fromkeys(one.system or Path(one.path).stem for one in rows))


def standing(desk: Desk) -> tuple[Submission, ...]:
    """The last submission of every path, with what the desk's rules say of it."""
    last = {one.path: one for one in history(desk)}
    return settle(last.values(), rules_of(desk))


def marks(desk: Desk) -> Mapping[str, str]:
    """What is odd of the systems on the board, in a few words, by their names."""
    by_path = {str(one.path): one.marks() for one in standing(desk)}
    found = {}
    for stamp in stamps(desk).values():
        path, _ = submission_of(stamp) or ("", "")
        if by_path.get(path):
            found[stamp["system"]] = by_path[path]
    return found
