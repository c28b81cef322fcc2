"""Chunks of one submission each, which a worker reads, checks and scores with its intervals.

They keep the desk's own share of the work small. A worker refuses what it cannot do exactly as the
desk would: other versions or resources, pictures, and networks, whose chunks are sent one by one.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from jurydesk.core.competition.task import AnyTask, Reading
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.desk.codec import DamagedContentError
from jurydesk.core.desk.evaluation_rows import EvaluationRows, pack_evaluation, unpack_rows
from jurydesk.core.execution.code_digest import code_digest
from jurydesk.core.execution.run import ChunksPostponed, Run
from jurydesk.core.execution.submission_scorer import ReadSubmission, SubmissionScorer
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest
from jurydesk.core.model.chunk_codec import NO_IDENTITY, content_digest
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import (
    Evaluation,
    Json,
    ResourceMissing,
    Source,
    UsageError,
)
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.model.options import options_from_json
from jurydesk.core.model.stamp import METRICS, library_versions, stamped_metrics
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import fingerprint

MOST_BYTES = 1 << 28
"""Largest file that is sent; a larger one stays with the desk, which sends chunks of it."""

THIS = "this"
ALL = "all"

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class SubmissionSettings:
    """Everything that the submissions of one run share.

    Attributes:
        task: Id of the competition.
        options: Options as JSON.
        inference: Interval method, resampling unit, number of resamples and seed.
        checks: Versions, code and resources, which must be the same on the worker.
        references: Role, path and SHA-256 of each reference file.
        content: Contents of the reference files, concatenated.
        sizes: Number of bytes of each file.
    """

    task: str
    options: dict[str, Json]
    inference: dict[str, Json]
    checks: dict[str, Json]
    references: tuple[tuple[str, str, str], ...]
    content: Bytes = field(metadata=NO_IDENTITY)
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SubmissionChunk:
    """One submission; `content` is None where the worker reads `path` itself."""

    path: str
    sha256: str
    content: Bytes | None = field(default=None, metadata=NO_IDENTITY)

    def __len__(self) -> int:
        return 1


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSubmission:
    """What a worker returns: the rows of the evaluation that a desk stores, and the defects.

    Attributes:
        refusal: Why it was not scored here: `this` submission, or `all` of the run; else empty.
        name: Name in the file.
        about: Description in the file.
        defects: Defects of reading, as JSON.
        plausibility: Defects of its texts, as JSON.
        rows: `EvaluationRows` with intervals and without a stamp, as JSON with bytes; None after
            errors.
        metrics: Metrics that the evaluation declares, as JSON; a desk has them in the stamp.
    """

    refusal: str = ""
    name: str = ""
    about: str = ""
    defects: Json = ()
    plausibility: Json = ()
    rows: Json = None
    metrics: Json = ()

    def __len__(self) -> int:
        """Return 0 for a refusal, which no cache may repeat."""
        return 0 if self.refusal else 1


def unpack_submission(
    task: AnyTask, path: Path, scored: ScoredSubmission
) -> tuple[ReadSubmission, Evaluation | None] | None:
    """Return what a worker found; None if it refused, or if the rows of a cache are damaged."""
    if scored.refusal:
        return None
    try:
        defects, plausibility = (
            from_json(tuple[Defect, ...], some) for some in (scored.defects, scored.plausibility)
        )
        evaluation = None
        if scored.rows is not None:
            rows = from_json(EvaluationRows, scored.rows)
            metrics = stamped_metrics({METRICS: scored.metrics})
            evaluation = unpack_rows(rows, task.readers.load_evidence)
            evaluation = replace(evaluation, metrics=metrics)
    except (KeyError, TypeError, ValueError, DamagedContentError):
        return None
    reading: Reading[Any] = Reading(None, defects, scored.name, scored.about)
    return ReadSubmission(path, reading, plausibility), evaluation


def submission_request(
    scorer: SubmissionScorer,
    options: Mapping[str, Json],
    references: Sequence[Source],
    submissions: Sequence[Source],
    text: str,
) -> ChunkRequest[Any, Any, Any] | None:
    """Return the request that scores the submissions; None if only the desk can score them."""
    task = scorer.task
    pictures = task.scoring.pictures is not None
    folders = [one for one in references if not one.sha256]
    files = [one for one in references if one.sha256]
    if (
        find_competition(task.id) is not task
        or options_from_json(task.scoring.options, options) != scorer.options
        or (pictures and folders)
        or sum(one.size for one in files) > MOST_BYTES
    ):
        return None
    contents = [Path(one.path).read_bytes() for one in files]
    inference = scorer.inference
    settings = SubmissionSettings(
        task.id,
        dict(options),
        {
            "interval": inference.interval,
            "grouped": inference.grouped,
            "labels": dict(inference.labels),
            "resamples": scorer.resamples,
            "seed": scorer.seed,
        },
        _checks(task, scorer.references, scorer.options),
        tuple((one.role, one.path, one.sha256) for one in files),
        np.frombuffer(b"".join(contents), np.uint8),
        tuple(map(len, contents)),
    )
    chunks = [SubmissionChunk(one.path, one.sha256) for one in submissions]
    return ChunkRequest(SUBMISSIONS, settings, chunks, text, "systems")


def _checks(task: AnyTask, references: Any, options: Any) -> dict[str, Json]:
    return {
        "code": code_digest(task),
        "versions": dict(library_versions(task.scoring.libraries)),
        "resources": dict(task.scoring.resources(references, options)),
    }


def with_content(chunk: SubmissionChunk, by_path: bool) -> SubmissionChunk:
    """Return the chunk with the bytes of its file, unless all machines have its path."""
    path = Path(chunk.path)
    try:
        if (by_path and path.is_absolute()) or path.stat().st_size > MOST_BYTES:
            return chunk
        return replace(chunk, content=np.frombuffer(path.read_bytes(), np.uint8))
    except OSError:
        return chunk


class _WorkerRun(Run):
    """Run of a worker, which leaves networks and their pictures to the desk."""

    def each(self, request: ChunkRequest[Any, Any, Any]) -> Iterator[Any]:
        """Yield the statistics of every chunk; raise ChunksPostponed for those of networks."""
        if request.kind.on_device or request.kind.embed_files is not None:
            raise ChunksPostponed
        return super().each(request)


@dataclass(frozen=True, slots=True, eq=False)
class _OpenCompetition:
    """Competition whose references a worker has read; without a scorer it refuses them."""

    key: str
    scorer: SubmissionScorer | None
    places: Mapping[str, str]


_lock = threading.Lock()
_open: list[_OpenCompetition] = []


def score_submission(
    settings: SubmissionSettings, chunk: SubmissionChunk, check: Check
) -> ScoredSubmission:
    """Read, check and score one submission."""
    with _WorkerRun(jobs=1) as run:
        try:
            return _score(settings, chunk, run)
        except (ChunksPostponed, UsageError, ResourceMissing):
            return ScoredSubmission(ALL)


def _score(settings: SubmissionSettings, chunk: SubmissionChunk, run: Run) -> ScoredSubmission:
    with _lock:
        competition = _competition(settings, run)
    scorer = competition.scorer
    if scorer is None:
        return ScoredSubmission(ALL)
    if chunk.content is None and not _is_same_file(chunk):
        return ScoredSubmission(THIS)
    with _files([(chunk.path, chunk.content)]) as (paths, places):
        read, *others = scorer.read(paths[0], run)
        if others or read.part:
            return ScoredSubmission(THIS)
        data = read.reading.data
        pictures = scorer.task.scoring.pictures
        if data is not None and pictures and pictures(scorer.references, data, scorer.options):
            return ScoredSubmission(ALL)
        evaluation = scorer.evaluate(read, run)
        if evaluation is not None:
            evaluation = scorer.with_intervals(evaluation, run)
            known = {**competition.places, **places}
            evaluation = replace(
                evaluation, defects=_with_original_places(evaluation.defects, known)
            )
        return ScoredSubmission(
            "",
            read.reading.name,
            read.reading.about,
            to_json(_with_original_places(read.reading.defects, places), messages=True),
            to_json(_with_original_places(read.plausibility, places), messages=True),
            None if evaluation is None else to_json(pack_evaluation(evaluation)),
            to_json(evaluation.metrics, messages=True) if evaluation else (),
        )


def _is_same_file(chunk: SubmissionChunk) -> bool:
    """Return whether the worker sees the file of the desk, and not another of the same path."""
    try:
        return fingerprint(Path(chunk.path)).sha256 == chunk.sha256
    except OSError:
        return False


def _competition(settings: SubmissionSettings, run: Run) -> _OpenCompetition:
    """Return the competition of the settings, which is read once per process."""
    key = content_digest(settings)
    if not _open or _open[0].key != key:
        _open[:] = [_opened(key, settings, run)]
    return _open[0]


def _opened(key: str, settings: SubmissionSettings, run: Run) -> _OpenCompetition:
    none = _OpenCompetition(key, None, {})
    task = find_competition(settings.task)
    if task is None:
        return none
    options = options_from_json(task.scoring.options, settings.options)
    ends = np.cumsum(settings.sizes, dtype=np.int64)
    contents = np.split(settings.content, ends)[: len(ends)]
    named = [path for _, path, _ in settings.references]
    with _files(list(zip(named, contents, strict=True))) as (paths, places):
        inputs: dict[str, list[Path]] = {}
        for (role, *_), path in zip(settings.references, paths, strict=True):
            inputs.setdefault(role, []).append(path)
        reading = task.readers.read_references(inputs, options, run)
        if reading.data is None or _checks(task, reading.data, options) != settings.checks:
            return none
    given = settings.inference
    inference = Inference(given["interval"], grouped=given["grouped"], labels=given["labels"])
    scorer = SubmissionScorer(
        task,
        options,
        reading.data,
        given["resamples"],
        given["seed"],
        inference,
        lambda path, references, run: task.readers.read_submission(path, references, options, run),
    )
    return _OpenCompetition(key, scorer, places)


@contextmanager
def _files(
    files: Sequence[tuple[str, Bytes | None]],
) -> Iterator[tuple[list[Path], dict[str, str]]]:
    """Return paths of files with these contents, and the original of each path."""
    with tempfile.TemporaryDirectory(prefix="jurydesk-", ignore_cleanup_errors=True) as name:
        paths, places = [], {}
        for number, (original, content) in enumerate(files):
            path = Path(original)
            if content is not None:
                # Readers name a system by its file.
                path = Path(name, str(number), path.name)
                path.parent.mkdir()
                path.write_bytes(content.data)
                places[str(path)] = original
            paths.append(path)
        yield paths, places


def _with_original_places(
    defects: tuple[Defect, ...], places: Mapping[str, str]
) -> tuple[Defect, ...]:
    """Return the defects at the original places."""
    return tuple(
        replace(one, place=replace(one.place, path=places.get(one.place.path, one.place.path)))
        for one in defects
    )


SUBMISSIONS = ChunkKind(
    id="submission",
    score=score_submission,
    settings=SubmissionSettings,
    chunk=SubmissionChunk,
    statistics=ScoredSubmission,
    releases_gil=False,
    embed_files=with_content,
)
