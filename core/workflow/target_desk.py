"""Desk file as the target of scoring."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.desk.errors import DeskGoneError
from jurydesk.core.desk.opening import alone_in_folder
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.model.options import options_json

MOST_ATTEMPTS = 10


@contextlib.contextmanager
def target_desk(
    path: Path | None,
    task: AnyTask,
    options: Any,
    title: str = "",
    *,
    refusals: tuple[type[Exception], ...] = (ResourceMissing, UsageError),
) -> Iterator[Desk | None]:
    """Open or create the desk at `path` for a competition; None without a path.

    `title` is that of a new desk. A new desk is deleted if no system could be
    scored, also after one of `refusals`; after a cancellation it stays, as it contains the work.
    """
    if path is None:
        yield None
        return
    refusal = None
    with alone_in_folder(path):
        desk, created = _open_for(path, task, options, title)
    with desk:
        try:
            yield desk
        except refusals as error:
            refusal = error
        if not desk.evaluations():
            if created:
                with alone_in_folder(path):
                    desk.delete_if_unused()
        elif not created:
            desk.mark_as_shared(False)  # its results keep it from now on
    if refusal is not None:
        raise refusal


def _open_for(path: Path, task: AnyTask, options: Any, title: str) -> tuple[Desk, bool]:
    """Open or create the desk for a competition, again if its creator deletes it meanwhile."""
    for attempt in range(MOST_ATTEMPTS):
        desk, created = Desk.open_or_create(path)
        try:
            known = desk.competition
            created = created and known is None  # else another program has joined
            current = known.title if known and known.task_id == task.id else title or task.title
            desk.set_competition(task.id, current, options_json(options))
            if not created and not desk.evaluations():
                desk.mark_as_shared()
        except DeskGoneError:
            desk.close()
            if attempt + 1 == MOST_ATTEMPTS:
                raise
        except BaseException:
            desk.close()
            raise
        else:
            return desk, created
    raise AssertionError
