"""Evaluations for a desk, and a desk beside the files that its results were scored from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Place, note
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    Heatmap,
    Interval,
    ItemTable,
    Score,
)
from jurydesk.core.model.input_file import files_by_role
from support import toy


def evaluation(system: str = "cyan", profile: str = "published", items: int = 150) -> Evaluation:
    dice = np.random.default_rng(list(system.encode()))
    members = dice.random((items, 3))
    return Evaluation(
        task="toy",
        system=system,
        profile=profile,
        scores=(
            Score("closeness", 1 / 3, items, 0.1, Interval(0.25, 0.5)),
            Score("listed", float("nan"), 0),
        ),
        items=ItemTable(
            tuple(f"i{i}" for i in range(items)),
            {
                "closeness": dice.random(items),
                "listed": np.where(np.arange(items) % 3, 1.0, np.nan),
            },
            lambda i: toy.Guess(float(i), i / 3),
            "number",
        ),
        figures=(
            Curve(
                "pr",
                "PR",
                Axis("recall", ticks=(0.0, 1.0), limits=(0.0, 1.0)),
                Axis("precision"),
                np.arange(3.0),
                np.array([1.0, np.nan, 0.0]),
                members=members,
            ),
            Heatmap("map", "mAP", Axis("IoU"), Axis("METEOR"), dice.random((2, 3))),
        ),
        defects=(note(Place("a.txt", 3), "Odd."),),
        about="made by hand",
    )


@dataclass(frozen=True)
class Scored:
    desk: Desk
    inputs: Inputs
    result: CompetitionResult

    def states(self) -> list[str]:
        return [entry.state for entry in self.desk.inputs()]

    def stale(self) -> list[bool]:
        return [one.stale for one in self.desk.evaluations()]


@contextmanager
def scored_desk(folder: Path) -> Iterator[Scored]:
    """Return a desk in a folder of its own, beside a folder with the scored inputs."""
    truth = {f"i{k}": k / 10 for k in range(10)}
    inputs = {
        "truth": [toy.write(folder / "data" / "truth.txt", truth)],
        "guesses": [
            toy.write(folder / "data" / "a.txt", truth),
            toy.write(folder / "data" / "b.txt", dict.fromkeys(truth, 0.5)),
        ],
    }
    options = toy.Options()
    result = score_submissions(toy.TASK, files_by_role(inputs), options, Run(), resamples=10)
    with Desk.create(folder / "toy.jurydesk") as desk:
        desk.set_competition("toy", "Toy", {"profile": "published", "missing": "skip"})
        desk.merge_inputs(result.sources, "guesses")
        for one in result.evaluations:
            desk.add(one)
        yield Scored(desk, inputs, result)
