"""Small files of keyword spotting by overlap for tests, and recorded cases."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect, Severity
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.oracles import oracle

FILES = {"query_set": "query-set", "query_groups": "query-groups", "words": "words"}
"""Roles of the files that cases give among their options."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scoring a pair gives: an evaluation, unless a defect is an error."""

    evaluation: Evaluation | None
    defects: tuple[Defect, ...]

    def scores(self) -> dict[str, float]:
        """Return the scores by name."""
        assert self.evaluation is not None, [str(one) for one in self.defects]
        return {one.metric: one.value for one in self.evaluation.scores}

    def texts(self, *severities: Severity) -> list[str]:
        """Return the defects of these severities as text."""
        return [str(one) for one in self.defects if one.severity in severities]


def recorded(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file of recorded numbers."""
    text = gzip.decompress(oracle(f"keyword_spotting/overlap/{name}.gz").read_bytes()).decode()
    if name.endswith(".json"):
        return [json.loads(text)]
    return [json.loads(line) for line in text.splitlines()]


def score_files(
    relevance: list[Path], results: Path, options: Mapping[str, Any], folder: Path
) -> Outcome:
    """Score a pair of files; options may hold the text of a file of queries."""
    chosen = dict(options)
    inputs = {"relevance": relevance, "results": [results]}
    for name, role in FILES.items():
        if name in chosen:
            path = folder / name
            path.write_text(chosen.pop(name))
            inputs[role] = [path]
    made, run = KeywordSpottingOptions(**chosen), Run()
    references = TASK.readers.read_references(inputs, made, run)
    if references.data is None or _fails(references.defects):
        return Outcome(None, references.defects)
    reading = TASK.readers.read_submission(results, references.data, made, run)
    defects = (*references.defects, *reading.defects)
    if reading.data is None or _fails(defects):
        return Outcome(None, defects)
    evaluation = TASK.scoring.evaluate(references.data, reading.data, made, run)
    return Outcome(evaluation, (*defects, *evaluation.defects))


def _fails(defects: tuple[Defect, ...]) -> bool:
    return any(one.severity is Severity.ERROR for one in defects)


def score_texts(folder: Path, relevance: str, results: str, **options: Any) -> Outcome:
    """Score two texts, written into files with meaningless names."""
    paths = folder / "one.dat", folder / "two.dat"
    for path, text in zip(paths, (relevance, results), strict=True):
        path.write_bytes(text.encode())
    return score_files([paths[0]], paths[1], options, folder)


def write_formats(folder: Path) -> Iterator[tuple[dict[str, Any], list[Path], Path]]:
    """Yield the recorded cases of file shapes with their files, written into a folder."""
    (found,) = recorded("formats.json")
    for name, text in found["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    for case in found["cases"]:
        relevance = folder / case["relevance"]
        pages = sorted(relevance.iterdir()) if relevance.is_dir() else [relevance]
        yield case, pages, folder / case["results"]
