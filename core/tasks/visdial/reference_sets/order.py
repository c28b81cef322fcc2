"""One build of reference sets: read and check the files, build, write."""

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
"""Decimals that are kept of correlations."""


def write_sets(
    file: BinaryIO,
    dialogs: Conversations,
    parts: Iterable[BuiltSets],
    *,
    correlations: bool = False,
) -> int:
    """Write the sets of all parts, each as soon as it is built; how many there are.

    With `correlations`, every question also has those of its candidates and the threshold.
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

    `train` may be None for the dialogues themselves, `relevance` and `train_relevance` where
    nobody annotated, `embeddings` for method H. `correlations` asks for an .npz beside the sets;
    `explained` writes the candidates' correlations into the sets too.
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


def read_build_inputs(order: BuildSpec, run: Run) -> Reading[Builder]:
    """Read all input files of a build; report every defect of every file at once.

    Raises UsageError where the order asks for what its files cannot give.
    """
    defects: list[Defect] = []
    target = _read_annotated_dialogs(order.dialogs, order.relevance, True, defects, run)
    training = None
    if order.train is not None:
        with_candidates = order.train_relevance is not None
        training = _read_annotated_dialogs(
            order.train, order.train_relevance, with_candidates, defects, run
        )
    if target is None or (order.train is not None and training is None):
        return Reading(None, tuple(defects))
    return Reading(Builder(order.recipe, target, training), tuple(defects))


def _read_annotated_dialogs(
    dialogs: Path, relevance: Path | None, candidates: bool, told: list[Defect], run: Run
) -> AnnotatedDialogs | None:
    """Read dialogues with their annotations; None after an error in either file."""
    run.report(0, 0, f"Reading {dialogs.name}")
    known: Reading[Conversations] = run.call(read_conversations, dialogs, candidates=candidates)
    told += known.defects
    if known.data is None or relevance is None:
        return None if known.data is None else AnnotatedDialogs(known.data)
    chosen: Reading[DenseAnnotations] = run.call(read_dense_annotations, relevance, known.data)
    told += chosen.defects
    return None if chosen.data is None else AnnotatedDialogs(known.data, chosen.data)


def build_and_write(order: BuildSpec, builder: Builder, run: Run) -> BuildSummary:
    """Build the sets and write them, whole or not at all.

    What is finished stays in the run's cache, so that a second run goes on where this one was
    stopped. Raises ResourceMissing, Cancelled, OSError.
    """
    model = None if order.embeddings is None else _opened(order.embeddings, run)
    measured: list[dict[str, FloatArray]] = []
    correlations: list[FloatArray] = []
    truth: list[IntArray] = []
    counts: list[int] = []

    def noted() -> Iterator[BuiltSets]:
        for part in builder.build(model, run):
            measured.append(part.meters)
            if order.correlations is not None:
                correlations.append(part.correlations)
                truth.append(builder.dialogs.truth[part.rows])
            yield part

    def write(file: BinaryIO) -> None:
        counts.append(write_sets(file, builder.dialogs, noted(), correlations=order.explained))

    write_atomically(order.out, write)
    if order.correlations is not None:
        found, true = np.concatenate(correlations), np.concatenate(truth)
        write_atomically(
            order.correlations, lambda file: np.savez(file, correlations=found, gt_index=true)
        )
    return BuildSummary(counts[0], summarize_meters(measured))


def _opened(path: Path, run: Run) -> FastText:
    run.report(0, 0, f"Opening {path.name}")
    return run.call(FastText, path)
