"""The desk file: a competition, its inputs, results and evidence, in one SQLite database."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurydesk.core.desk import check_table, evaluation_table, opening
from jurydesk.core.desk import evaluation_table as removed
from jurydesk.core.desk import input_table as inputs
from jurydesk.core.desk.codec import DamagedContentError, damage_at, parse_object
from jurydesk.core.desk.errors import (
    DeskError,
    EvaluationGoneError,
    damage_error,
    translate_sqlite_errors,
)
from jurydesk.core.desk.evaluation_table import RemovedEvaluation
from jurydesk.core.desk.evidence_blocks import known_blocks
from jurydesk.core.desk.input_table import DeskInput, is_stale
from jurydesk.core.desk.schema import (
    MIGRATIONS,
    drop_temporary_tables,
    migrate,
    schema_version,
    transaction,
)
from jurydesk.core.desk.summary import Summary
from jurydesk.core.desk.trust import find_undecodable_text, raise_interruption
from jurydesk.core.model.checks import CheckRecord
from jurydesk.core.model.evaluation import Evaluation, Evidence, Json, Source

NOT_UTF8 = "Could not decode to UTF-8"
"""How Python's message begins where a text of a row is not UTF-8; it has no code."""


@dataclass(frozen=True, slots=True)
class DeskCompetition:
    """Which competition a desk holds: the task, the organiser's title, the options as JSON."""

    task_id: str
    title: str
    options: Mapping[str, Json]


class Desk:
    """An open desk file; any thread may use it, one at a time.

    Every write is a transaction: a program that is killed loses at most the write in flight.
    Whatever is wrong with the file is a DeskError with a sentence for the user.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self.cache = DeskCache(self)
        self._folder = path.resolve().parent
        self._connection: sqlite3.Connection | None = connection
        self._is_older = schema_version(connection) < len(MIGRATIONS)
        self._lock = threading.RLock()
        self._watch = inputs.InputWatch()

    @classmethod
    def create(cls, path: Path) -> Desk:
        """A new, empty desk; DeskError where a file of that name is there already."""
        path = _absolute(path)
        opening.create_file(path)
        return cls.open(path)

    @classmethod
    def open(
        cls, path: Path, read_only: bool = False, check: Callable[[], None] = lambda: None
    ) -> Desk:
        """The desk at `path`; a write-protected one opens for reading only by itself.

        `check` may raise to stop the opening, which reads the whole file, and every later query.
        """
        path = _absolute(path)
        connection, read_only = opening.open_file(path, read_only=read_only, check=check)
        return cls(path, connection, read_only=read_only)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @property
    def competition(self) -> DeskCompetition | None:
        """The competition, or None as long as it was not set."""
        with self.reading() as connection, damage_at("competition", 1):
            row = connection.execute("SELECT task, title, options FROM competition").fetchone()
            return None if row is None else DeskCompetition(row[0], row[1], parse_object(row[2]))

    def set_competition(self, task_id: str, title: str, options: Mapping[str, Json]) -> None:
        """Say which competition this is; DeskError where results of another one are kept."""
        with self.writing() as connection:
            row = connection.execute(
                "SELECT task FROM evaluation WHERE task <> ? LIMIT 1", (task_id,)
            ).fetchone()
            if row is not None:
                raise DeskError(
                    f"{self.path.name} holds results of {row[0]}, not of {task_id}. "
                    "Choose another desk file."
                )
            connection.execute(
                "INSERT OR REPLACE INTO competition VALUES (1, ?, ?, ?)",
                (task_id, title, json.dumps(dict(options))),
            )

    def inputs(self, check: Callable[[], None] = lambda: None) -> tuple[DeskInput, ...]:
        """The inputs, where they are now, and whether they are still what was recorded.

        A file whose size is the same but whose time stamp is not is hashed once; `check` may
        raise to stop that.
        """
        with self.reading() as connection, damage_at():
            recorded = inputs.read_inputs(connection)
        found = [(entry, inputs.locate_desk_input(entry, self._folder)) for entry in recorded]
        return tuple(
            DeskInput(entry.source, path, self._watch.state(entry, path, check))
            for entry, path in found
        )

    def set_inputs(self, sources: Sequence[Source]) -> None:
        """Record these inputs in the place of those before."""
        with self.writing() as connection:
            inputs.write_inputs(connection, inputs.make_input_rows(sources, self._folder))

    def merge_inputs(self, sources: Sequence[Source], submission: str) -> None:
        """Record these inputs beside those that results on the board still come from.

        `submission` is the role of submissions. `inputs.merge_inputs` has the rule.
        """
        with self.writing() as connection, damage_at():
            self.merge_inputs_within(connection, sources, submission)

    def merge_inputs_within(
        self, connection: sqlite3.Connection, sources: Sequence[Source], submission: str
    ) -> None:
        """Do what `merge_inputs` does within the caller's transaction."""
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

    def add_check(self, record: CheckRecord) -> None:
        """Append the record of a check."""
        with self.writing() as connection, damage_at():
            check_table.insert_record(connection, record)

    def add(self, evaluation: Evaluation) -> int:
        """Keep an evaluation; its id.

        It replaces the result of the same file (or, without a stamp, of the same name) in the
        same profile. Another file's result of the same name stays, and the new one gets the name
        `name (file stem)`.
        """
        with self.reading() as connection:
            known = known_blocks(connection)
        packed = evaluation_table.pack_evaluation(evaluation, known)
        with self.writing() as connection:
            return evaluation_table.insert_evaluation(connection, evaluation, packed)

    def rewrite(self, changed: Mapping[int, Evaluation]) -> None:
        """Keep other scores, defects and stamps of evaluations, by their ids; their items stay."""
        with self.writing() as connection:
            for key, evaluation in changed.items():
                evaluation_table.update_evaluation(connection, key, evaluation)

    def remove(self, key: int) -> RemovedEvaluation | None:
        """Forget an evaluation; what `put_back` takes, or None where there is none of that id."""
        with self.writing() as connection:
            return removed.remove_evaluation(connection, key)

    def put_back(self, taken: RemovedEvaluation) -> bool:
        """Keep a removed evaluation again; False where its system was scored again meanwhile."""
        with self.writing() as connection:
            return removed.restore_evaluation(connection, taken)

    def evaluations(self) -> tuple[Summary, ...]:
        """What a board shows of every evaluation, in the order in which they were added."""
        now = self.inputs()
        competition = self.competition
        options = None if competition is None else competition.options
        with self.reading() as connection:
            found = connection.execute(
                "SELECT id, system, profile, scores, about, created, items, stamp "
                "FROM evaluation ORDER BY id"
            ).fetchall()
            summaries = []
            for key, system, profile, scores, about, created, items, stamp in found:
                with damage_at("evaluation", key):
                    read = evaluation_table.read_scores(scores)
                    stale = is_stale(evaluation_table.read_stamp(stamp), options, now)
                row = Summary(key, system, profile, read, about, stale, created, items)
                summaries.append(row)
            return tuple(summaries)

    def systems(self) -> tuple[str, ...]:
        """The names of the systems that were scored, in that order."""
        with self.reading() as connection:
            found = connection.execute(
                "SELECT system FROM evaluation GROUP BY system ORDER BY min(id)"
            ).fetchall()
        return tuple(name for (name,) in found)

    def load(
        self,
        key: int,
        load_evidence: Callable[[Json], Evidence] = evaluation_table.StoredJsonEvidence,
    ) -> Evaluation:
        """The whole evaluation; its evidence comes item by item when it is asked for.

        `load_evidence` is the task's; without it, evidence comes as the JSON values it was.
        GoneError, also of the evidence, where the result was scored again or removed meanwhile.
        """
        evidence = evaluation_table.evidence_loader(self.reading, key, load_evidence)
        with self.reading() as connection:
            return evaluation_table.read_evaluation(connection, key, evidence)

    def save_as(self, path: Path) -> None:
        """Write a copy to `path`, whole or not at all; this desk stays open where it is.

        The inputs' paths in the copy lead from its own folder. Writing to the desk's own path
        does nothing, since everything is there already.
        """
        target = path.resolve()
        if target.exists() and target.samefile(self.path):
            return
        with opening.create_in_place(target) as copy:
            with self.reading() as connection:
                connection.backup(copy)
            migrate(copy)
            with transaction(copy):
                inputs.write_inputs(copy, _seen_from(inputs.read_inputs(copy), target.parent))

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for this package's own queries; nobody writes meanwhile."""
        with self._lock, translate_sqlite_errors(self.path):
            if self._connection is None:
                raise EvaluationGoneError(f"{self.path.name} was closed.")
            if self._is_older and schema_version(self._connection) == len(MIGRATIONS):
                drop_temporary_tables(self._connection)
                self._is_older = False
            try:
                with raise_interruption(self._connection):
                    yield self._connection
            except DamagedContentError as error:
                raise damage_error(self.path, str(error)) from error
            except sqlite3.OperationalError as error:
                if str(error).startswith(NOT_UTF8):
                    place = find_undecodable_text(self._connection)
                    raise damage_error(self.path, f"{place}: a text is not UTF-8") from error
                raise
            except evaluation_table.NoRowError as error:
                raise EvaluationGoneError(
                    f"{self.path.name} holds this result no more: it was scored again or removed."
                ) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within a transaction; DeskError where the desk is for reading only."""
        if self.read_only:
            raise DeskError(f"{self.path.name} was opened for reading only.")
        with self.reading() as connection:
            if self._is_older:
                migrate(connection)
                drop_temporary_tables(connection)
                self._is_older = False
            with transaction(connection):
                yield connection


class DeskCache:
    """Finished chunks of a run, kept in its desk: a run that was stopped goes on from them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def is_empty(self) -> bool:
        """Whether no chunk is kept."""
        with self._desk.reading() as connection:
            return connection.execute("SELECT 1 FROM chunk LIMIT 1").fetchone() is None

    def get(self, key: str) -> bytes | None:
        """The bytes kept under `key`, or None."""
        with self._desk.reading() as connection:
            row = connection.execute("SELECT content FROM chunk WHERE key = ?", (key,)).fetchone()
            return None if row is None else bytes(row[0])

    def put(self, key: str, value: bytes) -> None:
        """Keep `value` under `key`, at once and whole."""
        self.put_all({key: value})

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Keep several values in one go."""
        with self._desk.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO chunk VALUES (?, ?)", values.items())

    def clear(self) -> None:
        """Forget all chunks, and make the file smaller; what was made of them stays."""
        with self._desk.writing() as connection:
            connection.execute("DELETE FROM chunk")
        with self._desk.reading() as connection:
            connection.executescript("PRAGMA incremental_vacuum")  # `execute` frees one page only


def _seen_from(recorded: Sequence[inputs.InputRow], folder: Path) -> list[inputs.InputRow]:
    return [
        replace(entry, relative=inputs.relative_path(entry.source.path, folder))
        for entry in recorded
    ]


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its own name and folder
