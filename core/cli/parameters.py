"""Command line options made from what a competition declares: its inputs and its options."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.exit_codes import CommandError
from jurydesk.core.competition.task import AnyTask, Input, Inputs
from jurydesk.core.model.defects import counted

PATH = click.Path(path_type=Path, readable=False)
"""A file name; whether it can be read is told by what reads it."""
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
    """All that a task takes: its files, the systems' names, and its own options."""
    hints = typing.get_type_hints(task.scoring.options)
    return [
        *(input_option(entry) for entry in task.inputs),
        click.Option(
            ["--name"],
            multiple=True,
            metavar="NAME",
            help="The name of the system; one for each submission, in their order.",
        ),
        *(option_of_field(entry, hints[entry.name]) for entry in fields(task.scoring.options)),
    ]


def input_option(entry: Input) -> click.Option:
    """`--role FILE` of one input; submissions may always be several."""
    what = "FOLDER" if entry.kind == "folder" else "FILE"
    many = is_repeatable(entry)
    return click.Option(
        [f"--{entry.role}", entry.role.replace("-", "_")],
        type=PATH,
        required=entry.required,
        multiple=many,
        metavar=f"{what}..." if many else what,
        help=f"{entry.label}. {entry.help}".strip(),
    )


def is_repeatable(entry: Input) -> bool:
    """Whether an input may be given several times."""
    return entry.many or entry.kind == "submission"


def option_of_field(entry: Field[Any], hint: Any) -> click.Option:
    """The flag of one field of an options dataclass, by its type, choices and help."""
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
    form = entry.metadata.get("form") or "|".join(filter(None, map(str, choices))) or None
    return click.Option(
        [flag, entry.name], type=accepted, multiple=many, metavar=form, **attributes
    )


def value_type(hint: Any) -> tuple[type, bool]:
    """The type of one value, and whether there are several (`tuple[str, ...]`)."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return value_type(next(part for part in arguments if part is not type(None)))
    if origin is tuple:
        return value_type(arguments[0])[0], True
    if origin is typing.Literal:
        return type(arguments[0]), False
    return hint, False


def parse_inputs(task: AnyTask, values: Mapping[str, Any]) -> Inputs:
    """The files by role, from the parsed arguments."""
    inputs: dict[str, tuple[Path, ...]] = {}
    for entry in task.inputs:
        value = values[entry.role.replace("-", "_")]
        if value:
            inputs[entry.role] = value if is_repeatable(entry) else (value,)
    return inputs


def parse_options(task: AnyTask, values: Mapping[str, Any]) -> Any:
    """The task's options, from the parsed arguments."""
    chosen = {}
    for entry in fields(task.scoring.options):
        value = values[entry.name]
        choices = {str(choice): choice for choice in entry.metadata.get("choices", ())}
        chosen[entry.name] = choices.get(value, value) if isinstance(value, str) else value
    return task.scoring.options(**chosen)


def parse_names(task: AnyTask, inputs: Inputs, names: tuple[str, ...]) -> dict[Path, str]:
    """The systems' names by their files; a Fault where there is not one for each."""
    files = list(dict.fromkeys(inputs.get(task.submission_input().role, ())))
    if names and len(names) != len(files):
        raise CommandError(
            f"--name was given {counted(len(names), 'time')} for "
            f"{counted(len(files), 'submission')}; "
            "give one name for each, in their order."
        )
    return dict(zip(files, names, strict=False))
