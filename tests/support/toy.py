"""A minimal competition: the distance of guessed numbers from the true ones.

Every line of a file is `id value`; a submission may begin with `# its name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Input, Inputs, Readers, Reading, Scoring, Sniff, Task
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    FloatArray,
    ItemTable,
    Json,
    MetricInfo,
    Score,
)
from jurydesk.core.model.options import option


@dataclass(frozen=True, slots=True)
class Options:
    profile: str = option("published", "Whose rules.", choices=("published", "corrected"))
    missing: str = option("skip", "What a missing item counts.", choices=("skip", "zero"))


@dataclass(frozen=True, slots=True)
class Guess:
    wanted: float
    given: float

    def to_json(self) -> Json:
        return {"wanted": self.wanted, "given": self.given}

    @classmethod
    def from_json(cls, data: Json) -> Guess:
        return cls(data["wanted"], data["given"])


def _root(rows: FloatArray) -> float:
    return float(np.sqrt(rows[:, 0].mean()))


CLOSENESS = MetricInfo(
    "closeness", "Closeness", "One less the distance.", (0.0, 1.0), "higher", "", headline=True
)
ERROR = MetricInfo(
    "rmse",
    "Error",
    "Root of the mean square.",
    (0.0, 9.0),
    "lower",
    "",
    "own",
    ("square",),
    _root,
    fewest_groups=2,
)
COUNT = MetricInfo("listed", "Listed", "Items given.", (0.0, 9.0), "neither", "", "sum")


def read(path: Path) -> Reading[Mapping[str, float]]:
    values: dict[str, float] = {}
    defects: list[Defect] = []
    name = ""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        return Reading(None, (error(Place(str(path)), f"The file cannot be read: {fault}."),))
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            name = line[1:].strip()
            continue
        key, _, text = line.partition(" ")
        try:
            values[key] = float(text)
        except ValueError:
            place = Place(str(path), number)
            defects.append(error(place, f'"{text}" is no number.', "A line is: id value."))
    return Reading(values if not defects else None, tuple(defects), name)


def read_references(inputs: Inputs, options: Options, run: Run) -> Reading[Mapping[str, float]]:
    return read(inputs["truth"][0])


def read_submission(
    path: Path, references: Mapping[str, float], options: Options, run: Run
) -> Reading[Mapping[str, float]]:
    reading = read(path)
    missing = [key for key in references if reading.data is not None and key not in reading.data]
    reported = [warning(Place(str(path)), f"{key} is missing.") for key in missing]
    return Reading(reading.data, (*reading.defects, *reported), reading.name)


def evaluate(
    references: Mapping[str, float], submission: Mapping[str, float], options: Options, run: Run
) -> Evaluation:
    run.check()
    ids = tuple(references)
    absent = 0.0 if options.missing == "zero" else np.nan
    wanted = np.array([references[key] for key in ids])
    given = np.array([submission.get(key, np.nan) for key in ids])
    closeness = np.where(np.isnan(given), absent, 1.0 - np.abs(wanted - given))
    square = np.nan_to_num(wanted - given) ** 2
    items = ItemTable(
        ids,
        {"closeness": closeness, "square": square, "listed": np.isfinite(given).astype(float)},
        lambda i: Guess(float(wanted[i]), float(np.nan_to_num(given[i]))),
        "number",
    )
    curve = Curve(
        "given", "Given", Axis("item"), Axis("value"), np.arange(2.0), np.array([0.0, 1.0])
    )
    count = int(np.isfinite(closeness).sum())
    mean = float(np.nanmean(closeness)) if count else float("nan")
    return Evaluation(
        "toy",
        "",
        options.profile,
        (
            Score("closeness", mean, count, float(np.nanstd(closeness)) if count else mean),
            Score("rmse", _root(square[:, np.newaxis]), len(ids)),
            Score("listed", float(np.isfinite(given).sum()), len(ids)),
        ),
        items,
        (curve,),
    )


TASK: Task[Options, Mapping[str, float], Mapping[str, float]] = Task(
    id="toy",
    title="Toy",
    summary="How near numbers come.",
    item_noun=("number", "numbers"),
    inputs=(
        Input("truth", "Truth", "reference", ("*.txt",)),
        Input("guesses", "Guesses", "submission", ("*.txt",), many=True),
        Input("images", "Images", "folder", (), required=False),
    ),
    readers=Readers(
        read_references=read_references,
        read_submission=read_submission,
        sniff=lambda head: Sniff("guesses", 0.1) if head else None,
        load_evidence=Guess.from_json,
    ),
    scoring=Scoring(
        options=Options,
        profiles=("published", "corrected"),
        metrics=(CLOSENESS, ERROR, COUNT),
        evaluate=evaluate,
        settings=lambda references, options: {"distance": "absolute"},
    ),
)


def write(path: Path, values: Mapping[str, float], name: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"# {name}\n" if name else ""
    path.write_text(head + "".join(f"{key} {value}\n" for key, value in values.items()))
    return path
