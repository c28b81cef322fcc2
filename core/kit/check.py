"""Checking submissions with a kit: the organiser's own reader, on reference data without gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from core.kit.kit import AnyTask, Kit, options_of, reference_of
from core.run.engine import Result
from core.run.engine import check as check_inputs
from core.task import Inputs, Reading
from core.version import __version__

if TYPE_CHECKING:
    from core.run.run import Run

NO_NAMES: Mapping[Path, str] = MappingProxyType({})


def check(
    task: AnyTask, kit: Kit, paths: Sequence[Path], run: Run, names: Mapping[Path, str] = NO_NAMES
) -> Result:
    """What the organiser's check says of these submissions.

    The defects are the same, but for those that the kit calls `unable`. Raises KitError where the
    kit does not fit the task, and Cancelled.
    """
    reference, options = reference_of(task, kit), options_of(task, kit)

    def outlined(inputs: Inputs, options: Any, run: Run) -> Reading[Any]:
        return Reading(reference, ())

    known = replace(task, readers=replace(task.readers, read_references=outlined))
    inputs = {task.submission_input().role: tuple(paths)}
    return check_inputs(known, inputs, options, run, names=names)


def other_version(kit: Kit) -> str:
    """A sentence where another version of the program made the kit, else nothing."""
    if kit.program == __version__:
        return ""
    return (
        f"The kit was made by Jurydesk {kit.program}; this is {__version__}. The organiser's check "
        "may say other things."
    )
