"""Desk file: a competition with its inputs, results and evidence in one SQLite database."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.desk import opening
from jurydesk.core.desk.codec import DamagedContentError, damage_at, parse_object
from jurydesk.core.desk.errors import (
    DeskError,
    DeskExistsError,
    EvaluationGoneError,
    damage_error,
    translate_sqlite_errors,
)
from jurydesk.core.desk.evaluation_rows import (
    EvaluationRows,
    pack_evaluation,
    unpack_scores,
    unpack_stamp,
)
from jurydesk.core.desk.schema import transaction
from jurydesk.core.desk.summary import Summary
from jurydesk.core.desk.tables import check_table, evaluation_table
from jurydesk.core.desk.tables import input_table as inputs
from jurydesk.core.desk.tables.input_table import DeskInput, stamped_submission
from jurydesk.core.desk.tables.platform_entries import read_platform_entries
from jurydesk.core.desk.trust import find_undecodable_text, raise_interruption
from jurydesk.core.language import fill
from jurydesk.core.model.checks import CheckRecord
from jurydesk.core.model.evaluation import Evaluation, Json, Source
from jurydesk.core.model.staleness import InputWatch, is_stale
from jurydesk.core.system.network_shares import choose_share
from jurydesk.core.system.paths import absolute_path

NOT_UTF8 = "Could not decode to UTF-8"
"""Start of Python's message for a text that is not UTF-8; the error has no code."""


@dataclass(frozen=True, slots=True)
class DeskCompetition:
    """Competition of a desk: the task, the organiser's title, the options as JSON."""

    task_id: str
    title: str
    options: Mapping[str, Json]


class Desk:
    """Open desk file, usable from any thread, one at a time.

    Every write is a transaction: a program that is killed loses at most the current write. Any
    problem of the file is a DeskError with a message for the user.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self.cache = DeskCache(self)
        self._folder = path.resolve().parent
        self._identity = opening.file_identity(path)
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.RLock()
        self._watch = InputWatch()
        self._unpacked: dict[tuple[str, int], tuple[int, Any]] = {}

    @classmethod
    def create(cls, path: Path) -> Desk:
        """Create an empty desk; raise DeskError if the file exists."""
        path = absolute_path(path)
        opening.create_file(path)
        return cls.open(path)

    @classmethod
    @contextlib.contextmanager
    def temporary(cls) -> Iterator[Desk]:
        """Provide an empty desk in a folder of its own, which is deleted; it needs no locks."""
        with tempfile.TemporaryDirectory(prefix="jurydesk-desk-") as folder:
            path = Path(folder) / "temporary.jurydesk"
            with translate_sqlite_errors(path):
                connection = opening.open_temporary(path)
            with cls(path, connection, read_only=False) as desk:
                yield desk

    @classmethod
    def open_or_create(cls, path: Path) -> tuple[Desk, bool]:
        """Open the desk at `path`, which is created if there is none; return whether it is new."""
        if not path.exists():
            with contextlib.suppress(DeskExistsError):  # another program was faster
                return cls.create(path), True
        try:
            return cls.open(path), False
        except DeskError:
            if os.path.lexists(path):
                raise
        return cls.open_or_create(path)  # its creator had nothing to store, and deleted it

    @classmethod
    def open(
        cls, path: Path, read_only: bool = False, check: Callable[[], None] = lambda: None
    ) -> Desk:
        """Open the desk at `path`; a write-protected one is opened read-only.

        `check` may raise to cancel the opening, which reads the whole file, and every later query.
        """
        path = absolute_path(path)
        choose_share(path)
        connection, read_only = opening.open_file(path, read_only=read_only, check=check)
        return cls(path, connection, read_only=read_only)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @property
    def competition(self) -> DeskCompetition | None:
        """Competition, or None if it is not set."""
        with self.reading() as connection, damage_at("competition", 1):
            row = connection.execute("SELECT task, title, options FROM competition").fetchone()
            return None if row is None else DeskCompetition(row[0], row[1], parse_object(row[2]))

    def set_competition(self, task_id: str, title: str, options: Mapping[str, Json]) -> None:
        """Set the competition; raise DeskError if the desk has results of another one."""
        with self.writing() as connection:
            row = connection.execute(
                "SELECT task FROM evaluation WHERE task <> ? LIMIT 1", (task_id,)
            ).fetchone()
            if row is not None:
                raise DeskError(
                    fill(
                        "{name} contains results of {row}, not of {task_id}. Choose another "
                        "desk file.",
                        self.path.name,
                        row[0],
                        task_id,
                    )
                )
            connection.execute(
                "INSERT OR REPLACE INTO competition VALUES (1, ?, ?, ?)",
                (task_id, title, json.dumps(dict(options))),
            )

    def inputs(self, check: Callable[[], None] = lambda: None) -> tuple[DeskInput, ...]:
        """Return the inputs with their current paths and states.

        A file of the same size with another time stamp is hashed once; `check` may raise to cancel
        that.
        """
        with self.reading() as connection, damage_at():
            recorded = inputs.read_inputs(connection)
        found = [(entry, inputs.locate_desk_input(entry, self._folder)) for entry in recorded]
        return tuple(
            DeskInput(entry.source, path, self._watch.state(entry, path, check))
            for entry, path in found
        )

    def merge_inputs(self, sources: Sequence[Source], submission: str) -> None:
        """Record these inputs, and keep those of other results on the board.

        `submission` is the role of submissions. `inputs.merge_inputs` has the rule.
        """
        with self.writing() as connection, damage_at():
            self.merge_inputs_within(connection, sources, submission)

    def merge_inputs_within(
        self, connection: sqlite3.Connection, sources: Sequence[Source], submission: str
    ) -> None:
        """Merge inputs within the caller's transaction."""
        on_board = {
            one.submission[0]
            for one in evaluation_table.read_summaries(connection)
            if one.submission
        }
        before = inputs.read_inputs(connection)
        merged = inputs.merge_inputs(before, sources, submission, on_board, self._folder)
        inputs.write_inputs(connection, merged)

    def check_records(self) -> list[CheckRecord]:
        """Read the records of all checks, the oldest first."""
        with self.reading() as connection, damage_at():
            return check_table.read_check_records(connection)

    def check_times(self) -> list[str]:
        """Read the times of all checks, the oldest first."""
        with self.reading() as connection, damage_at():
            return check_table.read_check_times(connection)

    def add_check(self, record: CheckRecord) -> None:
        """Append the record of a check."""
        with self.writing() as connection, damage_at():
            check_table.insert_record(connection, record)

    def add(self, evaluation: Evaluation) -> int:
        """Add an evaluation and return its id.

        It replaces the result of the same file (or, without a stamp, of the same name) in the same
        profile. A result of another file with the same name stays, and the new one is named `name
        (file stem)`.
        """
        with self.reading() as connection:
            known = evaluation_table.known_blocks(connection)
        rows = pack_evaluation(evaluation, known)
        with self.writing() as connection:
            if not known <= evaluation_table.known_blocks(connection):
                rows = pack_evaluation(evaluation)  # another program removed some meanwhile
            return evaluation_table.insert_evaluation(connection, evaluation, rows)

    def rewrite(self, changed: Mapping[int, Evaluation]) -> None:
        """Replace scores, defects and stamps of evaluations, by id; their items stay."""
        with self.writing() as connection:
            for key, evaluation in changed.items():
                evaluation_table.update_evaluation(connection, key, evaluation)

    def remove(self, key: int) -> EvaluationRows | None:
        """Remove an evaluation and return it for `put_back`; None if there is none of that id."""
        with self.writing() as connection, contextlib.suppress(evaluation_table.NoRowError):
            return evaluation_table.remove_evaluation(connection, key)
        return None

    def put_back(self, removed: EvaluationRows) -> bool:
        """Restore a removed evaluation; return False if its system has been scored since."""
        with self.writing() as connection:
            return evaluation_table.restore_evaluation(connection, removed)

    def evaluations(self, inputs: Sequence[DeskInput] | None = None) -> tuple[Summary, ...]:
        """Return a summary of every evaluation, in the order of adding.

        `inputs` are those of the desk, which are looked at unless they are given; with none, only
        options tell which results are stale.
        """
        inputs_now = self.inputs() if inputs is None else inputs
        competition = self.competition
        options = None if competition is None else competition.options
        with self.reading() as connection:
            entries = read_platform_entries(connection)
            found = connection.execute(
                "SELECT id, system, profile, scores, about, created, items, stamp "
                "FROM evaluation ORDER BY id"
            ).fetchall()
            summaries = []
            for key, system, profile, scores, about, created, items, stamp in found:
                with damage_at("evaluation", key):
                    read = self.unpacked("scores", key, scores, unpack_scores)
                    stamped = self.unpacked("stamp", key, stamp, unpack_stamp)
                    stale = is_stale(stamped, options, inputs_now)
                    path, _ = stamped_submission(stamped) or ("", "")
                used = stamped["options"] if stamped else {}
                server = entries[path].numbers if path in entries else {}
                row = (key, system, profile, read, about, stale, created, items, path, used)
                summaries.append(Summary(*row, server))
            present = {one.id for one in summaries}
            self._unpacked = {at: one for at, one in self._unpacked.items() if at[1] in present}
            return tuple(summaries)

    def unpacked(self, column: str, key: int, text: str, unpack: Callable[[str], Any]) -> Any:
        """Return what a text of an evaluation holds, unpacked once until the text changes.

        A board of a thousand systems asks for every one ten times. Called while `reading`.
        """
        known, digest = self._unpacked.get((column, key)), hash(text)
        if known is None or known[0] != digest:
            known = self._unpacked[column, key] = digest, unpack(text)
        return known[1]

    def systems(self) -> tuple[str, ...]:
        """Return the names of the scored systems, in the order of scoring."""
        with self.reading() as connection:
            found = connection.execute(
                "SELECT system FROM evaluation GROUP BY system ORDER BY min(id)"
            ).fetchall()
        return tuple(name for (name,) in found)

    def load(
        self,
        key: int,
        load_evidence: Callable[[Json], Any] = JsonEvidence,
        *,
        with_members: bool = True,
    ) -> Evaluation:
        """Load an evaluation; its evidence is loaded item by item on request.

        `load_evidence` is the task's; without it, evidence is returned as JSON values. Without
        `with_members` no figure has the curves of the items. Raises EvaluationGoneError, also for
        the evidence, if the result was removed or scored again.
        """
        evidence = evaluation_table.evidence_loader(self.reading, key, load_evidence)
        with self.reading() as connection:
            return evaluation_table.read_evaluation(
                connection, key, evidence, with_members=with_members
            )

    def save_as(self, path: Path) -> None:
        """Write a copy to `path`, atomically; this desk stays open at its own path.

        Input paths in the copy are relative to its folder. Writing to the desk's own path does
        nothing.
        """
        target = path.resolve()
        if target.exists() and target.samefile(self.path):
            return
        with opening.create_in_place(target) as copy:
            with self.reading() as connection:
                connection.backup(copy)
            with transaction(copy):
                inputs.write_inputs(copy, _relocate(inputs.read_inputs(copy), target.parent))

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Provide the connection for queries of this package; no other thread writes meanwhile."""
        with self._lock, translate_sqlite_errors(self.path):
            if self._connection is None:
                raise EvaluationGoneError(fill("{name} was closed.", self.path.name))
            try:
                with raise_interruption(self._connection):
                    yield self._connection
            except DamagedContentError as error:
                raise damage_error(self.path, str(error)) from error
            except sqlite3.OperationalError as error:
                if str(error).startswith(NOT_UTF8):
                    place = find_undecodable_text(self._connection)
                    raise damage_error(
                        self.path, fill("{place}: a text is not UTF-8", place)
                    ) from error
                raise
            except evaluation_table.NoRowError as error:
                raise EvaluationGoneError(
                    fill(
                        "{name} no longer has this result: it was scored again or removed.",
                        self.path.name,
                    )
                ) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Provide the connection in a transaction; raise DeskError if the desk is read-only."""
        if self.read_only:
            raise DeskError(fill("{name} is open for reading only.", self.path.name))
        with self.reading() as connection, transaction(connection):
            opening.require_same_file(self.path, self._identity)
            yield connection

    def mark_as_shared(self, shared: bool = True) -> None:
        """Record whether another program than its creator uses the desk, which then stays."""
        with self.writing() as connection:
            connection.execute("DELETE FROM setting WHERE name = ?", (opening.SHARED,))
            if shared:
                connection.execute("INSERT INTO setting VALUES (?, 'true')", (opening.SHARED,))

    def delete_if_unused(self) -> None:
        """Close the desk and delete it, unless it has a result or another program uses it."""
        with self.reading() as connection:
            opening.delete_unused(connection, self.path)
        self.close()


class DeskCache:
    """Finished chunks of a run, stored in the desk so that a stopped run can continue."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def is_empty(self) -> bool:
        """True if no chunk is stored."""
        with self._desk.reading() as connection:
            return connection.execute("SELECT 1 FROM chunk LIMIT 1").fetchone() is None

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, or None."""
        with self._desk.reading() as connection:
            row = connection.execute("SELECT content FROM chunk WHERE key = ?", (key,)).fetchone()
            return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Store a value, atomically."""
        self.put_all({key: value})

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Store several values in one transaction."""
        with self._desk.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO chunk VALUES (?, ?)", values.items())

    def clear(self) -> None:
        """Delete all chunks and shrink the file; results computed from them stay."""
        with self._desk.writing() as connection:
            connection.execute("DELETE FROM chunk")
        with self._desk.reading() as connection:
            connection.executescript("PRAGMA incremental_vacuum")  # `execute` frees one page only


def _relocate(recorded: Sequence[inputs.InputRow], folder: Path) -> list[inputs.InputRow]:
    return [
        replace(entry, relative=inputs.relative_path(entry.source.path, folder))
        for entry in recorded
    ]
