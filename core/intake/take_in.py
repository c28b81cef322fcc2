"""The submissions among the files of folders and archives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.execution.system_names import file_stem
from jurydesk.core.intake.collect import ReceivedFile
from jurydesk.core.intake.file_signatures import Kind, file_kind
from jurydesk.core.intake.folder import FolderListing, FoundFile, list_files, strip_wrapper_folder
from jurydesk.core.intake.safe_names import Parts
from jurydesk.core.model.defects import Defect, Place, counted, name_list, note, warning

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def find_submissions(
    task: AnyTask, given: Sequence[Path], store: Path, run: Run, *, watched: bool = False
) -> tuple[list[ReceivedFile], tuple[Defect, ...]]:
    """Find the submissions in folders and archives, and what cannot be taken in. Raises Cancelled.

    `store` is where archives are unpacked; OSError where that cannot be done. In a `watched`
    folder every folder is a team's from the first file on; of another, one that merely holds all
    is passed over.
    """
    walked = list_files(given, store, run)
    chosen, others = _select_files(task, walked, unwrap=len(given) == 1 and not watched)
    in_folder = Counter(one.parts[0] for one in chosen)
    found = []
    for one in chosen:
        # One submission with its pictures is one.
        beside = others[one.parts[0]] if in_folder[one.parts[0]] == 1 else ()
        stamped = one.stamped if one.path.is_relative_to(store) else None
        found.append(ReceivedFile(one.path, one.parts, stamped, tuple(beside)))
    return found, tuple(walked.defects)


def _select_files(
    task: AnyTask, walked: FolderListing, *, unwrap: bool
) -> tuple[list[FoundFile], dict[str, list[FoundFile]]]:
    """The files that are submissions, and those beside them by the team's folder."""
    kinds: dict[Parts, Kind] = {}
    known: set[Parts] = set()
    for one in walked.files:
        kinds[one.parts], told = file_kind(task, one.path)
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
    files = strip_wrapper_folder(walked.files, paths) if unwrap else walked.files
    chosen = [one for one in files if one.path in paths]
    beside: dict[str, list[FoundFile]] = defaultdict(list)
    strangers: list[FoundFile] = []
    for one in files:
        if one.path not in paths:
            owner = _belongs_to(one.parts, chosen)
            if owner:
                beside[owner].append(one)
            elif one.parts not in known:
                strangers.append(one)
    if strangers:
        names = name_list(["/".join(one.parts) for one in strangers])
        alone = len(strangers) == 1
        look, outcome = ("looks", "It was") if alone else ("look", "They were")
        told = f"{counted(len(strangers), 'file')} that {look} like no submission: {names}."
        place = Place(str(strangers[0].path))
        walked.defects.append(note(place, told, f"{outcome} left out.", count=len(strangers)))
    return chosen, beside


def _belongs_to(parts: Parts, chosen: Sequence[FoundFile]) -> str:
    """The first part of the submission that a file beside it belongs to, or nothing.

    That is the team of its folder; beside `north.json`, also what lies in `north-pictures`.
    """
    if len(parts) == 1:
        return ""
    folder, owners = parts[0].casefold(), []
    for one in chosen:
        if one.parts[0] == parts[0]:
            return parts[0]
        if len(one.parts) == 1 and folder.startswith(file_stem(Path(one.parts[0])).casefold()):
            owners.append(one.parts[0])
    return max(owners, key=len, default="")


def _owner(parts: Parts) -> Parts:
    """The folder in which one sure submission is enough; a file of the root stands alone."""
    return parts[:-1] or parts
