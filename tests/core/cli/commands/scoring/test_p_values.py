"""Every p value that any output prints names its family, and is none that the data cannot give."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from support import toy
from support.desks import close_systems
from support.desks.close_systems import FAMILY, IDS, ITEMS, LOWEST, PRINTED, SYSTEMS
from support.rating import studies
from support.rating.random_answers import PAIR

ORDERS = 5_040
"""Orders of seven systems, the permutations behind the p value of an item."""


@pytest.fixture
def desk(jurydesk, tmp_path):
    truth, guesses = close_systems.write_close_systems(tmp_path)
    path = tmp_path / "toy.jurydesk"
    given = ("--truth", truth, "--guesses", *guesses, "--desk", path, "--quiet")
    assert jurydesk("score", "toy", *given).code == 0
    return path


@pytest.fixture
def outputs(jurydesk, desk, tmp_path):
    """Everything that the commands print and write of the desk, by command and format."""
    found = {}

    def run(name, *arguments, formats=("json",)):
        paths = {one: tmp_path / f"{name}.{one}" for one in formats}
        options = [word for one, path in paths.items() for word in (f"--{one}", path)]
        done = jurydesk(name.split("-", maxsplit=1)[0], *arguments, *options)
        assert done.code == 0, done.err
        found[f"{name} text"] = done.out
        found.update({f"{name} {one}": path.read_text("utf-8") for one, path in paths.items()})

    run("board", desk, formats=("json", "csv", "latex", "html", "methods"))
    run("board-slices", desk, "--slice=n", "--slice=y", formats=("json", "csv"))
    run("compare", desk, "s0", "s1")
    run("robustness", desk, formats=("json", "csv", "latex"))
    run("items", desk, formats=("json", "csv"))
    mended = toy.write(tmp_path / "mended.txt", dict.fromkeys(IDS, 0.1))
    run("errata", desk, mended, "--dry-run")
    return found


def p_values(document, family=""):
    """Yield the p values of a JSON document: their place's name, value and family."""
    if isinstance(document, list):
        for one in document:
            yield from p_values(one, family)
    elif isinstance(document, dict):
        family = document.get("families") or document.get("family") or family
        for name, value in document.items():
            if name in ("p", "p_corrected") and value is not None:
                yield name, value, family.get(name) if isinstance(family, dict) else family
            elif name != "families":
                yield from p_values(value, family)


def test_every_p_of_a_file_names_its_family_and_can_be_given_by_the_data(outputs):
    counted = {}
    for name, text in outputs.items():
        if not name.endswith("json"):
            continue
        found = list(p_values(json.loads(text)))
        counted[name.split()[0]] = len(found)
        assert all(family and re.search(FAMILY, family) for _, _, family in found), name
        lowest = 1 / ORDERS if name.startswith("items") else LOWEST
        assert all(lowest * (1 - 1e-9) <= value <= 1 for _, value, _ in found), name
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    assert counted["board"] == 2 * pairs
    assert counted["board-slices"] == 2 * pairs * 3
    assert counted["compare"] > 4
    assert counted["items"] == ITEMS
    assert counted["errata"] == counted["robustness"] == 0


def test_p_values_in_text_tables_pages_and_papers_name_their_family(outputs):
    printed = []
    for name, text in outputs.items():
        shown = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        for line in re.split(r"\n|</p>|</section>", shown):
            values = [float(one) for one in re.findall(PRINTED, line)]
            assert not values or re.search(FAMILY, line), (name, line)
            assert all(value >= LOWEST for value in values), (name, line)
            printed += values
    assert printed
    assert "p, pair alone" in outputs["compare text"]
    assert "over 10 numbers, this pair alone:\ntest " in outputs["compare text"]
    for name in ("board html", "compare text"):
        assert "21 pairs of 7 systems (Romano-Wolf)" in outputs[name], name
    assert "p values: 21 pairs of 7 systems (Romano-Wolf)" in outputs["board html"]
    assert "< 0.001" not in outputs["compare text"]
    assert not re.search(r'\d">0\.0</td>', outputs["board html"])
    for name in [one for one in outputs if one.endswith("csv")]:
        rows = list(csv.DictReader(io.StringIO(outputs[name])))
        heads = [one for one in rows[0] if re.match(r"p(_|$)", one)]
        assert bool(heads) == name.startswith("items"), name
        assert all(row["family"] == "this item alone" for row in rows if heads), name


def test_an_interval_excludes_zero_where_the_p_beside_it_is_below_the_level(outputs):
    board = json.loads(outputs["board json"])
    slices = json.loads(outputs["board-slices json"])["slices"]
    families = {one["comparisons"][0]["families"]["p_corrected"] for one in slices}
    assert families == {"21 pairs of 7 systems (Romano-Wolf) in 2 slices (Holm)"}
    verdicts = set()
    for one in (board, *slices):
        for pair in one["comparisons"][0]["pairs"]:
            for p, limits in (("p", "interval"), ("p_corrected", "interval_corrected")):
                if pair[limits] is not None:
                    low, high = pair[limits]
                    differs = pair[p] < 0.05
                    assert p == "p" or differs == (low > 0 or high < 0), pair
                    verdicts.add((p, differs))
    assert len(verdicts) == 4


def test_preferences_are_corrected_over_all_pairs_and_say_so(jurydesk, tmp_path):
    made = studies.study(questionnaire=PAIR, raters=6, ratings=3)
    desk = studies.rated_desk(tmp_path / "s.jurydesk", made, 6)
    document = tmp_path / "agreement.json"
    found = jurydesk("ratings", "agreement", "--desk", desk, "--json", document)
    assert found.code == 0
    assert "p, all pairs" in found.out
    families = {family for _, _, family in p_values(json.loads(document.read_text("utf-8")))}
    assert families == {
        "p is corrected over the 3 pairs of 3 systems (Romano-Wolf), for each question."
    }
