"""Options of a competition: dataclass fields with labels, help texts and choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jurydesk.core.language import fill, translatable
from jurydesk.core.system.network_shares import choose_share, is_strange_share

if TYPE_CHECKING:
    from jurydesk.core.model.evaluation import Json  # with NumPy, which no first window waits for

PATH_FORMS = ("FILE", "FOLDER", "ROLE=PATH")
"""Forms of options whose values are paths."""
NOT_OPENED = translatable("{path} is on a network share that you did not choose: it is not opened.")


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
    """Return a field of an options dataclass, with its presentation as metadata.

    Args:
        default: Default value.
        help: Help text of the command line and the window.
        label: Display name; the default is the field's name.
        choices: Allowed values.
        titles: Titles of choices that the window names differently than the command line.
        form: Placeholder of the value, such as `FILE` or `ROLE=PATH`.
        target: Whether the value is a file to write; stamps and desks do not store it, since it
            does not affect scores.
    """
    metadata = {"help": help, "label": label, "choices": tuple(choices), "titles": titles}
    return field(default=default, metadata={**metadata, "form": form, "target": target})


def stored_fields(options: Any) -> list[Field[Any]]:
    """Return the fields that stamps and desks have: all but files to write."""
    return [entry for entry in fields(options) if not entry.metadata.get("target")]


def option_label(field: Field[Any]) -> str:
    """Return the English display name of an option."""
    declared: str = field.metadata.get("label", "")
    return declared or field.name.replace("_", " ").capitalize()


def options_json(options: Any) -> dict[str, Json]:
    """Return the options as JSON values in order of declaration, without files to write."""
    values = ((entry.name, getattr(options, entry.name)) for entry in stored_fields(options))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def options_from_json(options: type[Any], data: Mapping[str, Any]) -> Any:
    """Return the options of `options_json`, with defaults for those that are missing.

    A desk is untrusted, so its values of files to write are ignored.
    """
    known = {entry.name for entry in stored_fields(options)}
    values = {name: value for name, value in data.items() if name in known}
    return options(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


def choose_places(values: Mapping[str, Any], options: type[Any]) -> None:
    """Let files be opened on the network shares of options that the user set."""
    for entry in fields(options):
        if entry.metadata.get("form") in PATH_FORMS:
            value = values.get(entry.name, ())
            for text in (value,) if isinstance(value, str) else value:
                choose_place(str(text))


def choose_place(text: str) -> None:
    """Let files be opened on the network share of a user's `PATH` or `ROLE=PATH`."""
    for path in (text, text.partition("=")[2]):
        choose_share(path)


def option_path(text: str) -> Path:
    """Return the path of an option, which a stranger's desk may have set.

    Raises UsageError if it is on a network share that the user did not choose.
    """
    from jurydesk.core.model.evaluation import UsageError

    path = Path(text).expanduser()
    if is_strange_share(path):
        raise UsageError(fill(NOT_OPENED, path))
    return path
