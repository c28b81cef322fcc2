"""Checking and scoring of a competition, with the outcome stored in its desk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.checks import CheckRecord, DefectLog, combine
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.system_names import clean_system_name
from jurydesk.core.workflow.desk_state import DeskResults, load_results

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.engine import CompetitionResult, SubmissionResult
    from jurydesk.core.execution.run import Run
    from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake
    from jurydesk.core.model.evaluation import Evaluation
    from jurydesk.core.statistics.inference import Inference

Notify = Callable[[object], None]
"""Callback for intermediate results: a `SubmissionIntake` or `DeskResults`."""


def ignore(value: object) -> None:
    """Discard an intermediate result."""


@dataclass(frozen=True, slots=True)
class CompetitionFiles:
    """Competition with the files and options in use, and the path of its desk, if any.

    The desk is opened by the work itself, so that the window can read it meanwhile. `defects` are
    those of files that could not be taken in; `rules` replace those of the desk, and `inference`
    its settings of intervals.
    """

    desk: Path | None
    task: AnyTask
    files: Sequence[InputFile]
    options: Any
    defects: tuple[Defect, ...] = ()
    rules: IntakeRules | None = None
    inference: Inference | None = None

    @property
    def submissions(self) -> list[InputFile]:
        """Files in the role of a submission."""
        role = self.task.submission_input().role
        return [file for file in self.files if file.role == role]


@dataclass(frozen=True, slots=True)
class ScoringOutcome:
    """Result of a check or scoring, and the record of the check.

    `checked` combines the record with earlier ones of files that cannot be read now.
    """

    result: CompetitionResult
    record: CheckRecord
    checked: CheckRecord

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Defects of this check or scoring alone."""
        return self.record.defects.all


def check_competition(
    competition: CompetitionFiles, run: Run, notify: Notify = ignore, *, keep: bool = True
) -> ScoringOutcome:
    """Read every file and find every defect. Raises Cancelled.

    With `keep` the record of the check is added to the desk; without it the desk is unchanged.
    """
    from jurydesk.core.execution.engine import check_inputs
    from jurydesk.core.execution.file_store import SHARED

    with _open_desk(competition.desk) as desk:
        resolution, files = _resolve(competition, desk, run, notify, keep=keep)
    task, options = competition.task, competition.options
    result = check_inputs(task, files, options, run, store=SHARED)
    run.check()
    with _open_desk(competition.desk) as desk:
        return _finish(competition, desk, resolution, files, result, keep=keep)


def score_competition(
    competition: CompetitionFiles, run: Run, notify: Notify = ignore
) -> ScoringOutcome:
    """Score every submission into the desk. Raises Cancelled.

    `notify` gets the resolution first, then the results after each system stored in the desk.
    """
    from jurydesk.core.desk.inference_settings import load_inference, store_inference
    from jurydesk.core.execution.engine import score_submissions
    from jurydesk.core.execution.file_store import SHARED
    from jurydesk.core.statistics.inference import Inference

    with _open_desk(competition.desk) as desk:
        if desk is not None and not run.is_caching:
            run.cache = desk.cache

        resolution, files = _resolve(competition, desk, run, notify)
        task, options = competition.task, competition.options
        inference = competition.inference or Inference()
        if desk is not None and competition.inference is None:
            inference = load_inference(desk)

        def store(entry: SubmissionResult) -> None:
            # Not before: groups that fit no item are refused with the first system.
            if competition.inference is not None and desk is not None:
                store_inference(desk, inference)
            if desk is not None:
                _store(desk, run, notify, entry)

        result = score_submissions(
            task,
            files,
            options,
            run,
            inference=inference,
            on_entry=None if desk is None else store,
            store=SHARED,
        )
        SHARED.clear_readings()
        if desk is not None and result.sources:
            desk.merge_inputs(result.sources, task.submission_input().role)
            desk.cache.clear()
        outcome = _finish(competition, desk, resolution, files, result)
        if desk is not None:
            notify(load_results(desk))
        return outcome


def _store(desk: Desk, run: Run, notify: Notify, entry: SubmissionResult) -> None:
    if entry.evaluation is not None:
        with run.computing():  # evidence is computed on storing, and may need metrics
            desk.add(_add_progress(entry.evaluation, run))
        if notify is not ignore:
            notify(load_results(desk))


def resolve_desk(
    competition: CompetitionFiles, run: Run, notify: Notify = ignore
) -> SubmissionIntake:
    """Apply the desk's rules to its submissions again, and store the resolution."""
    from jurydesk.core.intake.collect import resolve_submissions
    from jurydesk.core.model.stamp import utc_now

    with _open_desk(competition.desk) as desk:
        resolution = resolve_submissions(desk, competition.submissions, run)
        if desk is not None and (records := desk.check_records()):
            known = combine(records)
            log = DefectLog(competition.defects, resolution.defects, known.defects.reading)
            desk.add_check(replace(known, time=utc_now(), defects=log))
        return resolution


def reload_results(desk: Desk, run: Run, notify: Notify = ignore) -> DeskResults:
    """Reload the results after files have changed."""
    return load_results(desk)


@contextmanager
def _open_desk(path: Path | None) -> Iterator[Desk | None]:
    from jurydesk.core.desk import Desk

    if path is None:
        yield None
    else:
        with Desk.open(path) as desk:
            yield desk


def _resolve(
    competition: CompetitionFiles, desk: Desk | None, run: Run, notify: Notify, *, keep: bool = True
) -> tuple[SubmissionIntake, Sequence[InputFile]]:
    """Return the resolution, and the files that count."""
    from jurydesk.core.intake.collect import resolve_submissions
    from jurydesk.core.intake.submission_ledger import load_rules, store_rules

    rules, given = competition.rules, competition.submissions
    if desk is not None and keep and rules not in (None, load_rules(desk)):
        store_rules(desk, rules)
    # A single submission without a desk is compared with nothing, and hashed while it is read.
    hashes = desk is not None or len(given) > 1
    resolution = resolve_submissions(desk, given, run, rules, keep=keep, hashes=hashes)
    notify(resolution)
    role = competition.task.submission_input().role
    counting = [file for file in resolution.files if file.counts]
    shared = [file for file in competition.files if file.role != role]
    return resolution, [*shared, *counting]


def _finish(
    competition: CompetitionFiles,
    desk: Desk | None,
    resolution: SubmissionIntake,
    files: Sequence[InputFile],
    result: CompetitionResult,
    *,
    keep: bool = True,
) -> ScoringOutcome:
    from jurydesk.core.execution.check_record import check_record
    from jurydesk.core.intake.role_check import explain_wrong_roles

    result = explain_wrong_roles(competition.task, files, result)
    record = check_record(competition.task, files, result)
    resolved = (*resolution.defects, *_unused_names(result))
    log = DefectLog(competition.defects, resolved, result.defects)
    record = replace(record, defects=log)
    if desk is None:
        return ScoringOutcome(result, record, record)
    checked = _add_unreadable(combine([*desk.check_records(), record]), record)
    if keep:
        desk.add_check(record)
    return ScoringOutcome(result, record, checked)


def _unused_names(result: CompetitionResult) -> Iterator[Defect]:
    """Yield a warning on each name that the user gave to a file which names its systems itself."""
    systems: dict[Path, list[str]] = {}
    for entry in result.entries:
        systems.setdefault(entry.path, []).append(entry.system)
    for file in {entry.path: entry.file for entry in result.entries if entry.file.name}.values():
        name = clean_system_name(file.name, file.path)
        if not any(system.startswith(name) for system in systems[file.path]):
            found = fill("The file names its systems itself: the name {name} is not used.", name)
            yield warning(Place(str(file.path)), found)


def _add_unreadable(known: CheckRecord, record: CheckRecord) -> CheckRecord:
    """Add the defects of files that exist but cannot be read now.

    Files that do not exist keep their earlier defects, with the reason.
    """
    unread = {one.path for one in known.files if one.reason}
    reading = known.defects.reading
    present = tuple(
        one
        for one in record.defects.reading
        if one.place.path in unread and one not in reading and Path(one.place.path).exists()
    )
    return replace(known, defects=replace(known.defects, reading=(*reading, *present)))


def _add_progress(evaluation: Evaluation, run: Run) -> Evaluation:
    """Return the evaluation with evidence that reports progress and can be cancelled."""
    from jurydesk.core.desk.evaluation_rows import UnpackedItems
    from jurydesk.core.model.evidence_columns import ColumnEvidence

    items = evaluation.items
    load = items.evidence
    if load is None or isinstance(load, ColumnEvidence) or isinstance(items, UnpackedItems):
        return evaluation  # stored quickly

    def load_with_progress(number: int) -> Any:
        text = translatable("Saving item details of {system}").format(system=evaluation.system)
        run.report(number, len(items), text)
        return load(number)

    return replace(evaluation, items=replace(items, evidence=load_with_progress))
