"""Scores of a desk follow from its rows, in every competition and profile; others are marked."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from jurydesk.core.analysis.contradictions import contradiction_marks, contradictions
from jurydesk.core.cli.commands.scoring.board import read_board
from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.export.board_file import FORMATS, BoardContent, board_file
from jurydesk.core.export.export_settings import desk_origin
from jurydesk.core.language.message import decode_message
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.statistics.inference import Inference
from support import toy


@pytest.mark.parametrize("task_id", sorted(registry().tasks))
def test_no_honest_result_contradicts_its_rows(tmp_path, task_id):
    task = registry().tasks[task_id]
    folder = example_folder(task)
    with Desk.create(tmp_path / "honest.jurydesk") as desk:
        desk.set_competition(task.id, task.title, {})
        for profile in task.scoring.profiles:
            options = replace(example_options(task, folder), profile=profile)
            result = score_submissions(
                task, files_by_role(example_inputs(task, folder)), options, Run()
            )
            for evaluation in result.evaluations:
                desk.add(evaluation)
        assert list(contradictions(desk, task, desk.evaluations())) == []


@pytest.fixture
def forged(tmp_path):
    """Return a desk of two systems, of which the score of the worse was set to 1."""
    path = tmp_path / "forged.jurydesk"
    inputs = {"truth": [toy.write(tmp_path / "truth.txt", toy_values(0.0))]}
    inputs["guesses"] = [
        toy.write(tmp_path / "near.txt", toy_values(0.25)),
        toy.write(tmp_path / "far.txt", toy_values(0.5)),
    ]
    with Desk.create(path) as desk:
        desk.set_competition("toy", "Toy", {})
        for one in score_submissions(
            toy.TASK, files_by_role(inputs), toy.TASK.scoring.options(), Run()
        ).evaluations:
            desk.add(one)
    with sqlite3.connect(path) as rows:
        ((text,),) = rows.execute("SELECT scores FROM evaluation WHERE system = 'far'")
        scores = [{**one, "value": 1.0} for one in json.loads(text)]
        rows.execute("UPDATE evaluation SET scores = ? WHERE system = 'far'", (json.dumps(scores),))
    rows.close()
    return path


def toy_values(shift: float) -> dict[str, float]:
    return {key: place + shift for place, key in enumerate("abcdefgh")}


@pytest.mark.parametrize("kind", FORMATS)
def test_every_export_of_a_board_marks_the_system_whose_items_say_otherwise(forged, kind):
    with Desk.open(forged) as desk:
        board = read_board(desk, toy.TASK, Run())
        content = BoardContent(desk, toy.TASK, board, load_inference(desk))
        assert "contradicts its items or stamp" in board_file(kind, content, Run()).decode()
    assert board.remarks == {"far": "contradicts its items or stamp"}


def test_other_exports_carry_the_mark_in_their_settings(forged):
    with Desk.open(forged) as desk:
        near, far = desk.evaluations()
        for summaries, expected in (
            ((near, far), {"far": "contradicts its items or stamp"}),
            ((near,), {}),
        ):
            origin = desk_origin("comparison", desk, toy.TASK, summaries, Inference())
            remarks = origin.settings.get("remarks", {})
            assert {name: decode_message(text) for name, text in remarks.items()} == expected


def test_a_result_that_changes_while_the_desk_is_open_is_looked_at_again(forged):
    with Desk.open(forged) as desk:
        assert contradiction_marks(desk, toy.TASK, desk.evaluations()) == {
            "far": "contradicts its items or stamp"
        }
        with desk.writing() as rows:
            rows.execute("UPDATE evaluation SET scores = replace(scores, '1.0', '0.5')")
        assert len([*contradictions(desk, toy.TASK, desk.evaluations())]) == 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("system = 'best'", "best: its stamp is that of another."),
        ("profile = 'best'", "near: its stamp is that of another."),
        ("scores = json_remove(scores, '$[0]')", "near, closeness: the desk lacks this score."),
        (
            "scores = json_set(scores, '$[0].metric', 'beauty')",
            "near, beauty: its stamp lacks this score.",
        ),
        ("scores = json_set(scores, '$[0].n', 9)", "near, closeness (n): the desk has 9, "),
        (
            "scores = json_set(scores, '$[0].n', 1234567)",
            "near, closeness (n): the desk has 1,234,567, its stamp 8.",
        ),
        (
            "scores = json_set(scores, '$[0].std', 999999.7)",
            "near, closeness (std): the desk has 1,000,000, its stamp 0",
        ),
        ("scores = json_set(scores, '$[0].std', 9)", "near, closeness (std): the desk has 9, "),
        (
            "scores = json_set(scores, '$[0].interval.low', -9)",
            "near, closeness (low): the desk has -9, ",
        ),
        (
            "scores = json_set(scores, '$[0].value', null)",
            "near, closeness: the desk has undefined, ",
        ),
        ("stamp = json_set(stamp, '$.scores[0].value', null)", "near, closeness: the desk has "),
        ("scores = json_set(scores, '$[0].interval', null)", "near, closeness (low): the desk "),
    ],
)
def test_what_opening_finds_that_the_stamp_of_a_result_does_not_say(forged, change, sentence):
    with closing(sqlite3.connect(forged)) as rows, rows:
        rows.execute(f"UPDATE evaluation SET {change} WHERE system = 'near'")
    with Desk.open(forged) as desk:
        found = [one for name, one in contradictions(desk, toy.TASK, desk.evaluations())]
    assert any(one.startswith(sentence) for one in found), found
