"""Submissions and checks that a desk shows, made again from the files at hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.desk.given_names import given_names
from jurydesk.core.desk.tables.platform_entries import read_platform_entries
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.execution.check_record import check_record
from jurydesk.core.execution.engine import CompetitionResult, check_inputs
from jurydesk.core.intake.collect import resolve_submissions, with_given_name
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake
from jurydesk.core.intake.submission_ledger import load_rules
from jurydesk.core.language import translatable
from jurydesk.core.model.checks import CheckRecord, combine
from jurydesk.core.model.evaluation import Source
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.verification.desk_parts import StampedDesk
from jurydesk.core.verification.differences import without_folders

if TYPE_CHECKING:
    from jurydesk.core.model.defects import Defect
    from jurydesk.core.verification.verify_stamp import Verdict


def unconfirmed_submissions(opened: StampedDesk, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield what the desk says of submissions, rules and checks that the files do not give."""
    desk = opened.desk
    stored = read_submissions(desk)
    found = _taken_in_again(opened, stored)
    if [_names(one) for one in stored] != [_names(one) for one in found.files] or (
        stored and _is_left_out(opened, stored)
    ):
        yield translatable("teams and names of submissions")
    if [one.changed for one in stored] != [one.changed for one in found.files]:
        yield translatable("the times of receipt")
    with desk.reading() as connection:
        if read_platform_entries(connection):
            yield translatable("what the platform recorded")
    if load_rules(desk) != IntakeRules():
        yield translatable("the rules for submissions")
    records = desk.check_records()
    if records and not _is_made_again(opened, combine(records), verdicts, found):
        yield translatable("the checks of files")


def _is_left_out(opened: StampedDesk, stored: Sequence[InputFile]) -> bool:
    """Return whether the submission of a result is not among those of the desk."""
    known = {one.sha256 for one in stored} | {str(one.path) for one in stored}
    given = (one.submission for one in opened.stamps.values())
    return any(known.isdisjoint((one.path, one.sha256)) for one in given)


def _names(one: InputFile) -> tuple[object, ...]:
    return one.team, one.system, one.size, one.sha256, one.files


def _taken_in_again(opened: StampedDesk, stored: Sequence[InputFile]) -> SubmissionIntake:
    """Return the submissions as their files give them now; without a team where one is missing."""
    role = opened.task.submission_input().role
    given = [
        InputFile(_place(opened, role, one), role, parts=one.parts, entry=one.entry)
        for one in stored
    ]
    found = resolve_submissions(None, given, opened.run, load_rules(opened.desk))
    names = given_names(opened.desk)
    named = (with_given_name(one, names) if one.team else one for one in found.files)
    return SubmissionIntake(tuple(named), found.defects)


def _place(opened: StampedDesk, role: str, one: InputFile) -> Path:
    """Return where a submission is now, if that gives the names of its folders; else no file."""
    place = opened.locate(Source(role, str(one.path), one.size, one.sha256))
    is_named_so = place is not None and place.parts[-len(one.parts) :] == one.parts
    return place if place is not None and is_named_so else Path()


def _is_made_again(
    opened: StampedDesk,
    record: CheckRecord,
    verdicts: Sequence[Verdict],
    found: SubmissionIntake,
) -> bool:
    """Return whether the files that the record names have its outcomes and defects again."""
    folders = (one.source for one in opened.desk.inputs() if not one.source.sha256)
    outcomes: dict[tuple[str, str], str] = {
        (one.role, one.path): "passed" for one in (*opened.sources(), *folders)
    }
    stored = zip(read_submissions(opened.desk), found.files, strict=True)
    rest = {
        str(one.path): now
        for one, now in stored
        if now.team and (now.role, str(one.path)) not in outcomes
    }
    checked = _checked_again(opened, list(rest.values())) if rest else None
    reading = [one for verdict in verdicts for one in verdict.reference_defects]
    reading += [
        one for each in verdicts if each.evaluation is not None for one in each.evaluation.defects
    ]
    if checked is not None:
        again = check_record(opened.task, list(rest.values()), checked)
        outcomes |= {
            (one.role, path): one.outcome for path, one in zip(rest, again.files, strict=False)
        }
        reading += [one for entry in checked.entries for one in entry.defects]
    shown = record.defects
    listed = {(one.role, one.path) for one in record.files}
    return (
        all((one.role, one.path) in listed for one in opened.sources())
        and all(outcomes.get((one.role, one.path)) == one.outcome for one in record.files)
        and not shown.intake
        and _texts(shown.resolution) == _texts(found.defects)
        and _texts(shown.reading) == _texts(reading)
    )


def _checked_again(opened: StampedDesk, files: Sequence[InputFile]) -> CompetitionResult | None:
    """Return the check of submissions without a score; None where the references are missing."""
    stamp = next(iter(opened.stamps.values()), None)
    if stamp is None:
        return None
    inputs: dict[str, list[Path]] = {}
    for source in stamp.references:
        if path := opened.locate(source):
            inputs.setdefault(source.role, []).append(path)
    given = [*files_by_role(inputs), *files]
    result = check_inputs(opened.task, given, options_of_stamp(opened.task, stamp), opened.run)
    return explain_wrong_roles(opened.task, given, result)


def _texts(defects: Iterable[Defect]) -> set[str]:
    """Return the defects as a record has them, without the folders of their files."""
    return {json.dumps(without_folders(to_json(one))) for one in defects}
