"""Workers like those of a cluster, which receive and return pickles."""

from __future__ import annotations

import pickle
from concurrent.futures import Future
from typing import Any

from jurydesk.core.execution import submission_chunks
from jurydesk.core.execution.submission_chunks import SUBMISSIONS
from jurydesk.core.execution.workers.local_workers import LocalWorkers
from jurydesk.core.model.chunk import Check, ChunkRequest, ChunkResult, run_chunk


class Elsewhere(LocalWorkers):
    """Workers that record the submissions that they score; `by_path` as on a shared disk."""

    place = "elsewhere"

    def __init__(self, *, by_path: bool = False) -> None:
        super().__init__(1)
        self.by_path = by_path
        self.scored: list[str] = []
        submission_chunks._open.clear()  # as in a new process

    def submit(
        self, request: ChunkRequest[Any, Any, Any], chunk: Any, check: Check
    ) -> Future[ChunkResult[Any]]:
        """Score a copy of the chunk immediately."""
        if request.kind.embed_files is not None:
            chunk = request.kind.embed_files(chunk, self.by_path)
        done = run_chunk(*pickle.loads(pickle.dumps((request.kind, request.settings, chunk))))
        if request.kind.id == SUBMISSIONS.id and not done.statistics.refusal:
            self.scored.append(chunk.path)
        future: Future[ChunkResult[Any]] = Future()
        future.set_result(pickle.loads(pickle.dumps(done)))
        return future
