from __future__ import annotations

import json

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import registry


@pytest.fixture
def desk(jurydesk, tmp_path):
    """The spotting example, whose ship is found twice by one system."""
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


def test_every_item_that_differs_stands_with_its_reason(jurydesk, desk):
    outcome = jurydesk("profiles", desk, "column-profiles")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == (
        "column-profiles: Mean average precision 0.5318 published, 0.5106 corrected; "
        "1 query of 10 differ."
    )
    assert lines[3].startswith("ship ")
    assert lines[3].endswith("the same word stands higher in the list.")


def test_json_has_every_item(jurydesk, desk):
    document = json.loads(jurydesk("profiles", desk, "column-profiles", "--json", "-").out)
    assert document["profiles"] == ["published", "corrected"]
    (item,) = document["items"]
    assert (item["item"], item["column"]) == ("ship", "ap")
    assert item["values"][0] > item["values"][1]


def test_where_nothing_differs_that_is_said(jurydesk, desk):
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
def test_what_cannot_be_asked_is_said(jurydesk, desk, arguments, sentence):
    outcome = jurydesk("profiles", desk, "column-profiles", *arguments)
    assert outcome.code == 2
    assert sentence in outcome.err


def test_a_system_that_is_not_there_is_wrong_usage(jurydesk, desk):
    assert main(["profiles", str(desk), "nobody"]) == 2
