"""Desks of every schema, written by the versions of that time, can be opened and updated.

Expected numbers are those that these programs printed.
"""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import HIDDEN, OPENED, visibility_events
from jurydesk.core.desk.schema import MIGRATIONS
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.workflow.desk_state import load_state
from jurydesk.core.workflow.errata.errata_record import load_errata

FOLDER = Path(__file__).parent / "schemas"
NEWEST = len(MIGRATIONS)
SCHEMAS = range(1, NEWEST + 1)

SCORES = {
    1: {"mine": ("ap", 0.6666666666666666, 2), "theirs": ("ap", 1.0, 2)},
    2: {
        "storyteller": ("meteor", 0.49426589150050537, 12),
        "everyone-happy": ("meteor", 0.17032512032415303, 12),
    },
    3: {"mine": ("ap", 0.6666666666666666, 2), "theirs": ("ap", 1.0, 2)},
    4: {
        "careful": ("cider_1", 0.38864488444483036, 10),
        "short": ("cider_1", 0.1571731474583457, 10),
    },
    5: {"storyteller": ("meteor", 0.49426589150050537, 12)},
    6: {
        "storyteller": ("meteor", 0.49426589150050537, 12),
        "everyone-happy": ("meteor", 0.17032512032415303, 12),
    },
}


@pytest.fixture(params=SCHEMAS)
def schema(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def old(schema: int, tmp_path: Path) -> Path:
    """Return a writable copy of the desk of that schema."""
    return Path(shutil.copyfile(FOLDER / f"{schema}.jurydesk", tmp_path / "old.jurydesk"))


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table."""
    connection = sqlite3.connect(path)
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).fetchall()
    found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}
    connection.close()
    return found


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(found)


def scores(desk: Desk, metrics: dict[str, tuple[str, float, int]]) -> dict[str, Any]:
    """Return score and number of items of every system, by the summary and by the evaluation."""
    found = {}
    for summary in desk.evaluations():
        metric = metrics[summary.system][0]
        (score,) = [one for one in summary.scores if one.metric == metric]
        evaluation = desk.load(summary.id)
        assert [one for one in evaluation.scores if one.metric == metric] == [score]
        assert evaluation.items.columns[metric].mean() == pytest.approx(score.value, rel=1e-15)
        assert all(evaluation.items.evidence(n) for n in range(len(evaluation.items)))
        found[summary.system] = metric, score.value, summary.n_items
    return found


def test_a_desk_of_every_schema_is_stored_here():
    assert [int(path.stem) for path in sorted(FOLDER.glob("*.jurydesk"))] == list(SCHEMAS)
    assert SCORES.keys() == set(SCHEMAS)
    assert all(version(FOLDER / f"{schema}.jurydesk") == schema for schema in SCHEMAS)


@pytest.mark.parametrize("read_only", [True, False])
def test_reading_an_older_desk_does_not_change_it(schema, old, read_only):
    before = old.read_bytes()
    old.chmod(0o444 if read_only else 0o644)
    with Desk.open(old, read_only=read_only) as desk:
        load_state(desk)
        assert scores(desk, SCORES[schema]) == SCORES[schema]
    assert old.read_bytes() == before
    assert [path.name for path in old.parent.iterdir()] == [old.name]


def test_the_first_write_updates_an_older_desk_to_the_newest_schema_with_every_row(schema, old):
    before = content(old)
    with Desk.open(old) as desk:
        assert scores(desk, SCORES[schema]) == SCORES[schema]
        desk.cache.clear()
    after = content(old)
    assert version(old) == NEWEST
    assert {name: after[name] for name in before} == before
    assert all(after[name] == [] for name in after.keys() - before.keys())


def test_an_updated_desk_can_be_written(schema, old):
    with Desk.open(old) as desk:
        kept = desk.competition
        desk.set_competition(kept.task_id, "Another title", kept.options)
        desk.cache.put("chunk", b"content")
    with Desk.open(old, read_only=True) as desk:
        assert desk.competition.title == "Another title"
        assert desk.cache.get("chunk") == b"content"
        assert scores(desk, SCORES[schema]) == SCORES[schema]


def test_a_copy_of_an_older_desk_has_the_newest_schema(schema, old, tmp_path):
    with Desk.open(old, read_only=True) as desk:
        desk.save_as(tmp_path / "copy.jurydesk")
    assert version(tmp_path / "copy.jurydesk") == NEWEST
    with Desk.open(tmp_path / "copy.jurydesk") as desk:
        assert scores(desk, SCORES[schema]) == SCORES[schema]


def test_submissions_hiding_and_errata_of_schema_4_are_kept():
    with Desk.open(FOLDER / "4.jurydesk", read_only=True) as desk:
        assert [(one.team, one.system) for one in read_submissions(desk)] == [
            ("careful", "careful"),
            ("short", "short"),
        ]
        assert [event.what for event in visibility_events(desk)] == [HIDDEN, OPENED]
        (erratum,) = load_errata(desk, registry().tasks["visdial"])
        (part,) = erratum.parts
        assert [(one.system, one.before.value, one.after.value) for one in part.systems] == [
            ("careful", 0.38252453095094896, 0.38864488444483036),
            ("short", 0.16000244922807016, 0.1571731474583457),
        ]


def test_defects_before_schema_5_have_no_time():
    with Desk.open(FOLDER / "3.jurydesk", read_only=True) as desk:
        assert {one.time for one in desk.check_records()} <= {""}


def test_outcomes_of_schema_5_have_their_time():
    with Desk.open(FOLDER / "5.jurydesk", read_only=True) as desk:
        (record,) = desk.check_records()
        outcomes = {Path(one.path).name: one.outcome for one in record.files}
        assert outcomes["storyteller.json"] == outcomes["human-stories.json"] == "passed"
        assert outcomes["torn.json"] == "failed"
        assert {one.time for one in record.files} == {record.time}
        assert record.time.startswith("2026-11-22T")
