"""Whether an evaluation is still true of the inputs and options that its desk has now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk.inputs import DeskInput
from core.model import Evaluation, Json
from core.run.names import free_name


def is_stale(stamp: Json, options: Mapping[str, Json] | None, inputs: Sequence[DeskInput]) -> bool:
    """Whether an input or an option changed since the stamp was made.

    The profile is no change: a desk may hold both. An input that is missing proves nothing. A
    desk without recorded inputs or options, or a result without a stamp, is never stale.
    """
    if not stamp:
        return False
    if options is not None and _without_profile(options) != _without_profile(stamp["options"]):
        return True
    return bool(inputs) and _inputs_changed(stamp, inputs)


def _without_profile(options: Mapping[str, Json]) -> dict[str, Json]:
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


@dataclass(frozen=True, slots=True)
class Kept:
    """What a desk knows of a result: its row, system, profile, and the file it is of.

    `submission` is the file's path and SHA-256; None for a result without a stamp.
    """

    id: int
    system: str
    profile: str
    submission: tuple[str, str] | None


def settled(evaluation: Evaluation, kept: Sequence[Kept]) -> tuple[Evaluation, list[int]]:
    """The evaluation under a name that is free, and the rows that it replaces.

    It replaces results of the same file in the same profile. Another file's result of the same
    name stays: the new one becomes `name (file stem)`.
    """
    same = [one for one in kept if _same_file(evaluation, one)]
    taken = {one.system for one in kept if one not in same}
    replaced = [one.id for one in same if one.profile == evaluation.profile]
    submission = submission_of(evaluation.stamp)
    if evaluation.system not in taken or submission is None:
        return evaluation, replaced
    name = free_name(evaluation.system, Path(submission[0]), taken)
    stamp = {**evaluation.stamp, "system": name}
    return replace(evaluation, system=name, stamp=stamp), replaced


def submission_of(stamp: Json) -> tuple[str, str] | None:
    """Path and SHA-256 of the file that a stamp is of."""
    return (stamp["submission"]["path"], stamp["submission"]["sha256"]) if stamp else None


def _same_file(evaluation: Evaluation, kept: Kept) -> bool:
    """The same path, or the same name with the same content, or the same name without a stamp."""
    submission = submission_of(evaluation.stamp)
    if submission is not None and kept.submission is not None:
        (path, sha256), (kept_path, kept_sha256) = submission, kept.submission
        if path == kept_path:
            return True
        return kept.system == evaluation.system and sha256 == kept_sha256
    return kept.system == evaluation.system
