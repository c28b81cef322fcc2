from __future__ import annotations

import copy
import json

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import registry


@pytest.fixture
def desk(jurydesk, tmp_path):
    """Return the spotting example, in which one system lists the word ship twice."""
    folder = example_folder(registry().tasks["keyword-spotting"])
    assert folder is not None
    path = tmp_path / "spotting.jurydesk"
    results = sorted(folder.glob("*.xml"))
    relevance = next(one for one in results if "relevance" in one.name or "truth" in one.name)
    others = [one for one in results if one != relevance]
    outcome = jurydesk(
        *("score", "keyword-spotting", "--relevance", relevance, "--results", *others),
        *("--desk", path, "--quiet"),
    )
    assert outcome.code == 0, outcome.err
    return path


def test_every_differing_item_is_listed_with_its_reason(jurydesk, desk):
    outcome = jurydesk("profiles", desk, "column-profiles")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == (
        "column-profiles: Mean average precision 0.5318 published, 0.5106 corrected; "
        "1 query of 10 differ."
    )
    assert lines[3].startswith("ship ")
    assert lines[3].endswith("the same word is ranked higher in the list.")


def test_json_contains_every_item(jurydesk, desk):
    document = json.loads(jurydesk("profiles", desk, "column-profiles", "--json", "-").out)
    assert document["profiles"] == ["published", "corrected"]
    (item,) = document["items"]
    assert (item["item"], item["column"]) == ("ship", "ap")
    assert item["values"][0] > item["values"][1]


def test_json_is_made_again_and_an_altered_number_is_named(jurydesk, desk, tmp_path):
    path = tmp_path / "profiles.json"
    assert jurydesk("profiles", desk, "column-profiles", "--json", path).code == 0
    assert (
        jurydesk(
            "verify", path, "--inputs", example_folder(registry().tasks["keyword-spotting"])
        ).code
        == 0
    )
    document = json.loads(path.read_text())
    for place in (["scores", 0, "value"], ["n_items"], ["items", 0, "values", 1]):
        altered = copy.deepcopy(document)
        at = altered
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] *= 2
        path.write_text(json.dumps(altered))
        told = jurydesk(
            "verify", path, "--inputs", example_folder(registry().tasks["keyword-spotting"])
        )
        assert told.code == 1
        assert f"altered: {place[0]}" in told.out


def test_equal_profiles_are_reported(jurydesk, desk):
    outcome = jurydesk("profiles", desk, "stroke-matcher")
    assert outcome.out.splitlines()[-1].endswith("0 queries of 11 differ.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--profile", "corected"), 'There is no profile "corected".'),
        (("--profile", "corrected"), "Two different profiles are needed"),
        (("--metric", "nothing"), 'has no metric "nothing"'),
    ],
)
def test_impossible_requests_are_reported(jurydesk, desk, arguments, sentence):
    outcome = jurydesk("profiles", desk, "column-profiles", *arguments)
    assert outcome.code == 2
    assert sentence in outcome.err


def test_an_unknown_system_is_wrong_usage(jurydesk, desk):
    assert main(["profiles", str(desk), "nobody"]) == 2


def test_what_each_rule_costs_is_a_table_that_verify_makes_again(jurydesk, tmp_path):
    folder = example_folder(registry().tasks["densecap"])
    path, found = tmp_path / "dense.jurydesk", tmp_path / "profiles.json"
    files = ("--ground-truth", folder / "people.json", "--detections", folder / "tagger.json")
    assert jurydesk("score", "densecap", *files, "--desk", path, "--quiet").code == 0
    pair = ("--profile", "published", "--profile", "scenic")
    outcome = jurydesk("profiles", path, "tagger", *pair, "--json", found)
    assert outcome.code == 0, outcome.err
    heads = [line for line in outcome.out.splitlines() if line.startswith(("rule", "Claims with"))]
    assert len(heads) == 2
    document = json.loads(found.read_text())
    first, *rules = document["rules"]
    assert (first["rule"], first["change"]) == ("Profile published", None)
    total = first["value"] + sum(one["change"] for one in rules)
    assert total == pytest.approx(document["scores"][1]["value"], abs=1e-12)
    assert jurydesk("verify", found, "--inputs", folder).code == 0
    document["rules"][1]["change"] += 0.5
    found.write_text(json.dumps(document))
    assert "altered: rules" in jurydesk("verify", found, "--inputs", folder).out


def test_rules_need_the_files_and_say_so_without_them(jurydesk, tmp_path):
    folder = example_folder(registry().tasks["densecap"])
    mine = tmp_path / "mine.json"
    mine.write_bytes((folder / "tagger.json").read_bytes())
    path = tmp_path / "dense.jurydesk"
    files = ("--ground-truth", folder / "people.json", "--detections", mine)
    for profile in ("published", "corrected"):
        arguments = (*files, "--profile", profile, "--desk", path, "--quiet")
        assert jurydesk("score", "densecap", *arguments).code == 0
    mine.unlink()
    outcome = jurydesk("profiles", path, "mine")
    assert outcome.code == 0
    assert "What each rule costs is unknown. The inputs differ from those scored:" in outcome.out
