"""Options of a competition as a stamp or a job records them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jurydesk.core.competition.task import Task
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.options import stored_fields
from jurydesk.core.model.stamp import Stamp, StampError


def options_of_stamp(task: Task[Any, Any, Any], stamp: Stamp) -> Any:
    """Return the stamp's options as the task's; raise StampError for an unknown option or value."""
    return make_options(task, stamp.options)


def make_options(task: Task[Any, Any, Any], options: Mapping[str, Json]) -> Any:
    """Make the task's options from those of a stamp or a job; raises StampError."""
    known = {entry.name: entry for entry in stored_fields(task.scoring.options)}
    default = task.scoring.options()
    values: dict[str, Json] = {}
    for name, value in options.items():
        if name not in known:
            raise StampError(
                fill(
                    "The stamp has an option {name}, which {id} does not have.", repr(name), task.id
                )
            )
        value = tuple(value) if isinstance(value, list) else value
        choices = known[name].metadata.get("choices", ())
        if choices and value not in choices:
            allowed = ", ".join(map(str, choices))
            raise StampError(
                fill(
                    "The stamp's option {name} is {value}; allowed: {allowed}.",
                    name,
                    repr(value),
                    allowed,
                )
            )
        if not _has_type_of(value, getattr(default, name)):
            raise StampError(
                fill(
                    "The stamp's option {name} is {value}, which has the wrong type.",
                    name,
                    repr(value),
                )
            )
        values[name] = value
    return task.scoring.options(**values)


def _has_type_of(value: Json, default: Any) -> bool:
    """Return whether the value has the type of its default; None allows any."""
    if default is None or type(value) is type(default):
        return True
    return type(default) is float and type(value) is int
