"""`jurydesk kit TASK ... OUT`: a checker for participants that holds no gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, TaskGroup
from jurydesk.core.cli.commands.scoring.board import desk_task
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError, require_writable
from jurydesk.core.cli.output import write_output
from jurydesk.core.cli.parameters import (
    PATH,
    file_option,
    parse_inputs,
    parse_options,
    task_parameters,
)
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.redaction import Redaction
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.intake.role_check import explain_reference_roles
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.options import options_from_json
from jurydesk.core.participant_kit.browser_page import checker_page_bytes
from jurydesk.core.participant_kit.kit import (
    SUFFIX,
    KitError,
    ParticipantKit,
    desk_inputs,
    kit_bytes,
    make_kit,
    require_redaction,
)

ENDINGS = (SUFFIX, ".html")
DESK = "desk"


def build_kit_command(task: AnyTask) -> click.Command:
    """The command that makes the kit of one competition."""
    own = task.submission_input().role

    @click.pass_obj
    def callback(surroundings: CommandContext, /, **values: Any) -> int:
        inputs = parse_inputs(task, {own.replace("-", "_"): None, **values})
        options = parse_options(task, values)
        return export_kit(task, values["title"], inputs, options, values["out"], surroundings)

    shared = [one for one in task_parameters(task) if not {f"--{own}", "--name"} & {*one.opts}]
    return CliCommand(
        task.id,
        callback=callback,
        params=[*shared, title_option(), out_argument()],
        short_help=task.title,
        help=f"Write a checker of submissions to {task.title} that holds no gold.",
    )


@click.pass_obj
def export_desk_kit(
    surroundings: CommandContext, /, desk: Path, title: str, out: tuple[Path, ...]
) -> int:
    """Write the kit of a desk's competition."""
    with Desk.open(desk, read_only=True) as opened:
        task = desk_task(opened, desk)
        known = opened.competition
        try:
            inputs = desk_inputs(opened, task)
        except KitError as wrong:
            raise CommandError(str(wrong), INPUT_ERRORS) from wrong
    options = options_from_json(task.scoring.options, known.options if known else {})
    return export_kit(
        task, title or (known.title if known else ""), inputs, options, out, surroundings
    )


def export_kit(
    task: AnyTask,
    title: str,
    inputs: Mapping[str, Sequence[Path]],
    options: Any,
    out: Sequence[Path],
    surroundings: CommandContext,
) -> int:
    """Say what leaves this machine, and write it; 1 where the reference files have errors."""
    for path in out:
        require_writable(path, "OUT")
        if path.suffix.lower() not in ENDINGS:
            raise CommandError(f"{path}: the name must end with {' or '.join(ENDINGS)}.")
    try:
        outline = require_redaction(task)
        with open_run(surroundings) as run:
            references = task.readers.read_references(inputs, options, run)
        surroundings.report(explain_reference_roles(task, inputs, references.defects))
        if has_errors(references.defects):
            return INPUT_ERRORS
        kit = make_kit(task, title, references, options)
        written = [(path, kit_content(path, kit, outline)) for path in out]
    except KitError as wrong:
        raise CommandError(str(wrong), INPUT_ERRORS) from wrong
    for line in kit_lines(kit):
        print_result(line)
    for path, data in written:
        write_output(path, data)
        surroundings.remark(f"Written: {path} ({len(data):,} bytes).")
    return DONE


def kit_content(path: Path, kit: ParticipantKit, outline: Redaction[Any]) -> bytes:
    """The kit as the ending of the file's name asks for."""
    return kit_bytes(kit) if path.suffix.lower() == SUFFIX else checker_page_bytes(kit, outline)


def kit_lines(kit: ParticipantKit) -> list[str]:
    """Exactly what a kit holds of the reference data, in sentences."""
    lines = ["The kit holds, of the reference data and your options, exactly this:"]
    lines += [f"  {fact.says}" for fact in kit.facts]
    lines += [f"  The option {name}: {value}." for name, value in kit.options.items()]
    if kit.unable:
        lines += ["What only your own check can tell, since it needs the gold:"]
        lines += [f"  {sentence}" for sentence in kit.unable]
    return [*lines, f"Rules {kit.sha256[:12]}, Jurydesk {kit.program}."]


def title_option() -> click.Option:
    """`--title TEXT`."""
    return click.Option(["--title"], default="", metavar="NAME", help="The competition's name.")


def out_argument() -> click.Argument:
    """Where the kit goes: a file for this program, a page for browsers, or both."""
    ends = f"OUT{SUFFIX}|OUT.html..."
    return click.Argument(["out"], type=PATH, nargs=-1, required=True, metavar=ends)


class KitGroup(TaskGroup):
    """A command for each competition, and one for a desk (`--desk` comes first)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--desk FILE` like the name of a command and its option."""
        with_desk = bool(args) and args[0].partition("=")[0] == "--desk"
        return super().parse_args(ctx, [DESK, *args] if with_desk else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for a competition or for a desk, or None."""
        return desk_command if name == DESK else super().get_command(ctx, name)


desk_command = CliCommand(
    DESK,
    callback=export_desk_kit,
    params=[
        file_option("--desk", required=True, help="The desk."),
        title_option(),
        out_argument(),
    ],
    help="Write the checker of a desk's competition.",
)
command = KitGroup(
    "kit", build_kit_command, help="Write a checker of submissions that holds no gold."
)
