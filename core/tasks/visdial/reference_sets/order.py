"""Build of a reference-set file: reading and checking of the inputs, selection, writing."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.run import Run
from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText
from jurydesk.core.tasks.visdial.reference_sets.builder import (
    AnnotatedDialogs,
    Builder,
    BuildOptions,
    BuiltSets,
)
from jurydesk.core.tasks.visdial.reference_sets.conversations import (
    Conversations,
    read_conversations,
)
from jurydesk.core.tasks.visdial.reference_sets.meters import Meter, summarize_meters
from jurydesk.core.tasks.visdial.reference_sets.relevance import (
    DenseAnnotations,
    read_dense_annotations,
)

DIGITS = 4
"""Decimals of correlations in the file."""


def write_sets(
    file: BinaryIO,
    dialogs: Conversations,
    parts: Iterable[BuiltSets],
    *,
    correlations: bool = False,
) -> int:
    """Write each part as soon as it is built; return the number of sets.

    With `correlations`, entries also contain the candidates' correlations and the threshold.
    """
    count = 0
    for part in parts:
        for entry in set_entries(dialogs, part, correlations=correlations):
            file.write(b",\n" if count else b"[\n")
            file.write(json.dumps(entry).encode())
            count += 1
    file.write(b"\n]\n" if count else b"[]\n")
    return count


def set_entries(
    dialogs: Conversations, part: BuiltSets, *, correlations: bool
) -> Iterator[dict[str, Json]]:
    """Yield the published object of every round of a part."""
    for i, row in enumerate(part.rows.tolist()):
        mask = part.masks[i].tolist()
        options = dialogs.candidates[row].tolist()
        image, number = dialogs.key(row)
        entry: dict[str, Json] = {
            "image_id": image,
            "round_id": number,
            "in_cluster_idxs": [int(marked) for marked in mask],
            "refs": [dialogs.answers[n] for n, marked in zip(options, mask, strict=True) if marked],
            "question": dialogs.questions[dialogs.question[row]],
            "gt_answer": dialogs.answers[dialogs.answer[row]],
        }
        if correlations:
            entry["correlations"] = [_round(one) for one in part.correlations[i].tolist()]
            entry["threshold"] = _round(float(part.thresholds[i]))
        yield entry


def _round(value: float) -> float | None:
    return round(value, DIGITS) if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class BuildSpec:
    """Input files, options and output file of a reference-set build.

    Without `train`, the dialogues themselves are the training data. `relevance` and
    `train_relevance` are optional; method H needs no `embeddings`. `correlations` is the path of
    an .npz with all correlations; `explained` also writes the correlations into the sets.
    """

    dialogs: Path
    out: Path
    recipe: BuildOptions
    embeddings: Path | None = None
    relevance: Path | None = None
    train: Path | None = None
    train_relevance: Path | None = None
    correlations: Path | None = None
    explained: bool = False


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """Summary of a build: number of sets written and their statistics."""

    sets: int
    meters: tuple[Meter, ...]


def read_build_inputs(spec: BuildSpec, run: Run) -> Reading[Builder]:
    """Read all input files of a build; report the defects of all files at once.

    Raises UsageError if the options need a file that is not given.
    """
    defects: list[Defect] = []
    target = _read_annotated_dialogs(spec.dialogs, spec.relevance, True, defects, run)
    training = None
    if spec.train is not None:
        with_candidates = spec.train_relevance is not None
        training = _read_annotated_dialogs(
            spec.train, spec.train_relevance, with_candidates, defects, run
        )
    if target is None or (spec.train is not None and training is None):
        return Reading(None, tuple(defects))
    return Reading(Builder(spec.recipe, target, training), tuple(defects))


def _read_annotated_dialogs(
    dialogs: Path, relevance: Path | None, candidates: bool, defects: list[Defect], run: Run
) -> AnnotatedDialogs | None:
    """Read dialogues with their annotations; return None after an error in either file."""
    run.report(0, 0, fill("Reading {name}", dialogs.name))
    conversations: Reading[Conversations] = run.call(
        read_conversations, dialogs, candidates=candidates
    )
    defects += conversations.defects
    if conversations.data is None or relevance is None:
        return None if conversations.data is None else AnnotatedDialogs(conversations.data)
    annotations: Reading[DenseAnnotations] = run.call(
        read_dense_annotations, relevance, conversations.data
    )
    defects += annotations.defects
    if annotations.data is None:
        return None
    return AnnotatedDialogs(conversations.data, annotations.data)


def build_and_write(spec: BuildSpec, builder: Builder, run: Run) -> BuildSummary:
    """Build the sets and write them atomically.

    Finished chunks stay in the run's cache, so that a stopped build can be resumed.
    Raises ResourceMissing, Cancelled, OSError.
    """
    model = None if spec.embeddings is None else _open_embeddings(spec.embeddings, run)
    measured: list[dict[str, FloatArray]] = []
    correlations: list[FloatArray] = []
    truth: list[IntArray] = []
    counts: list[int] = []

    def measured_parts() -> Iterator[BuiltSets]:
        for part in builder.build(model, run):
            measured.append(part.meters)
            if spec.correlations is not None:
                correlations.append(part.correlations)
                truth.append(builder.dialogs.truth[part.rows])
            yield part

    def write(file: BinaryIO) -> None:
        counts.append(
            write_sets(file, builder.dialogs, measured_parts(), correlations=spec.explained)
        )

    write_atomically(spec.out, write)
    if spec.correlations is not None:
        values, indices = np.concatenate(correlations), np.concatenate(truth)
        write_atomically(
            spec.correlations, lambda file: np.savez(file, correlations=values, gt_index=indices)
        )
    return BuildSummary(counts[0], summarize_meters(measured))


def _open_embeddings(path: Path, run: Run) -> FastText:
    run.report(0, 0, fill("Opening {name}", path.name))
    return run.call(FastText, path)
