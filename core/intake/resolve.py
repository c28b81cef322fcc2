"""Resolution rules: unique system names, late submissions, copies, and a team's newest file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from jurydesk.core.intake.deadlines import Deadline, duration_text
from jurydesk.core.intake.submission import NO_TIME, IntakeRules, lateness_text, submission_order
from jurydesk.core.language import Message, counted, fill, name_list, reason, translatable
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.input_file import InputFile, Parts
from jurydesk.core.model.system_names import unique_system_names


def resolve_names(submissions: Iterable[InputFile], rules: IntakeRules) -> tuple[InputFile, ...]:
    """Return the submissions with lateness, replacements, unique names and copies.

    Nothing depends on their order, which stays.
    """
    given = [_set_times(one, rules) for one in submissions]
    order = sorted(range(len(given)), key=lambda number: submission_order(given[number]))
    found = _replace_superseded([given[number] for number in order], rules)
    for number, one in zip(order, _mark_copies(_set_names(found)), strict=True):
        given[number] = one
    return tuple(given)


def _set_times(one: InputFile, rules: IntakeRules) -> InputFile:
    """Set the time of the organiser's list, else that of the file, and the lateness."""
    listed = next((rules.received[name] for name in _names(one) if name in rules.received), None)
    recorded = one.entry.received if one.entry else one.changed
    received = listed or recorded
    return replace(one, received=received, late=_lateness(received, rules.deadline))


def _names(one: InputFile) -> tuple[str, ...]:
    """Return the names under which a list of times may have a submission, the surest first."""
    return "/".join(one.parts), one.parts[-1], one.parts[0], one.team


def _lateness(received: datetime | None, deadline: Deadline | None) -> timedelta | None:
    if deadline is None or received is None or received <= deadline.moment:
        return None
    return received - deadline.moment


def _replace_superseded(found: Sequence[InputFile], rules: IntakeRules) -> list[InputFile]:
    """Replace a team's older files of the same name (with `latest`, of any name) by the newest.

    Entries of a platform are different submissions; with `latest` the newest of each phase counts.
    A timely submission is never replaced by a late one.
    """

    def group(one: InputFile) -> tuple[str, ...]:
        phase = one.entry.phase or one.entry.phase_id if one.entry else ""
        if rules.latest:
            return *_owner(one), phase
        return *_owner(one), phase, one.parts[-1], one.entry.id if one.entry else ""

    best = {group(one): one for one in sorted(found, key=_precedence)}
    return [
        one
        if best[group(one)] is one
        else replace(one, counts_instead="/".join(best[group(one)].parts))
        for one in found
    ]


def _owner(one: InputFile) -> tuple[str, str]:
    """Return the team, and what tells it apart from others of its name."""
    return one.team, one.entry.owner if one.entry else ""


def _precedence(one: InputFile) -> tuple[bool, datetime, int, Parts]:
    time, number = (one.entry and one.entry.order) or (NO_TIME, 0)
    return one.late is None, one.received or time, number, one.parts


def _set_names(found: Sequence[InputFile]) -> list[InputFile]:
    """Set unique names of those that count: the team's, or `team (file)` if it has several."""
    counting = [one for one in found if not one.counts_instead]
    names = iter(unique_system_names([(_naming_path(one), one.team) for one in counting]))
    return [one if one.counts_instead else _set_name(one, next(names)) for one in found]


def _naming_path(one: InputFile) -> Path:
    """Return the path that tells a team's submissions apart: an entry is named by its id."""
    if one.entry is None:
        return Path(*one.parts)
    return Path(*one.parts[:-1], one.entry.id)


def _set_name(one: InputFile, name: str) -> InputFile:
    return replace(one, system=name if one.by_folder or name != one.team else "")


def _mark_copies(found: Sequence[InputFile]) -> list[InputFile]:
    """Mark every copy of another team's submission with the name of the earliest one."""
    first: dict[str, InputFile] = {}
    for one in sorted(found, key=lambda one: (one.received or NO_TIME, one.parts)):
        if one.size and one.sha256:
            first.setdefault(one.sha256, one)
    return [
        replace(one, twin=first[one.sha256].label)
        if one.sha256 in first and _owner(first[one.sha256]) != _owner(one)
        else one
        for one in found
    ]


def resolution_defects(found: Sequence[InputFile]) -> Iterator[Defect]:
    """Yield copies, late submissions, and team names that differ only in case, as defects."""
    for one in found:
        place = Place(str(one.path))
        if one.late is not None:
            text = fill(
                "{label} was received {duration_text} after the deadline.",
                one.label,
                lateness_text(one),
            )
            yield warning(place, text, "It is scored, and marked as late.")
        if one.counts_instead:
            text = fill("This submission of {team} is not its newest in time.", one.team)
            yield note(place, text, fill("{counts_instead} counts instead.", one.counts_instead))
        elif one.twin:
            text = fill(
                "{label} has the same content as {twin}, byte for byte.", one.label, one.twin
            )
            yield warning(place, text, "Both are scored.", "Ask the teams which one is whose.")
    alike: dict[str, set[str]] = defaultdict(set)
    for one in found:
        alike[one.team.casefold()].add(one.team)
    for one in found:
        names = sorted(alike.pop(one.team.casefold(), set()))
        if len(names) > 1:
            text = fill("The teams {name_list} differ in capital letters only.", name_list(names))
            yield warning(Place(str(one.path)), text, "They are treated as different teams.")


def unlisted_defects(
    found: Sequence[InputFile], rules: IntakeRules, before: Iterable[InputFile] = ()
) -> Iterator[Defect]:
    """Yield names of the list of times without a submission, and submissions without a time.

    Submissions of a team that were taken in `before` have their place in the list as well.
    """
    if not rules.received:
        return
    every = [one for one in (*found, *before) if one.parts]
    used = {name for one in every for name in _names(one)}
    teams = {one.team: one for one in found if not rules.received.keys() & set(_names(one))}
    place = Place(rules.received_list or str(found[0].path)) if found else Place("")
    yield from _unmatched(
        [(name, place) for name in rules.received if name not in used],
        [one.team for one in every],
        ABSENT,
        "Its time is not used.",
    )
    for outcome, of_platform in (
        ("The time of its file is used, which the team can change.", False),
        ("The platform's time is used.", True),
    ):
        names = [
            (name, Place(str(one.path)))
            for name, one in teams.items()
            if of_platform == bool(one.entry and one.entry.received)
        ]
        yield from _unmatched(names, list(rules.received), UNLISTED, outcome)


def disagreeing_defects(found: Sequence[InputFile]) -> Iterator[Defect]:
    """Yield submissions whose time in the organiser's list is not that of the platform."""
    several = [
        (one, gap)
        for one in found
        if one.entry and one.received and (gap := _disagreement(one, one.received))
    ]
    for one, gap in several[:SHOWN_NAMES]:
        text = fill(
            "{label}: the list of times and the platform differ by {duration}.",
            one.label,
            duration_text(gap),
        )
        yield warning(Place(str(one.path)), text, "The time of the list is used.")
    if rest := [one.label for one, _ in several[SHOWN_NAMES:]]:
        text = fill("{names} as well: {list}.", counted(len(rest), "name"), name_list(rest))
        yield warning(Place(str(several[SHOWN_NAMES][0].path)), text, "", count=len(rest))


def _disagreement(one: InputFile, received: datetime) -> timedelta | None:
    """Return the time between the list and the platform, if it is a minute or more."""
    known = one.entry.received if one.entry else None
    if known is None or one.entry is None:
        return None
    gap = abs(received - known)
    if one.entry.received_known == "day":
        day_ends = known + timedelta(days=1)
        gap = max(known - received, received - day_ends)
    return gap if gap >= LIST_PRECISION else None


def changed_later_defects(found: Sequence[InputFile], rules: IntakeRules) -> Iterator[Defect]:
    """Yield that the organiser's list has submissions as timely whose files are late by their time.

    Other differences decide nothing: files are older than their receipt, or copied after it.
    """
    late = [one for one in found if one.late is None and _is_changed_late(one, rules)]
    if late:
        count = counted(len(late), "submission")
        names = name_list([one.label for one in late])
        text = fill("{submissions} timely by the list, late by file times: {names}.", count, names)
        hint = reason("Copying may have set those times.")
        place = Place(str(late[0].path))
        yield warning(place, text, "The time of the list is used.", hint, count=len(late))


def _is_changed_late(one: InputFile, rules: IntakeRules) -> bool:
    """Return whether a file was changed after its listed receipt and after the deadline."""
    is_listed = any(name in rules.received for name in _names(one))
    is_recorded = one.entry is not None and one.entry.received is not None
    if not is_listed or is_recorded or one.received is None or one.changed is None:
        return False
    gap = one.changed - one.received
    return gap >= LIST_PRECISION and _lateness(one.changed, rules.deadline) is not None


def moved_defects(given: Sequence[InputFile], known: Mapping[Path, InputFile]) -> Iterator[Defect]:
    """Yield that a platform's table has other exact times than one that the desk knows."""
    moved = [one for one in given if one.path in known and _is_moved(known[one.path], one)]
    if moved:
        yield moved_warning(
            Place(str(moved[0].path)), [one.entry.id for one in moved if one.entry is not None]
        )


def _is_moved(before: InputFile, now: InputFile) -> bool:
    one, other = before.entry, now.entry
    if one is None or other is None or (one.platform, one.id) != (other.platform, other.id):
        return False
    is_exact = (one.received_known, other.received_known) == ("exact", "exact")
    return is_exact and one.received != other.received


def moved_warning(place: Place, ids: Iterable[str]) -> Defect:
    """Return the warning that tables of a platform have several exact times for these entries."""
    names = sorted(ids)
    count = counted(len(names), "entry", "entries")
    text = fill("{entries} with several times in the tables: {names}.", count, name_list(names))
    last = translatable("The time that was read last is used.")
    return warning(place, text, last, "Give the right table alone.", count=len(names))


def undecided_defects(found: Sequence[InputFile], rules: IntakeRules) -> Iterator[Defect]:
    """Yield entries of which the platform gives no time, or a day that does not decide."""
    if rules.deadline is None:
        return
    open_entries = [
        one
        for one in found
        if one.entry is not None
        and one.received == one.entry.received
        and _is_open(one, rules.deadline)
    ]
    if open_entries:
        names = name_list([one.label for one in open_entries])
        text = fill(
            "{entries} whose times do not decide about the deadline: {names}.",
            counted(len(open_entries), "entry", "entries"),
            names,
        )
        hint = translatable("Give the platform's table of submissions with --records.")
        place = Place(str(open_entries[0].path))
        yield warning(place, text, "They count as timely.", hint, count=len(open_entries))


def _is_open(one: InputFile, deadline: Deadline) -> bool:
    """Return whether an entry may be timely or late."""
    if one.received is None:
        return True
    day_ends = one.received + timedelta(days=1)
    return one.is_day_known and one.received <= deadline.moment < day_ends


LIST_PRECISION = timedelta(minutes=1)
ABSENT = translatable("The list of times names {name}, which has no submission.")
UNLISTED = translatable("{name} is not in the list of times.")
SHOWN_NAMES = 10
"""Names of a list that have a sentence of their own."""


def _unmatched(
    names: Sequence[tuple[str, Place]], known: Sequence[str], sentence: str, outcome: str
) -> Iterator[Defect]:
    """Yield a warning for each of the first names, with the nearest known one, and the rest."""
    for name, place in names[:SHOWN_NAMES]:
        nearest = _nearest(name, known)
        hint = reason("Is it {nearest}?", nearest) if nearest else ""
        yield warning(place, Message(sentence).format(name), outcome, hint)
    if rest := [name for name, _ in names[SHOWN_NAMES:]]:
        text = fill("{names} as well: {list}.", counted(len(rest), "name"), name_list(rest))
        yield warning(names[SHOWN_NAMES][1], text, outcome, count=len(rest))


def _nearest(name: str, known: Sequence[str]) -> str:
    """Return the most similar of the known names; empty if none is similar."""
    from rapidfuzz import process, utils

    found = process.extractOne(
        name,
        known,
        processor=lambda text: utils.default_process(text).replace(" ", ""),
        score_cutoff=70,
    )
    return str(found[0]) if found else ""


def missing_zone_defect(path: Path, count: int, deadline: Deadline) -> Defect:
    """Return the note that archived files have no time zone, and which one was assumed."""
    text = fill("The archive does not record the time zone of {files}.", counted(count, "file"))
    hint = fill("Their times were read as {zone}.", deadline.zone)
    return note(Place(str(path)), text, hint, count=count)
