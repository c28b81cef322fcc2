"""Message to a team about the check of its submission."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from jurydesk.core.intake.submission import lateness_text
from jurydesk.core.language import translate, translate_plural, translate_text
from jurydesk.core.language.local_formats import stored_moment
from jurydesk.core.model.defects import Defect, Severity

if TYPE_CHECKING:
    from jurydesk.core.model.checks import CheckRecord
    from jurydesk.core.model.input_file import InputFile

SHOWN_HASH = 12
"""Number of digits of a SHA-256 that identify a file to its team."""


def team_message(file: InputFile, checked: CheckRecord) -> str:
    """Return what the check found in one submission, for the team that sent it.

    Only the defects of the submission's own content are listed: those about other teams, such as
    copies, stay with the organiser. Times are in UTC; the language is that of the window.
    """
    log = checked.defects
    own = [one for one in (*log.intake, *log.reading) if one.place.path == str(file.path)]
    errors = [one for one in own if one.severity is Severity.ERROR]
    warnings = [one for one in own if one.severity is Severity.WARNING]
    parts = [translate("Submission: {file}", file=_identify(file)), _verdict(errors, warnings)]
    titles = translate("To correct:"), translate("Please also check:")
    for title, defects in zip(titles, (errors, warnings), strict=True):
        if defects:
            lines = (f"{n}. {_describe(one)}" for n, one in enumerate(defects, start=1))
            parts.append("\n".join((title, *lines)))
    check = checked.of(file.path)
    time = check.time if check is not None and check.time else checked.time
    if when := stored_moment(time):
        parts.append(translate("Checked: {time}.", time=_utc(when)))
    return "\n\n".join(parts)


def _identify(file: InputFile) -> str:
    if not file.team:
        return file.path.name
    facts = []
    if file.received is not None:
        day = f"{file.received:%Y-%m-%d} UTC"
        time = day if file.is_day_known else _utc(file.received)
        facts.append(translate("received {time}", time=time))
    if file.late is not None:
        late = translate_text(lateness_text(file))
        facts.append(translate("{duration} after the deadline", duration=late))
    facts += [f"SHA-256 {file.sha256[:SHOWN_HASH]}…"] if file.sha256 else []
    name = "/".join(file.parts) or file.path.name
    return f"{name} ({', '.join(facts)})" if facts else name


def _utc(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _verdict(errors: Sequence[Defect], warnings: Sequence[Defect]) -> str:
    if errors:
        found = translate_plural("{count} error", "{count} errors", len(errors))
        return translate("It cannot be scored yet: {errors}.", errors=found)
    if warnings:
        found = translate_plural("{count} warning", "{count} warnings", len(warnings))
        return translate("It can be scored; there are {warnings}.", warnings=found)
    return translate("It can be scored; no defects were found.")


def _describe(defect: Defect) -> str:
    place = defect.place.format("").removeprefix(", ")
    if defect.place.line is not None and defect.place.column is None:
        place = translate("line {line}", line=defect.place.line)
    parts = (defect.found, defect.expected, defect.hint)
    text = " ".join(translate_text(part) for part in parts if part)
    if defect.count > 1:
        more = translate_plural(
            "({count} occurrence, the first here)",
            "({count} occurrences, the first here)",
            defect.count,
        )
        text = f"{text} {more}"
    return f"{place}: {text}" if place else text
