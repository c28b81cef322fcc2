"""`jurydesk plan`: items, raters and ratings of a competition, from a pilot."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.statistics.power import PlannedTest
from jurydesk.core.statistics.raters.two_way import VarianceComponents
from support import toy

IDS = [f"n{row:02d}" for row in range(30)]


@pytest.fixture
def pilot(jurydesk, tmp_path: Path) -> Path:
    dice = np.random.default_rng(3)
    truth = toy.write(tmp_path / "truth.txt", dict.fromkeys(IDS, 0.0))
    guesses = [
        toy.write(tmp_path / f"{name}.txt", {one: float(dice.uniform(0, 0.6)) for one in IDS})
        for name in ("one", "two")
    ]
    path = tmp_path / "pilot.jurydesk"
    given = ("--truth", truth, "--guesses", *guesses, "--desk", path, "--quiet")
    assert jurydesk("score", "toy", *given).code == 0
    return path


def test_the_groups_for_a_difference_are_printed(jurydesk, pilot):
    found = jurydesk("plan", pilot, "--difference", 0.1, "--points", 0.5)
    assert found.code == 0, found.err
    lines = found.out.splitlines()
    assert lines[0] == (
        "Numbers that 2 systems need to find a difference of Closeness in 80 % of boards:"
    )
    assert lines[2].split() == ["difference", "groups", "low", "high", "least_precise"]
    values = json.loads(jurydesk("plan", pilot, "--json", "-").out)["items"]["pilot"]
    needed = PlannedTest(values["deviation"]).groups(0.1)
    assert lines[3].split()[:2] == ["0.1", str(needed)]
    assert "They are assumed for a scale from 1 to 5" in found.out


def test_files_have_every_number_and_are_verified(jurydesk, pilot, tmp_path):
    table, document = tmp_path / "plan.csv", tmp_path / "plan.json"
    asked = ("--systems", 5, "--difference", 0.1, "--difference", 0.2, "--power", 0.9)
    done = jurydesk("plan", pilot, *asked, "--csv", table, "--json", document)
    assert done.code == 0, done.err
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert [row["difference"] for row in rows if row["of"] == "scores"] == ["0.1", "0.2"]
    found = json.loads(document.read_text("utf-8"))
    assert (found["systems"], found["power"]) == (5, 0.9)
    sizes = found["items"]["sizes"]
    assert [row["needed"] for row in rows][:2] == [str(one["groups"]) for one in sizes]
    degrees = found["items"]["pilot"]["degrees"]
    high = scipy.stats.chi2(degrees).ppf(0.1)
    ratio = sizes[0]["high"] / sizes[0]["groups"]
    assert ratio == pytest.approx(degrees / high, rel=0.1)
    for path in (table, document):
        assert jurydesk("verify", path).code == 0
        text = path.read_text("utf-8")
        wrong = text.replace(str(sizes[0]["groups"]), str(sizes[0]["groups"] + 1), 1)
        path.write_text(wrong, "utf-8")
        assert jurydesk("verify", path).code == 1


def test_more_items_in_a_group_need_fewer_groups(jurydesk, pilot):
    def groups(*more: object) -> int:
        found = jurydesk("plan", pilot, "--difference", 0.05, *more, "--json", "-")
        return json.loads(found.out)["items"]["sizes"][0]["groups"]

    assert groups("--group-size", 4) == pytest.approx(groups("--group-size", 1) / 4, abs=3)


def test_the_example_of_a_competition_is_a_pilot(jurydesk):
    found = jurydesk("plan", "keyword-spotting", "--json", "-")
    assert found.code == 0, found.err
    plan = json.loads(found.out)
    assert plan["items"]["metric"] == "ap"
    assert plan["items"]["unit"] == "queries"
    assert math.isfinite(plan["items"]["pilot"]["deviation"])
    assert "small built-in example" in found.err


def test_what_is_neither_a_desk_nor_a_competition_is_named(jurydesk):
    found = jurydesk("plan", "keyword-spottin")
    assert found.code == 2
    assert "neither a desk nor a competition. Did you mean keyword-spotting?" in found.err


def test_the_curve_of_ratings_finds_smaller_differences_with_more_items_and_raters(jurydesk, pilot):
    ratings = json.loads(jurydesk("plan", pilot, "--json", "-").out)["ratings"]
    found = {(one["raters"], one["items"]): one["difference"] for one in ratings["curve"]}
    assert {raters for raters, _ in found} == {3, 5, 12}
    assert found[12, 50] < found[5, 50] < found[3, 50]
    assert found[5, 200] < found[5, 50] < found[5, 5]
    components = VarianceComponents(**ratings["components"])
    assert components.power(found[5, 50], 5, 50, 0.05) == pytest.approx(0.8, abs=0.02)
