"""Scoring engine: reads a competition's files, scores submissions, adds intervals and stamps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from jurydesk.core.competition.plug_ins import AT_WORK, PlugInError, contained
from jurydesk.core.competition.task import AnyTask, InputKind, Reading
from jurydesk.core.execution.code_digest import code_digest
from jurydesk.core.execution.device import device_in_use
from jurydesk.core.execution.file_store import FileStore, stat_file_version
from jurydesk.core.execution.groups_file import describe_missing_groups, require_groups
from jurydesk.core.execution.input_hashes import InputHasher, PictureHasher
from jurydesk.core.execution.run import ChunksPostponed
from jurydesk.core.execution.submission_chunks import ALL, submission_request, unpack_submission
from jurydesk.core.execution.submission_scorer import ReadSubmission, SubmissionScorer
from jurydesk.core.execution.workers.worker import LOCAL
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.defects import Defect, Place, has_errors, warning
from jurydesk.core.model.evaluation import Evaluation, Source, UsageError
from jurydesk.core.model.evidence_columns import ColumnEvidence
from jurydesk.core.model.input_file import InputFile, paths_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.model.stamp import Stamp, library_versions
from jurydesk.core.model.system_names import clean_system_name, unique_system_names
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


T = TypeVar("T")
P = ParamSpec("P")

POLICIES = MappingProxyType({"undefined items": "left out of the mean"})


@dataclass(frozen=True, slots=True)
class SubmissionResult:
    """Result of one submission: its system's name, its defects and its evaluation.

    The evaluation is None after errors, and if its chunks were postponed.
    """

    file: InputFile
    system: str
    about: str
    defects: tuple[Defect, ...]
    evaluation: Evaluation | None

    @property
    def path(self) -> Path:
        """Path of the file that was read."""
        return self.file.path


@dataclass(frozen=True, slots=True)
class CompetitionResult:
    """Result of a competition: one entry per submission, in the order given.

    There are no entries after errors in the reference files. `sources` are the input files with
    their SHA-256; a check does not hash files and leaves them empty.
    """

    reference_defects: tuple[Defect, ...]
    entries: tuple[SubmissionResult, ...]
    sources: tuple[Source, ...] = ()

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Defects of all files."""
        return (*self.reference_defects, *(d for entry in self.entries for d in entry.defects))

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """Evaluations of the systems that could be scored."""
        return tuple(entry.evaluation for entry in self.entries if entry.evaluation is not None)


def _ends_alone(work: Callable[Concatenate[AnyTask, P], T]) -> Callable[Concatenate[AnyTask, P], T]:
    """Let the code of a competition end its own work alone: UsageError where it exits."""

    @wraps(work)
    def contained_work(task: AnyTask, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with contained(AT_WORK):
                return work(task, *args, **kwargs)
        except PlugInError as end:
            text = "The competition {title} has a fault: {reason}."
            raise UsageError(fill(text, task.title, end.args[0])) from end

    return contained_work


@_ends_alone
def check_inputs(
    task: AnyTask,
    files: Sequence[InputFile],
    options: Any,
    run: Run,
    *,
    store: FileStore | None = None,
) -> CompetitionResult:
    """Read all files and return their defects, without scoring.

    Args:
        task: The competition.
        files: Files of the competition; a submission's `given_name` replaces that in it.
        options: Instance of `task.scoring.options`.
        run: Progress, cancellation and workers.
        store: Store for the parsed content, so that scoring need not read the files again.

    Raises:
        Cancelled: If the user cancelled the run.
        UsageError: If the competition's code ends the program.
    """
    files = task.readers.arrange(files)
    readings = FileReadings(task, files, options, run, store)
    references = readings.references()
    if references.data is None or has_errors(references.defects):
        return CompetitionResult(references.defects, ())
    scorer = SubmissionScorer(
        task, options, references.data, 0, SEED, Inference(), readings.submission
    )
    entries: list[SubmissionResult] = []
    for file in _submissions(task, files):
        run.check()
        for read, defects in scorer.check(file.path, run):
            name = _system_name(read, file)
            entries.append(SubmissionResult(file, name, read.reading.about, defects, None))
    names_in_files = [entry.system for entry in entries]
    return CompetitionResult(references.defects, tuple(_unique_entries(entries, names_in_files)))


@_ends_alone
def score_submissions(
    task: AnyTask,
    files: Sequence[InputFile],
    options: Any,
    run: Run,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    inference: Inference = Inference(),  # noqa: B008 - frozen
    on_entry: Callable[[SubmissionResult], None] | None = None,
    store: FileStore | None = None,
) -> CompetitionResult:
    """Read all files and score the submissions without errors.

    References are read once; submissions are read, scored and released one after the other. No
    score depends on their order.

    Args:
        task: The competition.
        files: Files of the competition; a submission's `given_name` replaces that in it.
        options: Instance of `task.scoring.options`.
        run: Progress, cancellation and workers.
        resamples: Number of bootstrap resamples.
        seed: Seed of the resamples.
        inference: Interval method and resampling unit.
        on_entry: Function called with each finished entry, and with an earlier entry that is
            renamed because a later system has the same name.
        store: Store of parsed files, which are not read again unless they changed.

    Raises:
        Cancelled: If the user cancelled the run.
        UsageError: If the competition's code ends the program.
    """
    files = task.readers.arrange(files)
    readings = FileReadings(task, files, options, run, store)
    with InputHasher(run.check) as prints:
        for role, paths in readings.shared.items():
            prints.begin(role, paths)
        references = readings.references()
        if references.data is None or has_errors(references.defects):
            return CompetitionResult(references.defects, ())
        shared = SubmissionScorer(
            task, options, references.data, resamples, seed, inference, readings.submission
        )
        scorer = _Scorer(shared, run, prints)
        log = _EntryLog(on_entry)
        jobs = _submissions(task, files)
        if len(jobs) > 1 and run.postpone is None and run.workers.place != LOCAL:
            jobs = _score_remotely(scorer, jobs, log)
        _score_here(scorer, jobs, log)
        defects = (*references.defects, *_missing_groups(task, inference, log.entries))
        return CompetitionResult(defects, tuple(log.entries), prints.sources())


def _missing_groups(
    task: AnyTask, inference: Inference, entries: Sequence[SubmissionResult]
) -> Iterator[Defect]:
    """Yield a warning if the groups that were given lack some of the items."""
    scored = (one.evaluation for one in entries if one.evaluation is not None)
    ids = dict.fromkeys(key for one in scored for key in one.items.ids)
    found = describe_missing_groups(inference, ids, task.item_noun)
    if found:
        path = "groups" if inference.source is None else inference.source.path
        yield warning(Place(path), found)


class _EntryLog:
    """Entries so far, under unique names; `on_entry` is called for new and renamed entries."""

    def __init__(self, on_entry: Callable[[SubmissionResult], None] | None) -> None:
        self.entries: list[SubmissionResult] = []
        self._original_names: list[str] = []
        self._on_entry = on_entry

    def add(self, entry: SubmissionResult) -> None:
        """Add the entry of the next submission."""
        self._original_names.append(entry.system)
        known = set(map(id, self.entries))
        self.entries = _unique_entries([*self.entries, entry], self._original_names)
        for one in self.entries:
            if self._on_entry is not None and id(one) not in known:
                self._on_entry(one)


def _score_remotely(
    scorer: _Scorer, jobs: Sequence[InputFile], log: _EntryLog
) -> Sequence[InputFile]:
    """Score whole submissions on the workers; return those left, which only chunks can score."""
    run, prints, shared = scorer.run, scorer.prints, scorer.scorer
    role = shared.task.submission_input().role
    prints.begin(role, [job.path for job in jobs])
    request = submission_request(
        shared,
        options_json(shared.options),
        [source for source in prints.sources() if source.role != role],
        [replace(prints.source(role, job.path), path=str(job.path)) for job in jobs],
        translatable("Scoring submissions"),
    )
    if request is None:
        return jobs
    for number, (scored, job) in enumerate(zip(run.each(request), jobs, strict=True)):
        if scored.refusal == ALL:
            return jobs[number:]
        found = unpack_submission(shared.task, job.path, scored)
        if found is None:
            _score_here(scorer, [job], log)
            continue
        read, evaluation = found
        log.add(scorer.entry(_FileSubmission(job, read), evaluation, run))
    return []


def _score_here(scorer: _Scorer, jobs: Sequence[InputFile], log: _EntryLog) -> None:
    """Score submissions in turn; only their chunks may be scored elsewhere."""
    run = scorer.run
    if run.jobs > 1 and run.postpone is None:
        _score_overlapping(scorer, jobs, log)
        return
    for job in jobs:
        run.check()
        for named in scorer.read(job, run):
            log.add(scorer.finish(named, scorer.evaluate(named), run))


READ_AHEAD_BYTES = 64 << 20
"""Maximum size of a submission that is read ahead: two large ones may not fit into memory."""


def _score_overlapping(scorer: _Scorer, jobs: Sequence[InputFile], log: _EntryLog) -> None:
    """Score submissions while the next one is read and the previous one is finished.

    Entries reach the log in order, each before the next submission is completely scored, so that
    cancelling preserves them. An entry whose evidence needs the run, which serves one thread at a
    time, is finished on this thread.
    """
    run = scorer.run
    waiting = threading.Event()
    background = run.background_run(waiting.is_set)

    def wait(future: Future[T]) -> T:
        waiting.set()
        try:
            return run.wait(future)
        finally:
            waiting.clear()

    def finish(read: _FileSubmission, raw: Evaluation | None, run: Run) -> None:
        log.add(scorer.finish(read, raw, run))

    with background, ThreadPoolExecutor(2, "jurydesk-beside") as pool:
        ahead: Future[Sequence[_FileSubmission]] | None = None
        last: Future[None] | None = None
        for number, job in enumerate(jobs):
            run.check()
            read = wait(ahead) if ahead else scorer.read(job, run)
            following = jobs[number + 1 : number + 2]
            ahead = None
            if following and _is_small(following[0].path):
                ahead = pool.submit(scorer.read, following[0], background)
            for named in read:
                raw = scorer.evaluate(named)
                if last is not None:
                    wait(last)
                last = None
                if _is_independent(raw):
                    last = pool.submit(finish, named, raw, background)
                else:
                    finish(named, raw, run)
        if last is not None:
            wait(last)


def _is_independent(evaluation: Evaluation | None) -> bool:
    """Return whether the evidence of an evaluation can be loaded without the run."""
    evidence = None if evaluation is None else evaluation.items.evidence
    return evidence is None or isinstance(evidence, ColumnEvidence)


def _is_small(path: Path) -> bool:
    try:
        return path.stat().st_size <= READ_AHEAD_BYTES
    except OSError:
        return True


def _submissions(task: AnyTask, files: Sequence[InputFile]) -> Sequence[InputFile]:
    """Return the submissions in the order given, without duplicates."""
    role = task.submission_input().role
    unique: dict[Path, InputFile] = {}
    for file in files:
        if file.role == role:
            unique.setdefault(file.path.absolute(), file)
    return tuple(unique.values())


class FileReadings:
    """Parsed files of one run, stored for the next run with the same options and file versions."""

    def __init__(
        self,
        task: AnyTask,
        files: Sequence[InputFile],
        options: Any,
        run: Run,
        store: FileStore | None,
    ) -> None:
        self._task, self._options, self._run = task, options, run
        self._inputs, submission = paths_by_role(files), task.submission_input().role
        roles = [one.role for one in task.inputs if one.role != submission]
        self.shared = {role: self._inputs[role] for role in roles if role in self._inputs}
        """Files and picture folders that all systems share, by role."""
        self._shared = [path for paths in self.shared.values() for path in paths]
        versions = [stat_file_version(path) for path in self._shared if store is not None]
        self._store = None if None in versions else store
        counts = tuple((role, len(paths)) for role, paths in self.shared.items())
        self._key = task, repr(options), counts, tuple(versions)

    def references(self) -> Reading[Any]:
        """Read the reference files."""
        read = partial(self._task.readers.read_references, self._inputs, self._options, self._run)
        return read() if self._store is None else self._store.read(self._key, self._shared, read)

    def submission(self, path: Path, references: Any, run: Run) -> Reading[Any]:
        """Read a submission, given the references."""
        reader = self._task.readers.read_submission
        read = partial(reader, path, references, self._options, run)
        return read() if self._store is None else self._store.read((self._key, path), [path], read)


@dataclass(frozen=True, slots=True, eq=False)
class _FileSubmission:
    """Submission as it was read, with the record of its file."""

    file: InputFile
    read: ReadSubmission


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Scoring of the submissions of one run, with names and stamps."""

    scorer: SubmissionScorer
    run: Run
    prints: InputHasher
    used: PictureHasher = field(default_factory=PictureHasher)

    def read(self, file: InputFile, run: Run) -> Sequence[_FileSubmission]:
        """Read one file and check the plausibility of its texts."""
        self.prints.begin(self._role, (file.path,))
        return [_FileSubmission(file, read) for read in self.scorer.read(file.path, run)]

    def evaluate(self, named: _FileSubmission) -> Evaluation | None:
        """Return the scores; None after errors, and if chunks were postponed."""
        try:
            return self.scorer.evaluate(named.read, self.run)
        except ChunksPostponed:
            return None

    def finish(self, named: _FileSubmission, raw: Evaluation | None, run: Run) -> SubmissionResult:
        """Return the entry of a submission, with intervals and stamp if it was scored."""
        scored = None if raw is None else self.scorer.with_intervals(raw, run)
        return self.entry(named, scored, run)

    def entry(
        self, named: _FileSubmission, scored: Evaluation | None, run: Run
    ) -> SubmissionResult:
        """Return the entry of a submission, with its stamp if it was scored."""
        file, reading = named.file, named.read.reading
        name = _system_name(named.read, file)
        if scored is None:
            return SubmissionResult(file, name, reading.about, reading.defects, None)
        require_groups(self.scorer.inference, scored.items.ids)
        defects = tuple(
            dict.fromkeys((*reading.defects, *scored.defects, *named.read.plausibility))
        )
        source = self.prints.source(self._role, file.path)
        stamp = self._stamp(name, scored, source, named.read, run)
        evaluation = replace(
            scored,
            system=name,
            about=scored.about or reading.about,
            defects=defects,
            stamp=stamp.to_json(),
        )
        return SubmissionResult(file, name, evaluation.about, defects, evaluation)

    @property
    def _role(self) -> str:
        return self.scorer.task.submission_input().role

    def _stamp(
        self, name: str, evaluation: Evaluation, submission: Source, read: ReadSubmission, run: Run
    ) -> Stamp:
        scorer, data = self.scorer, read.reading.data
        task, options, references = scorer.task, scorer.options, scorer.references
        # A worker has no data to return, and scores no submission with pictures.
        find = None if data is None else task.scoring.pictures
        pictures = find(references, data, options) if find else {}
        return Stamp(
            task=task.id,
            system=name,
            profile=evaluation.profile,
            options=options_json(options),
            settings=_settings(task, references, options),
            references=self._sources("reference"),
            submission=submission,
            resources=task.scoring.resources(references, options),
            versions=library_versions(task.scoring.libraries),
            device=device_in_use(self.run.device),
            seeds={"bootstrap": scorer.seed, "resamples": scorer.resamples},
            policies={**POLICIES, **scorer.inference.policies},
            groups=scorer.inference.source,
            scores=evaluation.scores,
            place=self.run.place,
            folders=self._sources("folder") if task.scoring.pictures else (),
            pictures=self.used.hashes(pictures, run),
            code=code_digest(task),
            part=read.part,
            metrics=evaluation.metrics,
        )

    def _sources(self, kind: InputKind) -> tuple[Source, ...]:
        return tuple(
            source
            for declared in self.scorer.task.inputs
            if declared.kind == kind
            for source in self.prints.sources(declared.role)
        )


def _system_name(read: ReadSubmission, file: InputFile) -> str:
    """Return the name of a system; a name given to a file of several systems is that of none."""
    return clean_system_name(read.part or file.given_name or read.reading.name, file.path)


def _settings(task: AnyTask, references: Any, options: Any) -> dict[str, str]:
    """Return the task's own settings, and every option that differs from its default."""
    settings = dict(task.scoring.settings(references, options))
    default = options_json(task.scoring.options())
    for name, value in options_json(options).items():
        if name != "profile" and name not in settings and value != default[name]:
            settings[name] = str(value)
    return settings


def _unique_entries(
    entries: Sequence[SubmissionResult], original_names: Sequence[str]
) -> list[SubmissionResult]:
    paths = [entry.path for entry in entries]
    names = unique_system_names(list(zip(paths, original_names, strict=True)))
    return [_rename_entry(entry, name) for entry, name in zip(entries, names, strict=True)]


def _rename_entry(entry: SubmissionResult, name: str) -> SubmissionResult:
    if entry.system == name:
        return entry
    evaluation = entry.evaluation
    if evaluation is not None:
        stamp = replace(Stamp.from_json(evaluation.stamp), system=name)
        evaluation = replace(evaluation, system=name, stamp=stamp.to_json())
    return replace(entry, system=name, evaluation=evaluation)
