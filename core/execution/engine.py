"""The engine: reads a competition's files, scores every submission, adds intervals and stamps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.task import AnyTask, InputKind, Inputs, Reading
from jurydesk.core.execution.device import device_in_use
from jurydesk.core.execution.file_store import FileStore, version_of
from jurydesk.core.execution.input_hashes import Fingerprints, UsedPictures
from jurydesk.core.execution.intervals import with_intervals
from jurydesk.core.execution.plausibility import suspicions
from jurydesk.core.execution.run import Postponed
from jurydesk.core.execution.system_names import own_name, system_names
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation, Source
from jurydesk.core.model.options import options_json
from jurydesk.core.provenance.stamp import Stamp, versions
from jurydesk.core.statistics.bootstrap import RESAMPLES, SEED
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


POLICIES = MappingProxyType({"undefined items": "left out of the mean"})


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one submission: its name, its defects, and its evaluation.

    There is none after errors, and where chunks were only written down.
    """

    path: Path
    system: str
    about: str
    defects: tuple[Defect, ...]
    evaluation: Evaluation | None


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a competition: one entry for each submission, in the order given.

    After errors in the reference files there is none. `sources` are the files that were read,
    with their SHA-256; checking does not hash and leaves them empty.
    """

    reference_defects: tuple[Defect, ...]
    entries: tuple[Entry, ...]
    sources: tuple[Source, ...] = ()

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Every defect of every file."""
        return (*self.reference_defects, *(d for entry in self.entries for d in entry.defects))

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The systems that could be scored."""
        return tuple(entry.evaluation for entry in self.entries if entry.evaluation is not None)


def check(
    task: AnyTask,
    inputs: Inputs,
    options: Any,
    run: Run,
    *,
    names: Mapping[Path, str] = MappingProxyType({}),
    files: FileStore | None = None,
) -> Result:
    """Read every file and list every defect, without scoring.

    `options` is an instance of `task.scoring.options`; `names` gives systems another name by
    their path. What is read is kept in `files`. Raises Cancelled.
    """
    readings = Readings(task, inputs, options, run, files)
    references = readings.references()
    if references.data is None or has_errors(references.defects):
        return Result(references.defects, ())
    entries: list[Entry] = []
    for path in submissions(task, inputs):
        run.check()
        reading = readings.submission(path, references.data)
        name = own_name(names.get(path) or reading.name, path)
        entries.append(Entry(path, name, reading.about, reading.defects, None))
    own_names = [entry.system for entry in entries]
    return Result(references.defects, tuple(_named(entries, own_names)))


def score(
    task: AnyTask,
    inputs: Inputs,
    options: Any,
    run: Run,
    *,
    names: Mapping[Path, str] = MappingProxyType({}),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    inference: Inference = Inference(),  # noqa: B008 - frozen
    on_entry: Callable[[Entry], None] | None = None,
    files: FileStore | None = None,
) -> Result:
    """Read every file and score every submission that has no error.

    The references are read once; submissions are read, scored and forgotten one after the other.
    `on_entry` hears of each at once, and again of an earlier one whose name a later submission
    has too. No number depends on the order of the submissions. What `files` has of the same
    versions of the files is not read again. Raises Cancelled.
    """
    readings = Readings(task, inputs, options, run, files)
    with Fingerprints(run.check) as prints:
        for role, paths in reference_paths(task, inputs):
            prints.begin(role, paths)
        references = readings.references()
        if references.data is None or has_errors(references.defects):
            return Result(references.defects, ())
        data = references.data
        scorer = _Scorer(task, options, run, data, readings, prints, resamples, seed, inference)
        entries: list[Entry] = []
        own_names: list[str] = []
        for path in submissions(task, inputs):
            run.check()
            entry = scorer.entry(path, names.get(path, ""))
            own_names.append(entry.system)
            earlier, entries = entries, _named([*entries, entry], own_names)
            known = set(map(id, earlier))
            for one in entries:
                if on_entry is not None and id(one) not in known:
                    on_entry(one)
        return Result(references.defects, tuple(entries), prints.sources())


def reference_paths(task: AnyTask, inputs: Inputs) -> Iterator[tuple[str, Sequence[Path]]]:
    """The files that all systems share, by role; folders of pictures are among them."""
    submission = task.submission_input().role
    for declared in task.inputs:
        if declared.role != submission and inputs.get(declared.role):
            yield declared.role, inputs[declared.role]


def submissions(task: AnyTask, inputs: Inputs) -> tuple[Path, ...]:
    """The submissions in the order given; a file that was given twice counts once."""
    unique: dict[Path, Path] = {}
    for path in inputs.get(task.submission_input().role, ()):
        unique.setdefault(path.absolute(), path)
    return tuple(unique.values())


class Readings:
    """What readers make of the files of one run; a store keeps it for the next run.

    A competition whose pictures decide numbers is read anew, since its readers look at them too.
    """

    def __init__(
        self, task: AnyTask, inputs: Inputs, options: Any, run: Run, files: FileStore | None
    ) -> None:
        self._task, self._inputs, self._options, self._run = task, inputs, options, run
        self._shared = [path for _, paths in reference_paths(task, inputs) for path in paths]
        versions = tuple(map(version_of, self._shared)) if files is not None else (None,)
        self._store = files if task.scoring.pictures is None and None not in versions else None
        self._key = task, repr(options), versions

    def references(self) -> Reading[Any]:
        """Read the reference files."""
        read = partial(self._task.readers.read_references, self._inputs, self._options, self._run)
        return read() if self._store is None else self._store.read(self._key, self._shared, read)

    def submission(self, path: Path, references: Any) -> Reading[Any]:
        """Read a submission to these references."""
        reader = self._task.readers.read_submission
        read = partial(reader, path, references, self._options, self._run)
        return read() if self._store is None else self._store.read((self._key, path), [path], read)


@dataclass(frozen=True, slots=True)
class _Scorer:
    """What is the same for all submissions of one run of the engine."""

    task: AnyTask
    options: Any
    run: Run
    references: Any
    readings: Readings
    prints: Fingerprints
    resamples: int
    seed: int
    inference: Inference
    used: UsedPictures = field(default_factory=UsedPictures)

    def entry(self, path: Path, given_name: str) -> Entry:
        """Read, score and stamp one submission; with errors it gets no evaluation."""
        role = self.task.submission_input().role
        self.prints.begin(role, (path,))
        reading = self.readings.submission(path, self.references)
        name = own_name(given_name or reading.name, path)
        if reading.data is None or has_errors(reading.defects):
            return Entry(path, name, reading.about, reading.defects, None)
        try:
            raw = self.task.scoring.evaluate(self.references, reading.data, self.options, self.run)
        except Postponed:
            return Entry(path, name, reading.about, reading.defects, None)
        odd = suspicions(
            path, self.task.submission_checks.submission_texts(self.references, reading.data)
        )
        defects = tuple(dict.fromkeys((*reading.defects, *raw.defects, *odd)))
        scored = with_intervals(self.task, raw, self.run, self.resamples, self.seed, self.inference)
        stamp = self._stamp(name, scored, self.prints.source(role, path), reading.data)
        evaluation = replace(
            scored,
            system=name,
            about=raw.about or reading.about,
            defects=defects,
            stamp=stamp.to_json(),
        )
        return Entry(path, name, evaluation.about, defects, evaluation)

    def _stamp(self, name: str, evaluation: Evaluation, submission: Source, data: Any) -> Stamp:
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
            versions=versions(task.scoring.libraries),
            device=device_in_use(self.run.device),
            seeds={"bootstrap": self.seed, "resamples": self.resamples},
            policies={**POLICIES, **self.inference.policies},
            groups=self.inference.source,
            scores=evaluation.scores,
            place=self.run.place,
            folders=self._sources("folder") if task.scoring.pictures else (),
            pictures=self.used.hashes(pictures, self.run),
        )

    def _sources(self, kind: InputKind) -> tuple[Source, ...]:
        """The inputs of a kind that all systems share."""
        return tuple(
            source
            for declared in self.task.inputs
            if declared.kind == kind
            for source in self.prints.sources(declared.role)
        )


def _settings(task: AnyTask, references: Any, options: Any) -> dict[str, str]:
    """The task's own settings, and every option that differs from its default."""
    settings = dict(task.scoring.settings(references, options))
    default = options_json(task.scoring.options())
    for name, value in options_json(options).items():
        if name != "profile" and name not in settings and value != default[name]:
            settings[name] = str(value)
    return settings


def _named(entries: Sequence[Entry], own_names: Sequence[str]) -> list[Entry]:
    """The entries under unique names, which are made of their files' own names."""
    paths = [entry.path for entry in entries]
    names = system_names(list(zip(paths, own_names, strict=True)))
    return [_renamed(entry, name) for entry, name in zip(entries, names, strict=True)]


def _renamed(entry: Entry, name: str) -> Entry:
    if entry.system == name:
        return entry
    evaluation = entry.evaluation
    if evaluation is not None:
        stamp = replace(Stamp.from_json(evaluation.stamp), system=name)
        evaluation = replace(evaluation, system=name, stamp=stamp.to_json())
    return replace(entry, system=name, evaluation=evaluation)
