"""Review of a sealed entry before anything is scored: who sent it, and why it may not count."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jurydesk.core.desk.entry_ledger import (
    APPROVED,
    KIT,
    REVOKED,
    SCORED,
    LedgerRow,
    read_ledger,
)
from jurydesk.core.intake.deadlines import duration_text
from jurydesk.core.intake.submission_ledger import load_rules
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.canonical_json import canonical_sha256
from jurydesk.core.model.look_alikes import look_alike_warnings, skeleton, spelled
from jurydesk.core.sealed.entry_file import Entry, EntryError, read_entry
from jurydesk.core.sealed.public_keys import key_words
from jurydesk.core.workflow.entries.entry_policy import EntryPolicy, find_policy
from jurydesk.core.workflow.entries.look_budget import looks_of, used_budget

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk

State = Literal["ready", "again", "held", "refused", "unreadable"]
"""`ready` to be scored, `again` if its bytes were scored, `held` for the organiser, `refused` by
the policy, `unreadable` if its signature does not hold."""
OTHER_KIT = translatable("refused: made for another competition or reference version")
KEY_REVOKED = translatable("refused: the team's key was revoked")
NEW_KEY = translatable("held: the key is new")
OTHER_KEY = translatable("held: the team {team} had another key so far")
LOOKS_ALIKE = translatable("held: the name looks like that of the team {team}")
OTHER_NAME = translatable("held: the key is that of the team {team}")
COPY = translatable("held: the files are those of entry {number} of {team}")
COPY_HERE = translatable("held: the files are those of the entry of {team} before it")
SAME_HERE = translatable("same files as in an entry before it")
PUBLISHED_COPY = translatable("held: the files are those of the published system {system}")


@dataclass(frozen=True, slots=True)
class EntryReview:
    """Entry with its state, the decision in words, and what else the organiser is told.

    `entry` is None if it is unreadable. `earlier` is the look with the same files.
    """

    path: Path
    state: State
    decision: str
    remarks: tuple[str, ...] = ()
    entry: Entry | None = None
    earlier: LedgerRow | None = None

    @property
    def key(self) -> str:
        """Public key of the team, as the ledger has it."""
        return "" if self.entry is None else ledger_key(self.entry.key)


def waits_for_consent(review: EntryReview) -> bool:
    """Return whether an entry is held for its key or the name of its team, not for its files."""
    copies = {Message(one).template for one in (COPY, COPY_HERE, PUBLISHED_COPY)}
    return review.state == "held" and Message(review.decision).template not in copies


def ledger_key(key: bytes) -> str:
    """Return a public key as the ledger and signed documents have it."""
    return base64.b64encode(key).decode()


def review_entries(desk: Desk, paths: Sequence[Path]) -> list[EntryReview]:
    """Review entries without writing or scoring anything. Raises DeskError.

    Each is reviewed as if those before it, which are ready, had been scored.
    """
    rows = [*read_ledger(desk)]
    policy = find_policy(rows) or EntryPolicy()
    reviews, claimed = [], set[tuple[str, str]]()
    for path in paths:
        review = _review(desk, path, rows, policy, claimed)
        reviews.append(review)
        entry = review.entry
        if entry is not None and review.state != "refused":
            claimed.add((entry.team, review.key))
        if entry is not None and review.state == "ready":
            rows.append(_expected_row(entry))
    return reviews


def _expected_row(entry: Entry) -> LedgerRow:
    """Return the look that an entry will be, without a number."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    key, team = ledger_key(entry.key), entry.team
    return LedgerRow(0, "", now, SCORED, "", key, team, entry.sha256, entry.contents)


def _review(
    desk: Desk,
    path: Path,
    rows: Sequence[LedgerRow],
    policy: EntryPolicy,
    claimed: Set[tuple[str, str]],
) -> EntryReview:
    try:
        entry = read_entry(path)
    except EntryError as error:
        return EntryReview(path, "unreadable", str(error))
    remarks = tuple(_remarks(desk, entry, rows, policy, claimed))
    key = ledger_key(entry.key)
    earlier = same_contents(rows, entry)
    if refusal := _refusal(desk, entry, rows):
        return EntryReview(path, "refused", refusal, remarks, entry)
    if earlier is not None:
        number = earlier.number
        decision = fill("same entry again: number {number}", number) if number else SAME_HERE
        return EntryReview(path, "again", decision, remarks, entry, earlier)
    if reason := _hold(desk, entry, rows, policy, claimed):
        return EntryReview(path, "held", reason, remarks, entry)
    if refusal := used_budget(rows, policy, key, entry.team):
        return EntryReview(path, "refused", refusal, remarks, entry)
    return EntryReview(path, "ready", translatable("ready to be scored"), remarks, entry)


def same_contents(rows: Sequence[LedgerRow], entry: Entry) -> LedgerRow | None:
    """Return the look of the same team with the same files, or None."""
    looks = looks_of(rows, ledger_key(entry.key), entry.team)
    found = (row for row in looks if row.key == ledger_key(entry.key))
    return next((row for row in found if row.contents == entry.contents), None)


def reference_sha256(desk: Desk) -> str:
    """Return the hash of the desk's reference files, and of their roles."""
    submission = _submission_role(desk)
    listed = sorted(
        [one.source.role, one.source.sha256]
        for one in desk.inputs()
        if one.source.role != submission
    )
    return canonical_sha256(listed)


def _submission_role(desk: Desk) -> str:
    from jurydesk.core.competition.task_registry import find_competition

    known = desk.competition
    task = None if known is None else find_competition(known.task_id)
    return "" if task is None else str(task.submission_input().role)


def _refusal(desk: Desk, entry: Entry, rows: Sequence[LedgerRow]) -> str:
    kits = (one for one in rows if one.kind == KIT and one.entry == entry.reference)
    # A certificate repeats the title, which is the organiser's to give.
    titled = (one for one in kits if one.result in (None, {"title": entry.competition}))
    if reference_sha256(desk) not in {one.reference for one in titled}:
        return OTHER_KIT
    key = ledger_key(entry.key)
    acts = [one.kind for one in rows if one.key == key and one.kind in (APPROVED, REVOKED)]
    return KEY_REVOKED if acts and acts[-1] == REVOKED else ""


def _hold(
    desk: Desk,
    entry: Entry,
    rows: Sequence[LedgerRow],
    policy: EntryPolicy,
    claimed: Set[tuple[str, str]],
) -> str:
    """Return why an entry waits for the organiser; empty if it does not."""
    key = ledger_key(entry.key)
    for row in rows:
        if row.kind == SCORED and row.key != key and row.contents == entry.contents:
            copy = COPY if row.number else COPY_HERE
            return copy.format(number=row.number, team=spelled(row.team))
    for one in desk.inputs():
        if one.source.sha256 == entry.contents:
            return PUBLISHED_COPY.format(system=one.path.name)
    if any(row.kind == APPROVED and (row.team, row.key) == (entry.team, key) for row in rows):
        return ""
    known = {(row.team, row.key) for row in rows if row.kind in (APPROVED, SCORED)}
    return _identity_hold(entry, key, known | claimed) or (NEW_KEY if policy.approval else "")


def _identity_hold(entry: Entry, key: str, known: Iterable[tuple[str, str]]) -> str:
    """Return how a team contradicts the known ones: another key, a name that looks like theirs."""
    for team, other in sorted(known):
        if other == key and team != entry.team:
            return OTHER_NAME.format(team=spelled(team))
        if other != key and skeleton(team) == skeleton(entry.team):
            template = OTHER_KEY if team == entry.team else LOOKS_ALIKE
            return template.format(team=spelled(team))
    return ""


def _remarks(
    desk: Desk,
    entry: Entry,
    rows: Sequence[LedgerRow],
    policy: EntryPolicy,
    claimed: Set[tuple[str, str]],
) -> Iterator[str]:
    """Yield what the organiser should know of the team, its key, its name and the time."""
    key = ledger_key(entry.key)
    yield fill("Its key is {key} ({words}).", entry.key_text, key_words(entry.key))
    names = [row.team for row in rows if row.team]
    before = {row.team for row in rows if row.key == key and row.team} - {entry.team}
    if before:
        teams = ", ".join(map(spelled, sorted(before)))
        yield fill("The key has signed for {teams} so far.", teams)
    systems = [*dict.fromkeys([*names, *sorted(team for team, _ in claimed), *desk.systems()])]
    own = spelled(entry.team)
    for sentence in look_alike_warnings([*systems, entry.team]):
        if own in sentence:
            yield sentence
    deadline = load_rules(desk).deadline
    if deadline is not None and (late := datetime.now(UTC) - deadline.moment).total_seconds() > 0:
        yield fill("It comes {duration} after the deadline.", duration_text(late))
    looks = len(looks_of(rows, key, entry.team))
    if policy.total:
        yield fill("{looks} of {budget} looks of the team are used.", looks, policy.total)
    if not entry.is_encrypted:
        yield translatable("It is not encrypted: who forwarded it could read it.")
