"""`jurydesk items`: suspects of a wrong reference, and the discrimination of all items."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from support import toy

IDS = [f"n{row:02d}" for row in range(20)]


@pytest.fixture
def desk(jurydesk, tmp_path: Path) -> Path:
    """Seven systems, each better than the one before; one reference is wrong."""
    dice = np.random.default_rng(3)
    truth = toy.write(tmp_path / "truth.txt", {one: 0.95 if one == "n05" else 0.0 for one in IDS})
    guesses = [
        toy.write(
            tmp_path / f"s{number}.txt",
            {
                one: 0.9 - 0.1 * number + (one != "n05") * float(dice.uniform(0, 0.05))
                for one in IDS
            },
        )
        for number in range(7)
    ]
    path = tmp_path / "toy.jurydesk"
    given = ("--truth", truth, "--guesses", *guesses, "--desk", path, "--quiet")
    assert jurydesk("score", "toy", *given).code == 0
    return path


def test_suspects_are_listed_with_their_reasons(jurydesk, desk):
    found = jurydesk("items", desk)
    assert found.out.splitlines() == [
        "Of 20 numbers, 1 may have a wrong reference, by Closeness (published).",
        "By chance alone, about 0.2 numbers would disagree with the ranking.",
        "`jurydesk errata` scores again with corrected references.",
        "",
        "item  reason                      closeness  discrimination       p",
        "n05   disagrees with the ranking     0.6500           -1.00  0.0002",  # 1 of 7! orders
    ]


def test_files_have_all_items_and_are_verified(jurydesk, desk, tmp_path):
    table, document = tmp_path / "items.csv", tmp_path / "items.json"
    assert jurydesk("items", desk, "--csv", table, "--json", document).code == 0
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert [row["item"] for row in rows] == IDS
    assert {row["item"]: row["reason"] for row in rows if row["suspect"]} == {
        "n05": "disagrees with the ranking"
    }
    found = json.loads(document.read_text("utf-8"))
    assert found["measure"] == "item-rest correlation"
    assert found["expected_by_chance"] == pytest.approx(0.2)
    assert len(found["items"]) == 20
    for path in (table, document):
        assert jurydesk("verify", path).code == 0
        text = path.read_text("utf-8")
        path.write_text(text.replace("disagrees with the ranking", "nothing wrong"), "utf-8")
        assert jurydesk("verify", path).code == 1


def test_a_report_has_the_suspects(jurydesk, desk, tmp_path):
    report = tmp_path / "report.html"
    assert jurydesk("board", desk, "--html", report).code == 0
    text = report.read_text("utf-8")
    assert "Items that decide" in text
    assert "disagrees with the ranking" in text
    assert jurydesk("verify", report).code == 0


def test_a_single_system_has_no_suspects(jurydesk, tmp_path):
    truth = toy.write(tmp_path / "truth.txt", dict.fromkeys(IDS, 0.0))
    path = tmp_path / "one.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", truth, "--desk", path, "--quiet")
    found = jurydesk("items", path)
    assert found.code == 1
    assert "fewer than two systems with values by item" in found.err
