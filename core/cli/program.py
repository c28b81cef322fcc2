"""Program `jurydesk`: its commands, and the exit code of everything that ends one early."""

from __future__ import annotations

import glob
import importlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, OpenWindow, SuggestingGroup
from jurydesk.core.cli.console import print_error
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    NO_RESOURCE,
    PRINTED,
    WRONG_USAGE,
    CommandError,
    os_error_sentence,
    output_errors,
    silence_standard_output,
)
from jurydesk.core.execution.device import DeviceError
from jurydesk.core.execution.run import Cancelled
from jurydesk.core.execution.workers.worker import WorkersLost
from jurydesk.core.language import LANGUAGES, choose_language, translate
from jurydesk.core.language.display_language import LANGUAGE_OPTION
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.system.interrupt import CANCELLED
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

COMMANDS = {
    "open": "running",
    "demo": "submissions",
    "intake": "submissions",
    "platform": "submissions",
    "kit": "submissions",
    "check": "submissions",
    "score": "scoring",
    "scores": "scoring",
    "board": "scoring",
    "compare": "scoring",
    "why": "scoring",
    "profiles": "scoring",
    "robustness": "scoring",
    "items": "scoring",
    "classes": "scoring",
    "plan": "scoring",
    "errata": "scoring",
    "ratings": "submissions",
    "shards": "running",
    "verify": "scoring",
    "devices": "running",
    "doctor": "running",
    "selftest": "running",
    "weights": "running",
    "addon": "running",
    "fid": "programs",
    "meteor": "programs",
    "rusteval": "programs",
    "trec_eval": "programs",
    "evalvist": "programs",
    "references": "submissions",
    "entry": "submissions",
}
"""Folder of each command, in the order of the help; competitions add more commands."""
ENTRY_POINTS = "jurydesk.commands"
HELP_LIMIT = 1000
"""Longer than the first sentence of any command's help."""


class Program(SuggestingGroup, click.Group):
    """Group of all commands, each imported from its extra module on request."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all commands in the order of the help, those of competitions last."""
        return [
            *COMMANDS,
            *_competition_commands(),
            *sorted(entry.name for entry in _command_entry_points()),
        ]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of that name, or None."""
        if name in COMMANDS:
            module = f"jurydesk.core.cli.commands.{COMMANDS[name]}.{name.replace('-', '_')}"
        elif name in (extra := _competition_commands()):
            module = extra[name]
        else:
            return next(
                (_load_command(entry) for entry in _command_entry_points() if entry.name == name),
                None,
            )
        command: click.Command = importlib.import_module(module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List each command with its first sentence, which Click would truncate."""
        listed = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, one.get_short_help_str(limit=HELP_LIMIT)) for name, one in listed if one]
            )


def _competition_commands() -> Mapping[str, str]:
    from jurydesk.core.competition.task_registry import competition_commands

    return competition_commands()


def _command_entry_points() -> Iterable[EntryPoint]:
    from jurydesk.core.competition.plug_ins import entry_points_of  # slow, and seldom needed

    return entry_points_of(ENTRY_POINTS)[0]


def _load_command(entry: EntryPoint) -> click.Command:
    """Load a package's command; return one that reports the failure if that fails."""
    from jurydesk.core.competition.plug_ins import load_plug_in

    try:
        command = load_plug_in(entry)
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.value} is a {type(command).__name__}, not a command")
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
        reason = translate(
            "The command could not be loaded. {kind}: {error}",
            kind=type(error).__name__,
            error=error,
        )

        def refuse(**given: object) -> None:
            raise CommandError(reason, WRONG_USAGE)

        return CliCommand(entry.name, params=[], callback=refuse, help=reason)
    return command


program = Program(
    "jurydesk",
    help="The offline evaluation desk for vision-language and retrieval competitions.",
    epilog="Run `jurydesk COMMAND --help` for details. Without a command the window opens.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
program = click.version_option(__version__, prog_name="jurydesk")(program)
program.params.append(
    click.Option(
        [LANGUAGE_OPTION],
        metavar="|".join(LANGUAGES),
        expose_value=False,
        help="Language of all texts, as the first argument; that of the system if not given.",
    )
)


def run_program(argv: Sequence[str] | None, open_window: OpenWindow | None) -> int:
    """Run one command and return its exit code; expected errors end with a message."""
    escape_unencodable()
    try:
        code = invoke(argv, CommandContext(open_window))
        if sys.stdout is not None:
            with output_errors(PRINTED):
                sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except CommandError as error:
        print_error(str(error))
        return error.code
    except (UsageError, DeviceError) as error:
        print_error(str(error))
        return WRONG_USAGE
    except (ResourceMissing, WorkersLost) as error:
        print_error(str(error))
        return NO_RESOURCE
    except (Cancelled, KeyboardInterrupt):
        print_error("Cancelled.")
        return CANCELLED
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does.
        silence_standard_output()
        return DONE
    except OSError as error:
        silence_standard_output()
        print_error(os_error_sentence(error))
        return WRONG_USAGE
    except _input_file_errors() as error:
        print_error(str(error))
        return INPUT_ERRORS
    return code if isinstance(code, int) else DONE


def _input_file_errors() -> tuple[type[Exception], ...]:
    """Return the errors of desks and stamps; not every command needs the modules of both."""
    from jurydesk.core.desk import DeskError
    from jurydesk.core.model.stamp import StampError

    return DeskError, StampError


def invoke(argv: Sequence[str] | None, context: CommandContext) -> Any:
    """Run the command of the arguments without Click's own error handling."""
    arguments = expand_wildcards(sys.argv[1:]) if argv is None else list(argv)
    try:
        arguments = choose_language(arguments)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    with program.make_context("jurydesk", arguments, obj=context) as ctx:
        return program.invoke(ctx)


def expand_wildcards(arguments: Sequence[str]) -> list[str]:
    """Expand patterns such as `*.xml` on Windows, whose shells leave them to programs."""
    if os.name != "nt":
        return list(arguments)
    names = (sorted(glob.glob(word)) if {"*", "?"} & set(word) else [] for word in arguments)  # noqa: PTH207 - keeps the form that the user typed
    return [name for word, hits in zip(arguments, names, strict=True) for name in hits or [word]]


def escape_unencodable() -> None:
    """Make standard output and error escape characters that the terminal cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
