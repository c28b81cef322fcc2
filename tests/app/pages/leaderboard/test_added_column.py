"""A column that is added to the board in the analysis is in all of its outputs."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from jurydesk.app.pages.leaderboard.leaderboard_model import BoardModel
from jurydesk.core.analysis import leaderboard_table
from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.cli.text.leaderboard_text import board_lines
from jurydesk.core.desk import Summary
from jurydesk.core.export.exported_numbers import numbers_in_html, numbers_in_latex
from jurydesk.core.export.html_report.report_table import board_table
from jurydesk.core.export.leaderboard_export import board_csv, board_json
from jurydesk.core.export.leaderboard_latex import board_latex
from jurydesk.core.model.evaluation import Score
from jurydesk.core.tables.columns import NumberColumn, TextColumn
from support import toy


def added_columns(board: Leaderboard, metrics: object) -> list[NumberColumn | TextColumn]:
    seconds = np.array([0.25 * len(row.summary.system) for row in board.rows])
    return [
        TextColumn("team", "Team", [f"{row.summary.system} & co" for row in board.rows]),
        NumberColumn("seconds", "Seconds", seconds, decimals=1),
    ]


@pytest.fixture(params=["before the metrics", "after all others"])
def board(request, monkeypatch) -> Leaderboard:
    """Return a board with one more text and one more number for each system."""
    columns = list(leaderboard_table.COLUMNS)
    columns.insert(2 if request.param == "before the metrics" else len(columns), added_columns)
    monkeypatch.setattr(leaderboard_table, "COLUMNS", columns)
    systems = [
        Summary(key, name, "published", (Score("closeness", value, 90),), "", False, "", 90)
        for key, (name, value) in enumerate((("one", 0.75), ("three", 0.5)))
    ]
    return make_leaderboard(toy.TASK, systems)


def test_a_terminal_has_its_name_and_its_cells(board):
    head, first, second, *_ = board_lines(board)
    assert {"team", "seconds", "closeness"} <= set(head.split())
    assert "one & co" in first
    assert {"0.8", "0.7500*"} <= set(first.split())
    assert {"1.2", "0.5000"} <= set(second.split())


def test_csv_has_all_digits_of_it(board):
    first, second = csv.DictReader(io.StringIO(board_csv(board).decode()))
    assert (first["team"], first["seconds"], first["closeness"]) == ("one & co", "0.75", "0.75")
    assert second["seconds"] == "1.25"


def test_json_has_a_member_for_each_system(board):
    first, second = board_json(board)["systems"]
    assert (first["team"], first["seconds"], second["seconds"]) == ("one & co", 0.75, 1.25)


def test_latex_has_its_title_and_verify_still_finds_the_scores(board):
    text = board_latex(board).decode()
    head = next(line for line in text.splitlines() if line.startswith("Rank & System"))
    assert {"Team", "Seconds", "Closeness"} <= set(head.removesuffix(" \\\\").split(" & "))
    assert r"one \& co" in text
    found = {(one.system, one.metric, one.text) for one in numbers_in_latex(text)}
    assert found == {("one", "closeness", "0.7500"), ("three", "closeness", "0.5000")}


def test_html_has_its_title_and_verify_still_finds_the_scores(board):
    table = board_table(board, board.metrics, stamps={})
    assert '<th scope="col">Team</th>' in table
    assert '<th scope="col" class="number">Seconds</th>' in table
    assert "<td>one &amp; co</td>" in table
    assert '<td class="number">1.2</td>' in table
    assert {one.metric for one in numbers_in_html(table)} == {"closeness"}


def test_the_window_shows_and_sorts_it(qapp, board):
    model = BoardModel()
    model.show_board(board, ())
    titles = [column.title for column in model.columns]
    assert {"Team", "Seconds"} <= set(titles)
    seconds, team = titles.index("Seconds"), titles.index("Team")
    assert [model.index(row, seconds).data() for row in (0, 1)] == ["0.8", "1.2"]
    model.sort_by(seconds, descending=True)
    assert model.index(0, team).data() == "three & co"
    assert "three & co" in model.selection_text([0], headers=True)
