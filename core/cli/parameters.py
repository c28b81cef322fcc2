"""Command line options generated from a competition's inputs and options."""

from __future__ import annotations

import os
import types
import typing
from collections.abc import Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.language import translate, translate_plural, translate_text
from jurydesk.core.model.options import PATH_FORMS, choose_place
from jurydesk.core.system.network_shares import choose_share
from jurydesk.core.system.paths import absolute_path

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask, Input, Inputs


class HomePath(click.Path):
    """File path, in which `~` is the user's folder; a reader reports whether it can be read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path of an argument."""
        path = Path(os.path.expanduser(value))  # noqa: PTH111 - an unknown user stays as given
        choose_share(path)
        return path


class PlaceText(click.ParamType[str]):
    """Text of an option that is `PATH` or `ROLE=PATH`."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text as it is; the network share of its path is the user's choice."""
        choose_place(value)
        return str(value)


PATH = HomePath()
PLACE = PlaceText()
FORMATS: dict[type, click.ParamType[Any]] = {
    int: click.INT,
    float: click.FLOAT,
    str: click.STRING,
    Path: PATH,
}


def file_option(
    *names: str, help: str, metavar: str = "FILE", required: bool = False, multiple: bool = False
) -> click.Option:
    """Return an option that takes the path of a file or folder."""
    return click.Option(
        names, type=PATH, metavar=metavar, required=required, multiple=multiple, help=help
    )


def flag(*names: str, help: str) -> click.Option:
    """Return an option without a value."""
    return click.Option(names, is_flag=True, help=help)


def task_parameters(task: AnyTask) -> list[click.Parameter]:
    """Return all parameters of a task: its files, the systems' names, and its options."""
    hints = typing.get_type_hints(task.scoring.options)
    return [
        *(input_option(entry) for entry in task.inputs),
        click.Option(
            ["--name"],
            multiple=True,
            metavar="NAME",
            help="Name of the system; one per submission, in the same order.",
        ),
        *(option_of_field(entry, hints[entry.name]) for entry in fields(task.scoring.options)),
    ]


def input_option(entry: Input) -> click.Option:
    """Return the option `--role FILE` of one input; submissions are always repeatable."""
    metavar = "FOLDER" if entry.kind == "folder" else "FILE"
    repeatable = is_repeatable(entry)
    return click.Option(
        [f"--{entry.role}", entry.role.replace("-", "_")],
        type=PATH,
        required=entry.required,
        multiple=repeatable,
        metavar=f"{metavar}..." if repeatable else metavar,
        help=f"{translate_text(entry.label)}. {translate_text(entry.help)}".strip(),
    )


def is_repeatable(entry: Input) -> bool:
    """Return whether an input may be given several times."""
    return entry.many or entry.kind == "submission"


def option_of_field(entry: Field[Any], hint: Any) -> click.Option:
    """Return the option of a field of an options dataclass, by its type, choices and help."""
    flag = f"--{entry.name.replace('_', '-')}"
    kind, many = value_type(hint)
    attributes: dict[str, Any] = {
        "default": entry.default,
        "show_default": entry.default not in (None, "", ()),
        "help": entry.metadata.get("help", ""),
    }
    if kind is bool:
        return click.Option([f"{flag}/--no-{flag[2:]}", entry.name], **attributes)
    choices = entry.metadata.get("choices", ())
    accepted = click.Choice([str(choice) for choice in choices]) if choices else FORMATS[kind]
    if entry.metadata.get("form") in PATH_FORMS:
        accepted = PLACE
    form = entry.metadata.get("form") or "|".join(filter(None, map(str, choices))) or None
    return click.Option(
        [flag, entry.name], type=accepted, multiple=many, metavar=form, **attributes
    )


def value_type(hint: Any) -> tuple[type, bool]:
    """Return the type of one value, and whether several are allowed (`tuple[str, ...]`)."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return value_type(next(part for part in arguments if part is not type(None)))
    if origin is tuple:
        return value_type(arguments[0])[0], True
    if origin is typing.Literal:
        return type(arguments[0]), False
    return hint, False


def parse_inputs(task: AnyTask, values: Mapping[str, Any]) -> Inputs:
    """Return the files by role from the parsed arguments."""
    inputs: dict[str, tuple[Path, ...]] = {}
    for entry in task.inputs:
        value = values[entry.role.replace("-", "_")]
        if value:
            inputs[entry.role] = value if is_repeatable(entry) else (value,)
    return inputs


def parse_options(task: AnyTask, values: Mapping[str, Any]) -> Any:
    """Return the task's options from the parsed arguments."""
    chosen = {}
    for entry in fields(task.scoring.options):
        value = values[entry.name]
        choices = {str(choice): choice for choice in entry.metadata.get("choices", ())}
        chosen[entry.name] = choices.get(value, value) if isinstance(value, str) else value
    return task.scoring.options(**chosen)


def parse_names(task: AnyTask, inputs: Inputs, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the systems' names, one for each file; raise CommandError if their number is wrong."""
    files = set(map(absolute_path, inputs.get(task.submission_input().role, ())))
    if names and len(names) != len(files):
        raise CommandError(
            translate(
                "--name was given {times} for {submissions}; give one name per submission, in the "
                "same order.",
                times=translate_plural("{count} time", "{count} times", len(names)),
                submissions=translate_plural(
                    "{count} submission", "{count} submissions", len(files)
                ),
            )
        )
    return names
