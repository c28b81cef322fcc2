"""What jobs do: plain functions over core that know no Qt; they run on a worker's thread."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.format import counted, size
from app.standing import Standing, standing
from core.run.run import CANCEL_POLL_SECONDS

if TYPE_CHECKING:
    from app.intake import Arrival
    from core.defects import Defect
    from core.desk import Desk
    from core.intake.files import Given, Settled
    from core.model import Evaluation, Evidence
    from core.run.engine import Entry, Result
    from core.run.run import Run
    from core.task import Inputs
    from core.tasks.registry import AnyTask, Registry

DEVICE_FLAG = "--device-line"
ALIGNERS = {"compiled": "compiled aligner", "python": "slow Python aligner"}
"""METEOR's aligners in words; both give the same numbers."""

Tell = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class Looked:
    """What files look like, and the new desk that was made for them."""

    arrivals: tuple[Arrival, ...]
    desk: Desk | None = None
    example: Path | None = None
    """The folder of the example competition that they are."""
    defects: tuple[Defect, ...] = ()
    """What was not taken of folders and archives."""
    watched: bool = False
    given: tuple[Path, ...] = ()
    """What the user gave."""


@dataclass(frozen=True, slots=True)
class Came:
    """The submissions as they came in, and what is wrong with what was not taken of them."""

    given: Sequence[Given] = ()
    defects: tuple[Defect, ...] = ()


NOTHING = Came()


def prepare(modules: Sequence[str], run: Run, tell: Tell) -> Registry:
    """All competitions. Their import takes a moment, and so does that of other `modules`."""
    from core.tasks.registry import registry

    found = registry()
    for module in modules:
        run.check()
        importlib.import_module(module)
    return found


def look(
    paths: Sequence[Path],
    desk: Path | None,
    run: Run,
    tell: Tell,
    *,
    watched: bool = False,
    unwritten: Collection[Path] = (),
) -> Looked:
    """What the files that were given look like; those `unwritten` are not looked at yet.

    `desk` is where a new desk is made for them; None where one is open.
    """
    from app.intake import arrivals, example_among
    from core.desk import Desk

    told: list[Defect] = []
    found = arrivals(paths, run, told, unwritten)
    run.check()
    made = Desk.create(desk) if found and desk is not None else None
    return Looked(found, made, example_among(paths), tuple(told), watched, tuple(paths))


def check(
    desk_path: Path,
    task: AnyTask,
    inputs: Inputs,
    options: Any,
    run: Run,
    tell: Tell,
    *,
    came: Came = NOTHING,
) -> Result:
    """Read every file, find every defect, and keep them in the desk.

    `tell` gets what was settled of the submissions.
    """
    from core.desk import Desk
    from core.intake.files import settle_given
    from core.run.engine import check

    with Desk.open(desk_path) as desk:
        settled = settle_given(desk, came.given, run)
    tell(settled)
    counting = counted_in(task, inputs, settled)
    result = check(task, counting, options, run, names=settled.names)
    run.check()
    with Desk.open(desk_path) as desk:
        _keep_told(desk, came, settled, result.defects)
    return result


def settle(desk_path: Path, came: Came, read: Sequence[Defect], run: Run, tell: Tell) -> Settled:
    """What the desk's rules say of the submissions now; `read` are the defects of their files."""
    from core.desk import Desk
    from core.intake.files import settle_given

    with Desk.open(desk_path) as desk:
        settled = settle_given(desk, came.given, run)
        _keep_told(desk, came, settled, read)
        return settled


def _keep_told(desk: Desk, came: Came, settled: Settled, read: Sequence[Defect]) -> None:
    from core.intake.ledger import set_not_taken

    set_not_taken(desk, came.defects)
    desk.set_defects((*came.defects, *settled.defects, *read))


def counted_in(task: AnyTask, inputs: Inputs, settled: Settled) -> Inputs:
    """The inputs without the submissions that others of their team stand in for."""
    role = task.submission_input().role
    own = [path for path in inputs.get(role, ()) if path not in settled.left_out]
    return {**inputs, role: own}


def look_again(desk: Desk, run: Run, tell: Tell) -> Standing:
    """How the desk stands after its files have changed."""
    return standing(desk)


def score(
    desk_path: Path,
    task: AnyTask,
    inputs: Inputs,
    options: Any,
    run: Run,
    tell: Tell,
    *,
    came: Came = NOTHING,
) -> Result:
    """Score every submission into the desk, and tell how it stands whenever a system is safe there.

    Before that `tell` gets what was settled of the submissions.

    The desk is opened a second time, so that the window may read it meanwhile.
    """
    from core.desk import Desk
    from core.intake.files import settle_given
    from core.run.engine import score

    with Desk.open(desk_path) as desk:
        run.cache = desk.cache

        def keep(entry: Entry) -> None:
            if entry.evaluation is not None:
                desk.add(_watched(entry.evaluation, run))
                tell(standing(desk))

        settled = settle_given(desk, came.given, run)
        tell(settled)
        counting = counted_in(task, inputs, settled)
        result = score(task, counting, options, run, names=settled.names, on_entry=keep)
        if result.sources:
            desk.set_inputs(result.sources)
        _keep_told(desk, came, settled, result.defects)
        tell(standing(desk))
        return result


def _watched(evaluation: Evaluation, run: Run) -> Evaluation:
    """The evaluation with evidence that reports how much of it was taken, and can be stopped."""
    items = evaluation.items
    load = items.evidence
    if load is None:
        return evaluation

    def watched(number: int) -> Evidence:
        run.report(number, len(items), f"Keeping the details of {evaluation.system}")
        return load(number)

    return replace(evaluation, items=replace(items, evidence=watched))


def device(run: Run, tell: Tell) -> str:
    """The device in use in a few words: `CPU · 2 cores · compiled aligner`.

    Where PyTorch is installed a child process asks it, so that the window keeps neither its
    stall on import nor its memory.
    """
    if importlib.util.find_spec("torch") is None:
        return device_line(run.device)
    me = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app"]
    command = [*me, DEVICE_FLAG, run.device]
    try:
        process = subprocess.Popen(  # noqa: S603 - this very program
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
    except OSError:
        return device_line("cpu")
    return answer(process, run) or device_line("cpu")


def answer(process: subprocess.Popen[str], run: Run) -> str:
    """What a child process prints; it is ended when the run is cancelled."""
    with process:
        try:
            while True:
                run.check()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.communicate(timeout=CANCEL_POLL_SECONDS)[0].strip()
        finally:
            process.kill()


def device_line(wanted: str) -> str:
    """Name, memory or cores of a device, and which of METEOR's aligners runs."""
    from core.metrics.meteor.aligner import engine
    from core.run.device import DeviceError, cpu, pick

    try:
        found = pick(wanted)
    except DeviceError:
        found = cpu()
    if found.kind == "cpu":
        parts = ["CPU", counted(found.cores, "core")]
    else:
        memory = [size(found.memory)] if found.memory else []
        parts = [found.kind.upper(), found.name, *memory]
    return " · ".join([*parts, ALIGNERS[engine()]])
