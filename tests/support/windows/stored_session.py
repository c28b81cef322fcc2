"""Sessions over a desk file with evaluations, which jobs read from it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from jurydesk.app.state.session import Session
from jurydesk.core.desk import Desk
from jurydesk.core.model.options import options_json
from support.windows.evaluations import TASK, retrieval


@contextmanager
def stored(
    path: Path, systems: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Session]:
    """Return a session that reads a new desk with these systems, of 40 queries each."""
    known = SimpleNamespace(tasks={TASK.id: TASK}, broken=())
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: known)
    with Desk.create(path) as desk:
        desk.set_competition(TASK.id, "Large", options_json(TASK.scoring.options()))
        for number, system in enumerate(systems):
            scored = retrieval(40, system, number)
            desk.add(replace(scored, scores=scored.scores[:2]))
    session = Session()
    session.use(Desk.open(path, read_only=True))
    yield session
    session.use(None)


def damage(path: Path) -> None:
    """Truncate every column of the items while another connection has the desk open."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE item_column SET content = substr(content, 1, 9)")
