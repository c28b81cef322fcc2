"""Whether results are those of the files that the user has given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.format import counted
from app.inputs import InputFile, plain

if TYPE_CHECKING:
    from core.desk import DeskInput


def outdated(files: Sequence[InputFile], scored: Sequence[DeskInput], submission: str) -> str:
    """A sentence where the files are not those that were `scored`; else empty.

    `submission` is the role of submissions. Where nothing was scored, only changes are told.
    """
    states = [file.state for file in files if file.role]
    if "changed" in states:
        return "Files have changed since they were scored: press Ctrl+R to score them again."
    if "missing" in states:
        return gone(states.count("missing"), scored=bool(scored))
    if not scored:
        return ""
    before = {(entry.source.role, plain(entry.path)) for entry in scored}
    given = {(file.role, plain(file.path)) for file in files if file.role}
    if any(role != submission for role, _ in given ^ before):
        return "The reference files are others than those scored: press Ctrl+R to score again."
    waiting = len(given - before)
    if waiting:
        return f"{counted(waiting, 'submission')} not scored yet: press Ctrl+R."
    return ""


def gone(files: int, *, scored: bool) -> str:
    """What is said of files that are no longer where they were."""
    where = "is not where it was" if files == 1 else "are not where they were"
    so = "what was scored can be looked at all the same" if scored else "drop them here again"
    return f"{counted(files, 'file')} {where}: {so}."
