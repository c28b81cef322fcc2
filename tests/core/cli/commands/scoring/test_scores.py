from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hide_scores


@pytest.fixture
def desk(jurydesk: Callable, tmp_path: Path, truth: Path, near: Path, far: Path) -> Path:
    """Return a desk with two systems and hidden scores."""
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--desk", path)
    with Desk.open(path) as opened:
        hide_scores(opened)
    return path


NUMBER = "0.9167"


@pytest.mark.parametrize(
    "arguments",
    [
        ("board", "{desk}"),
        ("board", "{desk}", "--csv", "{out}"),
        ("board", "{desk}", "--json", "-"),
        ("board", "{desk}", "--html", "{out}"),
        ("compare", "{desk}", "near", "far"),
        ("why", "{desk}", "near", "closeness", "0.9"),
    ],
)
def test_no_command_shows_hidden_scores(jurydesk, desk: Path, tmp_path: Path, arguments) -> None:
    out = tmp_path / "out.txt"
    given = [one.format(desk=desk, out=out) for one in arguments]
    done = jurydesk(*given)
    assert done.err.startswith("Error: The scores in toy.jurydesk have been hidden since ")
    assert done.err.endswith("--reveal shows them once.\n")
    assert (done.out, done.code, out.exists()) == ("", 1, False)


def test_an_option_reveals_hidden_scores_once(jurydesk, desk: Path) -> None:
    assert NUMBER in jurydesk("board", desk, "--reveal").out
    assert jurydesk("board", desk).code == 1


def test_hidden_scores_are_shown_after_they_were_opened(jurydesk, desk: Path) -> None:
    done = jurydesk("scores", "open", desk)
    assert [line.split("UTC  ")[1] for line in done.out.splitlines()] == [
        "scores hidden",
        "scores opened",
    ]
    assert NUMBER in jurydesk("board", desk).out


def test_a_command_hides_scores_and_explains_hiding(jurydesk, desk: Path) -> None:
    jurydesk("scores", "open", desk)
    done = jurydesk("scores", "hide", desk)
    assert "have been hidden since" in done.out
    assert done.err == "They are hidden, not encrypted: the file still contains them.\n"
    assert jurydesk("board", desk).code == 1


def test_scoring_into_a_desk_with_hidden_scores_prints_no_score(
    jurydesk, desk: Path, truth: Path, near: Path, tmp_path: Path
) -> None:
    arguments = ("score", "toy", "--truth", truth, "--guesses", near, "--desk", desk)
    done = jurydesk(*arguments)
    assert (done.out, done.code) == ("", 0)
    assert "where they are hidden" in done.err
    done = jurydesk(*arguments, "--json", tmp_path / "out.json")
    assert (done.code, (tmp_path / "out.json").exists()) == (2, False)
    done = jurydesk(*arguments, "--reveal", "--json", "-")
    assert json.loads(done.out)["systems"][0]["scores"]["closeness"] > 0


def test_a_late_system_is_marked_on_the_board(
    jurydesk, tmp_path: Path, truth: Path, near: Path
) -> None:
    (tmp_path / "in").mkdir()
    near.rename(tmp_path / "in" / "near.txt")
    desk = tmp_path / "late.jurydesk"
    jurydesk(
        *("score", "toy", "--truth", truth, "--submissions", tmp_path / "in"),
        *("--deadline", "2018-05-01 AoE", "--desk", desk),
    )
    assert "  near (late by " in jurydesk("board", desk).out
