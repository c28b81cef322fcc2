"""Command `jurydesk verify STAMP.json`: recompute a stamped result and compare it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from jurydesk.core.analysis.verify import Verdict, verify_stamp
from jurydesk.core.cli.command import CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.console import escape_control_characters, print_always, print_result
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.export.shown import (
    ExportedNumber,
    find_contradictions,
    find_unstamped,
    numbers_in_json,
    numbers_in_text,
)
from jurydesk.core.export.stamps_export import read_stamps
from jurydesk.core.intake.file_signatures import DESK, own_file_type
from jurydesk.core.model.defects import Severity, name_list
from jurydesk.core.model.evaluation import Json
from jurydesk.core.provenance.stamp import Stamp, StampError, short_stamp
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.text_file import file_head, read_text

EXPORT_SUFFIXES = (".csv", ".tex", ".html", ".htm")
"""Suffixes of board exports, which contain stamps."""


@click.pass_obj
def verify_command(context: CommandContext, /, stamp: Path, inputs: Path | None) -> int:
    """Score the stamped files again and compare; return 1 if anything differs or is missing."""
    contents = read_stamped_file(stamp, context)
    if contents is None:
        return INPUT_ERRORS
    stamps = [Stamp.from_json(data) for data in contents.stamps]
    folders = [stamp.resolve().parent, *([inputs] if inputs else [])]
    verdicts = []
    with open_run(context) as run:
        for one in stamps:
            verdicts.append(verify_stamp(one, stamp_task(one), folders, run))
    for one, verdict in zip(stamps, verdicts, strict=True):
        print_verdict(one, verdict, context)
    altered = find_contradictions(contents.shown, stamps)
    for sentence in altered:
        print_always(escape_control_characters(f"altered: {sentence}"))
    if unknown := find_unstamped(contents.shown, stamps):
        context.remark(f"  Not in any stamp, so not recomputed: {name_list(unknown)}.")
    if contents.has_comparisons:
        context.remark("  Ranks and comparisons of systems were not recomputed.")
    sound = not altered and all(verdict.match for verdict in verdicts)
    return DONE if sound else INPUT_ERRORS


@dataclass(frozen=True, slots=True)
class StampedFile:
    """Stamps in a file, and the numbers that it shows."""

    stamps: Sequence[Json]
    shown: Sequence[ExportedNumber] = ()
    has_comparisons: bool = False


def read_stamped_file(path: Path, context: CommandContext) -> StampedFile | None:
    """Read a stamp, results or an export; report defects, and return None after errors."""
    if own_file_type(file_head(path)) == DESK:
        raise CommandError(
            f"{path} is a desk: `jurydesk board {path.name} --json FILE` writes a file with its "
            "stamps.",
            INPUT_ERRORS,
        )
    if path.suffix.lower() in EXPORT_SUFFIXES:
        reading = read_text(path, damaged="replace")
        context.report([one for one in reading.defects if one.severity is Severity.ERROR])
        if reading.data is None:
            return None
        found = read_stamps(reading.data)
        return StampedFile(found, numbers_in_text(reading.data), len(found) > 1)
    file = read_json_file(path)
    context.report(file.defects)
    if not file.is_readable:
        return None
    ranked = isinstance(file.data, dict) and bool(file.data.get("comparisons"))
    return StampedFile(stamps_in_json(file.data), list(numbers_in_json(file.data)), ranked)


def stamps_in_json(data: Json) -> Sequence[Json]:
    """Return a stamp itself, or those of the systems in a file of `score --json`."""
    systems = data.get("systems") if isinstance(data, dict) else None
    if not isinstance(systems, list):
        return [data]
    found = [
        system["stamp"] for system in systems if isinstance(system, dict) and "stamp" in system
    ]
    stamps = [stamp for stamp in found if stamp is not None]
    if not stamps:
        raise StampError("The file contains no scored system: there is nothing to verify.")
    return stamps


def stamp_task(stamp: Stamp) -> AnyTask:
    """Return the competition of a stamp; raise CommandError if it is not installed."""
    tasks = registry().tasks
    if stamp.task not in tasks:
        advice = suggest_command(stamp.task, list(tasks))
        raise CommandError(
            f'This installation has no competition "{stamp.task}". {advice}', INPUT_ERRORS
        )
    return tasks[stamp.task]


def print_verdict(stamp: Stamp, verdict: Verdict, context: CommandContext) -> None:
    """Print the verdict and its differences; on standard error what made no difference."""
    differences = (f"  {difference.sentence}" for difference in verdict.differences)
    for line in (f"{stamp.system}: {verdict_summary(verdict)}", *differences):
        if verdict.match:
            print_result(line)
        else:
            print_always(escape_control_characters(line))
    for note in verdict.notes:
        context.remark(f"  {note.sentence}")
    context.remark(f"  {short_stamp(stamp)}")


def verdict_summary(verdict: Verdict) -> str:
    """Return the verdict in a few words."""
    if not verdict.compared:
        return "not compared, inputs are missing"
    if not verdict.match:
        return "differs"
    return {None: "match", True: "match, same code", False: "match, other code, same numbers"}[
        verdict.same_code
    ]


command = CliCommand(
    "verify",
    callback=verify_command,
    params=[
        click.Argument(["stamp"], type=PATH, metavar="STAMP.json"),
        file_option("--inputs", metavar="FOLDER", help="Folder of the input files now."),
    ],
    help="Score the files of a stamp again, and report a match or the differences.\n\n"
    "STAMP.json is a stamp, or any file that `score` or `board` wrote: JSON, CSV, LaTeX or HTML. "
    "Input files are searched for at their old path, beside the stamp, then in --inputs.",
)
