"""Look of a team at the hidden data: its entry is unpacked, checked, scored and recorded."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.desk.entry_ledger import (
    AGAIN,
    APPROVED,
    HELD,
    KIT,
    REFUSED,
    SCORED,
    LedgerRow,
    NewRow,
    append_row,
    read_ledger,
    record_look,
)
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.intake.take_in import find_submissions
from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation, Json, Source, UsageError
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.model.options import options_from_json
from jurydesk.core.model.system_names import one_line
from jurydesk.core.participant_kit.kit import desk_inputs
from jurydesk.core.sealed.entry_file import Entry, EntryError, unpack_entry
from jurydesk.core.sealed.key_store import KeyPair
from jurydesk.core.system.paths import submissions_store
from jurydesk.core.workflow.entries.entry_policy import (
    EntryPolicy,
    board_sha256,
    find_policy,
    published_summaries,
    set_policy,
)
from jurydesk.core.workflow.entries.entry_review import (
    EntryReview,
    ledger_key,
    review_entries,
    same_contents,
)
from jurydesk.core.workflow.entries.look_budget import looks_of, used_budget
from jurydesk.core.workflow.entries.returned_scores import (
    is_new_best,
    returned_result,
    standard_error,
)

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run

DEFECTS = translatable("refused: the files have errors")
OTHER_BOARD = translatable(
    "The published systems or their scores changed since the policy was set: set the policy again."
)


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """What became of an entry: its review, its row of the ledger, and the defects of its files.

    `look` is the row whose result goes back: that of this entry, or of the same one before.
    """

    review: EntryReview
    row: LedgerRow | None = None
    defects: tuple[Defect, ...] = ()
    look: LedgerRow | None = None


class BudgetUsedError(Exception):
    """Look that another program took meanwhile; the message is the decision."""


def open_entries(
    desk: Desk,
    task: AnyTask,
    paths: Sequence[Path],
    organiser: KeyPair,
    run: Run,
    *,
    reason: str = "",
) -> list[EntryOutcome]:
    """Review entries, score those that may be, and record all in the ledger. Raises Cancelled.

    With a `reason` an entry is scored although it is held, or over the budget: the ledger keeps it.
    """
    rows = read_ledger(desk)
    require_organiser(rows, organiser)
    if find_policy(rows) is None:
        set_policy(desk, task, EntryPolicy())
    outcomes = []
    for number, path in enumerate(paths):
        run.report(number, len(paths), fill("Opening {name}", path.name))
        (review,) = review_entries(desk, [path])
        outcomes.append(_open_entry(desk, task, review, organiser, run, reason))
    return outcomes


def require_organiser(rows: Sequence[LedgerRow], organiser: KeyPair) -> None:
    """Raise UsageError unless a kit of the desk carries this organiser's key."""
    keys = {row.key for row in rows if row.kind == KIT and row.key}
    if keys and ledger_key(organiser.public) not in keys:
        raise UsageError(
            fill(
                "The kits of this desk have another organiser's key than {path}: put back the key "
                "that made them.",
                organiser.path,
            )
        )


def _open_entry(
    desk: Desk,
    task: AnyTask,
    review: EntryReview,
    organiser: KeyPair,
    run: Run,
    reason: str,
) -> EntryOutcome:
    entry = review.entry
    if entry is None:
        return EntryOutcome(review)
    if review.state == "again":
        row = _append(desk, entry, AGAIN, review.decision)
        return EntryOutcome(review, row, look=review.earlier)
    if review.state != "ready" and not (reason and may_be_overruled(review)):
        kind = HELD if review.state == "held" else REFUSED
        return EntryOutcome(review, _append(desk, entry, kind, review.decision))
    try:
        overruling = "" if review.state == "ready" else reason
        return _score_entry(desk, task, review, entry, organiser, run, overruling)
    except EntryError as error:
        decision = fill("refused: {problem}", error)
        return EntryOutcome(review, _append(desk, entry, REFUSED, decision))
    except BudgetUsedError as error:
        return EntryOutcome(review, _append(desk, entry, REFUSED, error.args[0]))


def may_be_overruled(review: EntryReview) -> bool:
    """Return whether the organiser may score an entry all the same: held, or over the budget."""
    from jurydesk.core.workflow.entries.entry_review import KEY_REVOKED, OTHER_KIT

    return review.decision not in (KEY_REVOKED, OTHER_KIT)


def entry_row(entry: Entry, kind: str, decision: str) -> NewRow:
    """Return a row of the ledger about an entry."""
    return NewRow(
        kind,
        decision,
        ledger_key(entry.key),
        entry.team,
        entry.sha256,
        entry.contents,
        entry.reference,
    )


def _append(desk: Desk, entry: Entry, kind: str, decision: str) -> LedgerRow:
    return append_row(desk, lambda _: entry_row(entry, kind, decision))


def _score_entry(
    desk: Desk,
    task: AnyTask,
    review: EntryReview,
    entry: Entry,
    organiser: KeyPair,
    run: Run,
    reason: str,
) -> EntryOutcome:
    rows = read_ledger(desk)
    policy = find_policy(rows) or EntryPolicy()
    published = published_summaries(desk, rows, policy.published)
    if board_sha256(published, policy.metric) != policy.board:
        raise UsageError(OTHER_BOARD)
    require_references(desk, task)
    path, beside = _unpacked_submission(task, entry, organiser, run)
    system = _system_name(desk, entry, rows)
    scored = _score(desk, task, path, system, run)
    defects = (*beside, *scored.defects)
    if scored.evaluation is None or has_errors(defects):
        return EntryOutcome(review, _append(desk, entry, REFUSED, DEFECTS), defects)
    evaluation = scored.evaluation
    told = returned_result(desk, task, evaluation, published, policy, run)
    exact = _exact(task, evaluation, policy)

    def decide(before: Sequence[LedgerRow]) -> NewRow:
        refusal = _changed_meanwhile(before, entry, policy, reason)
        if refusal:
            raise BudgetUsedError(refusal)
        result = apply_ladder(before, entry, policy, told, exact)
        decision = translatable("scored")
        row = entry_row(entry, SCORED, decision)
        said = one_line(reason)
        return replace(row, policy=policy.sha256, reason=said, result=result)

    role = task.submission_input().role
    row = record_look(desk, evaluation, scored.sources, role, decide)
    return EntryOutcome(review, row, defects, row)


def require_references(desk: Desk, task: AnyTask) -> None:
    """Raise UsageError unless every reference file is the one that the desk recorded."""
    role = task.submission_input().role
    shared = [one for one in desk.inputs() if one.source.role != role]
    if gone := [one.path.name for one in shared if one.state != "current"]:
        names = name_list(gone)
        raise UsageError(fill("Reference files are missing or have changed: {names}.", names))


def _changed_meanwhile(
    rows: Sequence[LedgerRow], entry: Entry, policy: EntryPolicy, reason: str
) -> str:
    """Return why a look that was allowed may not be taken now; empty if it may."""
    if find_policy(rows) != policy:
        return translatable("refused: the policy changed meanwhile")
    if same_contents(rows, entry) is not None:
        return translatable("refused: the same files were scored meanwhile")
    return "" if reason else used_budget(rows, policy, ledger_key(entry.key), entry.team)


def apply_ladder(
    rows: Sequence[LedgerRow],
    entry: Entry,
    policy: EntryPolicy,
    told: dict[str, Json],
    exact: dict[str, Json],
) -> dict[str, Json]:
    """Return the result of a look: its own, or the team's best again if it is no new best.

    The result says the number of the look, and keeps the policy that held.
    """
    looks = looks_of(rows, ledger_key(entry.key), entry.team)
    number, best = len(rows) + 1, next((one for one in reversed(looks) if _counts(one)), None)
    result = {
        "look": len(looks) + 1,
        "policy": to_json(policy),
        "statement": entry.statement,
        "competition": one_line(entry.competition),
        "made": entry.made,
        "exact": exact,
    }
    known = None if best is None or not policy.ladder else best.result["exact"]
    if best is not None and known is not None and known["metric"] == exact["metric"]:
        value, before = float(exact["value"]), float(known["value"])
        if not is_new_best(value, before, float(exact["error"]), exact["better"]):
            return {**result, "counts": False, "best": best.number, "told": best.result["told"]}
    return {**result, "counts": True, "best": number, "told": told}


def _counts(row: LedgerRow) -> bool:
    return isinstance(row.result, dict) and row.result.get("counts") is True


def _exact(task: AnyTask, evaluation: Evaluation, policy: EntryPolicy) -> dict[str, Json]:
    """Return the unrounded score by which the Ladder decides, which stays in the desk."""
    score = next((one for one in evaluation.scores if one.metric == policy.metric), None)
    if score is None:
        raise EntryError(translatable("It has no score of the ranking metric."))
    metric = task.metric(policy.metric)
    return {
        "metric": score.metric,
        "value": repr(score.value),
        "error": repr(standard_error(score, metric)),
        "better": metric.better,
    }


@dataclass(frozen=True, slots=True)
class _ScoredFile:
    evaluation: Evaluation | None
    defects: tuple[Defect, ...]
    sources: tuple[Source, ...]


def _score(desk: Desk, task: AnyTask, path: Path, system: str, run: Run) -> _ScoredFile:
    known = desk.competition
    options: Any = options_from_json(task.scoring.options, known.options if known else {})
    role = task.submission_input().role
    files = [*files_by_role(desk_inputs(desk, task)), InputFile(path, role, name=system)]
    found = score_submissions(task, files, options, run, inference=load_inference(desk))
    found = explain_wrong_roles(task, files, found)
    evaluation = next(iter(found.evaluations), None)
    return _ScoredFile(evaluation, found.defects, found.sources)


def _unpacked_submission(
    task: AnyTask, entry: Entry, organiser: KeyPair, run: Run
) -> tuple[Path, tuple[Defect, ...]]:
    """Return the one submission of an entry, whose files stay in the store of submissions."""
    store = submissions_store()
    place = store / entry.sha256[:24]
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store, prefix=".entry-") as unfinished:
        inner = Path(unfinished) / "entry"
        inner.mkdir()
        unpack_entry(entry, organiser.encryption, inner, run)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(exist_ok=True)
        folder = inner.replace(place / "entry")
    found = find_submissions(task, [folder], store, run)
    submissions = found.submissions or list(found.files)
    if len(submissions) != 1:
        raise EntryError(
            fill("It has {count} submissions of the competition, not one.", len(submissions))
        )
    return submissions[0].path, found.defects


def _system_name(desk: Desk, entry: Entry, rows: Sequence[LedgerRow]) -> str:
    number = 1 + sum(one.kind == SCORED for one in rows)
    name = f"{entry.team[:100]} #{number}"
    while name in desk.systems():
        number += 1
        name = f"{entry.team[:100]} #{number}"
    return name


APPROVAL = translatable("approved")


def approve_key(desk: Desk, key: bytes, team: str) -> LedgerRow:
    """Approve a key for the entries of a team, after its owner was asked."""
    row = NewRow(APPROVED, APPROVAL, ledger_key(key), team)
    return append_row(desk, lambda _: row)
