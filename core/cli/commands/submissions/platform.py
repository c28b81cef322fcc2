"""Command `jurydesk platform`: downloads of competition platforms, and what platforms accept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.running import open_run
from jurydesk.core.intake.folder import list_files
from jurydesk.core.intake.platforms.download import downloads_json, sorted_entries
from jurydesk.core.intake.platforms.records import Download
from jurydesk.core.language import fill, translate, translate_plural
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.platform_entry import PlatformEntry
from jurydesk.core.system.paths import absolute_path, submissions_store
from jurydesk.core.tables.text_table import align_columns


@click.pass_obj
def list_download(context: CommandContext, /, given: tuple[Path, ...], json: Path | None) -> int:
    """List what an organiser's downloads contain; return 1 if something is missing."""
    for path in given:
        if not path.exists():
            raise CommandError(fill("{path} does not exist.", path), INPUT_ERRORS)
    with open_run(context) as run:
        found = list_files([*map(absolute_path, given)], submissions_store(), run)
    context.report(found.defects)
    if not found.downloads:
        raise CommandError(
            fill("No download of a platform in {names}.", ", ".join(map(str, given))), INPUT_ERRORS
        )
    document = downloads_json(found.downloads, found.defects)
    deliver(download_lines(found.downloads), (json, document))
    return INPUT_ERRORS if has_errors(found.defects) else DONE


def download_lines(downloads: Sequence[Download]) -> Iterator[str]:
    """Format a table of the entries of each platform."""
    for one in downloads:
        entries = sorted_entries(one)
        yield translate_plural(
            "{platform}: {count} submission.",
            "{platform}: {count} submissions.",
            len(entries),
            platform=one.platform,
        )
        heads = ("id", "team", "phase", "received", "status", "file", "server")
        rows = [_entry_cells(entry) for entry in entries]
        yield from align_columns([translate(head) for head in heads], rows, right=set())


def _entry_cells(entry: PlatformEntry) -> list[str]:
    numbers = ", ".join(f"{name} {number}" for name, number in entry.server.items())
    phase, time = entry.phase or entry.phase_id, entry.time_text
    cells = (entry.id, entry.team, phase, time, entry.status, entry.file, numbers)
    return [" ".join(cell.split()) or "-" for cell in cells]


list_command = CliCommand(
    "list",
    callback=list_download,
    uses=(),
    params=[
        click.Argument(["given"], type=PATH, nargs=-1, required=True, metavar="FILE|FOLDER..."),
        json_option(),
    ],
    help="List the submissions in downloads of Codabench, EvalAI, CodaLab, grand-challenge, TIRA "
    "and Kaggle.",
)

command = SuggestingGroup(
    "platform",
    commands={"list": list_command},
    help="Read downloads of competition platforms.",
)
