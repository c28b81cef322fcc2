"""A file without permission to read or write is reported in a sentence by every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.files.icfhr import judgements_text, results_text, word
from support.processes.ordinary_user import as_an_ordinary_user

TREC = ("q1 0 a 1\n", "q1 Q0 a 1 2.0 x\n")
XML = (judgements_text({"q1": [word(0, relevance="1")]}), results_text({"q1": [word(0)]}))


def call(command: str, relevance: Path, results: Path) -> list[object]:
    if command in ("score", "check"):
        return [command, "keyword-spotting", "--relevance", relevance, "--results", results]
    return [command, relevance, results]


@pytest.fixture
def trec(tmp_path: Path) -> list[Path]:
    return write_pair(tmp_path, TREC)


def write_pair(folder: Path, texts: tuple[str, str]) -> list[Path]:
    paths = [folder / "relevance.txt", folder / "results.txt"]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize("forbidden", [0, 1], ids=["relevance", "results"])
@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("score", TREC),
        ("score", XML),
        ("check", TREC),
        ("check", XML),
        ("rusteval", XML),
        ("trec_eval", TREC),
    ],
    ids=["score-trec", "score-xml", "check-trec", "check-xml", "rusteval", "trec_eval"],
)
@as_an_ordinary_user
def test_a_file_without_permission_is_reported(jurydesk, tmp_path, command, texts, forbidden):
    paths = write_pair(tmp_path, texts)
    paths[forbidden].chmod(0)
    outcome = jurydesk(*call(command, *paths))
    assert outcome.code == 1
    assert (outcome.out == "") == (command != "check")
    assert (outcome.out + outcome.err).startswith(
        f"error  {paths[forbidden].name}, line 1: The file cannot be read: Permission denied.\n"
        "       Check its permissions.\n"
    )


@pytest.mark.parametrize("command", ["score", "check", "rusteval", "trec_eval"])
@as_an_ordinary_user
def test_a_file_in_a_folder_without_permission_is_reported(jurydesk, tmp_path, trec, command):
    locked = tmp_path / "locked"
    locked.mkdir()
    forbidden = trec[1].rename(locked / "results.txt")
    locked.chmod(0)
    try:
        outcome = jurydesk(*call(command, trec[0], forbidden))
    finally:
        locked.chmod(0o700)
    assert outcome.code == 1
    sentence = "results.txt, line 1: The file cannot be read: Permission denied."
    assert sentence in outcome.out + outcome.err


@as_an_ordinary_user
def test_an_unreadable_submission_does_not_stop_the_others(jurydesk, tmp_path, trec):
    other = tmp_path / "other.txt"
    other.write_text(TREC[1])
    other.chmod(0)
    outcome = jurydesk(*call("score", *trec), "--results", other)
    assert outcome.code == 1
    assert outcome.out.startswith("results (published): 1 query averaged")
    assert "other.txt, line 1: The file cannot be read" in outcome.err
    assert "1 of 2 systems were not scored." in outcome.err


@pytest.mark.parametrize("option", ["--json", "--items", "--desk"])
@as_an_ordinary_user
def test_a_target_in_a_folder_without_permission_is_refused_first(jurydesk, tmp_path, trec, option):
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    outcome = jurydesk(*call("score", *trec), option, locked / "out.csv")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err == f"Error: {option} {locked / 'out.csv'}: no permission to write there.\n"


@pytest.mark.parametrize("command", ["board", "verify"])
@as_an_ordinary_user
def test_a_desk_and_a_stamp_without_permission_are_reported(jurydesk, tmp_path, trec, command):
    kept = tmp_path / "kept.jurydesk"
    option = "--desk" if command == "board" else "--json"
    assert jurydesk(*call("score", *trec), option, kept).code == 0
    kept.chmod(0)
    outcome = jurydesk(command, kept)
    assert outcome.code == 1
    assert outcome.out == ""
    assert "kept.jurydesk" in outcome.err
    assert "ermission" in outcome.err


@as_an_ordinary_user
def test_an_input_of_a_stamp_without_permission_is_not_called_missing(jurydesk, tmp_path, trec):
    stamp = tmp_path / "scores.json"
    assert jurydesk(*call("score", *trec), "--json", stamp).code == 0
    trec[1].chmod(0)
    outcome = jurydesk("verify", stamp)
    assert outcome.code == 1
    assert "results.txt cannot be read: Permission denied." in outcome.out
