"""Intake of given files: their classification, and a new desk if none is open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.system.network_shares import choose_share
from jurydesk.core.system.paths import absolute_path

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.defects import Defect
    from jurydesk.core.model.input_file import InputFile


@dataclass(frozen=True, slots=True)
class ClassifiedIntake:
    """Classified files of the `given` paths, and the new desk that was created for them.

    `example` is the folder of the example competition that they are; `defects` are the problems of
    folders and archives; `watched` is set for files that appeared in a watched folder.
    """

    files: tuple[InputFile, ...]
    desk: Desk | None = None
    example: Path | None = None
    defects: tuple[Defect, ...] = ()
    watched: bool = False
    given: tuple[Path, ...] = ()


def take_in(
    paths: Sequence[Path],
    desk: Path | None,
    run: Run,
    notify: object = None,
    *,
    watched: bool = False,
    unwritten: Collection[Path] = (),
    known: Sequence[InputFile] = (),
) -> ClassifiedIntake:
    """Classify files, and the content of folders and archives, except the `unwritten` ones.

    `desk` is the path of a new desk for them; None if one is open. Tables of a platform alone are
    joined with the `known` files, of which those that they concern are then returned again. Raises
    Cancelled.
    """
    from jurydesk.core.desk import Desk
    from jurydesk.core.intake.classify import classify_files, classify_known, find_example

    defects: list[Defect] = []
    given = tuple(map(absolute_path, paths))
    for path in given:
        choose_share(path)
    found = classify_files(given, run, defects, unwritten)
    if not found and known:
        joined: list[Defect] = []
        found = classify_known(known, given, run, joined)
        defects = joined or defects
    run.check()
    made = Desk.create(desk) if found and desk is not None else None
    return ClassifiedIntake(found, made, find_example(given), tuple(defects), watched, given)
