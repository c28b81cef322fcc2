"""Command `jurydesk verify STAMP.json`: recompute a stamped result and compare it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurydesk.core.analysis.verify import GROUPS, Verdict, locate_input, verify_stamp
from jurydesk.core.cli.command import CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.console import escape_control_characters, print_always, print_result
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.groups_file import read_groups
from jurydesk.core.export.exported_numbers import (
    ExportedNumber,
    find_contradictions,
    find_unstamped,
    numbers_in_json,
    numbers_in_text,
)
from jurydesk.core.export.recomputation import (
    BoardSettings,
    find_difference,
    find_result_difference,
    recompute_board,
)
from jurydesk.core.export.stamps_export import SETTINGS, read_export_settings, read_stamps
from jurydesk.core.intake.file_signatures import DESK, own_file_type
from jurydesk.core.model.defects import Severity, name_list
from jurydesk.core.model.evaluation import Json
from jurydesk.core.provenance.stamp import Stamp, StampError, short_stamp
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.text_file import file_head, read_text
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

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
    with open_run(context) as run:
        verdicts = [verify_stamp(one, stamp_task(one), folders, run) for one in stamps]
        for one, verdict in zip(stamps, verdicts, strict=True):
            print_verdict(one, verdict, context)
        altered = find_contradictions(contents.shown, stamps)
        is_match = all(verdict.match for verdict in verdicts)
        if contents.content is not None and is_match and not altered:
            altered = compare_recomputed(contents, stamps, verdicts, folders, context, run)
    for sentence in altered:
        print_always(escape_control_characters(f"altered: {sentence}"))
    if unknown := find_unstamped(contents.shown, stamps):
        context.remark(f"  Not in any stamp, so not recomputed: {name_list(unknown)}.")
    sound = not altered and all(verdict.match for verdict in verdicts)
    return DONE if sound else INPUT_ERRORS


@dataclass(frozen=True, slots=True)
class StampedFile:
    """Stamps in a file, and the numbers that it shows."""

    stamps: Sequence[Json]
    shown: Sequence[ExportedNumber]
    content: Json
    """The text, or the document of a JSON file; None for a stamp alone."""
    settings: Json = None
    """Settings of an export of a board."""
    is_board: bool = True


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
        text = reading.data
        found, settings = read_stamps(text), read_export_settings(text)
        return StampedFile(found, numbers_in_text(text), text, settings)
    file = read_json_file(path)
    context.report(file.defects)
    if not file.is_readable:
        return None
    found, data = stamps_in_json(file.data), file.data if isinstance(file.data, dict) else {}
    shown = list(numbers_in_json(file.data))
    if not isinstance(data.get("systems"), list):
        return StampedFile(found, shown, None)
    is_board = SETTINGS in data or "comparisons" in data
    return StampedFile(found, shown, data, data.get(SETTINGS), is_board)


def compare_recomputed(
    contents: StampedFile,
    stamps: Sequence[Stamp],
    verdicts: Sequence[Verdict],
    folders: Sequence[Path],
    context: CommandContext,
    run: Run,
) -> list[str]:
    """Make the file again from the recomputed results; return a sentence if anything differs."""
    evaluations = [
        replace(verdict.evaluation, system=stamp.system, stamp=record)
        for verdict, stamp, record in zip(verdicts, stamps, contents.stamps, strict=True)
        if verdict.evaluation is not None
    ]
    if not contents.is_board:
        found = find_result_difference(contents.content, evaluations)
        return [] if found is None else [found.sentence]
    is_older = any(stamp.versions.get("jurydesk") != __version__ for stamp in stamps)
    if contents.settings is None:
        if not is_older:
            return ["the settings of the board are missing from the file."]
        context.remark("  Ranks and comparisons were not recomputed: the file has no settings.")
        return []
    settings = BoardSettings.from_json(contents.settings)
    is_text = settings.kind not in ("csv", "json")
    if settings.results != len(stamps) or (is_older and is_text):
        reason = "another version made the file" if is_older else "a system has no stamp"
        context.remark(f"  Ranks and comparisons were not recomputed: {reason}.")
        return []
    if settings.groups is not None:
        located = locate_input(replace(settings.groups, role=GROUPS), folders, run)
        if located.path is None or located.difference is not None:
            return [located.difference.sentence if located.difference else ""]
        labels = read_groups(located.path)
        inference = replace(settings.inference, labels=labels, source=settings.groups)
        settings = replace(settings, inference=inference)
    again, metrics = recompute_board(stamp_task(stamps[0]), evaluations, settings, run)
    if is_text and not {one.metric for one in contents.shown} <= metrics:
        context.remark("  Ranks and comparisons were not recomputed: the file has ratings.")
        return []
    difference, unknown = find_difference(settings, contents.content, again.decode())
    if unknown:
        context.remark(f"  Not recomputed: {name_list(unknown)}.")
    return [] if difference is None else [difference.sentence]


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
