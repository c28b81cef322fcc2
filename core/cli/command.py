"""What every command shares: common options, options with several values, near misses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.console import defect_lines, print_remark
from jurydesk.core.competition.task_registry import find_competition, registry
from jurydesk.core.model.defects import Severity
from jurydesk.core.system.interrupt import interruptible

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.workers import Data
    from jurydesk.core.model.defects import Defect


OpenWindow = Callable[[Path], int]
"""Shows a desk file in a window until the user closes it; the exit code."""

COMMON = ("device", "jobs", "scheduler", "data", "quiet")
DEVICE = re.compile(r"auto|cpu|mps|(cuda|xpu)(:[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class CommandContext:
    """What a command runs in: the window it may open, and the options of every command."""

    open_window: OpenWindow | None = None
    quiet: bool = False
    jobs: int | None = None
    device: str = "auto"
    scheduler: str = ""
    data: Data = "chunks"

    def remark(self, text: str) -> None:
        """Print a diagnostic on standard error, unless only errors are wanted."""
        if not self.quiet:
            print_remark(text)

    def report(self, defects: Sequence[Defect]) -> None:
        """Print defects on standard error; only the errors where only those are wanted."""
        wanted = [
            defect for defect in defects if not self.quiet or defect.severity is Severity.ERROR
        ]
        for line in defect_lines(wanted):
            click.echo(line, err=True)


def common_options() -> list[click.Parameter]:
    """The options that every command takes."""
    return [
        click.Option(
            ["--device"],
            default="auto",
            metavar="auto|cpu|cuda:N|mps",
            callback=device_name,
            show_default=True,
            help="Where neural metrics are computed.",
        ),
        click.Option(
            ["--jobs"],
            type=click.IntRange(min=1),
            metavar="N",
            help="How many processors to use; all of them if not given.",
        ),
        click.Option(
            ["--scheduler"],
            default="",
            metavar="ADDRESS",
            callback=scheduler_address,
            help="Score on the Dask cluster of this scheduler (tcp://host:8786, or tls://host:8786).",
        ),
        click.Option(
            ["--data"],
            type=click.Choice(["chunks", "paths"]),
            default="chunks",
            help="How pictures reach other machines: with the chunks, or by a path they all have.",
        ),
        click.Option(
            ["--quiet"],
            is_flag=True,
            help="Print nothing but errors, and what a target `-` asks for.",
        ),
    ]


def device_name(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """The value of `--device`; whether there is such a device shows when one is needed."""
    if DEVICE.fullmatch(value) is None:
        raise click.BadParameter(f'"{value}" is no device. `jurydesk devices` lists them.')
    return value


def scheduler_address(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """The value of `--scheduler`; who answers there shows when the work begins."""
    from jurydesk.core.execution.dask_workers import ADDRESS

    if value and ADDRESS.fullmatch(value) is None:
        raise click.BadParameter(
            f'"{value}" is no address of a scheduler, such as tcp://host:8786.'
        )
    return value


class CliCommand(click.Command):
    """A command with the common options, whose repeatable options also take several values."""

    def __init__(self, name: str, *, params: Sequence[click.Parameter], **kwargs: Any) -> None:
        super().__init__(name, params=[*params, *common_options()], **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--results a b c` like `--results a --results b --results c`.

        A command with arguments of its own leaves what follows an option's first value to them.
        """
        if any(isinstance(parameter, click.Argument) for parameter in self.params):
            return super().parse_args(ctx, args)
        repeatable = {
            name
            for parameter in self.params
            if isinstance(parameter, click.Option) and parameter.multiple
            for name in parameter.opts
        }
        try:
            return super().parse_args(ctx, spread_repeatable(args, repeatable))
        except click.UsageError as wrong:
            if type(wrong) is not click.UsageError or "unexpected extra" not in wrong.message:
                raise
            told = f"{wrong.message}. Every file and every value follows its option."
            raise click.UsageError(told, ctx) from wrong

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the common options reach it within `CommandContext`."""
        common = {name: ctx.params.pop(name) for name in COMMON}
        ctx.obj = replace(ctx.find_object(CommandContext) or CommandContext(), **common)
        with interruptible():
            return super().invoke(ctx)


def spread_repeatable(arguments: Sequence[str], repeatable: Collection[str]) -> list[str]:
    """The arguments with one option name before each value of a repeatable option."""
    result: list[str] = []
    option, has_value = "", False
    for position, argument in enumerate(arguments):
        if argument == "--":
            return [*result, *arguments[position:]]
        if argument in repeatable:
            option, has_value = argument, False
        elif option and has_value and is_value(argument):
            result.append(option)
        elif option and not has_value:
            has_value = True
        else:
            option = ""
        result.append(argument)
    return result


def is_value(argument: str) -> bool:
    """Whether an argument is a value rather than an option; a dash alone is a value."""
    return argument == "-" or not argument.startswith("-")


class SuggestingGroup(click.Group):
    """A group that answers an unknown name with those that look like it."""

    noun = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names; UsageError where there is none."""
        name = args[0]
        if is_value(name) and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            raise click.UsageError(
                f'There is no {self.noun} "{name}". {suggest_command(name, known)}', ctx
            )
        return super().resolve_command(ctx, args)


def suggest_command(name: str, known: Sequence[str]) -> str:
    """`Did you mean "score"?`, or all names where none is near."""
    by_letters = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(name.casefold(), by_letters, n=2, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(by_letters[one] for one in near)}?"
    return f"There are: {', '.join(known)}."


def task_command(
    task: AnyTask,
    run: Callable[[AnyTask, CommandContext, dict[str, Any]], int],
    params: Sequence[click.Parameter],
    help: str,
) -> CliCommand:
    """The command of one competition, carried out by `run` with the values of its parameters."""

    @click.pass_obj
    def callback(surroundings: CommandContext, /, **values: Any) -> int:
        return run(task, surroundings, values)

    return CliCommand(task.id, callback=callback, params=params, short_help=task.title, help=help)


class TaskGroup(SuggestingGroup):
    """One command for each competition, made by `build` when it is asked for."""

    noun = "competition"

    def __init__(self, name: str, build: Callable[[Any], click.Command], **kwargs: Any) -> None:
        super().__init__(name, subcommand_metavar="TASK [OPTIONS]", **kwargs)
        self._build = build

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As of every group; where a file stands in the place of the competition, say so."""
        if is_value(args[0]) and self.get_command(ctx, args[0]) is None and Path(args[0]).exists():
            raise click.UsageError(
                f"{args[0]} stands in the place of the competition: name that first, and then "
                f"each file with its option. {suggest_command('', self.list_commands(ctx))}",
                ctx,
            )
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The ids of all competitions."""
        return sorted(registry().tasks)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for one competition, or None."""
        task = find_competition(name)
        return None if task is None else self._build(task)
