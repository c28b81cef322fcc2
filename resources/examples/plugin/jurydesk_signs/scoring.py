"""The share of right characters of every sign, computed in chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurydesk.core.competition.task import JsonEvidence, PlainOptions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.chunk import Check, ChunkKind, ChunkRequest, split_items
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, MetricInfo, Score
from jurydesk_signs.readers import Texts

ACCURACY = MetricInfo(
    "accuracy",
    "Character accuracy",
    "One less the edits between reading and sign, divided by the longer of both.",
    (0.0, 1.0),
    "higher",
    "Levenshtein 1966",
    headline=True,
)
EXACT = MetricInfo(
    "exact", "Exact", "Share of signs without any mistake.", (0.0, 1.0), "higher", ""
)
METRICS = (ACCURACY, EXACT)
SIGNS = 5_000
"""Signs in a chunk."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The metric has no parameters."""

    version: int = 1


@dataclass(frozen=True, slots=True)
class Pairs:
    """True texts and readings, equally many."""

    signs: tuple[str, ...]
    readings: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.signs)


@dataclass(frozen=True, slots=True, eq=False)
class Accuracies:
    """The accuracy (signs,) of every pair."""

    values: FloatArray

    def __len__(self) -> int:
        return len(self.values)


def compare(settings: Settings, chunk: Pairs, check: Check) -> Accuracies:
    """Compare the texts of a chunk."""
    from rapidfuzz.distance import Levenshtein

    check()
    pairs = zip(chunk.signs, chunk.readings, strict=True)
    return Accuracies(np.array([Levenshtein.normalized_similarity(*pair) for pair in pairs]))


CHUNK = ChunkKind("signs", compare, Settings, Pairs, Accuracies, inline_limit=SIGNS)


def evaluate(signs: Texts, readings: Texts, options: PlainOptions, run: Run) -> Evaluation:
    """Score one system."""
    names = tuple(signs)
    chunks = [
        Pairs(tuple(signs[name] for name in part), tuple(readings[name] for name in part))
        for part in split_items(names, SIGNS)
    ]
    found = run.each(ChunkRequest(CHUNK, Settings(), chunks, "Comparing", "signs"))
    accuracy = np.concatenate([part.values for part in found])
    columns = {"accuracy": accuracy, "exact": (accuracy == 1.0).astype(np.float64)}
    scores = tuple(
        Score(name, float(column.mean()), len(column), float(column.std()))
        for name, column in columns.items()
    )

    def evidence(row: int) -> JsonEvidence:
        return JsonEvidence({"Sign": signs[names[row]], "Reading": readings[names[row]]})

    return Evaluation(
        "signs", "", options.profile, scores, ItemTable(names, columns, evidence, "sign")
    )
