"""The board compares its systems in the background and shows the result."""

from __future__ import annotations

import pytest

from jurydesk.app.jobs.leaderboard_significance_job import LeaderboardSignificance
from jurydesk.core.analysis import contradictions as analysis_contradictions
from support import toy
from support.windows.waiting import until_checked


@pytest.fixture
def compared(qtbot, scored):
    qtbot.waitUntil(lambda: bool(scored.page.board.significance_tests))
    return scored


def test_the_board_shows_which_systems_differ_significantly(compared):
    board = compared.page.board
    assert "at 95 %" in compared.page.finding
    assert all(row.rank is not None for row in board.rows)
    shown = compared.page.view.board_model
    ranks = [shown.index(row, 0).data() for row in range(shown.rowCount())]
    assert ranks == [row.places for row in board.rows]


def test_a_removed_system_is_no_longer_compared(qtbot, compared):
    compared.evaluator.remove_system("system A")
    page = compared.page
    qtbot.waitUntil(
        lambda: (
            bool(page.board.significance_tests)
            and page.board.significance_tests["published"].systems == ("system B", "system C")
        )
    )
    assert [row.summary.system for row in page.board.rows] == ["system B", "system C"]


def test_unchanged_systems_are_compared_once(qtbot, compared):
    job = LeaderboardSignificance(compared, compared.session, compared.jobs)
    job.compare()
    with qtbot.waitSignal(job.arrived):
        job.compare()
    qtbot.waitUntil(lambda: not job.is_busy)
    job.compare()
    assert not job.is_busy


def test_a_single_system_is_not_compared(qtbot, compared):
    for system in ("system A", "system B"):
        compared.evaluator.remove_system(system)
    assert compared.page.board.significance_tests == {}
    assert compared.page.finding.startswith("system C has Closeness")


def test_similar_systems_are_reported_as_possible_copies(qtbot, window, tmp_path):
    ids = [f"i{number:02d}" for number in range(12)]
    files = [toy.write(tmp_path / "truth.txt", dict.fromkeys(ids, 1.0), "truth")]
    near = {key: 1.0 - number / 97 for number, key in enumerate(ids)}
    files += [toy.write(tmp_path / f"{name}.txt", near, name) for name in ("one", "two")]
    window.files.open_paths(files)
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.page.id == "board")
    reported = "one and two have the same values in 11 of 11 numbers"
    qtbot.waitUntil(lambda: reported in window.page.finding)


def test_a_system_whose_score_its_items_do_not_give_is_marked(qtbot, checked, monkeypatch):
    def found(desk, task, summaries, check):
        for one in summaries:
            if one.system == "system B":
                yield one.system, "system B, closeness: the desk has 0.999, its items give 0.5."

    monkeypatch.setattr(analysis_contradictions, "contradictions", found)
    checked.evaluator.score()
    qtbot.waitUntil(lambda: checked.page.id == "board")
    qtbot.waitUntil(lambda: bool(checked.page.board and checked.page.board.significance_tests))
    assert "the desk has 0.999, its items give 0.5." in checked.page.finding
    model = checked.page.view.board_model
    marked = {row: model.chips(row) for row in range(model.rowCount()) if model.chips(row)}
    assert list(marked.values()) == [["contradicts its items or stamp"]]
    (row,) = marked
    assert model.index(row, 1).data() == "system B"


def test_names_that_look_alike_are_warned_of_before_and_after_scoring(qtbot, window, tmp_path):
    ids = [f"i{number:02d}" for number in range(12)]
    files = [toy.write(tmp_path / "truth.txt", dict.fromkeys(ids, 1.0), "truth")]
    for number, name in enumerate(("Team", "T\u0435am")):
        near = {key: 1.0 - (number + place) / 97 for place, key in enumerate(ids)}
        files.append(toy.write(tmp_path / f"{number}.txt", near, name))
    window.files.open_paths(files)
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.page.id == "board")
    warning = "These names look alike: Team, T\u0435am (U+0435)."
    qtbot.waitUntil(lambda: warning in window.page.finding)
    window.show_page("check")
    assert warning in window.page.finding
