"""Base classes of commands: common options, repeatable options, suggestions for unknown names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.console import defect_lines, print_remark
from jurydesk.core.cli.help_text import LocalContext, short_help
from jurydesk.core.language import fill, translate, translate_text
from jurydesk.core.model.defects import Defect, Severity
from jurydesk.core.readers.bounded_defects import condense_defects
from jurydesk.core.system.interrupt import interruptible

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.workers.worker import Data


OpenWindow = Callable[[Path], int]
"""Shows a desk file in a window until the user closes it, and returns the exit code."""

CHUNKS = ("jobs", "scheduler", "data")
"""Shared options of commands that score in chunks, on this machine or on a cluster."""
COMPUTING = ("device", *CHUNKS)
"""Shared options of commands that may also run neural metrics."""
DEVICE = re.compile(r"auto|cpu|mps|(cuda|xpu)(:[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class CommandContext:
    """Window opener and shared options that a command runs with."""

    open_window: OpenWindow | None = None
    quiet: bool = False
    jobs: int | None = None
    device: str = "auto"
    scheduler: str = ""
    data: Data = "chunks"

    def remark(self, text: str) -> None:
        """Print a diagnostic on standard error, unless `--quiet` is set."""
        if not self.quiet:
            print_remark(text)

    def warn_of_look_alikes(self, names: Iterable[str]) -> None:
        """Print a line for names of systems that look alike or mix scripts."""
        from jurydesk.core.model.look_alikes import look_alike_warnings

        for sentence in look_alike_warnings(names):
            self.remark(translate_text(sentence))

    def report(self, defects: Sequence[Defect]) -> None:
        """Print defects on standard error, equal ones once; with `--quiet` only errors."""
        listed = condense_defects(defects)
        shown = [one for one in listed if not self.quiet or one.severity is Severity.ERROR]
        for line in defect_lines(shown):
            click.echo(line, err=True)


def shared_options(uses: Collection[str]) -> list[click.Parameter]:
    """Return those of the shared options that a command uses, and `--quiet`."""
    options: list[click.Parameter] = [
        click.Option(
            ["--device"],
            default="auto",
            metavar="auto|cpu|cuda:N|mps",
            callback=device_name,
            show_default=True,
            help="Device for neural metrics.",
        ),
        click.Option(
            ["--jobs"],
            type=click.IntRange(min=1),
            metavar="N",
            help="Number of processors to use; all if not given.",
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
            help="Send pictures to other machines with the chunks, or as paths on a shared disk.",
        ),
        click.Option(
            ["--quiet"],
            is_flag=True,
            help="Print only errors, and output requested with a target `-`.",
        ),
    ]
    return [one for one in options if one.name in (*uses, "quiet")]


def device_name(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Validate the form of `--device`; its presence is checked when a device is needed."""
    if DEVICE.fullmatch(value) is None:
        raise click.BadParameter(
            fill('"{value}" is not a device. `jurydesk devices` lists them.', value)
        )
    return value


def scheduler_address(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Validate the form of `--scheduler`; the connection is made when work begins."""
    if not value:
        return value
    from jurydesk.core.execution.workers.dask_workers import ADDRESS

    if ADDRESS.fullmatch(value) is None:
        raise click.BadParameter(
            fill('"{value}" is not a scheduler address, such as tcp://host:8786.', value)
        )
    return value


class CliCommand(click.Command):
    """Command with the shared options that it `uses`; repeatable options take several values."""

    context_class = LocalContext

    def __init__(
        self,
        name: str,
        *,
        params: Sequence[click.Parameter],
        uses: Collection[str] = (),
        **kwargs: Any,
    ) -> None:
        self.shared = shared_options(uses)
        super().__init__(name, params=[*params, *self.shared], **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `--results a b c` like `--results a --results b --results c`.

        In a command with positional arguments, only the first value belongs to the option.
        """
        try:
            return self._parse(ctx, [*args])
        except click.NoSuchOption as unknown:
            # click reads -nBest as -n with a value, and names only that.
            name = unknown.option_name
            if name.startswith("--"):
                raise
            written = next((word for word in args if word.startswith(name)), name)
            raise click.NoSuchOption(written, ctx=ctx) from None

    def _parse(self, ctx: click.Context, args: list[str]) -> list[str]:
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
        except click.UsageError as error:
            if type(error) is not click.UsageError:  # others than of unexpected arguments
                raise
            message = fill(
                "{message}. Each file and each value must follow its option.", error.message
            )
            raise click.UsageError(message, ctx) from error

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence of the help."""
        return short_help(self, limit)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the shared options in its `CommandContext`."""
        shared = {one.name: ctx.params.pop(one.name) for one in self.shared}
        ctx.obj = replace(ctx.find_object(CommandContext) or CommandContext(), **shared)
        with interruptible():
            return super().invoke(ctx)


def spread_repeatable(arguments: Sequence[str], repeatable: Collection[str]) -> list[str]:
    """Return the arguments with an option name before each value of a repeatable option."""
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
    """Return whether an argument is a value rather than an option; a lone dash is a value."""
    return argument == "-" or not argument.startswith("-")


class SuggestingGroup(click.Group):
    """Group that suggests similar names for an unknown one."""

    context_class = LocalContext

    def describe_unknown(self, name: str) -> str:
        """Return that there is no such command."""
        return translate('There is no command "{name}".', name=name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command named by the first argument; raise UsageError without one."""
        name = args[0]
        if is_value(name) and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            refusal = self.describe_unknown(name)
            raise click.UsageError(f"{refusal} {suggest_command(name, known)}", ctx)
        return super().resolve_command(ctx, args)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the first sentence of the help."""
        return short_help(self, limit)


def suggest_command(name: str, known: Sequence[str]) -> str:
    """Return `Did you mean score?`, or all names if none is similar."""
    by_folded = {one.casefold(): one for one in known}
    similar = difflib.get_close_matches(name.casefold(), by_folded, n=2, cutoff=0.5)
    if similar:
        names = translate(" or ").join(by_folded[one] for one in similar)
        return translate("Did you mean {names}?", names=names)
    return translate("Available: {names}.", names=", ".join(known))


def task_command(
    task: AnyTask,
    run: Callable[[AnyTask, CommandContext, dict[str, Any]], int],
    params: Sequence[click.Parameter],
    help: str,
    uses: Collection[str] = (),
) -> CliCommand:
    """Return the command of one competition; `run` gets the values of its parameters."""

    @click.pass_obj
    def callback(context: CommandContext, /, **values: Any) -> int:
        return run(task, context, values)

    return CliCommand(
        task.id, callback=callback, params=params, uses=uses, short_help=task.title, help=help
    )


class TaskGroup(SuggestingGroup):
    """Group with one command per competition, created on request by `build`."""

    def __init__(self, name: str, build: Callable[[Any], click.Command], **kwargs: Any) -> None:
        super().__init__(name, subcommand_metavar="TASK [OPTIONS]", **kwargs)
        self._build = build

    def describe_unknown(self, name: str) -> str:
        """Return that there is no such competition, or why it could not be loaded."""
        from jurydesk.core.competition.task_registry import describe_unknown

        return translate_text(describe_unknown(name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the command; explain the order when a file is given as competition."""
        if is_value(args[0]) and self.get_command(ctx, args[0]) is None and Path(args[0]).exists():
            order = translate(
                "Expected a competition, found the file {file}: give the competition first, then "
                "each file after its option.",
                file=args[0],
            )
            advice = suggest_command("", self.list_commands(ctx))
            raise click.UsageError(f"{order} {advice}", ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the ids of all competitions."""
        from jurydesk.core.competition.task_registry import registry

        return sorted(registry().tasks)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of one competition, or None."""
        from jurydesk.core.competition.task_registry import find_competition

        task = find_competition(name)
        return None if task is None else self._build(task)
