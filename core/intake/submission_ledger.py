"""Ledger of received submissions in a desk, with the organiser's rules.

Nothing is deleted: an older file of a team stays in the history with its hash and time.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.desk.tables.input_table import stamped_submission
from jurydesk.core.desk.tables.submission_table import (
    read_setting,
    read_submissions,
    set_setting,
)
from jurydesk.core.intake.deadlines import TimeError, parse_deadline
from jurydesk.core.intake.resolve import resolve_names
from jurydesk.core.intake.submission import IntakeRules, remarks
from jurydesk.core.language import fill, join_messages, name_list, translatable
from jurydesk.core.model.checks import combine
from jurydesk.core.model.input_file import InputFile

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

RULES = "submission rules"
UNSCORED = {
    "failed": translatable("With errors: {systems}."),
    "passed": translatable("Not scored yet: {systems}."),
    "unknown": translatable("Not readable when checked: {systems}."),
}
"""Why a submission is not scored, by the outcome of its check."""


def load_rules(desk: Desk) -> IntakeRules:
    """Load the rules of a desk; those of a new one have no deadline."""
    stored: dict[str, Any] = read_setting(desk, RULES) or {}
    try:
        until = parse_deadline(stored["deadline"]) if stored.get("deadline") else None
    except TimeError:  # a time zone that this computer does not know
        until = None
    given = {name: datetime.fromisoformat(at) for name, at in stored.get("received", {}).items()}
    source = stored.get("received_list", "")
    return IntakeRules(until, bool(stored.get("latest")), given, str(source))


def store_rules(desk: Desk, rules: IntakeRules) -> None:
    """Replace the rules of a desk."""
    content = {
        "deadline": str(rules.deadline) if rules.deadline else "",
        "latest": rules.latest,
        "received": {name: at.isoformat() for name, at in rules.received.items()},
        "received_list": rules.received_list,
    }
    set_setting(desk, RULES, content)


def submission_names(desk: Desk) -> tuple[str, ...]:
    """Return all systems with a submission, in order of receipt: by team, else by file."""
    return tuple(dict.fromkeys(one.system or one.path.stem for one in read_submissions(desk)))


def current_submissions(desk: Desk) -> dict[str, InputFile]:
    """Return the last submission of every path, resolved by the desk's rules."""
    last = {one.path: one for one in read_submissions(desk)}
    return {str(one.path): one for one in resolve_names(last.values(), load_rules(desk))}


def submission_marks(desk: Desk) -> Mapping[str, str]:
    """Return the remarks on the systems of the board, by name."""
    submissions, found = current_submissions(desk), {}
    for stamp in load_stamps(desk).values():
        path, _ = stamped_submission(stamp) or ("", "")
        if path in submissions and (mark := remarks(submissions[path])):
            found[stamp["system"]] = mark
    return found


def scored_share(desk: Desk) -> str:
    """Say how many of the submissions are scored, and why others are not; empty if all are.

    A file that another one of its team replaces does not count.
    """
    counting = [one for one in current_submissions(desk).values() if one.counts]
    scored = {path for path, _ in filter(None, map(stamped_submission, load_stamps(desk).values()))}
    waiting = [one for one in counting if str(one.path) not in scored]
    if not waiting or not scored:
        return ""
    checks = combine(desk.check_records(), [str(one.path) for one in counting])
    names: dict[str, list[str]] = {}
    for one in waiting:
        check = checks.of(one.path)
        names.setdefault(check.outcome if check else "passed", []).append(one.label)
    total = len(counting)
    sentences = [fill("{count} of {total} submissions are scored.", total - len(waiting), total)]
    sentences += [fill(UNSCORED[outcome], name_list(names[outcome])) for outcome in sorted(names)]
    return join_messages(sentences)
