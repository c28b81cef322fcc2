"""Conversion of an early desk, which is made from a new one by undoing what has changed since."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Place, error
from support.desks.toy_desk import evaluation
from support.rating import studies

SCRIPT = Path(__file__).parent.parent.parent / "packaging" / "convert_desk.py"
VALUES = [{"wanted": number, "given": "straße \ud800"} for number in range(70)]

LOG = DefectLog(reading=(error(Place("run.txt", 2), "The line is empty.", "", "Fill it."),))
EARLIER = (
    "UPDATE check_file SET reason = 'It is gone.'",
    "UPDATE check_defect SET found = 'The line is empty.', expected = '', hint = 'Fill it.'",
    "CREATE TABLE defect (id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT",
    "CREATE TABLE evidence (evaluation INTEGER NOT NULL REFERENCES evaluation (id) ON DELETE "
    "CASCADE, block INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (evaluation, block)) "
    "STRICT",
    "DELETE FROM evidence_part",
    "DELETE FROM evidence_block",
    "PRAGMA user_version = 6",
)


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("convert_desk", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a desk of schema 6: evidence as JSON, and in columns of its first blocks."""
    path = tmp_path / "old.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition("toy", "Numbers", {})
        desk.add(evaluation("as JSON"))
        desk.add(evaluation("in columns"))
        desk.add(replace(evaluation("stories"), task="vist"))
        desk.add_check(CheckRecord("", (FileCheck("run.txt", "guesses", "failed"),), LOG))
    head = b'[["wanted",false,[["<f8",[2]]]],["given",false,[["|u1",[2]]]]]'
    block = len(head).to_bytes(4, "little") + head + bytes((7, 8))
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in EARLIER:
            connection.execute(statement)
        for key in (1, 3):
            for number, values in enumerate((VALUES[:64], VALUES[64:])):
                content = zlib.compress(json.dumps(values).encode())
                connection.execute("INSERT INTO evidence VALUES (?, ?, ?)", (key, number, content))
        floats = bytes.fromhex("000000000000f03f182d4454fb210940")
        row = "first", zlib.compress(block), floats
        connection.execute("INSERT INTO evidence_block VALUES (?, ?, ?)", row)
        connection.execute("INSERT INTO evidence_part VALUES (2, 0, 0, 'first')")
    return path


def test_an_early_desk_keeps_results_and_evidence(
    script: ModuleType, old: Path, tmp_path: Path
) -> None:
    before = old.read_bytes()
    remarks = script.convert(old, tmp_path / "new.jurydesk")
    assert remarks == ["stories: score it again to see its items in detail."]
    assert old.read_bytes() == before
    with Desk.open(tmp_path / "new.jurydesk") as desk:
        assert desk.competition is not None
        assert desk.competition.title == "Numbers"
        one, other, last = (desk.load(summary.id) for summary in desk.evaluations())
        assert [one.items.show(number) for number in (0, 69)] == [
            JsonEvidence(VALUES[number]) for number in (0, 69)
        ]
        assert other.items.show(1) == JsonEvidence({"wanted": 3.141592653589793, "given": 8})
        assert last.items.evidence is None
        (check,) = desk.check_records()
        assert check.defects == LOG
        assert check.files[0].reason == "It is gone."
        assert repr(last.scores) == repr(evaluation("stories").scores)


def test_an_early_alignment_gets_the_names_of_its_numbers(script: ModuleType) -> None:
    early = {"parts": [0.5, 0.25, 0.4, 0.5, 0.1, 0.3], "parameters": [0.9, 3.0, 0.5, 1.0]}
    given = {"key": "1", "alignment": {"matches": [[0, 1, 0, 1, 0]], **early}}
    assert script.name_parts(given)["alignment"] == {
        "matches": [[0, 1, 0, 1, 0]],
        "precision": 0.5,
        "recall": 0.25,
        "fmean": 0.4,
        "fragmentation": 0.5,
        "penalty": 0.1,
        "score": 0.3,
        "alpha": 0.9,
        "beta": 3.0,
        "gamma": 0.5,
        "delta": 1.0,
    }


def test_an_early_study_of_stories_becomes_one_of_items(
    script: ModuleType, old: Path, tmp_path: Path
) -> None:
    made = studies.study()
    early = made.to_json()
    items = early.pop("items")
    early["sequences"] = [[name for name, _ in one["pictures"]] for one in items]
    early["stories"] = [[text for text, _ in one["entries"]] for one in items]
    del early["words"]
    with closing(sqlite3.connect(old)) as connection, connection:
        content = zlib.compress(json.dumps(early).encode())
        connection.execute("INSERT INTO rating_study VALUES (1, ?)", (content,))
        connection.execute("INSERT INTO rating_packet VALUES ('signed', 'r01'), ('bare', 'r02')")
        connection.execute("INSERT INTO setting VALUES ('signed packets', '[\"signed\"]')")
    remarks = script.convert(old, tmp_path / "new.jurydesk")
    assert remarks[1:] == [
        "r02: write the packet again, since new answers to the old one have no signature."
    ]
    with Desk.open(tmp_path / "new.jurydesk", read_only=True) as desk:
        assert RatingStore(desk).required_study() == made


def test_a_new_desk_is_not_converted(script: ModuleType, tmp_path: Path) -> None:
    Desk.create(tmp_path / "new.jurydesk").close()
    with pytest.raises(SystemExit, match=r"^new\.jurydesk is no desk of an early version\.$"):
        script.convert(tmp_path / "new.jurydesk", tmp_path / "other.jurydesk")
    assert not (tmp_path / "other.jurydesk").exists()
