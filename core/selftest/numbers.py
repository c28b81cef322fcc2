"""Self-test of scores: recorded numbers of the original programs, computed again."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.core.language import Message, counted, fill, translatable
from jurydesk.core.library.metrics import frechet_distance
from jurydesk.core.library.results import Result
from jurydesk.core.library.scoring import score
from jurydesk.core.metrics.meteor import profile
from jurydesk.core.metrics.meteor.alignment import engine as aligner
from jurydesk.core.metrics.meteor.alignment import engine_compiled
from jurydesk.core.metrics.meteor.scorer import Meteor, shared_meteor
from jurydesk.core.model.evaluation import Json, ResourceMissing
from jurydesk.core.selftest.check import Check
from jurydesk.core.system.paths import resources_folder

PART = "numbers"
ORIGINS = (translatable("the organisers' program"), translatable("the nuclear norm, in NumPy"))
"""Origins of recorded numbers that are described, not named."""
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Vector:
    """Test vector: files of a competition with the numbers of the original program.

    `scores` are by metric, `items` by item and metric; both are compared within `tolerance`.
    """

    name: str
    origin: str
    task: str
    files: Mapping[str, str]
    roles: Mapping[str, Sequence[str]]
    options: Mapping[str, Any]
    scores: Mapping[str, float]
    items: Mapping[str, Mapping[str, float]]
    tolerance: float


def vectors() -> tuple[list[Vector], Json]:
    """Return the recorded vectors of competitions and of functions."""
    path = resources_folder() / "selftest" / "vectors.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    return [Vector(**one) for one in content["competitions"]], content["functions"]


def number_checks() -> Iterator[Check]:
    """Compute all recorded numbers again, METEOR with each engine."""
    competitions, functions = vectors()
    for vector in competitions:
        yield competition_check(vector)
    yield from meteor_checks(functions["meteor"])
    yield distance_check(functions["frechet"])


def competition_check(vector: Vector) -> Check:
    """Score a vector with one and with all processors, and compare with the recording."""
    name = f"{vector.task}: {vector.name}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            one = score_vector(vector, Path(folder), jobs=1)
            several = score_vector(vector, Path(folder), jobs=None)
    except ResourceMissing as missing:
        return Check(PART, name, "absent", str(missing))
    wrong = [*differences(vector, one), *unequal(one, several)]
    if wrong:
        return Check(PART, name, "differs", "; ".join(wrong[:SHOWN]))
    count = len(vector.scores) + sum(map(len, vector.items.values()))
    return Check(
        PART,
        name,
        "ok",
        fill("{numbers} of {origin}.", counted(count, "number"), Message(vector.origin)),
    )


def score_vector(vector: Vector, folder: Path, jobs: int | None) -> Result:
    """Score the files of a vector."""
    for file, text in vector.files.items():
        (folder / file).write_text(text, encoding="utf-8")
    arguments: dict[str, Any] = dict(vector.options)
    for role, names in vector.roles.items():
        arguments[role] = [folder / name for name in names]
    return score(vector.task, jobs=jobs, **arguments)


def differences(vector: Vector, result: Result) -> Iterator[str]:
    """Yield a sentence for each number that differs from the recorded one."""
    (system,) = result
    for metric, wanted in vector.scores.items():
        found = system.scores.get(metric, math.nan)
        if not is_close(found, wanted, vector.tolerance):
            yield fill(
                "{metric} is {found}, recorded {wanted}", Message(metric), repr(found), repr(wanted)
            )
    table = system.evaluation.items
    rows = {key: row for row, key in enumerate(table.ids)}
    for item, values in vector.items.items():
        for metric, wanted in values.items():
            found = float(table.columns[metric][rows[item]]) if item in rows else math.nan
            if not is_close(found, wanted, vector.tolerance):
                name = f"{metric} of {item}"
                yield fill("{name} is {found}, recorded {wanted}", name, repr(found), repr(wanted))


def is_close(found: float, wanted: float, tolerance: float) -> bool:
    """Return whether two numbers are equal within the tolerance."""
    return found == wanted or abs(found - wanted) <= tolerance


def unequal(one: Result, several: Result) -> Iterator[str]:
    """Yield a sentence for each column that depends on the number of processors."""
    columns = zip(one, several, strict=True)
    for first, second in columns:
        for name, column in first.evaluation.items.columns.items():
            if not np.array_equal(column, second.evaluation.items.columns[name], equal_nan=True):
                yield fill("{name} depends on the number of processors", name)


def meteor_checks(rows: Sequence[Json]) -> Iterator[Check]:
    """Compare the scores of each METEOR engine with those of the jar, bit for bit."""
    engines: tuple[aligner.Engine, ...] = (
        ("compiled", "python") if engine_compiled.AVAILABLE else ("python",)
    )
    try:
        index = shared_meteor().index
    except ResourceMissing as missing:
        yield Check(PART, "METEOR", "absent", str(missing))
        return
    for engine in engines:
        scorer = Meteor(index, engine)
        wrong = [
            fill(
                "{row} is {found}, recorded {row2}",
                repr(row["hyp"]),
                repr(found),
                repr(row["score"]),
            )
            for row in rows
            for found in [scorer.score(row["hyp"], row["refs"], profile(row["config"])).score]
            if found != row["score"]
        ]
        text = "; ".join(wrong[:SHOWN]) or fill(
            "{rows} scores of meteor-1.5.jar, bit for bit.", len(rows)
        )
        name = fill("METEOR, {engine} engine", engine)
        yield Check(PART, name, "differs" if wrong else "ok", text)


def distance_check(case: Json) -> Check:
    """Compare the exact Fréchet distance with the recorded one."""
    found = frechet_distance(case["first"], case["second"], trace="exact")
    name = translatable("Fréchet distance")
    if not is_close(found, case["exact"], case["tolerance"]):
        text = fill("It is {found}, recorded {case}.", repr(found), repr(case["exact"]))
        return Check(PART, name, "differs", text)
    origin = case["origin"]
    return Check(PART, name, "ok", fill("The number of {origin}.", Message(origin)))
