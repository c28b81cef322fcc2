"""The program `jurydesk`: its commands, and what becomes of everything that ends one early."""

from __future__ import annotations

import glob
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
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
from jurydesk.core.competition.task_registry import competition_commands
from jurydesk.core.desk import DeskError
from jurydesk.core.execution.device import DeviceError
from jurydesk.core.execution.run import Cancelled
from jurydesk.core.execution.workers import WorkersLost
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.provenance.stamp import StampError
from jurydesk.core.system.interrupt import CANCELLED
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

COMMANDS = {
    "open": "running",
    "demo": "submissions",
    "intake": "submissions",
    "kit": "submissions",
    "check": "submissions",
    "score": "scoring",
    "scores": "scoring",
    "board": "scoring",
    "compare": "scoring",
    "why": "scoring",
    "profiles": "scoring",
    "robustness": "scoring",
    "errata": "scoring",
    "ratings": "submissions",
    "shards": "running",
    "verify": "scoring",
    "devices": "running",
    "doctor": "running",
    "selftest": "running",
    "weights": "running",
    "fid": "programs",
    "meteor": "programs",
    "rusteval": "programs",
    "trec_eval": "programs",
    "evalvist": "programs",
    "references": "submissions",
}
"""The folder of each command, in the order of the help; competitions bring more commands."""
ENTRY_POINTS = "jurydesk.commands"
WHOLE = 1000
"""More letters than any command's first sentence has."""


class Program(SuggestingGroup, click.Group):
    """The commands, each in a module of its own that is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands in the order of the help, those of competitions last."""
        return [
            *COMMANDS,
            *competition_commands(),
            *sorted(entry.name for entry in _command_entry_points()),
        ]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, or None."""
        if name in COMMANDS:
            module = f"jurydesk.core.cli.commands.{COMMANDS[name]}.{name.replace('-', '_')}"
        elif name in (own := competition_commands()):
            module = own[name]
        else:
            return next(
                (_load_command(entry) for entry in _command_entry_points() if entry.name == name),
                None,
            )
        command: click.Command = importlib.import_module(module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with its whole first sentence, where Click would cut it at the margin."""
        listed = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, one.get_short_help_str(limit=WHOLE)) for name, one in listed if one]
            )


def _command_entry_points() -> Iterable[EntryPoint]:
    """The entry points of commands that installed packages bring."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return entry_points(group=ENTRY_POINTS)


def _load_command(entry: EntryPoint) -> click.Command:
    """A package's command, or one that says why it cannot be used: foreign code may fail."""
    try:
        command = entry.load()
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.value} is a {type(command).__name__}, not a command")
    except Exception as error:  # noqa: BLE001 - whatever foreign code raises
        reason = f"The command cannot be used. {type(error).__name__}: {error}"

        def refuse(**given: object) -> None:
            raise CommandError(reason, WRONG_USAGE)

        return CliCommand(entry.name, params=[], callback=refuse, help=reason)
    return command


program = Program(
    "jurydesk",
    help="The offline evaluation desk for vision-language and retrieval competitions.",
    epilog="`jurydesk COMMAND --help` tells more. Without a command the window opens.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
program = click.version_option(__version__, prog_name="jurydesk")(program)


def run_program(argv: Sequence[str] | None, open_window: OpenWindow | None) -> int:
    """Run one command and return its exit code; whatever is not our fault ends in a sentence."""
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
    except CommandError as fault:
        print_error(str(fault))
        return fault.code
    except (UsageError, DeviceError) as error:
        print_error(str(error))
        return WRONG_USAGE
    except (DeskError, StampError) as error:
        print_error(str(error))
        return INPUT_ERRORS
    except (ResourceMissing, WorkersLost) as missing:
        print_error(str(missing))
        return NO_RESOURCE
    except (Cancelled, KeyboardInterrupt):
        print_error("Cancelled.")
        return CANCELLED
    except BrokenPipeError:
        # Whoever read our output has seen enough of it.
        silence_standard_output()
        return DONE
    except OSError as error:
        silence_standard_output()
        print_error(os_error_sentence(error))
        return WRONG_USAGE
    return code if isinstance(code, int) else DONE


def invoke(argv: Sequence[str] | None, surroundings: CommandContext) -> Any:
    """What the command returns. Nothing is caught here, unlike in Click's own `main`."""
    arguments = expand_wildcards(sys.argv[1:]) if argv is None else list(argv)
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    with program.make_context("jurydesk", arguments, obj=surroundings) as context:
        return program.invoke(context)


def expand_wildcards(arguments: Sequence[str]) -> list[str]:
    """The arguments with `*.xml` replaced by the files' names, which only Windows leaves to us."""
    if os.name != "nt":
        return list(arguments)
    names = (sorted(glob.glob(word)) if {"*", "?"} & set(word) else [] for word in arguments)  # noqa: PTH207 - keeps what the user typed
    return [name for word, found in zip(arguments, names, strict=True) for name in found or [word]]


def escape_unencodable() -> None:
    """Let a terminal that lacks a letter show its code instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
