"""What a desk keeps of a competition, read when it is opened."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.inputs import InputFile, as_read, plain
from app.standing import Standing, standing
from app.told import Told, told_by

if TYPE_CHECKING:
    from core.desk import Desk
    from core.tasks.registry import AnyTask


@dataclass(frozen=True, slots=True)
class Kept:
    """The competition with its files; `unknown` is the id of a task that is not installed."""

    task: AnyTask | None = None
    unknown: str = ""
    title: str = ""
    options: Any = None
    files: tuple[InputFile, ...] = ()
    told: Told = field(default_factory=Told)
    standing: Standing = field(default_factory=Standing)


def kept(desk: Desk | None) -> Kept:
    """Everything that is shown of a desk; of none, and of a new one, nothing."""
    from core.options import options_from_json
    from core.tasks.registry import registry

    competition = desk.competition if desk else None
    if desk is None or competition is None:
        return Kept()
    task = registry().tasks.get(competition.task_id)
    found = standing(desk)
    return Kept(
        task,
        "" if task else competition.task_id,
        competition.title,
        options_from_json(task.options, competition.options) if task else None,
        _files(desk, found),
        told_by(desk),
        found,
    )


def _files(desk: Desk, found: Standing) -> tuple[InputFile, ...]:
    """The files that were scored; of submissions with their teams and marks."""
    from core.intake.ledger import standing as submissions

    known = {plain(one.path): one for one in submissions(desk)}
    files = []
    for entry in found.inputs:
        path, source = plain(entry.path), entry.source
        file = as_read(InputFile(path, source.role, source.size, entry.state))
        one = known.get(path)
        if one is not None:
            file = replace(file, parts=one.parts, mark=one.marks(), system=one.system)
        files.append(file)
    return tuple(files)
