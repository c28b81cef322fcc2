"""Scores of another program, joined to a desk by `jurydesk scores add`."""

from __future__ import annotations

import json

import pytest

from support.oracles import oracle

RESULTS = "system,item,acc\na,q1,1\na,q2,0\na,q3,1\nb,q1,0\nb,q2,0\nb,q3,1\n"
ADDED = "model;id;spice\na;q3;0,5\na;q1;0,1\nb;q1;0,9\nb;q2;0,6\nb;q3;0,9\nc;q1;1\n"


@pytest.fixture
def desk(jurydesk, tmp_path):
    """Return a desk of two systems with one metric."""
    path = tmp_path / "results.csv"
    path.write_text(RESULTS, "utf-8")
    desk = tmp_path / "one.jurydesk"
    assert jurydesk("score", "table", "--results", path, "--desk", desk, "--quiet").code == 0
    return desk


def add(jurydesk, desk, content, *options):
    table = desk.with_name("spice.csv")
    table.write_text(content, "utf-8")
    return jurydesk("scores", "add", desk, table, *options)


def board(jurydesk, desk, *options):
    found = json.loads(jurydesk("board", desk, "--json", "-", *options).out)
    return {one["name"]: one["scores"] for one in found["systems"]}


def test_a_column_is_joined_by_system_and_item(jurydesk, desk):
    outcome = add(jurydesk, desk, ADDED)
    assert outcome.code == 0
    assert "spice: added to 2 systems." in outcome.out
    assert "The desk has no system c." in outcome.err
    assert "a: 1 item without a score." in outcome.err
    found = board(jurydesk, desk)
    assert found["a"] == {"acc": pytest.approx(2 / 3), "spice": pytest.approx(0.3)}
    assert found["b"] == {"acc": pytest.approx(1 / 3), "spice": pytest.approx(0.8)}


@pytest.mark.parametrize("name", ["describer", "lister", "short"])
def test_a_file_of_spice_is_joined_to_the_system_that_it_is_named_by(jurydesk, tmp_path, name):
    results, desk = tmp_path / "results.csv", tmp_path / "one.jurydesk"
    results.write_text("system,item,acc\n" + "".join(f"{name},{n},1\n" for n in (1, 2, 3)), "utf-8")
    jurydesk("score", "table", "--results", results, "--desk", desk, "--quiet")
    outcome = jurydesk("scores", "add", desk, oracle(f"tables/{name}.spice.json"))
    assert outcome.code == 0, outcome.err
    assert f"{name}: 1 item without a score." in outcome.err
    assert outcome.err.count("The file was read as results of SPICE.") == 1
    assert board(jurydesk, desk)[name] == {"acc": 1, "spice": 0.5}


def test_scores_of_items_that_the_desk_lacks_are_named(jurydesk, desk):
    outcome = add(jurydesk, desk, ADDED + "b;q7;0,1\n")
    assert "b: 1 item not in the desk: q7." in outcome.err
    assert board(jurydesk, desk)["b"]["spice"] == pytest.approx(0.8)


def test_an_added_score_ranks_the_systems_on_request(jurydesk, desk):
    add(jurydesk, desk, ADDED)
    assert list(board(jurydesk, desk)) == ["a", "b"]
    assert list(board(jurydesk, desk, "--rank-by", "spice")) == ["b", "a"]


def test_verify_names_added_scores_and_confirms_the_rest(jurydesk, desk):
    add(jurydesk, desk, ADDED)
    outcome = jurydesk("verify", desk)
    assert outcome.code == 4
    assert "spice was added from spice.csv, SHA-256 " in outcome.out


def test_a_score_that_is_added_again_replaces_the_former(jurydesk, desk):
    add(jurydesk, desk, ADDED)
    assert add(jurydesk, desk, ADDED.replace("0,9", "0,3")).code == 0
    assert board(jurydesk, desk)["b"]["spice"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("system,item,acc\na,q1,1\n", "The competition has its own acc."),
        ("system,item,spice\nz,q1,1\n", "No system and item of the table are in the desk."),
        ("system,item,spice\na,x,1\n", "No system and item of the table are in the desk."),
        ("system,item,spice\na,q1,much\n", "The table has no column of scores"),
    ],
)
def test_a_table_that_does_not_fit_changes_nothing(jurydesk, desk, content, sentence):
    before = board(jurydesk, desk)
    outcome = add(jurydesk, desk, content)
    assert outcome.code == 1
    assert sentence in outcome.err
    assert board(jurydesk, desk) == before
