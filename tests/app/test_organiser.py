"""What an organiser does around the scores, in the window."""

from __future__ import annotations

import zipfile

import competition
import pytest
import toy

from core.desk import Desk
from core.intake.ledger import rules_of
from core.intake.submission import Rules
from core.intake.times import deadline


@pytest.fixture
def team(tmp_path, files):
    """A function that writes a submission of a team into the watched folder."""
    arriving = tmp_path / "arriving"
    arriving.mkdir()

    def write(name: str, of: int = 1):
        return toy.write(arriving / name / "guesses.txt", _values(files[of]), name)

    write.folder = arriving
    return write


def _values(path):
    lines = path.read_text().splitlines()[1:]
    return {key: float(value) for key, value in map(str.split, lines)}


def systems(window) -> set[str]:
    return {summary.system for summary in window.session.systems}


def test_hidden_scores_stand_on_no_page_until_they_are_opened(qtbot, scored):
    scored.organiser.hide_scores()
    assert scored.session.hidden
    assert scored.session.systems == ()
    scored.show_page("board")
    assert scored.page.board is None
    assert "hidden" in scored.page.finding
    scored.organiser.open_scores()
    assert scored.page.board is not None
    assert systems(scored) == {"system A", "system B", "system C"}


def test_hidden_scores_stay_hidden_when_the_desk_is_opened_again(scored):
    scored.organiser.hide_scores()
    with Desk.open(scored.session.desk.path, read_only=True) as desk:
        from core.desk.curtain import hidden_since

        assert hidden_since(desk)


def test_what_comes_into_a_watched_folder_is_taken_in(qtbot, checked, team):
    team("north")
    checked.organiser.start_watching(team.folder)
    qtbot.waitUntil(lambda: "Watching arriving" in checked.organiser.watch.sentence)

    def names():
        checked.organiser.watch.look()
        return {file.path.parent.name for file in checked.session.files if file.role == "guesses"}

    qtbot.waitUntil(lambda: "north" in names(), timeout=20_000)
    team("south", of=2)
    qtbot.waitUntil(lambda: {"north", "south"} <= names(), timeout=20_000)
    checked.organiser.stop_watching()
    assert checked.organiser.watch.folder is None


def test_a_submission_after_the_deadline_is_marked(qtbot, checked):
    checked.organiser.set_rules(Rules(deadline("2001-01-01 12:00 UTC")))
    qtbot.waitUntil(
        lambda: all("late" in file.mark for file in checked.session.files if file.role == "guesses")
    )
    assert str(rules_of(checked.session.desk).deadline).startswith("2001-01-01")


def test_a_zip_of_submissions_becomes_systems(qtbot, window, files, tmp_path):
    archive = tmp_path / "teams.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for number, path in enumerate(files[1:]):
            made.write(path, f"team{number}/guesses.txt")
    window.files.take([files[0], archive])
    qtbot.waitUntil(lambda: window.evaluator.checked)
    given = [file for file in window.session.files if file.role == "guesses"]
    assert [file.path.parent.name for file in given] == ["team0", "team1", "team2"]


def test_a_kit_is_refused_where_the_competition_offers_none(qtbot, checked):
    assert competition.TASK.outline is None
    with qtbot.waitSignal(checked.organiser.refused) as refused:
        checked.organiser.show_kit()
    assert refused.args[0]
