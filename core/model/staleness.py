"""What makes a result out of date: files and options that differ from those that were scored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.desk.tables.input_table import DeskInput, InputRow, InputState
    from jurydesk.core.model.evaluation import Json


class InputWatch:
    """Detector of changed inputs, which hashes a file only if its time stamp has changed."""

    def __init__(self) -> None:
        self._hashed: dict[tuple[Path, int, int], str] = {}

    def state(
        self, entry: InputRow, path: Path, check: Callable[[], None] = lambda: None
    ) -> InputState:
        """Return whether the file is still the recorded one; `check` may raise to cancel."""
        try:
            status = path.stat()
            if not entry.source.sha256:
                return "current"
            if not path.is_file() or status.st_size != entry.source.size:
                return "changed"
            if status.st_mtime_ns == entry.modified:
                return "current"
            key = (path, status.st_size, status.st_mtime_ns)
            if key not in self._hashed:
                self._hashed[key] = fingerprint(path, check).sha256
        except OSError:
            return "missing"
        return "current" if self._hashed[key] == entry.source.sha256 else "changed"


def is_stale(stamp: Json, options: Mapping[str, Json] | None, inputs: Sequence[DeskInput]) -> bool:
    """Return whether an input or an option has changed since the stamp was made.

    The profile does not count: a desk may have both. A missing input proves nothing. A desk without
    recorded inputs or options, or a result without a stamp, is never stale.
    """
    if not stamp:
        return False
    if options is not None and _drop_profile(options) != _drop_profile(stamp["options"]):
        return True
    return bool(inputs) and _inputs_changed(stamp, inputs)


def _drop_profile(options: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in options.items() if name != "profile"}


def _inputs_changed(stamp: Json, inputs: Sequence[DeskInput]) -> bool:
    submission = stamp["submission"]
    references = [entry for entry in inputs if entry.source.role != submission["role"]]
    hashed = [entry for entry in references if entry.source.sha256]
    if any(entry.state == "changed" for entry in hashed):
        return True
    now = {(entry.source.role, entry.source.sha256) for entry in hashed}
    if now != {(entry["role"], entry["sha256"]) for entry in stamp["references"]}:
        return True
    return any(
        entry.state == "changed" or entry.source.sha256 != submission["sha256"]
        for entry in inputs
        if entry.source.role == submission["role"] and entry.source.path == submission["path"]
    )


def update_status(file: InputFile) -> InputFile:
    """Return a current file with its size and time on disk; a file that is gone is missing."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    if file.state != "current" or file.pictures:
        return file
    return replace(file, size=status.st_size, modified=status.st_mtime_ns)


def detect_change(file: InputFile) -> InputFile:
    """Return the file with its state on disk: current, changed or missing."""
    try:
        status = file.path.stat()
    except OSError:
        return replace(file, state="missing")
    same = file.pictures or (status.st_size, status.st_mtime_ns) == (file.size, file.modified)
    if same or file.state == "new":
        return file if file.state != "missing" else replace(file, state="current")
    return replace(file, state="changed")


def describe_outdated(
    files: Sequence[InputFile],
    scored: Sequence[DeskInput],
    submission: str,
    not_scored: Collection[str] = (),
) -> str:
    """Describe how the files differ from those that were `scored`; empty if they do not.

    `submission` is the role of submissions; files of the roles `not_scored` enter no score. Without
    scores, only changes are reported.
    """
    files = [file for file in files if file.role not in not_scored]
    scored = [entry for entry in scored if entry.source.role not in not_scored]
    states = [file.state for file in files if file.role]
    if "changed" in states:
        return "Files have changed since they were scored: press Ctrl+R to score them again."
    if "missing" in states:
        return describe_missing(states.count("missing"), scored=bool(scored))
    if not scored:
        return ""
    previous = {(entry.source.role, entry.path) for entry in scored}
    given = {(file.role, file.path) for file in files if file.role}
    if any(role != submission for role, _ in given ^ previous):
        return "The reference files differ from those scored: press Ctrl+R to score again."
    waiting = len(given - previous)
    if waiting:
        return fill("{submissions} not scored yet: press Ctrl+R.", counted(waiting, "submission"))
    return ""


def describe_missing(files: int, *, scored: bool) -> str:
    """Describe files that are no longer at their paths."""
    if files == 1:
        viewed = translatable("1 file was moved or deleted: the results can still be viewed.")
        return (
            viewed if scored else translatable("1 file was moved or deleted: drop them here again.")
        )
    viewed = translatable("{files} were moved or deleted: the results can still be viewed.")
    lost = translatable("{files} were moved or deleted: drop them here again.")
    return (viewed if scored else lost).format(files=counted(files, "file"))
