"""Conformance test of a competition against its declaration.

A package calls `check_task(TASK)` in its own tests; the program's tests do so for every installed
competition.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.examples import (
    example_folder,
    example_inputs,
    example_options,
    example_roles,
)
from jurydesk.core.competition.task import (
    HEAD_BYTES,
    AnyTask,
    Inputs,
    Reading,
    option_name_conflicts,
)
from jurydesk.core.desk.evaluation_rows import pack_evaluation, unpack_rows
from jurydesk.core.execution.cache import NoCache
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.execution.sharded_jobs.manifest import (
    RESULTS,
    read_manifest,
    result_path,
    shard_path,
)
from jurydesk.core.execution.sharded_jobs.merge_shards import MergeWorkers, gather_results
from jurydesk.core.execution.sharded_jobs.score_shard import open_shard, score_shard
from jurydesk.core.execution.sharded_jobs.split_job import ShardWriter, split_job
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation, UsageError
from jurydesk.core.model.evidence_columns import ColumnEvidence
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.participant_kit.kit import (
    ParticipantKit,
    check_with_kit_rules,
    kit_bytes,
    make_kit,
    read_kit,
)
from jurydesk.core.verification.verify_stamp import verify_stamp

SAMPLE_ITEMS = 20
"""Number of items per system whose evidence is checked."""
RELATIVE_TOLERANCE = 1e-12
MIN_GOLD_LENGTH = 12
"""Length below which reference texts may be in a kit by chance."""
INVALID_CONTENTS = (
    b"",
    b"\0" * 64,
    b"\xff\xfe\xfd",
    b"{",
    b"[[[[",
    b"<a>",
    b"1 2 3\n",
    "привет".encode(),
)


class ConformanceError(AssertionError):
    """Violations of the contract by a competition, one sentence each."""

    def __init__(self, failures: Sequence[str]) -> None:
        self.failures = tuple(failures)
        super().__init__("\n".join(f"- {failure}" for failure in self.failures))


def check_task(task: AnyTask, example: Path | None = None, options: Any = None) -> None:
    """Check a competition with its example.

    `example` is a folder with an `example.json` (default: the task's own); `options` default to
    those of the example. Raises ConformanceError with all failures.
    """
    with tempfile.TemporaryDirectory(prefix="jurydesk-conformance-") as scratch:
        folder = example or example_folder(task)
        if folder is None:
            raise ConformanceError(["example: it is missing, or its manifest is for another task"])
        subject = _Subject(task, folder, options, Path(scratch))
        failures = [
            failure for name, check in CHECKS for failure in _failures(name, check, subject)
        ]
    if failures:
        raise ConformanceError(failures)


class _Subject:
    """Competition with its example, read and scored once for all checks."""

    def __init__(self, task: AnyTask, folder: Path, options: Any, scratch: Path) -> None:
        self.task = task
        self.options = example_options(task, folder) if options is None else options
        self.inputs: Inputs = example_inputs(task, folder)
        self.files = files_by_role(self.inputs)
        self.folder, self.scratch = folder, scratch

    @property
    def submissions(self) -> Sequence[Path]:
        return self.inputs[self.task.submission_input().role]

    @cached_property
    def references(self) -> Reading[Any]:
        return self.task.readers.read_references(self.inputs, self.options, Run())

    @cached_property
    def result(self) -> CompetitionResult:
        return score_submissions(self.task, self.files, self.options, Run(cache=NoCache()))

    def read(self, path: Path) -> Reading[Any]:
        readers = self.task.readers
        return readers.read_submission(path, self.references.data, self.options, Run())


Check = Callable[[_Subject], Iterator[str]]


def _failures(name: str, check: Check, subject: _Subject) -> Iterator[str]:
    try:
        for failure in check(subject):
            yield f"{name}: {failure}"
    except UsageError as error:
        yield f"{name}: {error}"
    except Exception as error:  # noqa: BLE001 - any exception of a plug-in is a failure
        yield f"{name}: {type(error).__name__}: {error}"


def _declaration(subject: _Subject) -> Iterator[str]:
    task, scoring = subject.task, subject.task.scoring
    if not re.fullmatch("[a-z][a-z0-9-]*", task.id):
        yield f"the id {task.id!r} has characters other than a-z, 0-9 and hyphens"
    if not all((task.title, *task.item_noun)):
        yield "the title or the noun of an item is empty"
    if not task.summary.endswith("."):
        yield "the summary is not a sentence"
    yield from _repeated_names("input", [entry.role for entry in task.inputs])
    if [entry.kind for entry in task.inputs].count("submission") != 1:
        yield "the number of inputs of the kind submission is not 1"
    yield from _repeated_names("metric", [info.name for info in scoring.metrics])
    if not scoring.metrics and not any(one.metrics for one in subject.result.evaluations):
        yield "there is no metric"
    for info in scoring.metrics:
        if not (info.title and info.summary.endswith(".") and info.range[0] < info.range[1]):
            yield f"the metric {info.name} lacks a title, a sentence or a range"
    yield from _repeated_names("chunk", [chunk.id for chunk in scoring.chunks])
    yield from _options(task)


def _repeated_names(kind: str, names: Sequence[str]) -> Iterator[str]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"the {kind} {name} is declared twice"


def _options(task: AnyTask) -> Iterator[str]:
    options: Any = task.scoring.options
    redaction = task.submission_checks.redaction
    parameters = getattr(options, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        yield f"{options.__name__} is not a frozen dataclass"
        return
    known: dict[str, Mapping[str, Any]] = {one.name: one.metadata for one in fields(options)}
    options()
    yield from option_name_conflicts(task)
    for name, metadata in known.items():
        if not metadata.get("help"):
            yield f"the option {name} has no help"
    if tuple(known.get("profile", {}).get("choices", ())) != task.scoring.profiles:
        yield "the choices of the option profile are not the profiles of the task"
    for name in (*task.scoring.light_options, *(redaction.options if redaction else ())):
        if name not in known:
            yield f"there is no option {name}"


def _sniffing(subject: _Subject) -> Iterator[str]:
    task = subject.task
    known = {entry.role: entry for entry in task.inputs}
    roles = example_roles(subject.folder)
    for entry in task.inputs:
        files = [path for path in subject.inputs.get(entry.role, ()) if path.is_file()]
        if entry.required and not files:
            yield f"the example has no file for {entry.role}"
        for path in files:
            guess, role = task.readers.sniff(path.read_bytes()[:HEAD_BYTES]), roles.get(path.name)
            if guess and role not in (None, guess.role, *known[guess.role].also):
                yield f"{path.name} is recognized as {guess.role}, not as {role}"
            for content in _damaged_contents(path):
                guess = task.readers.sniff(content[:HEAD_BYTES])
                if guess and (guess.role not in known or not 0 <= guess.confidence <= 1):
                    yield f"a damaged {path.name} is recognized as {guess}"


def _damaged_contents(path: Path) -> Iterator[bytes]:
    """Yield damaged contents of a file: truncated, with random bytes, and of other formats."""
    content, chance = path.read_bytes(), random.Random(1)  # noqa: S311 - no secret
    yield from INVALID_CONTENTS
    for _ in range(4):
        place = chance.randrange(len(content) + 1)
        yield content[:place]
        yield content[:place] + chance.randbytes(3) + content[place + 1 :]


def _reading(subject: _Subject) -> Iterator[str]:
    task = subject.task
    if subject.references.data is None or has_errors(subject.references.defects):
        yield "the reference files of the example have errors"
        return
    for path in subject.submissions:
        yield from _check_reading(path.name, subject.read(path))
        for bad in _damaged_copies(subject, path):
            yield from _check_reading(f"a damaged {path.name}", subject.read(bad))
    for entry in task.inputs:
        for path in subject.inputs.get(entry.role, ()) if entry.kind == "reference" else ():
            for bad in _damaged_copies(subject, path):
                inputs = {**subject.inputs, entry.role: (bad,)}
                try:
                    found = task.readers.read_references(inputs, subject.options, Run())
                except UsageError:  # the options do not fit the damaged file
                    continue
                yield from _check_reading(f"a damaged {path.name}", found)


def _damaged_copies(subject: _Subject, path: Path) -> Iterator[Path]:
    folder = subject.scratch / "damaged"
    folder.mkdir(exist_ok=True)
    copy = folder / path.name
    for content in _damaged_contents(path):
        copy.write_bytes(content)
        yield copy
    copy.unlink()
    yield copy


def _check_reading(name: str, reading: Reading[Any]) -> Iterator[str]:
    if reading.data is None and not reading.systems and not has_errors(reading.defects):
        yield f"{name} gives neither data nor an error"


def _numbers(subject: _Subject) -> Iterator[str]:
    task, scoring = subject.task, subject.task.scoring
    if not subject.result.evaluations:
        yield "no submission of the example can be scored"
    named = {info.name for info in scoring.metrics} | set(task.presentation.statistics)
    ranking = {info.name for info in scoring.metrics if info.better != "neither"}
    if scoring.rank_by and scoring.rank_by not in ranking:
        yield f"{scoring.rank_by} ranks the systems, but is not declared as a metric that can"
    for evaluation in subject.result.evaluations:
        if (evaluation.task, evaluation.profile) != (task.id, subject.options.profile):
            yield f"{evaluation.system} is of another task or profile"
        given = [one.metric for one in evaluation.scores]
        yield from _repeated_names("score", given)
        # Where options set the rules, each of them has headline metrics of its own.
        wanted = () if scoring.rule_options else scoring.metrics
        for info in wanted:
            if info.headline and info.name not in given and scoring.metric_named(info.name) is None:
                yield f"{evaluation.system} has no {info.name}, which is a headline metric"
        declared = {info.name for info in evaluation.metrics}
        for name in () if declared else evaluation.items.columns:
            if name not in named and scoring.metric_named(name) is None:
                yield f"{name} is not declared as a metric or a statistic"
        yield from _scores(task, evaluation)


def _scores(task: AnyTask, evaluation: Evaluation) -> Iterator[str]:
    task = with_metrics(task, evaluation.metrics)
    for one in evaluation.scores:
        info = task.metric(one.metric)
        low, high = info.range
        if not np.isnan(one.value) and not low - 1e-9 <= one.value <= high + 1e-9:
            yield f"{one.metric} of {evaluation.system} is outside its range: {one.value}"
        column = evaluation.items.columns.get(one.metric)
        if info.aggregate == "own" or column is None or np.isnan(one.value):
            continue
        total = np.nanmean(column) if info.aggregate == "mean" else np.nansum(column)
        if not np.isclose(total, one.value, rtol=1e-9, atol=1e-12):
            yield f"{one.metric} of {evaluation.system} is not the {info.aggregate} of its column"


def _order(subject: _Subject) -> Iterator[str]:
    role = subject.task.submission_input().role
    reverse = files_by_role({**subject.inputs, role: tuple(reversed(subject.submissions))})
    second = score_submissions(subject.task, reverse, subject.options, Run(cache=NoCache()))
    yield from _differences(subject.result, second, 0.0)


def _differences(
    one: CompetitionResult, other: CompetitionResult, tolerance: float
) -> Iterator[str]:
    others = {evaluation.system: evaluation for evaluation in other.evaluations}
    if {evaluation.system for evaluation in one.evaluations} != set(others):
        yield "other systems are scored the second time"
        return
    for first in one.evaluations:
        second = others[first.system]
        values = [np.array([found.value for found in both.scores]) for both in (first, second)]
        pairs = {"the scores": values} | {
            f"the column {name}": [column, second.items.columns[name]]
            for name, column in first.items.columns.items()
        }
        for name, (before, after) in pairs.items():
            if not np.allclose(before, after, rtol=tolerance, atol=0, equal_nan=True):
                yield f"{name} of {first.system} differ the second time"


def _evidence(subject: _Subject) -> Iterator[str]:
    task = subject.task
    for evaluation in subject.result.evaluations:
        stored = unpack_rows(pack_evaluation(evaluation), task.readers.load_evidence).items
        is_json = not isinstance(evaluation.items.evidence, ColumnEvidence)
        for row in range(0, len(evaluation.items), max(1, len(evaluation.items) // SAMPLE_ITEMS)):
            name = f"{evaluation.system}, {evaluation.items.ids[row]}"
            evidence = evaluation.items.show(row)
            if evidence is None:
                yield f"{name} has no evidence"
                continue
            again = stored.show(row)
            if is_json and json.dumps(again.to_json()) != json.dumps(evidence.to_json()):
                yield f"{name}: the evidence changes when converted to JSON and back"
            passages = tuple(task.presentation.explain_item(evidence))
            if not any(passage.text or passage.pictures for passage in passages):
                yield f"{name} has no explanation"
            of_row = dict(task.explain_items(stored, [row]))[row]
            if not tuple(task.presentation.explain_item(again)) == of_row == passages:
                yield f"{name}: the explanation changes when the evidence is stored"


def _stamp(subject: _Subject) -> Iterator[str]:
    for evaluation in subject.result.evaluations[:1]:
        verdict = verify_stamp(Stamp.from_json(evaluation.stamp), subject.task, (), Run())
        for difference in verdict.differences:
            yield difference.sentence


def _shards(subject: _Subject) -> Iterator[str]:
    task, folder = subject.task, subject.scratch / "job"
    if not task.scoring.chunks:
        return
    folder.mkdir()
    split_job(task, subject.files, subject.options, Run(), ShardWriter(folder, per_shard=2))
    manifest = read_manifest(folder)
    chunks = {chunk.id: chunk for chunk in task.scoring.chunks}
    for shard in manifest.shards:
        opened = open_shard(shard_path(folder, shard.name), chunks)
        score_shard(opened, result_path(folder / RESULTS, shard.name), Run())
    results, missing = gather_results(manifest, folder, []), []
    with Run() as run:
        run.merge_from(results, lambda: MergeWorkers(1), lambda one: missing.append(one))
        merged = score_submissions(task, subject.files, subject.options, run)
    if results.defects or missing:
        yield "merging finds missing or defective chunks"
    yield from _differences(subject.result, merged, RELATIVE_TOLERANCE)


def _redaction(subject: _Subject) -> Iterator[str]:
    task = subject.task
    if task.submission_checks.redaction is None:
        return
    path = subject.scratch / "kit.jurycomp"
    path.write_bytes(kit_bytes(make_kit(task, "", subject.references, subject.options)))
    kit, text = read_kit(path), path.read_text(encoding="utf-8")
    gold, own = set[str](), set[str]()
    for submission in subject.submissions:
        found = subject.read(submission)
        yield from _compare_defects(subject, kit, submission, found.defects)
        for bad in _damaged_copies(subject, submission):
            yield from _compare_defects(subject, kit, bad, subject.read(bad).defects)
        if found.data is not None:
            texts = task.submission_checks.submission_texts(subject.references.data, found.data)
            for one in texts:
                own.add(one.text)
                gold.update(one.references)
    for secret in sorted(gold - own):
        if len(secret) >= MIN_GOLD_LENGTH and json.dumps(secret, ensure_ascii=False)[1:-1] in text:
            yield f"the kit contains gold: {secret[:40]}"


def _compare_defects(
    subject: _Subject, kit: ParticipantKit, path: Path, organiser: Sequence[Defect]
) -> Iterator[str]:
    file = InputFile(path, subject.task.submission_input().role)
    (entry,) = check_with_kit_rules(subject.task, kit, (file,), Run()).entries
    more = [defect for defect in entry.defects if defect not in organiser]
    fewer = [defect for defect in organiser if defect not in entry.defects]
    if more or (fewer and not kit.unable):
        found = (more + fewer)[0].found
        yield f"the kit and the organiser differ on {path.name}: {found}"


CHECKS: tuple[tuple[str, Check], ...] = (
    ("declaration", _declaration),
    ("sniffing", _sniffing),
    ("reading", _reading),
    ("numbers", _numbers),
    ("order of submissions", _order),
    ("evidence", _evidence),
    ("stamp", _stamp),
    ("shards", _shards),
    ("redaction", _redaction),
)
