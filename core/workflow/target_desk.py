"""Desk file as the target of scoring."""

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
    """Open or create the desk at `path` for a competition; None without a path.

    An existing title stays, unless another is given. A new desk is deleted if no system could be
    scored, also after one of `refusals`; after a cancellation it stays, as it contains the work.
    """
    if path is None:
        yield None
        return
    created, refusal = not path.exists(), None
    with Desk.create(path) if created else Desk.open(path) as desk:
        known = desk.competition
        current = known.title if known and known.task_id == task.id else task.title
        desk.set_competition(task.id, title or current, options_json(options))
        try:
            yield desk
        except refusals as error:
            refusal = error
        is_empty = created and not desk.evaluations()
    if is_empty:
        path.unlink(missing_ok=True)
    if refusal is not None:
        raise refusal
