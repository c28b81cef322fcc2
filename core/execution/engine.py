"""The engine: reads a competition's files, scores every submission, adds intervals and stamps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from jurydesk.core.competition.task import AnyTask, InputKind, Inputs, Reading
from jurydesk.core.execution.device import device_in_use
from jurydesk.core.execution.file_store import FileStore, stat_file_version
from jurydesk.core.execution.input_hashes import InputHasher, PictureHasher
from jurydesk.core.execution.intervals import add_intervals
from jurydesk.core.execution.plausibility import plausibility_defects
from jurydesk.core.execution.run import ChunksPostponed
from jurydesk.core.execution.system_names import clean_system_name, unique_system_names
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation, Source
from jurydesk.core.model.evidence_columns import ColumnEvidence
from jurydesk.core.model.options import options_json
from jurydesk.core.provenance.code_digest import code_digest
from jurydesk.core.provenance.stamp import Stamp, library_versions
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


T = TypeVar("T")

POLICIES = MappingProxyType({"undefined items": "left out of the mean"})


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    """What became of one submission: its name, its defects, and its evaluation.

    There is none after errors, and where chunks were only written down.
    """

    path: Path
    system: str
    about: str
    defects: tuple[Defect, ...]
    evaluation: Evaluation | None


@dataclass(frozen=True, slots=True)
class CompetitionResult:
    """What became of a competition: one entry for each submission, in the order given.

    After errors in the reference files there is none. `sources` are the files that were read,
    with their SHA-256; checking does not hash and leaves them empty.
    """

    reference_defects: tuple[Defect, ...]
    entries: tuple[SubmissionResult, ...]
    sources: tuple[Source, ...] = ()

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Every defect of every file."""
        return (*self.reference_defects, *(d for entry in self.entries for d in entry.defects))

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The systems that could be scored."""
        return tuple(entry.evaluation for entry in self.entries if entry.evaluation is not None)


def check_inputs(
    task: AnyTask,
    inputs: Inputs,
    options: Any,
    run: Run,
    *,
    names: Mapping[Path, str] = MappingProxyType({}),
    files: FileStore | None = None,
) -> CompetitionResult:
    """Read every file and list every defect, without scoring.

    `options` is an instance of `task.scoring.options`; `names` gives systems another name by
    their path. What is read is kept in `files`. Raises Cancelled.
    """
    readings = FileReadings(task, inputs, options, run, files)
    references = readings.references()
    if references.data is None or has_errors(references.defects):
        return CompetitionResult(references.defects, ())
    entries: list[SubmissionResult] = []
    for path in submissions(task, inputs):
        run.check()
        reading = readings.submission(path, references.data, run)
        name = clean_system_name(names.get(path) or reading.name, path)
        entries.append(SubmissionResult(path, name, reading.about, reading.defects, None))
    own_names = [entry.system for entry in entries]
    return CompetitionResult(references.defects, tuple(_unique_entries(entries, own_names)))


def score_submissions(
    task: AnyTask,
    inputs: Inputs,
    options: Any,
    run: Run,
    *,
    names: Mapping[Path, str] = MappingProxyType({}),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    inference: Inference = Inference(),  # noqa: B008 - frozen
    on_entry: Callable[[SubmissionResult], None] | None = None,
    files: FileStore | None = None,
) -> CompetitionResult:
    """Read every file and score every submission that has no error.

    The references are read once; submissions are read, scored and forgotten one after the other.
    `on_entry` hears of each at once, and again of an earlier one whose name a later submission
    has too. No number depends on the order of the submissions. What `files` has of the same
    versions of the files is not read again. Raises Cancelled.
    """
    readings = FileReadings(task, inputs, options, run, files)
    with InputHasher(run.check) as prints:
        for role, paths in reference_paths(task, inputs):
            prints.begin(role, paths)
        references = readings.references()
        if references.data is None or has_errors(references.defects):
            return CompetitionResult(references.defects, ())
        data = references.data
        scorer = _Scorer(task, options, run, data, readings, prints, resamples, seed, inference)
        log = _Log(on_entry)
        jobs = [(path, names.get(path, "")) for path in submissions(task, inputs)]
        if run.jobs > 1 and run.postpone is None:
            _score_overlapping(scorer, jobs, log)
        else:
            for path, given_name in jobs:
                run.check()
                read = scorer.read(path, given_name, run)
                log.add(scorer.finish(read, scorer.evaluate(read), run))
        return CompetitionResult(references.defects, tuple(log.entries), prints.sources())


class _Log:
    """The entries so far, under unique names; `tell` hears of new and of renamed ones."""

    def __init__(self, tell: Callable[[SubmissionResult], None] | None) -> None:
        self.entries: list[SubmissionResult] = []
        self._own_names: list[str] = []
        self._tell = tell

    def add(self, entry: SubmissionResult) -> None:
        """Add the entry of the next submission."""
        self._own_names.append(entry.system)
        known = set(map(id, self.entries))
        self.entries = _unique_entries([*self.entries, entry], self._own_names)
        for one in self.entries:
            if self._tell is not None and id(one) not in known:
                self._tell(one)


READ_AHEAD_BYTES = 64 << 20
"""A larger submission is read when its turn comes: two of them at once may need the memory."""


def _score_overlapping(scorer: _Scorer, jobs: Sequence[tuple[Path, str]], log: _Log) -> None:
    """Score the submissions, while the next one is read and the one before is finished.

    Entries reach the log in their order, and before the next submission is scored to its end, so
    that a cancel keeps them. Where evidence is made by the run, which serves one thread at a time,
    the entry is finished on this thread.
    """
    run = scorer.run
    waiting = threading.Event()
    beside = run.beside(waiting.is_set)

    def wait(future: Future[T]) -> T:
        waiting.set()
        try:
            return run.wait(future)
        finally:
            waiting.clear()

    def finish(read: _ReadSubmission, raw: Evaluation | None, run: Run) -> None:
        log.add(scorer.finish(read, raw, run))

    with beside, ThreadPoolExecutor(2, "jurydesk-beside") as pool:
        ahead: Future[_ReadSubmission] | None = None
        last: Future[None] | None = None
        for number, job in enumerate(jobs):
            run.check()
            read = wait(ahead) if ahead else scorer.read(*job, run)
            following = jobs[number + 1 : number + 2]
            ahead = None
            if following and _is_small(following[0][0]):
                ahead = pool.submit(scorer.read, *following[0], beside)
            raw = scorer.evaluate(read)
            if last is not None:
                wait(last)
            last = None
            if _is_independent(raw):
                last = pool.submit(finish, read, raw, beside)
            else:
                finish(read, raw, run)
        if last is not None:
            wait(last)


def _is_independent(evaluation: Evaluation | None) -> bool:
    """Return whether nobody needs the run to make the evidence of an evaluation."""
    evidence = None if evaluation is None else evaluation.items.evidence
    return evidence is None or isinstance(evidence, ColumnEvidence)


def _is_small(path: Path) -> bool:
    try:
        return path.stat().st_size <= READ_AHEAD_BYTES
    except OSError:
        return True


def reference_paths(task: AnyTask, inputs: Inputs) -> Iterator[tuple[str, Sequence[Path]]]:
    """Yield the files that all systems share, by role; folders of pictures are among them."""
    submission = task.submission_input().role
    for declared in task.inputs:
        if declared.role != submission and inputs.get(declared.role):
            yield declared.role, inputs[declared.role]


def submissions(task: AnyTask, inputs: Inputs) -> tuple[Path, ...]:
    """Return the submissions in the order given; a file that was given twice counts once."""
    unique: dict[Path, Path] = {}
    for path in inputs.get(task.submission_input().role, ()):
        unique.setdefault(path.absolute(), path)
    return tuple(unique.values())


class FileReadings:
    """What readers make of the files of one run; a store keeps it for the next run.

    A competition whose pictures decide numbers is read anew, since its readers look at them too.
    """

    def __init__(
        self, task: AnyTask, inputs: Inputs, options: Any, run: Run, files: FileStore | None
    ) -> None:
        self._task, self._inputs, self._options, self._run = task, inputs, options, run
        self._shared = [path for _, paths in reference_paths(task, inputs) for path in paths]
        versions = tuple(map(stat_file_version, self._shared)) if files is not None else (None,)
        self._store = files if task.scoring.pictures is None and None not in versions else None
        self._key = task, repr(options), versions

    def references(self) -> Reading[Any]:
        """Read the reference files."""
        read = partial(self._task.readers.read_references, self._inputs, self._options, self._run)
        return read() if self._store is None else self._store.read(self._key, self._shared, read)

    def submission(self, path: Path, references: Any, run: Run) -> Reading[Any]:
        """Read a submission to these references."""
        reader = self._task.readers.read_submission
        read = partial(reader, path, references, self._options, run)
        return read() if self._store is None else self._store.read((self._key, path), [path], read)


@dataclass(frozen=True, slots=True, eq=False)
class _ReadSubmission:
    """A submission as it was read, under its own name; without data after errors."""

    path: Path
    name: str
    reading: Reading[Any]
    suspicions: tuple[Defect, ...]


@dataclass(frozen=True, slots=True)
class _Scorer:
    """What is the same for all submissions of one run of the engine."""

    task: AnyTask
    options: Any
    run: Run
    references: Any
    readings: FileReadings
    prints: InputHasher
    resamples: int
    seed: int
    inference: Inference
    used: PictureHasher = field(default_factory=PictureHasher)

    def read(self, path: Path, given_name: str, run: Run) -> _ReadSubmission:
        """Read one submission, and look whether its texts are plausible."""
        role = self.task.submission_input().role
        self.prints.begin(role, (path,))
        reading = self.readings.submission(path, self.references, run)
        name = clean_system_name(given_name or reading.name, path)
        if reading.data is None or has_errors(reading.defects):
            return _ReadSubmission(path, name, replace(reading, data=None), ())
        texts = self.task.submission_checks.submission_texts(self.references, reading.data)
        return _ReadSubmission(path, name, reading, plausibility_defects(path, texts))

    def evaluate(self, read: _ReadSubmission) -> Evaluation | None:
        """Return the scores; None after errors, and where chunks were only written down."""
        if read.reading.data is None:
            return None
        try:
            return self.task.scoring.evaluate(
                self.references, read.reading.data, self.options, self.run
            )
        except ChunksPostponed:
            return None

    def finish(self, read: _ReadSubmission, raw: Evaluation | None, run: Run) -> SubmissionResult:
        """Return the entry of a submission, with intervals and stamp where it was scored."""
        path, name, reading = read.path, read.name, read.reading
        if raw is None:
            return SubmissionResult(path, name, reading.about, reading.defects, None)
        defects = tuple(dict.fromkeys((*reading.defects, *raw.defects, *read.suspicions)))
        scored = add_intervals(self.task, raw, run, self.resamples, self.seed, self.inference)
        source = self.prints.source(self.task.submission_input().role, path)
        stamp = self._stamp(name, scored, source, reading.data, run)
        evaluation = replace(
            scored,
            system=name,
            about=raw.about or reading.about,
            defects=defects,
            stamp=stamp.to_json(),
        )
        return SubmissionResult(path, name, evaluation.about, defects, evaluation)

    def _stamp(
        self, name: str, evaluation: Evaluation, submission: Source, data: Any, run: Run
    ) -> Stamp:
        task, options = self.task, self.options
        pictures = (
            task.scoring.pictures(self.references, data, options) if task.scoring.pictures else {}
        )
        return Stamp(
            task=task.id,
            system=name,
            profile=evaluation.profile,
            options=options_json(options),
            settings=_settings(task, self.references, options),
            references=self._sources("reference"),
            submission=submission,
            resources=task.scoring.resources(self.references, options),
            versions=library_versions(task.scoring.libraries),
            device=device_in_use(self.run.device),
            seeds={"bootstrap": self.seed, "resamples": self.resamples},
            policies={**POLICIES, **self.inference.policies},
            groups=self.inference.source,
            scores=evaluation.scores,
            place=self.run.place,
            folders=self._sources("folder") if task.scoring.pictures else (),
            pictures=self.used.hashes(pictures, run),
            code=code_digest(task),
        )

    def _sources(self, kind: InputKind) -> tuple[Source, ...]:
        """Return the inputs of a kind that all systems share."""
        return tuple(
            source
            for declared in self.task.inputs
            if declared.kind == kind
            for source in self.prints.sources(declared.role)
        )


def _settings(task: AnyTask, references: Any, options: Any) -> dict[str, str]:
    """Return the task's own settings, and every option that differs from its default."""
    settings = dict(task.scoring.settings(references, options))
    default = options_json(task.scoring.options())
    for name, value in options_json(options).items():
        if name != "profile" and name not in settings and value != default[name]:
            settings[name] = str(value)
    return settings


def _unique_entries(
    entries: Sequence[SubmissionResult], own_names: Sequence[str]
) -> list[SubmissionResult]:
    """Return the entries under unique names, which are made of their files' own names."""
    paths = [entry.path for entry in entries]
    names = unique_system_names(list(zip(paths, own_names, strict=True)))
    return [_rename_entry(entry, name) for entry, name in zip(entries, names, strict=True)]


def _rename_entry(entry: SubmissionResult, name: str) -> SubmissionResult:
    if entry.system == name:
        return entry
    evaluation = entry.evaluation
    if evaluation is not None:
        stamp = replace(Stamp.from_json(evaluation.stamp), system=name)
        evaluation = replace(evaluation, system=name, stamp=stamp.to_json())
    return replace(entry, system=name, evaluation=evaluation)
