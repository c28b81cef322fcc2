"""The options of a competition: fields of a dataclass, each with what people see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Json  # with NumPy, which no first window waits for


def option(
    default: Any,
    help: str,
    *,
    label: str = "",
    choices: Sequence[Any] = (),
    titles: Mapping[Any, str] = MappingProxyType({}),
    form: str = "",
    target: bool = False,
) -> Any:
    """Return a field of an options dataclass, with what the command line and the window show of it.

    `label` is its name for people; without one they see the field's. `titles` are those of choices
    that the window calls otherwise than the command line. `form` says what a value is (`FILE`,
    `ROLE=PATH`). A `target` names a file to write: it decides no number, so that neither stamps
    nor desks keep it.
    """
    told = {"help": help, "label": label, "choices": tuple(choices)}
    return field(
        default=default, metadata={**told, "titles": titles, "form": form, "target": target}
    )


def options_json(options: Any) -> dict[str, Json]:
    """The options as JSON values, in the order of their declaration, without files to write."""
    kept = (entry for entry in fields(options) if not entry.metadata.get("target"))
    values = ((entry.name, getattr(options, entry.name)) for entry in kept)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def options_from_json(options: type[Any], data: Mapping[str, Any]) -> Any:
    """The options that `options_json` wrote; what an older version did not know has its default."""
    known = {entry.name for entry in fields(options)}
    values = {name: value for name, value in data.items() if name in known}
    return options(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
