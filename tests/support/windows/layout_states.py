"""Desks and windows for layout checks, and a covering set of their combinations.

A desk is made from the example of a competition: its results are repeated under long names until
there are as many systems, items and metrics as the state has.
"""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from jurydesk.app.style.theme import Mode
from jurydesk.core.competition.examples import copy_example, example_inputs, example_options
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import (
    Curve,
    Evaluation,
    ItemTable,
    MetricInfo,
    Score,
    Source,
)
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.system.paths import fingerprint

OWN = 0
"""As many items, or metrics, as the example has."""
MANY_ITEMS = 1_000_000
FEW_SYSTEMS = 2
"""With more systems a desk of many items would fill the memory."""
SEPARATE_ITEMS = ("captions", "keyword-spotting")
"""Competitions in which an item is scored alone, so that an example can be repeated so often.

Others score items by image, dialogue or sub-task: a million of them would be one huge image.
"""
SYSTEMS, ITEMS, METRICS = (12, 60, 2, 1), (OWN, 1, MANY_ITEMS), (OWN, 60, 1)
SIZES = ((1024, 700), (1440, 900), (2560, 1440), (1366, 768))
ZOOMS = (1.0, 1.5, 2.0)
MODES: tuple[Mode, ...] = ("light", "dark", "contrast")
NAME_LENGTH = 60
SYSTEM_NAME = "example_team_{:02d} (example-submission-file_of_the_team_{:02d}.test)"
FILE_NAME = "spring2026_final_submission_of_the_team_with_the_number_{:02d}"
ITEM_SUFFIX = "-of-the-collection-of-spring-2026-second-part-of-five-parts"
ITEM_COLUMN_LIMIT = 10_000
"""More items get no columns for the metrics that are added."""


@dataclass(frozen=True, slots=True)
class State:
    """State of a window: competition, counts, size in pixels, zoom and theme."""

    competition: str
    systems: int
    items: int
    metrics: int
    size: tuple[int, int]
    zoom: float
    mode: Mode

    def __str__(self) -> str:
        items = {OWN: "own", MANY_ITEMS: "a million"}.get(self.items, self.items)
        return (
            f"{self.competition}, {self.systems} systems, {items} items, "
            f"{self.metrics or 'own'} metrics, {self.size[0]} x {self.size[1]}, "
            f"{self.zoom:.0%}, {self.mode}"
        )


def covering_states(competitions: Sequence[str]) -> list[State]:
    """Return states in which every possible pair of two values occurs (greedy pairwise set)."""
    choices = (tuple(competitions), SYSTEMS, ITEMS, METRICS, SIZES, ZOOMS, MODES)
    possible = [
        state
        for values in product(*choices)
        if (state := State(*values)).items < MANY_ITEMS or _may_have_many(state)
    ]
    pairs = {state: _pairs(state) for state in possible}
    missing = set().union(*pairs.values())
    found = []
    while missing:
        best = max(possible, key=lambda state: len(pairs[state] & missing))
        missing -= pairs[best]
        found.append(best)
    return sorted(found, key=lambda state: possible.index(state))


def sample_states(competitions: Sequence[str]) -> list[State]:
    """Return a state for each competition, in which sizes, zooms and modes vary evenly."""
    found = []
    for place, name in enumerate(competitions):
        turn = place // 3
        size, zoom, mode = (
            SIZES[place % len(SIZES)],
            ZOOMS[(place + turn) % 3],
            MODES[(place - turn) % 3],
        )
        found.append(State(name, SYSTEMS[(place + 2) % 4], OWN, OWN, size, zoom, mode))
    return found


def _may_have_many(state: State) -> bool:
    return state.systems <= FEW_SYSTEMS and state.competition in SEPARATE_ITEMS


def _pairs(state: State) -> set[tuple[Any, ...]]:
    values = [(field.name, getattr(state, field.name)) for field in fields(state)]
    return set(combinations(values, 2))


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """The example of a competition in a folder of its own, scored."""

    task: AnyTask
    folder: Path
    options: Any
    result: CompetitionResult


def score_example(task: AnyTask, folder: Path, **options: Any) -> ScoredExample:
    """Copy the example of a competition into a folder and score it there."""
    copy = copy_example(task, folder)
    chosen = replace(example_options(task, copy), **options)
    result = score_submissions(
        task, files_by_role(example_inputs(task, copy)), chosen, Run(), resamples=100
    )
    return ScoredExample(task, copy, chosen, result)


@contextmanager
def declared(task: AnyTask, metrics: int) -> Iterator[None]:
    """Give a competition this number of metrics within a block: its first ones, or more."""
    module = importlib.import_module(f"jurydesk.core.tasks.{_folder(task)}.{_folder(task)}_task")
    tasks = registry().tasks
    infos = _metrics(task, metrics)
    changed = replace(task, scoring=replace(task.scoring, metrics=infos))
    module.TASK = tasks[task.id] = changed  # type: ignore[attr-defined]
    try:
        yield
    finally:
        module.TASK = tasks[task.id] = task  # type: ignore[attr-defined]


def _folder(task: AnyTask) -> str:
    return task.id.replace("-", "_")


def _metrics(task: AnyTask, count: int) -> tuple[MetricInfo, ...]:
    own = task.scoring.metrics
    if count == OWN:
        return own
    if count == 1:
        return tuple(sorted(own, key=lambda info: not info.headline)[:1])
    more = range(max(0, count - len(own)))
    return (*own, *(_additional_metric(number) for number in more))


def _additional_metric(number: int) -> MetricInfo:
    title = f"Metric number {number} of the many"
    return MetricInfo(f"m{number}", title, "One of many.", (0.0, 1.0), "higher", "")


def write_desk(path: Path, example: ScoredExample, state: State) -> Path:
    """Write a desk of a state beside its submission files; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    task = example.task
    role = next(entry.role for entry in task.inputs if entry.kind == "submission")
    scored = [entry for entry in example.result.entries if entry.evaluation is not None]
    references = [one for one in example.result.sources if one.role != role]
    sources, checks, defects = list(references), [], list(example.result.defects)
    with Desk.create(path) as desk:
        desk.set_competition(task.id, state.competition, options_json(example.options))
        for number in range(state.systems):
            entry = scored[number % len(scored)]
            assert entry.evaluation is not None
            source = _copy_submission(entry.path, path.parent, role, number)
            sources.append(source)
            checks.append(FileCheck(source.path, role, "passed", time="2026-03-01T09:30:00+00:00"))
            defects += _move_defects(entry.defects, source.path)
            desk.add(_evaluation(task, entry.evaluation, source, number, state))
        desk.merge_inputs(sources, role)
        record = CheckRecord(checks[0].time, tuple(checks), DefectLog(reading=tuple(defects)))
        desk.add_check(record)
    return path


def _copy_submission(submission: Path, folder: Path, role: str, number: int) -> Source:
    copy = folder / (FILE_NAME.format(number) + submission.suffix)
    shutil.copyfile(submission, copy)
    with copy.open("a", encoding="utf-8") as file:
        file.write("\n" * (number + 1))  # a file of its own, with the same content
    found = fingerprint(copy)
    return Source(role, str(copy), found.size, found.sha256)


def _move_defects(defects: Sequence[Defect], path: str) -> list[Defect]:
    return [replace(one, place=replace(one.place, path=path)) for one in defects]


def _evaluation(
    task: AnyTask, made: Evaluation, source: Source, number: int, state: State
) -> Evaluation:
    """Return the evaluation of one of many systems."""
    name = SYSTEM_NAME.format(number, number)
    infos = _metrics(task, state.metrics)
    known = {score.metric: score for score in made.scores}
    count = state.items or len(made.items)
    # Without metrics of its own, a competition has those that its results declare.
    declared_there = () if task.scoring.metrics else [*known][: 1 if state.metrics == 1 else None]
    more = {info.name for info in infos if info not in task.scoring.metrics}
    scores = tuple(
        _lower_score(known[name], number) if name in known else Score(name, 0.5, count)
        for name in (*declared_there, *(info.name for info in infos))
        if name in known or name in more
    )
    items = _items(made.items, count, [info.name for info in infos])
    index = np.arange(count) % len(made.items)
    figures = tuple(
        replace(figure, members=figure.members[index] if count < MANY_ITEMS else None)
        if isinstance(figure, Curve) and figure.members is not None
        else figure
        for figure in made.figures
    )
    stamp = replace(Stamp.from_json(made.stamp), system=name, submission=source, scores=scores)
    return replace(
        *(made,),
        system=name,
        scores=scores,
        items=items,
        figures=figures,
        stamp=stamp.to_json(),
        defects=tuple(_move_defects(made.defects, source.path)),
    )


def _lower_score(score: Score, number: int) -> Score:
    """Return the score of a weaker system."""
    factor = 1 - number / 100
    interval = score.interval and replace(
        score.interval, low=score.interval.low * factor, high=score.interval.high * factor
    )
    return replace(score, value=score.value * factor, interval=interval)


def _items(made: ItemTable, count: int, metrics: Sequence[str]) -> ItemTable:
    index = np.arange(count) % len(made)
    columns = {name: column[index] for name, column in made.columns.items()}
    if count <= ITEM_COLUMN_LIMIT:
        more = [name for name in metrics if name.startswith("m") and name[1:].isdigit()]
        columns |= {name: np.linspace(0, 1, count) for name in more}
    shared = index if made.evidence_of is None else made.evidence_of[index]
    ids = tuple(_item_name(made.ids[k % len(made)], k // len(made)) for k in range(count))
    is_own = made.evidence_of is None and count <= len(made)
    return replace(made, ids=ids, columns=columns, evidence_of=None if is_own else shared)


def _item_name(name: str, copy: int) -> str:
    start = f"{name}-{copy}" if copy else name
    return (start + ITEM_SUFFIX)[: max(NAME_LENGTH, len(start))]
