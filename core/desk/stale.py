"""Whether an evaluation is still true of the inputs and options that its desk has now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.desk.inputs import DeskInput
from core.model import Json


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
