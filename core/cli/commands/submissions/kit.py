"""Command `jurydesk kit TASK ... OUT`: write a submission checker without the gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, TaskGroup
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.desk_work import desk_task
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError, require_writable
from jurydesk.core.cli.output import write_output
from jurydesk.core.cli.parameters import (
    PATH,
    file_option,
    flag,
    parse_inputs,
    parse_options,
    task_parameters,
)
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.redaction import Redaction
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.intake.role_check import explain_reference_roles
from jurydesk.core.language import LANGUAGES, translate, translate_text
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.options import options_from_json
from jurydesk.core.participant_kit.browser_page import checker_page_bytes
from jurydesk.core.participant_kit.kit import (
    SUFFIX,
    EntryKeys,
    KitError,
    ParticipantKit,
    desk_inputs,
    kit_bytes,
    make_kit,
    require_redaction,
)
from jurydesk.core.sealed.key_store import KEY_MADE, KeyStoreError
from jurydesk.core.workflow.entries.entry_kit import kit_of_entries, record_kit

ENDINGS = (SUFFIX, ".html")
DESK = "desk"


def build_kit_command(task: AnyTask) -> click.Command:
    """Return the command that writes the kit of one competition."""
    role = task.submission_input().role

    @click.pass_obj
    def callback(context: CommandContext, /, **values: Any) -> int:
        inputs = parse_inputs(task, {role.replace("-", "_"): None, **values})
        options = parse_options(task, values)
        title = values["title"] or task.readers.title(inputs)
        kit = KitRequest(task, title, values["out"], values["language"])
        return export_kit(kit, inputs, options, context)

    shared = [one for one in task_parameters(task) if not {f"--{role}", "--name"} & {*one.opts}]
    return CliCommand(
        task.id,
        callback=callback,
        params=[*shared, title_option(), language_option(), out_argument()],
        short_help=task.title,
        help=translate(
            "Write a checker of submissions to {title} without the reference data.",
            title=translate_text(task.title),
        ),
    )


@click.pass_obj
def export_desk_kit(
    context: CommandContext,
    /,
    desk: Path,
    title: str,
    language: str,
    entries: bool,
    out: tuple[Path, ...],
) -> int:
    """Write the kit of a desk's competition."""
    with Desk.open(desk, read_only=not entries) as opened:
        task = desk_task(opened)
        known = opened.competition
        try:
            inputs = desk_inputs(opened, task)
            kept, made = kit_of_entries(opened) if entries else (None, None)
        except (KitError, KeyStoreError) as error:
            raise CommandError(str(error), INPUT_ERRORS) from error
        if made is not None:
            context.remark(translate(KEY_MADE, path=made.path))
        options = options_from_json(task.scoring.options, known.options if known else {})
        kit = KitRequest(task, title or (known.title if known else ""), out, language, kept)
        if entries:
            kit = replace(kit, keep=partial(record_kit, opened))
        return export_kit(kit, inputs, options, context)


@dataclass(frozen=True, slots=True)
class KitRequest:
    """Kit to be written: its competition and title, its files, and the language of its page.

    `entries` are the keys for sealed entries, if these are taken; `keep` records the kit.
    """

    task: AnyTask
    title: str
    out: Sequence[Path]
    language: str
    entries: EntryKeys | None = None
    keep: Callable[[ParticipantKit], None] = lambda kit: None


def export_kit(
    request: KitRequest,
    inputs: Mapping[str, Sequence[Path]],
    options: Any,
    context: CommandContext,
) -> int:
    """Print what the kit reveals, and write it; return 1 if the reference files have errors."""
    task, out = request.task, request.out
    for path in out:
        require_writable(path, "OUT")
        if path.suffix.lower() not in ENDINGS:
            endings = translate(" or ").join(ENDINGS)
            raise CommandError(
                translate("{path}: the name must end with {endings}.", path=path, endings=endings)
            )
    try:
        redaction = require_redaction(task)
        with open_run(context) as run:
            references = task.readers.read_references(inputs, options, run)
        context.report(explain_reference_roles(task, inputs, references.defects))
        if has_errors(references.defects):
            return INPUT_ERRORS
        kit = replace(make_kit(task, request.title, references, options), entries=request.entries)
        request.keep(kit)
        written = [(path, kit_content(path, kit, redaction, request.language)) for path in out]
    except KitError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error
    for line in kit_lines(kit):
        print_result(line)
    for path, data in written:
        write_output(path, data)
        context.remark(translate("Written: {path} ({size:,} bytes).", path=path, size=len(data)))
    return DONE


def kit_content(path: Path, kit: ParticipantKit, redaction: Redaction[Any], language: str) -> bytes:
    """Return the kit in the format of the file's suffix."""
    if path.suffix.lower() == SUFFIX:
        return kit_bytes(kit)
    return checker_page_bytes(kit, redaction, language)


def kit_lines(kit: ParticipantKit) -> list[str]:
    """List everything that a kit contains of the reference data."""
    lines = [translate("Of the reference data and your options, the kit contains only:")]
    lines += [f"  {translate_text(fact.says)}" for fact in kit.facts]
    lines += [
        f"  {translate('The option {name}: {value}.', name=name, value=value)}"
        for name, value in kit.options.items()
    ]
    if kit.unable:
        lines += [
            translate("Only your own check can find the following, which needs the reference data:")
        ]
        lines += [f"  {translate_text(sentence)}" for sentence in kit.unable]
    if kit.entries:
        lines.append(translate("Your public key for entries: {key}.", key=kit.entries.signing))
    rules = translate(
        "Rules {hash}, Jurydesk {version}.", hash=kit.sha256[:12], version=kit.program
    )
    return [*lines, rules]


def title_option() -> click.Option:
    """Return the option `--title NAME`."""
    return click.Option(["--title"], default="", metavar="NAME", help="Name of the competition.")


def language_option() -> click.Option:
    """Return the option `--language CODE`."""
    return click.Option(
        ["--language"],
        type=click.Choice(tuple(LANGUAGES)),
        default="en",
        help="The language in which the page opens; a button changes it.",
    )


def out_argument() -> click.Argument:
    """Return the argument for the output files: a file for this program, a web page, or both."""
    ends = f"OUT{SUFFIX}|OUT.html..."
    return click.Argument(["out"], type=PATH, nargs=-1, required=True, metavar=ends)


class KitGroup(TaskGroup):
    """Group with a command per competition, and one for a desk (`--desk` first)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a leading `--desk FILE` as a command name with its option."""
        with_desk = bool(args) and args[0].partition("=")[0] == "--desk"
        return super().parse_args(ctx, [DESK, *args] if with_desk else args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command of a competition or of a desk, or None."""
        return desk_command if name == DESK else super().get_command(ctx, name)


desk_command = CliCommand(
    DESK,
    callback=export_desk_kit,
    params=[
        file_option("--desk", required=True, help="The desk."),
        title_option(),
        language_option(),
        flag(
            "--entries",
            help="Take sealed entries with this kit after the deadline: it has your public key.",
        ),
        out_argument(),
    ],
    help="Write the submission checker of a desk's competition.",
)
command = KitGroup(
    "kit", build_kit_command, help="Write a submission checker without the reference data."
)
