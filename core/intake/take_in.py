"""Search for submissions in folders and archives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.intake.file_signatures import Kind, file_kind
from jurydesk.core.intake.folder import FileListing, list_files, strip_wrapper_folder
from jurydesk.core.intake.platforms.download import choose_phase
from jurydesk.core.intake.submission import SubmissionIntake
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Place, note, warning
from jurydesk.core.model.input_file import InputFile, Parts
from jurydesk.core.model.system_names import file_stem
from jurydesk.core.system.paths import absolute_path

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def find_submissions(
    task: AnyTask,
    given: Sequence[Path],
    store: Path,
    run: Run,
    *,
    watched: bool = False,
    records: Sequence[Path] = (),
    phase: str = "",
    skipped: Path | None = None,
) -> SubmissionIntake:
    """Find the submissions in folders and archives, with defects. Raises Cancelled.

    Archives are unpacked into `store`; OSError if that fails. In a `watched` folder, every folder
    is a team's; otherwise a folder that contains all submissions is skipped. `records` are tables
    of the platform from which the submissions were downloaded, of which those of one `phase` are
    taken if it is given. The file `skipped` is another program's.
    """
    paths, tables = ([absolute_path(path) for path in several] for several in (given, records))
    walked = list_files(paths, store, run, records=tables)
    walked.files = [one for one in walked.files if one.path != skipped]
    if walked.downloads:
        walked.files, remarks = choose_phase(walked.files, phase)
        walked.defects += remarks
    chosen, others = _select_files(task, walked, unwrap=len(given) == 1 and not watched)
    in_folder, role = Counter(one.parts[0] for one in chosen), task.submission_input().role
    return SubmissionIntake(
        tuple(
            # A submission and its pictures are one submission.
            replace(
                one,
                role=role,
                beside=tuple(others[one.parts[0]]) if in_folder[one.parts[0]] == 1 else (),
            )
            for one in chosen
        ),
        tuple(walked.defects),
    )


def _select_files(
    task: AnyTask, walked: FileListing, *, unwrap: bool
) -> tuple[list[InputFile], dict[str, list[InputFile]]]:
    """Return the submissions, and the files beside them by team folder."""
    kinds: dict[Parts, Kind] = {}
    known: set[Parts] = set()
    for one in walked.files:
        kinds[one.parts], sentence = file_kind(task, one.path)
        if sentence:
            known.add(one.parts)
            walked.defects.append(warning(Place(str(one.path)), sentence, "It was left out."))
    # A file with unrecognized content counts if its team has no other.
    sure = {_owner(parts) for parts, kind in kinds.items() if kind == "submission"}
    is_submission = {
        parts: kind == "submission" or (kind == "maybe" and _owner(parts) not in sure)
        for parts, kind in kinds.items()
    }
    paths = {one.path for one in walked.files if is_submission[one.parts]}
    files = strip_wrapper_folder(walked.files, paths) if unwrap else walked.files
    chosen = [one for one in files if one.path in paths]
    beside: dict[str, list[InputFile]] = defaultdict(list)
    strangers: list[InputFile] = []
    for one in files:
        if one.path not in paths:
            owner = _belongs_to(one.parts, chosen)
            if owner:
                beside[owner].append(one)
            elif one.parts not in known:
                strangers.append(one)
    if strangers:
        names = name_list(["/".join(one.parts) for one in strangers])
        outcome = "It was left out." if len(strangers) == 1 else "They were left out."
        text = fill(
            "{files} not recognized as a submission: {names}.",
            counted(len(strangers), "file"),
            names,
        )
        place = Place(str(strangers[0].path))
        walked.defects.append(note(place, text, outcome, count=len(strangers)))
    return chosen, beside


def _belongs_to(parts: Parts, chosen: Sequence[InputFile]) -> str:
    """Return the first path part of the submission that a file belongs to; empty if none.

    That is the team's folder; a file in `north-pictures` belongs to `north.json`.
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
    """Return the folder in which one recognized submission is enough."""
    return parts[:-1] or parts
