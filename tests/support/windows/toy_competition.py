"""The toy competition with distinguishable files, for the window's tests."""

from __future__ import annotations

import string
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jurydesk.core.competition.task import AnyTask, Sniff
from jurydesk.core.competition.task_registry import BrokenTask, Registry
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.options import option
from support import toy

SECONDS = 0.0
"""How long the scoring of one system takes."""


@dataclass(frozen=True, slots=True)
class Options(toy.Options):
    level: float | None = option(None, "The lowest value that counts.", label="From value")
    strict: bool = option(False, "Refuse what is unusual.")
    words: str = option("", "More words, separated by commas.")


def sniff(head: bytes) -> Sniff | None:
    if head.startswith(b"# truth"):
        return Sniff("truth", 0.9, "text")
    if head.startswith(b"# "):
        return Sniff("guesses", 0.9, "text")
    return None


def evaluate(
    references: Mapping[str, float], submission: Mapping[str, float], options: Options, run: Run
) -> Evaluation:
    steps = round(SECONDS / 0.01)
    for step in range(steps):
        run.report(step, steps, "Scoring")
        time.sleep(0.01)
    return toy.evaluate(references, submission, options, run)


def checklist(defects: Sequence[Defect]) -> Sequence[tuple[str, bool]]:
    return (("Every line is an id and a value", not has_errors(defects)),)


SCORING: Any = toy.TASK.scoring
"""Its options get more fields, so that its type is another one."""
TASK: AnyTask = replace(
    toy.TASK,
    readers=replace(toy.TASK.readers, sniff=sniff),
    scoring=replace(SCORING, evaluate=evaluate, options=Options),
    submission_checks=replace(toy.TASK.submission_checks, checklist=checklist),
)


def registry() -> Registry:
    return Registry({"toy": TASK}, (BrokenTask("lost", "ImportError: no module named 'lost'"),))


def files(folder: Path, systems: int = 3, items: int = 40) -> list[Path]:
    """Return a truth file and some systems, each a bit worse than the one before."""
    truth = {f"n{i}": i / items for i in range(items)}
    written = [toy.write(folder / "truth.txt", truth, "truth")]
    for system in range(systems):
        guesses = {
            key: value + (0.02 + 0.05 * system) * (-1) ** i * ((i % 7) / 7)
            for i, (key, value) in enumerate(truth.items())
        }
        written.append(
            toy.write(
                folder / f"s{system}.txt", guesses, f"system {string.ascii_uppercase[system]}"
            )
        )
    return written
