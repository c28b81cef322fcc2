"""`jurydesk kit TASK ... OUT`: a checker for participants that holds no gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import Command, Surroundings, TaskGroup
from jurydesk.core.cli.commands.scoring.board import task_of
from jurydesk.core.cli.console import say
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, Fault, require_writable
from jurydesk.core.cli.output import write_bytes
from jurydesk.core.cli.parameters import PATH, file_option, inputs_of, options_of, task_parameters
from jurydesk.core.cli.running import running
from jurydesk.core.competition.redaction import Outline
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.intake.role_check import placed_references
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.options import options_from_json
from jurydesk.core.participant_kit.browser_page import page_bytes
from jurydesk.core.participant_kit.kit import (
    SUFFIX,
    Kit,
    KitError,
    inputs_of_desk,
    kit_bytes,
    make_kit,
    outline_of,
)

ENDINGS = (SUFFIX, ".html")
DESK = "desk"


def build(task: AnyTask) -> click.Command:
    """The command that makes the kit of one competition."""
    own = task.submission_input().role

    @click.pass_obj
    def callback(surroundings: Surroundings, /, **values: Any) -> int:
        inputs = inputs_of(task, {own.replace("-", "_"): None, **values})
        options = options_of(task, values)
        return export(task, values["title"], inputs, options, values["out"], surroundings)

    shared = [one for one in task_parameters(task) if not {f"--{own}", "--name"} & {*one.opts}]
    return Command(
        task.id,
        callback=callback,
        params=[*shared, title_option(), out_argument()],
        short_help=task.title,
        help=f"Write a checker of submissions to {task.title} that holds no gold.",
    )


@click.pass_obj
def of_desk(surroundings: Surroundings, /, desk: Path, title: str, out: tuple[Path, ...]) -> int:
    """Write the kit of a desk's competition."""
    with Desk.open(desk, read_only=True) as opened:
        task = task_of(opened, desk)
        known = opened.competition
        try:
            inputs = inputs_of_desk(opened, task)
        except KitError as wrong:
            raise Fault(str(wrong), INPUT_ERRORS) from wrong
    options = options_from_json(task.scoring.options, known.options if known else {})
    return export(task, title or (known.title if known else ""), inputs, options, out, surroundings)


def export(
    task: AnyTask,
    title: str,
    inputs: Mapping[str, Sequence[Path]],
    options: Any,
    out: Sequence[Path],
    surroundings: Surroundings,
) -> int:
    """Say what leaves this machine, and write it; 1 where the reference files have errors."""
    for path in out:
        require_writable(path, "OUT")
        if path.suffix.lower() not in ENDINGS:
            raise Fault(f"{path}: the name must end with {' or '.join(ENDINGS)}.")
    try:
        outline = outline_of(task)
        with running(surroundings) as run:
            references = task.readers.read_references(inputs, options, run)
        surroundings.report(placed_references(task, inputs, references.defects))
        if has_errors(references.defects):
            return INPUT_ERRORS
        kit = make_kit(task, title, references, options)
        written = [(path, content(path, kit, outline)) for path in out]
    except KitError as wrong:
        raise Fault(str(wrong), INPUT_ERRORS) from wrong
    for line in kit_lines(kit):
        say(line)
    for path, data in written:
        write_bytes(path, data)
        surroundings.remark(f"Written: {path} ({len(data):,} bytes).")
    return DONE


def content(path: Path, kit: Kit, outline: Outline[Any]) -> bytes:
    """The kit as the ending of the file's name asks for."""
    return kit_bytes(kit) if path.suffix.lower() == SUFFIX else page_bytes(kit, outline)


def kit_lines(kit: Kit) -> list[str]:
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


class Kits(TaskGroup):
    """A command for each competition, and one for a desk (`--desk` comes first)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read `--desk FILE` like the name of a command and its option."""
        with_desk = bool(args) and args[0].partition("=")[0] == "--desk"
        return super().parse_args(ctx, [DESK, *args] if with_desk else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for a competition or for a desk, or None."""
        return desk_command if name == DESK else super().get_command(ctx, name)


desk_command = Command(
    DESK,
    callback=of_desk,
    params=[
        file_option("--desk", required=True, help="The desk."),
        title_option(),
        out_argument(),
    ],
    help="Write the checker of a desk's competition.",
)
command = Kits("kit", build, help="Write a checker of submissions that holds no gold.")
