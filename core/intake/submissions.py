"""The submissions among the files of folders and archives."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.defects import Defect, Place, counted, listing, note, warning
from core.intake.folder import Found, Walk, walk, without_wrapper
from core.intake.kinds import AnyTask, Kind, kind_of
from core.intake.safe_names import Parts
from core.intake.settling import settle, told, zoneless
from core.intake.submission import Intake, Rules, Submission
from core.paths import Fingerprint, fingerprint
from core.run.names import own_name, stem

if TYPE_CHECKING:
    from core.run.run import Run


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
    walked = walk(given, store, run)
    chosen, others = _chosen(task, walked, unwrap=len(given) == 1 and not watched)
    settled = settle(_hashed(chosen, others, rules, run), rules)
    return Intake(settled, (*walked.defects, *told(settled), *_zoneless(walked, rules)))


def _chosen(
    task: AnyTask, walked: Walk, *, unwrap: bool
) -> tuple[list[Found], dict[str, list[Found]]]:
    """The files that are submissions, and those beside them by the team's folder."""
    kinds: dict[Parts, Kind] = {}
    known: set[Parts] = set()
    for one in walked.files:
        kinds[one.parts], told = kind_of(task, one.path)
        if told:
            known.add(one.parts)
            walked.defects.append(warning(Place(str(one.path)), told, "It was left out."))
    # A file whose content tells nothing counts where its team has given no other.
    sure = {_owner(parts) for parts, kind in kinds.items() if kind == "submission"}
    wanted = {
        parts: kind == "submission" or (kind == "maybe" and _owner(parts) not in sure)
        for parts, kind in kinds.items()
    }
    paths = {one.path for one in walked.files if wanted[one.parts]}
    files = without_wrapper(walked.files, paths) if unwrap else walked.files
    chosen = [one for one in files if one.path in paths]
    beside: dict[str, list[Found]] = defaultdict(list)
    strangers: list[Found] = []
    for one in files:
        if one.path not in paths:
            owner = _belongs_to(one.parts, chosen)
            if owner:
                beside[owner].append(one)
            elif one.parts not in known:
                strangers.append(one)
    if strangers:
        names = listing(["/".join(one.parts) for one in strangers])
        alone = len(strangers) == 1
        look, outcome = ("looks", "It was") if alone else ("look", "They were")
        told = f"{counted(len(strangers), 'file')} that {look} like no submission: {names}."
        place = Place(str(strangers[0].path))
        walked.defects.append(note(place, told, f"{outcome} left out.", count=len(strangers)))
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
        stamps = [part.stamped for part in own if part.stamped is not None]
        times = [when for stamp in stamps if (when := stamp.moment(rules.zone)) is not None]
        made.append(submission(one, max(times, default=None), size, digest, len(own)))
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


def submission(
    found: Found, received: datetime | None, size: int, sha256: str, files: int = 1
) -> Submission:
    """The submission of a file: its team by its folder, and when it came in."""
    by_folder = len(found.parts) > 1
    place = Path(found.parts[0])
    team = own_name(found.parts[0], place) if by_folder else own_name("", place)
    return Submission(team, found.path, found.parts, size, sha256, files, received)


def _zoneless(walked: Walk, rules: Rules) -> Iterable[Defect]:
    """With a deadline, archives whose times name no zone."""
    for path, count in walked.zoneless.items():
        if count and rules.deadline is not None and not rules.received:
            yield zoneless(path, count, rules.deadline)
