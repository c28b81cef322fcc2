"""Command `jurydesk verify STAMP.json`: recompute a stamped result and compare it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.console import print_always, print_result
from jurydesk.core.cli.exit_codes import DONE, IN_PART, INPUT_ERRORS, CommandError
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.groups_file import read_groups
from jurydesk.core.execution.stamped_files import locate_input
from jurydesk.core.export.board_file import FORMATS
from jurydesk.core.export.export_settings import ExportSettings
from jurydesk.core.export.exported_numbers import (
    ExportedNumber,
    find_contradictions,
    find_unstamped,
    numbers_in_json,
    numbers_in_text,
)
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.export.stamps_export import (
    SECOND_SUFFIX,
    SETTINGS,
    STAMPS,
    has_short_stamps,
    read_export_settings,
    read_record_origin,
    read_stamps,
    second_file,
)
from jurydesk.core.intake.file_signatures import DESK, ITEMS, own_file_type
from jurydesk.core.language import counted, fill, name_list, translatable, translate, translate_text
from jurydesk.core.language.text_direction import escape_control_characters
from jurydesk.core.model.defects import Severity
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.stamp import Stamp, StampError, is_added, short_stamp
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.text_file import UTF8_MARK, file_head, read_text, text_head
from jurydesk.core.sealed.certificate import is_certificate
from jurydesk.core.system.paths import submissions_store
from jurydesk.core.verification.differences import find_result_difference
from jurydesk.core.verification.distance import is_distance, verify_distance
from jurydesk.core.verification.recomputation import (
    FORMS,
    compare_export,
    locate_ratings,
    stamped_sources,
)
from jurydesk.core.verification.scored_again import ScoredAgain
from jurydesk.core.verification.scored_before import ScoredBefore
from jurydesk.core.verification.stamp_record import verify_record
from jurydesk.core.verification.verify_desk import verify_desk
from jurydesk.core.verification.verify_stamp import GROUPS, Verdict
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

IS_TEXT = {".json": False, ".jsonl": True}
"""Whether an export is text with stamps, by suffixes; others are known by their content."""
DISTANCE = "fid"
"""Name of a distance in the output."""
TEXTS = ("html", "lines")
"""Forms whose wording belongs to a version."""


@click.pass_obj
def verify_command(context: CommandContext, /, stamp: Path, inputs: Path | None) -> int:
    """Score the stamped files again and compare.

    Returns 1 if anything differs or is missing, 4 if not everything could be checked.
    """
    folders = [stamp.resolve().parent, *([inputs] if inputs else []), submissions_store()]
    if own_file_type(file_head(stamp)) == DESK:
        return verify_desk_file(stamp, folders, context)
    if is_certificate(stamp):
        return verify_certificate(stamp)
    contents = read_stamped_file(stamp, context)
    if contents is None:
        return INPUT_ERRORS
    with open_run(context) as run:
        if is_distance(contents.content):
            verdict = verify_distance(contents.content, folders, run)
            print_verdict(DISTANCE, verdict, context)
            return exit_code([verdict])
        stamps = [Stamp.from_json(data) for data in contents.stamps]
        before = ScoredBefore()
        verdicts = [
            verify_record(record, one, stamp_task(one.task), folders, run, before)
            for record, one in zip(contents.stamps, stamps, strict=True)
        ]
        for one, verdict in zip(stamps, verdicts, strict=True):
            print_verdict(one.system, verdict, context)
            context.remark(f"  {short_stamp(one)}")
        context.warn_of_look_alikes(one.system for one in stamps)
        altered = find_contradictions(contents.shown, stamps)
        unchecked: list[str] = []
        if contents.content is not None and all(one.match for one in verdicts) and not altered:
            altered, unchecked = compare_recomputed(contents, stamps, verdicts, folders, run)
    print_findings(altered, unchecked)
    if not stamps and not altered and not unchecked:
        print_result(f"{stamp.name}: {translate('match')}")
    return exit_code(verdicts, altered, unchecked)


def verify_certificate(path: Path) -> int:
    """Check a certificate alone: neither its scores nor its organiser's key can be checked here."""
    from jurydesk.core.cli.entries.certificates import verify_certificates

    code = verify_certificates((path,), key=None, revoked=None, json=None)
    if code == INPUT_ERRORS:
        return code
    print_findings([], [translatable("the scores of a certificate, and whose key signed it")])
    return IN_PART


def verify_desk_file(path: Path, folders: Sequence[Path], context: CommandContext) -> int:
    """Compute the scores of a desk again from its rows, and the rows from the inputs at hand."""
    with Desk.open(path, read_only=True) as desk, open_run(context) as run:
        if desk.competition is None or not desk.systems():
            raise StampError("The file contains no scored system: there is nothing to verify.")
        task = stamp_task(desk.competition.task_id)
        context.warn_of_look_alikes(desk.systems())
        found = verify_desk(desk, task, folders, run, partial(print_verdict, context=context))
    print_findings(found.altered, found.unchecked)
    return exit_code(found.verdicts, found.altered, found.unchecked)


def print_findings(altered: Sequence[str], unchecked: Sequence[str]) -> None:
    """Print what differs, and what was not checked."""
    for sentence in altered:
        shown = translate("altered: {sentence}", sentence=translate_text(sentence))
        print_always(escape_control_characters(shown))
    if unchecked:
        names = translate_text(name_list(unchecked))
        print_result(translate("Not checked: {names}.", names=names))


def exit_code(
    verdicts: Sequence[Verdict], altered: Sequence[str] = (), unchecked: Sequence[str] = ()
) -> int:
    """Return 0 if all was confirmed, 4 if nothing differs, else 1."""
    if altered or not all(one.match for one in verdicts):
        return INPUT_ERRORS
    return IN_PART if unchecked or not all(one.is_whole for one in verdicts) else DONE


@dataclass(frozen=True, slots=True)
class StampedFile:
    """Stamps in a file, and the numbers that it shows."""

    stamps: Sequence[Json]
    shown: Sequence[ExportedNumber]
    content: Json
    """The text, or the document of a JSON file; None for a stamp alone."""
    settings: Json = None
    """Settings of an export of a desk."""
    is_results: bool = False
    """True for the results of `score`, which have no settings."""


def read_stamped_file(path: Path, context: CommandContext) -> StampedFile | None:
    """Read a stamp, results or an export; report defects, and return None after errors."""
    path = described_table(path)
    if is_text_export(path):
        reading = read_text(path, damaged="replace")
        context.report([one for one in reading.defects if one.severity is Severity.ERROR])
        if reading.data is None:
            return None
        text = reading.data
        if (second := second_file(path)).is_file() and has_short_stamps(text):
            return with_second_file(text, second)
        settings = read_export_settings(text)
        found = read_stamps(text, allow_none=settings is not None)
        shown = numbers_in_text(text) if is_board(settings) else ()
        return StampedFile(found, shown, text, settings)
    file = read_json_file(path)
    context.report(file.defects)
    if file.duplicates:
        raise StampError(fill("An object has the member {name} twice.", repr(file.duplicates[0])))
    return stamped_document(file.data) if file.is_readable else None


def is_text_export(path: Path) -> bool:
    """Return whether a file is an export as text: by its content, if its name is no JSON's."""
    if path.suffix.lower() in IS_TEXT:
        return IS_TEXT[path.suffix.lower()]
    head = text_head(file_head(path)).removeprefix(UTF8_MARK).lstrip()
    return not head.startswith((b"{", b"[")) or own_file_type(head) == ITEMS


def described_table(path: Path) -> Path:
    """Return the table whose stamps are in this file, if it is beside it; else the path."""
    table = path.with_name(f"{path.name.removesuffix(SECOND_SUFFIX)}.csv")
    return table if path.name.endswith(SECOND_SUFFIX) and table.is_file() else path


def with_second_file(text: str, path: Path) -> StampedFile:
    """Return a table with the stamps and settings of the file beside it."""
    file = read_json_file(path)
    data = dict(file.data) if isinstance(file.data, dict) else {}
    listed, settings = data.pop(STAMPS, None), data.pop(SETTINGS, None)
    task = settings.get("task") if isinstance(settings, dict) else None
    # The rest is not part of any comparison.
    if not isinstance(listed, list) or file.duplicates or data != {"schema": SCHEMA, "task": task}:
        raise StampError(fill("The stamps in {file} are damaged.", path.name))
    return StampedFile(listed, list(numbers_in_text(text)), text, settings)


def stamped_document(data: Json) -> StampedFile:
    """Return the stamps of a JSON document; StampError if it has none."""
    if isinstance(data, list) and data and isinstance(data[0], dict) and SETTINGS in data[0]:
        found, settings = read_record_origin(data[0])
        return StampedFile(found, (), data, settings)
    if not isinstance(data, dict):
        return StampedFile([data], (), None)
    if is_distance(data):
        return StampedFile((), (), data)
    settings, listed, systems = data.get(SETTINGS), data.get(STAMPS), data.get("systems")
    if isinstance(listed, list):
        return StampedFile(listed, list(numbers_in_json(data)), data, settings)
    if not isinstance(systems, list):
        return StampedFile([data], (), None)
    stamps = [one["stamp"] for one in systems if isinstance(one, dict) and one.get("stamp")]
    if not stamps and settings is None:
        raise StampError("The file contains no scored system: there is nothing to verify.")
    is_results = settings is None and "comparisons" not in data
    return StampedFile(stamps, list(numbers_in_json(data)), data, settings, is_results)


def is_board(settings: Json) -> bool:
    """Return whether these are the settings of a board, or none."""
    return settings is None or (isinstance(settings, dict) and settings.get("format") in FORMATS)


def compare_recomputed(
    contents: StampedFile,
    stamps: Sequence[Stamp],
    verdicts: Sequence[Verdict],
    folders: Sequence[Path],
    run: Run,
) -> tuple[list[str], list[str]]:
    """Make the file again from the recomputed results.

    Returns a sentence if anything differs, and what of the file was not checked.
    """
    if any(is_added(info) for stamp in stamps for info in stamp.metrics):
        return [], [translatable("a file with scores of another program")]
    evaluations = [verdict.evaluation for verdict in verdicts if verdict.evaluation is not None]
    inputs = dict.fromkeys(one for each in evaluations for one in stamped_sources(each))
    evaluations = [
        replace(evaluation, system=stamp.system, stamp=record)
        for evaluation, stamp, record in zip(evaluations, stamps, contents.stamps, strict=True)
    ]
    named = Counter((one.system, one.profile) for one in stamps)
    if contents.is_results and named and max(named.values()) > 1:
        return [fill("{system} is twice in the file.", named.most_common(1)[0][0][0])], []
    if contents.is_results:
        defects = next((one.reference_defects for one in verdicts), ())
        found, unknown = find_result_difference(contents.content, evaluations, defects)
        return ([] if found is None else [found.sentence]), unknown
    is_older = any(stamp.versions.get("jurydesk") != __version__ for stamp in stamps)
    unstamped = find_unstamped(contents.shown, stamps)
    if contents.settings is None:
        if not is_older:
            return ["the settings of the export are missing from the file."], []
        return [], [translatable("ranks and comparisons, without settings"), *unstamped]
    settings = ExportSettings.from_json(contents.settings)
    if settings.stamps != len(stamps):
        return [
            fill("the file has {stamps} of its {stamps2} stamps.", len(stamps), settings.stamps)
        ], []
    if settings.results != len(stamps):
        sentence = fill(
            "the file has {results} and {stamps}: one has no stamp.",
            counted(settings.results, "result"),
            counted(len(stamps), "stamp"),
        )
        return [sentence], []
    if is_older and FORMS.get(settings.kind) in TEXTS:
        return [], [translatable("ranks, comparisons and texts of another version"), *unstamped]
    if settings.groups is not None:
        located = locate_input(replace(settings.groups, role=GROUPS), folders, run)
        if located.path is None or located.difference is not None:
            return [located.difference.sentence if located.difference else ""], unstamped
        labels = read_groups(located.path)
        inference = replace(settings.inference, labels=labels, source=settings.groups)
        settings = replace(settings, inference=inference)
    rated = None if settings.ratings is None else locate_ratings(settings.ratings, folders)
    if isinstance(rated, str):
        return [rated], unstamped
    scored = ScoredAgain(evaluations, list(inputs), rated)
    difference, unknown = compare_export(
        stamp_task(settings.task), scored, settings, contents.content, run, is_older=is_older
    )
    return ([] if difference is None else [difference.sentence]), unknown


def stamp_task(task_id: str) -> AnyTask:
    """Return the competition of a stamp; raise CommandError if it is not installed."""
    tasks = registry().tasks
    if task_id not in tasks:
        advice = suggest_command(task_id, list(tasks))
        refusal = translate('This installation has no competition "{task}".', task=task_id)
        raise CommandError(f"{refusal} {advice}", INPUT_ERRORS)
    return tasks[task_id]


def print_verdict(name: str, verdict: Verdict, context: CommandContext) -> None:
    """Print the verdict with its differences, and what could not be confirmed."""
    told = (*verdict.differences, *(verdict.notes if verdict.match else ()))
    lines = (f"  {translate_text(one.sentence)}" for one in told)
    for line in (f"{name}: {translate(verdict_summary(verdict))}", *lines):
        if verdict.match:
            print_result(line)
        else:
            print_always(escape_control_characters(line))
    for note in () if verdict.match else verdict.notes:
        context.remark(f"  {translate_text(note.sentence)}")


def verdict_summary(verdict: Verdict) -> str:
    """Return the verdict in a few words."""
    if not verdict.compared:
        return translatable("not compared, inputs are missing")
    if not verdict.match:
        return translatable("differs")
    if not verdict.is_whole:
        return translatable("match in part, not confirmed:")
    return translatable("match, same code") if verdict.same_code else translatable("match")


command = CliCommand(
    "verify",
    callback=verify_command,
    uses=COMPUTING,
    params=[
        click.Argument(["stamp"], type=PATH, metavar="STAMP.json"),
        file_option("--inputs", metavar="FOLDER", help="Folder of the input files now."),
    ],
    help="Score the files of a stamp again, and report a match or the differences. The exit code "
    "is 0 if everything was made again and is equal, 4 if a part could not be checked, else 1.\n\n"
    "STAMP.json is a stamp, a desk, or any file that `score`, `board`, `compare`, `robustness`, "
    "`errata`, `fid` or `ratings` wrote, or an export of the window: JSON, CSV, LaTeX or HTML. "
    "Input files are searched for at their old path, then beside the stamp and in --inputs, with "
    "the folders below.",
)
