"""Policy of a desk for sealed entries: budgets, and what goes back.

It stands in the ledger, so that a certificate names the policy that held at its look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from jurydesk.core.analysis.leaderboard import find_score, headline_metric
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.desk.entry_ledger import (
    POLICY,
    LedgerRow,
    NewRow,
    append_row,
    read_ledger,
)
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import declared_metrics
from jurydesk.core.language import translatable
from jurydesk.core.model.canonical_json import canonical_sha256
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json, UsageError
from jurydesk.core.model.json_codec import from_json, to_json

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary

Returns = Literal["score", "everything"]


@dataclass(frozen=True, slots=True)
class EntryPolicy:
    """Budgets of different entries a team, and what a certificate says.

    A budget of 0 is none. `returns` is the ranking metric alone, or every metric. With `rounds`
    scores are rounded to the width of their interval; with `ladder` a score counts only if it is
    better than the team's best by a standard error. With `approval` the first entry of a new key
    waits for the organiser. `published` are the systems that entries are compared with, `board`
    the hash of their scores.
    """

    day: int = 1
    month: int = 3
    total: int = 5
    returns: Returns = "score"
    rounds: bool = True
    ladder: bool = True
    approval: bool = True
    metric: str = ""
    published: tuple[str, ...] = ()
    board: str = ""

    @property
    def sha256(self) -> str:
        """Hash that rows of the ledger and certificates name."""
        return canonical_sha256(to_json(self))


CHANGED = translatable("The policy was set.")


def find_policy(rows: Sequence[LedgerRow]) -> EntryPolicy | None:
    """Return the policy in force; None if none was set."""
    row = next((one for one in reversed(rows) if one.kind == POLICY), None)
    return None if row is None else decode_policy(row.result)


def decode_policy(stored: Json) -> EntryPolicy:
    """Return a stored policy; raise UsageError if this version does not know it."""
    try:
        return from_json(EntryPolicy, stored)
    except DAMAGE as error:
        text = translatable("The policy of the desk is one that this version does not know.")
        raise UsageError(text) from error


def set_policy(desk: Desk, task: AnyTask, wanted: EntryPolicy) -> EntryPolicy:
    """Put a policy into the ledger, for looks from now on, with the systems published now.

    Results of entries are never published systems. The same policy again writes nothing.
    """
    rows = read_ledger(desk)
    policy = published_policy(desk, task, wanted, rows)
    if find_policy(rows) != policy:
        row = NewRow(POLICY, CHANGED, policy=policy.sha256, result=to_json(policy))
        append_row(desk, lambda _: row)
    return policy


def published_policy(
    desk: Desk, task: AnyTask, wanted: EntryPolicy, rows: Sequence[LedgerRow]
) -> EntryPolicy:
    """Return a policy with the ranking metric, and the systems and scores published now."""
    summaries = published_summaries(desk, rows)
    if not summaries:
        raise UsageError(
            translatable("The desk has no published system: score one before entries are opened.")
        )
    known = with_metrics(task, declared_metrics(desk))
    metric = headline_metric(known, summaries, wanted.metric or load_inference(desk).rank_by)
    if metric is None or (wanted.metric and metric.name != wanted.metric):
        raise UsageError(translatable("No published system has the metric of the policy."))
    systems = tuple(one.system for one in summaries)
    board = board_sha256(summaries, metric.name)
    return replace(wanted, metric=metric.name, published=systems, board=board)


def published_summaries(
    desk: Desk, rows: Sequence[LedgerRow], names: Sequence[str] = ()
) -> list[Summary]:
    """Return the published systems in the competition's profile: all but entries, or `names`."""
    entered = {row.system for row in rows if row.system}
    every = [one for one in desk.evaluations() if one.system not in entered]
    profile = desk_profile(desk, every)
    chosen = [one for one in every if one.profile == profile]
    return [one for one in chosen if not names or one.system in names]


def desk_profile(desk: Desk, summaries: Sequence[Summary]) -> str:
    """Return the profile of the desk's options, by which entries are scored."""
    options: Any = desk.competition.options if desk.competition else {}
    first = summaries[0].profile if summaries else ""
    return str(options.get("profile") or first)


def board_sha256(summaries: Sequence[Summary], metric: str) -> str:
    """Return the hash of the published systems with their scores."""
    listed = []
    for one in sorted(summaries, key=lambda each: each.system):
        score = find_score(one, metric)
        listed.append([one.system, one.profile, metric, repr(score.value) if score else ""])
    return canonical_sha256(listed)
