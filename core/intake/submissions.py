"""Submissions settled: one name for each system, copies and late ones marked, the newest counts."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from core.defects import Defect, Place, counted, listing, note, warning
from core.intake.folder import Found, Walk, walk, without_wrapper
from core.intake.kinds import AnyTask, Kind, kind_of
from core.intake.received import Received
from core.intake.safe_names import Parts
from core.intake.times import Deadline, lasting, local_zone, zone_named
from core.paths import Fingerprint, fingerprint
from core.run.names import own_name, stem, system_names

if TYPE_CHECKING:
    from core.run.run import Run


@dataclass(frozen=True, slots=True)
class Rules:
    """The organiser's rules: the deadline, whether only each team's newest counts, own times."""

    deadline: Deadline | None = None
    latest: bool = False
    received: Received = field(default_factory=dict)

    @property
    def zone(self) -> tzinfo:
        """The zone of times that name none: the deadline's, else this computer's."""
        return zone_named(self.deadline.zone) if self.deadline else local_zone()


@dataclass(frozen=True, slots=True)
class Submission:
    """One system of one team: the file that is scored, and what is odd of it.

    `team` is that of its folder, or else the file's stem; `system` is a unique name made of it,
    empty where the file itself may name the system. `files` counts it and what belongs to it,
    and `sha256` is that of all of them. `received` is in UTC. `twin` is the system with the same
    content that came before; `counts_instead` the one that takes the place of this one.
    """

    team: str
    path: Path
    parts: Parts
    size: int
    sha256: str
    files: int = 1
    received: datetime | None = None
    late: timedelta | None = None
    system: str = ""
    twin: str = ""
    counts_instead: str = ""

    @property
    def label(self) -> str:
        """How sentences name it."""
        return self.system or self.team

    @property
    def by_folder(self) -> bool:
        """Whether the folder names the team."""
        return len(self.parts) > 1

    def marks(self) -> str:
        """What is odd of it, in a few words: `late by 2 h, same as north`."""
        said = [f"late by {lasting(self.late)}"] if self.late is not None else []
        said += [f"same as {self.twin}"] if self.twin else []
        said += [f"{self.counts_instead} counts instead"] if self.counts_instead else []
        return ", ".join(said)


@dataclass(frozen=True, slots=True)
class Intake:
    """What was taken in: the submissions by their names, and every defect on the way."""

    submissions: tuple[Submission, ...]
    defects: tuple[Defect, ...]

    @property
    def counting(self) -> tuple[Submission, ...]:
        """The submissions that are scored."""
        return tuple(one for one in self.submissions if not one.counts_instead)


def take_in(
    task: AnyTask,
    given: Sequence[Path],
    store: Path,
    rules: Rules,
    run: Run,
    *,
    watched: bool = False,
) -> Intake:
    """The submissions of these folders and archives. Raises Cancelled.

    Names, copies and what counts do not depend on the order in which files are found. `store` is
    where archives are unpacked; OSError where that cannot be done. In a `watched` folder every
    folder is a team's from the first file on; of another, one that merely holds all is passed over.
    """
    walked = walk(given, store, rules.zone, run)
    chosen, others = _chosen(task, walked, unwrap=len(given) == 1 and not watched)
    settled = settle(_hashed(chosen, others, rules, run), rules)
    return Intake(settled, (*walked.defects, *_told(settled), *_zoneless(walked, rules)))


def settle(submissions: Iterable[Submission], rules: Rules) -> tuple[Submission, ...]:
    """The submissions with unique names, lateness, twins, and which of a team's count."""
    found = sorted(submissions, key=lambda one: one.parts)
    found = [replace(one, late=_late(one, rules.deadline)) for one in found]
    found = _named(found)
    return tuple(_superseded(_with_twins(found), rules))


def _chosen(
    task: AnyTask, walked: Walk, *, unwrap: bool
) -> tuple[list[Found], dict[str, list[Found]]]:
    """The files that are submissions, and those beside them by the team's folder."""
    kinds: dict[Parts, Kind] = {}
    for one in walked.files:
        kinds[one.parts], label = kind_of(task, one.path)
        if label:
            told = f"It looks like a shared file of the competition ({label}), not a submission."
            walked.defects.append(warning(Place(str(one.path)), told, "It was left out."))
    # A file whose content tells nothing counts where its team has given no other.
    sure = {_owner(parts) for parts, kind in kinds.items() if kind == "submission"}
    wanted = {
        parts: kind == "submission" or (kind == "maybe" and _owner(parts) not in sure)
        for parts, kind in kinds.items()
    }
    files, by_path = walked.files, {one.path: wanted[one.parts] for one in walked.files}
    if unwrap:
        files = without_wrapper(files, wanted)
    chosen = [one for one in files if by_path[one.path]]
    beside: dict[str, list[Found]] = defaultdict(list)
    strangers: list[Found] = []
    for one in files:
        if not by_path[one.path]:
            owner = _belongs_to(one.parts, chosen)
            (beside[owner] if owner else strangers).append(one)
    if strangers:
        names = listing(["/".join(one.parts) for one in strangers])
        told = f"{counted(len(strangers), 'file')} that look like no submission: {names}."
        place = Place(str(strangers[0].path))
        walked.defects.append(note(place, told, "They were left out.", count=len(strangers)))
    return chosen, beside


def _belongs_to(parts: Parts, chosen: Sequence[Found]) -> str:
    """The first part of the submission that a file beside it belongs to, or nothing.

    That is the team of its folder; beside `north.json`, also what lies in `north-pictures`.
    """
    if len(parts) == 1:
        return ""
    folder, owners = parts[0].casefold(), []
    for one in chosen:
        if one.parts[0] == parts[0]:
            return parts[0]
        if len(one.parts) == 1 and folder.startswith(stem(Path(one.parts[0])).casefold()):
            owners.append(one.parts[0])
    return max(owners, key=len, default="")


def _owner(parts: Parts) -> Parts:
    """The folder in which one sure submission is enough; a file of the root stands alone."""
    return parts[:-1] or parts


def _hashed(
    chosen: Sequence[Found], beside: Mapping[str, list[Found]], rules: Rules, run: Run
) -> list[Submission]:
    in_folder = Counter(one.parts[0] for one in chosen)
    made = []
    for number, one in enumerate(chosen):
        run.report(number, len(chosen), "Comparing the submissions")
        own = [one]
        if in_folder[one.parts[0]] == 1:
            own += beside[one.parts[0]]  # one submission with its pictures is one
        size, digest = _fingerprint(own, run)
        by_folder = len(one.parts) > 1
        team = own_name(one.parts[0], one.path) if by_folder else own_name("", Path(one.parts[0]))
        times = [part.changed for part in own if part.changed is not None]
        received = _given_time(one, team, rules.received) or max(times, default=None)
        made.append(Submission(team, one.path, one.parts, size, digest, len(own), received))
    return made


def _fingerprint(files: Sequence[Found], run: Run) -> tuple[int, str]:
    """Size and SHA-256 of one file, or of several with their names below the team's folder."""
    prints: list[tuple[Parts, Fingerprint | None]] = []
    for one in files:
        try:
            prints.append((one.parts[1:], fingerprint(one.path, run.check)))
        except OSError:
            prints.append((one.parts[1:], None))
    if len(prints) == 1:
        only = prints[0][1]
        return (only.size, only.sha256) if only else (0, "")
    digest = hashlib.sha256()
    for parts, found in sorted(prints, key=lambda pair: pair[0]):
        digest.update("/".join(parts).encode("utf-8", "replace") + b"\0")
        digest.update(found.sha256.encode() if found else b"")
    return sum(found.size for _, found in prints if found), digest.hexdigest()


def _given_time(found: Found, team: str, received: Received) -> datetime | None:
    names = ("/".join(found.parts), found.parts[-1], found.parts[0], team)
    return next((received[name] for name in names if name in received), None)


def _late(one: Submission, deadline: Deadline | None) -> timedelta | None:
    if deadline is None or one.received is None or one.received <= deadline.moment:
        return None
    return one.received - deadline.moment


def _named(found: Sequence[Submission]) -> list[Submission]:
    """Unique names: a team's, or `team (file)` where it has several."""
    names = system_names([(Path(*one.parts), one.team) for one in found])
    return [
        replace(one, system=name if one.by_folder or name != one.team else "")
        for one, name in zip(found, names, strict=True)
    ]


FIRST = datetime.min.replace(tzinfo=UTC)


def _age(one: Submission) -> tuple[datetime, Parts]:
    return one.received or FIRST, one.parts


def _with_twins(found: Sequence[Submission]) -> list[Submission]:
    """Every copy with the name of the first that came in with the same content."""
    first: dict[str, Submission] = {}
    for one in sorted(found, key=_age):
        if one.size and one.sha256:
            first.setdefault(one.sha256, one)
    return [
        replace(one, twin=first[one.sha256].label)
        if one.sha256 in first and first[one.sha256] is not one
        else one
        for one in found
    ]


def _superseded(found: Sequence[Submission], rules: Rules) -> Iterable[Submission]:
    """A team's older files of the same name (with `latest`, of any) give way to the newest.

    One that came in time never gives way to a late one.
    """
    groups: dict[tuple[str, ...], list[Submission]] = defaultdict(list)
    for one in found:
        name = () if rules.latest else (one.parts[-1],)
        groups[(one.team, *name)].append(one)
    for one in found:
        name = () if rules.latest else (one.parts[-1],)
        best = max(groups[(one.team, *name)], key=lambda two: (two.late is None, *_age(two)))
        yield one if best is one else replace(one, counts_instead=best.label)


def _told(found: Sequence[Submission]) -> Iterable[Defect]:
    """Copies, late ones, and names that are told apart by case alone, as defects."""
    for one in found:
        place = Place(str(one.path))
        if one.late is not None:
            said = f"{one.label} came in {lasting(one.late)} after the deadline."
            yield warning(place, said, "It is scored, and marked as late.")
        if one.counts_instead:
            said = f"{one.label} is an older submission of {one.team}."
            yield note(place, said, f"{one.counts_instead} counts instead.")
        elif one.twin:
            said = f"{one.label} has the same content as {one.twin}, byte for byte."
            yield warning(place, said, "Both are scored.", "Ask the teams which one is whose.")
    alike: dict[str, set[str]] = defaultdict(set)
    for one in found:
        alike[one.team.casefold()].add(one.team)
    for one in found:
        names = sorted(alike.pop(one.team.casefold(), set()))
        if len(names) > 1:
            said = f"The teams {listing(names)} differ in capital letters only."
            yield warning(Place(str(one.path)), said, "They are taken for different teams.")


def _zoneless(walked: Walk, rules: Rules) -> Iterable[Defect]:
    """With a deadline, archives whose times name no zone."""
    for path, count in walked.zoneless.items():
        if count and rules.deadline is not None and not rules.received:
            said = f"The archive does not tell the time zone of {counted(count, 'file')}."
            hint = f"Their times were read as {rules.deadline.zone}."
            yield note(Place(str(path)), said, hint, count=count)
