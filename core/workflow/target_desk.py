"""Desk file that a command or a program scores into."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.model.options import options_json


@contextlib.contextmanager
def target_desk(
    path: Path | None,
    task: AnyTask,
    options: Any,
    title: str = "",
    *,
    refusals: tuple[type[Exception], ...] = (ResourceMissing, UsageError),
) -> Iterator[Desk | None]:
    """Open the desk at `path` for a competition, or make it; None without a path.

    A title that the desk has already stays, unless another is given. A desk that was made here is
    deleted where no system could be scored, also after one of `refusals`; after a cancel it stays,
    as it holds the work.
    """
    if path is None:
        yield None
        return
    made, refused = not path.exists(), None
    with Desk.create(path) if made else Desk.open(path) as desk:
        known = desk.competition
        kept = known.title if known and known.task_id == task.id else task.title
        desk.set_competition(task.id, title or kept, options_json(options))
        try:
            yield desk
        except refusals as error:
            refused = error
        useless = made and not desk.evaluations()
    if useless:
        path.unlink(missing_ok=True)
    if refused is not None:
        raise refused
