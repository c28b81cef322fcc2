"""Untrusted desks: SQL in the file, and content that would exhaust the memory."""

from __future__ import annotations

import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError, opening
from jurydesk.core.desk.codec import (
    DamagedContentError,
    inflate,
    pack_strings,
    parse_stored,
    unpack_ids,
)
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.desk.tables.input_table import MAX_PATH_LENGTH
from jurydesk.core.desk.tables.rating_tables import RatingTables
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.desk.trust import raise_interruption
from support.desks.toy_desk import evaluation

NAME = "strange.jurydesk"


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """Return a desk with one result, for the test to alter."""
    path = tmp_path / NAME
    with Desk.create(path) as desk:
        desk.set_competition("toy", "Toy", {})
        desk.add(evaluation())
    return path


def spoil(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def refusal(path: Path) -> str:
    before = path.read_bytes()
    with pytest.raises(DeskError, match=f"^{re.escape(NAME)} is damaged: ") as caught:
        Desk.open(path)
    assert path.read_bytes() == before
    return str(caught.value)


FOREIGN = {
    "trigger": "CREATE TRIGGER t AFTER DELETE ON input BEGIN DELETE FROM evaluation; END",
    "view": "CREATE VIEW v AS SELECT randomblob(1000000000)",
    "virtual table": "CREATE VIRTUAL TABLE words USING fts5(word)",
    "table": "CREATE TABLE other (id INTEGER)",
    "index": "CREATE INDEX by_task ON evaluation (task)",
    "index with a function": "CREATE INDEX by_task ON evaluation (lower(task))",
    "statistics": "ANALYZE",
}


class TestSchema:
    @pytest.mark.parametrize("statement", FOREIGN.values(), ids=FOREIGN)
    def test_unknown_schema_objects_are_refused(self, statement: str, strange: Path) -> None:
        spoil(strange, statement)
        assert "damaged: schema 1 has no " in refusal(strange)

    @pytest.mark.parametrize(
        "statement",
        [
            "ALTER TABLE competition RENAME COLUMN title TO headline",
            "ALTER TABLE competition ADD COLUMN made TEXT GENERATED ALWAYS AS (hex(title))",
            "ALTER TABLE competition ADD COLUMN more TEXT",
            "ALTER TABLE competition DROP COLUMN title",
        ],
    )
    def test_other_columns_are_refused(self, statement: str, strange: Path) -> None:
        spoil(strange, statement)
        assert "the table competition is not as schema 1 has it" in refusal(strange)

    def test_a_view_in_the_place_of_a_table_is_refused(self, strange: Path) -> None:
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
        spoil(strange, "DROP TABLE chunk", f"CREATE VIEW chunk AS {endless}")
        assert "the table chunk is not as schema 1 has it" in refusal(strange)

    def test_a_table_that_is_not_strict_is_refused(self, strange: Path) -> None:
        spoil(strange, "DROP TABLE chunk", "CREATE TABLE chunk (key TEXT PRIMARY KEY, content)")
        assert "schema 1 has no index sqlite_autoindex_chunk_1" in refusal(strange)

    @pytest.mark.parametrize("number", [0, -5])
    def test_an_unknown_schema_number_is_refused(self, number: int, strange: Path) -> None:
        spoil(strange, f"PRAGMA user_version = {number}")
        assert f"there is no schema {number}" in refusal(strange)

    def test_a_schema_that_is_not_utf_8_is_refused(self, strange: Path) -> None:
        content = strange.read_bytes()
        assert content.count(b"tablechunkchunk") == 1
        torn = content.replace(b"tablechunkchunk", b"table\xb6hunkchunk")
        strange.write_bytes(torn.replace(b"CREATE TABLE chunk", b"CREATE TABLE (hunk"))
        assert "its schema is not UTF-8" in refusal(strange)


class TestPages:
    def test_a_value_that_its_table_forbids_is_reported(self, strange: Path) -> None:
        spoil(
            strange,
            "PRAGMA ignore_check_constraints = ON",
            "INSERT INTO check_record VALUES (1, '')",
            "INSERT INTO check_file VALUES (1, 0, 'p', 'r', 'perhaps', '', '')",
        )
        assert "SQLite reports CHECK constraint failed in check_file" in refusal(strange)

    def test_a_row_without_a_result_is_reported(self, strange: Path) -> None:
        spoil(strange, "UPDATE item_column SET evaluation = -1 WHERE rowid = 1")
        reported = refusal(strange)
        assert (
            "table item_column, row 1 refers to a missing row of the table evaluation" in reported
        )

    def test_opening_can_be_cancelled(self, strange: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Stopped(Exception):  # noqa: N818 - a wish
            pass

        def stop() -> None:
            raise Stopped

        monkeypatch.setattr("jurydesk.core.desk.trust.CHECK_INTERVAL", 1)
        with pytest.raises(Stopped):
            Desk.open(strange, check=stop)
        with Desk.open(strange) as desk:
            assert desk.systems() == ("cyan",)

    def test_a_query_can_be_cancelled_and_the_desk_stays_usable(
        self, strange: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wishes: list[BaseException] = []

        def check() -> None:
            if wishes:
                raise wishes.pop()

        monkeypatch.setattr("jurydesk.core.desk.trust.CHECK_INTERVAL", 1)
        with Desk.open(strange, check=check) as desk:
            wishes.append(KeyboardInterrupt())
            with pytest.raises(KeyboardInterrupt):
                desk.systems()
            assert desk.systems() == ("cyan",)


class TestConnection:
    def test_a_connection_trusts_no_schema_and_attaches_no_file(self, strange: Path) -> None:
        with closing(opening.open_connection(strange, "ro")) as connection:
            assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
            assert connection.execute("PRAGMA cell_size_check").fetchone() == (1,)
            with pytest.raises(sqlite3.OperationalError, match="too many attached databases"):
                connection.execute("ATTACH ':memory:' AS other")
            assert connection.getlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH) == 100_000


DEEP = "[" * 100_000 + "]" * 100_000
PLACES = {
    "a text that is not UTF-8": (
        "UPDATE evaluation SET about = CAST(x'c328' AS TEXT)",
        "table evaluation, row 1: a text is not UTF-8",
    ),
    "deep JSON": (
        f"UPDATE evaluation SET stamp = '{DEEP}'",
        "table evaluation, row 1: a text is JSON with too many levels",
    ),
    "a stamp that is none": (
        "UPDATE evaluation SET stamp = '{\"schema\": 1}'",
        "table evaluation, row 1: The stamp is not complete: 'task' is missing",
    ),
    "more items than there can be": (
        "UPDATE evaluation SET items = 4611686018427387904",
        "table evaluation, row 1: an item count of 4,611,686,018,427,387,904 is invalid",
    ),
    "fewer items than none": (
        "UPDATE evaluation SET items = -1",
        "table evaluation, row 1: an item count of -1 is invalid",
    ),
    "an interval's end that is a list": (
        "UPDATE evaluation SET scores = json_replace(scores, '$[0].interval', json('{\"low\": [], "
        '"high": 1, "level": 1, "method": "m"}\'))',
        "table evaluation, row 1: its content is inconsistent (TypeError: 'low' is [])",
    ),
    "options that are a list": (
        "UPDATE competition SET options = '[]'",
        "table competition, row 1: a text is not a JSON object",
    ),
    "an input that is a number": (
        "INSERT INTO input VALUES (7, 'gold', '[null, 12]', 1, 1, 'ab')",
        "table input, row 7: an input has an invalid path",
    ),
    "an input with a NUL": (
        "INSERT INTO input VALUES (7, 'gold', '[\"a\\u0000b\", \"a\"]', 1, 1, 'ab')",
        "table input, row 7: an input has an invalid path",
    ),
    "an input with a long path": (
        "INSERT INTO input VALUES "
        f"(7, 'gold', '[null, \"{'a' * (MAX_PATH_LENGTH + 1)}\"]', 1, 1, '')",
        "table input, row 7: an input has an invalid path",
    ),
}


def read_all(desk: Desk) -> None:
    _ = desk.competition
    desk.inputs()
    desk.evaluations()
    desk.load(1)


@pytest.mark.parametrize(("statement", "reported"), PLACES.values(), ids=PLACES)
def test_damage_is_reported_with_its_table_and_row(
    statement: str, reported: str, strange: Path
) -> None:
    spoil(strange, statement)
    with Desk.open(strange) as desk, pytest.raises(DeskError) as caught:
        read_all(desk)
    sentence = f"{NAME} is damaged: {reported}. Open a copy made before the damage."
    assert str(caught.value) == sentence


UNREADABLE = {
    "submission": "INSERT INTO submission VALUES (1, '', '', '', '/a', 0, '', 1, 'soon', '')",
    "check": "INSERT INTO check_record VALUES (1, ''); INSERT INTO check_defect VALUES "
    "(1, 0, 'intake', 'note', '', NULL, NULL, NULL, '[', '', '', 1, NULL)",
}


@pytest.mark.parametrize("statements", UNREADABLE.values(), ids=UNREADABLE)
def test_a_row_that_cannot_be_read_leaves_the_desk_unlocked_while_its_error_is_kept(
    statements: str, strange: Path
) -> None:
    spoil(strange, *statements.split("; "))
    with Desk.open(strange) as desk, pytest.raises(DeskError) as caught:  # noqa: PT012
        read_submissions(desk)
        desk.check_records()
    with closing(sqlite3.connect(strange, timeout=0)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
    assert "damaged" in str(caught.value)


def test_a_missing_column_is_reported_when_it_is_read(strange: Path) -> None:
    spoil(strange, "DELETE FROM item_column WHERE name = 'closeness'")
    with Desk.open(strange) as desk:
        for items in (desk.load(1).items, load_item_columns(desk, 1)):
            with pytest.raises(DeskError, match="table item_column has no 'closeness' for row 1"):
                _ = items.columns["closeness"]


PACKED_ID = zlib.compress(b'["a"]')


class TestPackedContent:
    @pytest.mark.parametrize(
        "ids",
        [
            (),
            ("",),
            ("a", 'a","b\\', "\\", '"', '\\"', ",", '","', "é\u2028😀", "\ud800"),
            ("\\",) * 40_000,
            ('x","',) * 20_000,
            tuple(map(str, range(30_000))),
        ],
        ids=["none", "empty", "odd", "backslashes", "quotes", "many"],
    )
    def test_ids_are_read_back_in_parts(self, ids: tuple[str, ...]) -> None:
        assert unpack_ids(pack_strings(ids), len(ids)) == ids

    @pytest.mark.parametrize(
        ("text", "reported"),
        [
            (b'["a"' + b',"a"' * 3_000_000 + b"]", "more ids than the 3 items"),
            (b"[" + b"[]," * 3_000_000 + b"[]]", "an id is too long"),
            (b'["' + b"a" * 3_000_000 + b'"]', "an id is too long"),
            (b'["a","b"]', "2 ids for 3 items"),
            (b'["a",["b"],"c"]', "an id is not a string"),
            (b"7", "an id is not a string"),
        ],
    )
    def test_ids_of_another_number_are_refused(self, text: bytes, reported: str) -> None:
        with pytest.raises(DamagedContentError, match=reported):
            unpack_ids(zlib.compress(text), 3)

    @pytest.mark.parametrize(
        "content",
        [b"", b"none", PACKED_ID[:-1], PACKED_ID[:-5], PACKED_ID + b"x"],
    )
    def test_ids_that_cannot_be_unpacked_are_refused(self, content: bytes) -> None:
        for unpack in (lambda: unpack_ids(content, 1), lambda: inflate(content, 5)):
            with pytest.raises(DamagedContentError, match="packed content "):
                unpack()

    def test_a_text_of_too_many_values_is_refused_before_it_is_read(self) -> None:
        with pytest.raises(DamagedContentError, match="a text contains too many values"):
            parse_stored("[" + "[]," * 5_000_000 + "[]]")

    def test_a_study_that_unpacks_to_too_much_is_refused(
        self, strange: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("jurydesk.core.desk.tables.rating_tables.MAX_BYTES", 1000)
        with Desk.open(strange) as desk:
            with desk.writing() as connection:
                bomb = zlib.compress(bytes(1001))
                connection.execute("INSERT INTO rating_study VALUES (1, ?)", (bomb,))
            with pytest.raises(
                DeskError, match=r"table rating_study, row 1: .* larger than 1,000 "
            ):
                RatingTables(desk).read_study(lambda content: content)


def test_an_input_with_the_longest_path_can_be_read(strange: Path) -> None:
    path = "a" * MAX_PATH_LENGTH
    spoil(strange, f"INSERT INTO input VALUES (7, 'gold', '[null, \"{path}\"]', 1, 1, '')")
    with Desk.open(strange) as desk:
        assert desk.inputs()[-1].source.path == path


def test_an_exception_that_ended_a_statement_is_raised_once(tmp_path: Path) -> None:
    connection = opening.open_temporary(tmp_path / NAME)
    with closing(connection):
        connection.raised = ValueError("stop")
        with pytest.raises(ValueError, match="stop"), raise_interruption(connection):
            raise interruption()
        with pytest.raises(KeyboardInterrupt), raise_interruption(connection):
            raise interruption()
        with pytest.raises(sqlite3.OperationalError), raise_interruption(connection):
            raise sqlite3.OperationalError("other")
    plain = sqlite3.connect(":memory:")
    with closing(plain), raise_interruption(plain):
        plain.execute("SELECT 1")


def interruption() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("interrupted")
    error.sqlite_errorname = "SQLITE_INTERRUPT"
    return error


def test_another_study_has_no_packets_of_the_one_before(tmp_path: Path) -> None:
    with Desk.create(tmp_path / NAME) as desk:
        tables = RatingTables(desk)
        assert tables.write_study({"a": 1})
        tables.add_packet("0" * 64, "r01")
        assert tables.packets() == {"0" * 64: "r01"}
        assert tables.write_study({"a": 2})
        assert tables.packets() == {}
        assert tables.read_study(lambda data: data) == {"a": 2}
