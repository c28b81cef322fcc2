"""Downloads recorded from the platforms, read in place: the entries are the recorded ones."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.intake.platforms.download import downloads_json
from support.files.platforms import listed
from support.oracles import golden


def listing(folder: Path, *given: Path) -> tuple[dict[str, Any], dict[Any, dict[str, Any]]]:
    found = listed(folder, *given)
    document = json.loads(json.dumps(downloads_json(found.downloads, found.defects)))
    return document, {one["id"]: one for one in document["submissions"]}


def truth(folder: Path) -> Any:
    return json.loads((folder / "truth.json").read_text("utf-8"))


def second(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(microsecond=0)


BULK, TABLE = "bulk_submissions.zip", "submissions.csv"


@pytest.mark.parametrize("number", [3, 4, 5, 6])
@pytest.mark.parametrize(
    "names",
    [
        (BULK,),
        (BULK, TABLE),
        (BULK, TABLE, "results.zip"),
        (BULK, "results.json"),
        (BULK, TABLE, "results_phase1.csv", "results_phase2.csv"),
    ],
)
def test_codabench(tmp_path: Path, number: int, names: tuple[str, ...]) -> None:
    folder = golden(f"platforms/codabench_download_{number}")
    recorded = truth(folder)
    document, found = listing(tmp_path, *(folder / name for name in names))
    assert sorted(found) == [one["id"] for one in recorded["submissions"]]
    assert len(document["missing"]) == (number in (3, 6))
    assert document["without_file"] == []
    for wanted in recorded["submissions"]:
        one = found[wanted["id"]]
        assert (one["team"], one["phase_id"]) == (wanted["team"], wanted["phase_id"])
        if TABLE in names:
            assert second(one["received"]) == second(wanted["created"])
            assert (one["received_known"], one["status"]) == ("exact", wanted["status"])
            assert one["phase"] == wanted["phase"]
        else:
            assert (one["received_known"], one["received"]) == ("day", wanted["uploaded"][:10])
        if len(names) > 2 and not wanted["children"] and one["server"]:
            stored = recorded["stored_scores"][str(wanted["id"])].values()
            assert sorted(map(float, one["server"].values())) == sorted(map(float, stored))


@pytest.mark.parametrize("name", ["all_submissions.csv", "chosen_fields.csv"])
def test_evalai(tmp_path: Path, name: str) -> None:
    folder = golden("platforms/evalai_download")
    _, found = listing(tmp_path, folder / name)
    recorded = truth(folder)["submissions"]
    assert sorted(found) == [one["id"] for one in recorded]
    for wanted in recorded:
        one = found[wanted["id"]]
        assert (one["team"], one["status"]) == (wanted["team"], wanted["status"])
        assert second(one["received"]) == second(wanted["submitted_at"])
        assert one["file"] == wanted["input_file"].rpartition("/")[2]


def test_codalab(tmp_path: Path) -> None:
    folder = golden("platforms/codalab")
    _, found = listing(tmp_path, folder)
    for wanted in truth(folder):
        one = found.pop(wanted["id"])
        for name in ("team", "number", "user", "file", "server"):
            assert one[name] == wanted[name]
        assert second(one["received"]) == second(wanted["received"])
        assert {name: float(text) for name, text in one["output_scores"].items()} == (
            wanted["output_scores"]
        )
    assert not found


def test_grand_challenge(tmp_path: Path) -> None:
    folder = golden("platforms/grand_challenge")
    recorded = truth(folder)
    _, found = listing(tmp_path, folder)
    for wanted in recorded["evaluations"]:
        one = found.pop(wanted["id"])
        for name in ("team", "submission", "status", "phase", "rank", "url"):
            assert one[name] == wanted[name]
        assert second(one["received"]) == second(wanted["received"])
        assert {name: float(text) for name, text in one["server"].items()} == wanted["server"]
    assert not found
    assert listing(tmp_path, folder / "input")[0]["jobs"] == recorded["jobs"]


def test_tira(tmp_path: Path) -> None:
    folder = golden("platforms/tira")
    _, found = listing(tmp_path, folder)
    for wanted in truth(folder):
        one = found.pop(wanted["id"])
        for name in ("team", "dataset", "file", "deleted", "evaluation"):
            assert one[name] == wanted[name]
        assert second(one["received"]) == second(wanted["received"])
        assert {name: float(text) for name, text in one["server"].items()} == wanted["server"]
    assert not found


@pytest.mark.parametrize("name", ["grand_challenge", "tira", "kaggle"])
def test_files_given_one_by_one_say_what_their_folder_says(tmp_path: Path, name: str) -> None:
    folder = golden(f"platforms/{name}")
    files = sorted(one for one in folder.rglob("*") if one.is_file() and one.name != "truth.json")
    whole, alone = listing(tmp_path, folder)[0], listing(tmp_path, *files)[0]
    for part in ("submissions", "missing", "without_file", "jobs"):
        assert alone[part] == whole[part], part
    assert whole["submissions"]


def test_kaggle(tmp_path: Path) -> None:
    folder = golden("platforms/kaggle")
    _, found = listing(tmp_path, folder)
    by_team = {one["team"]: one for one in found.values()}
    for wanted in truth(folder)["submissions"]:
        one = by_team.pop(wanted["team"])
        assert one["server"] == {"Score": wanted["server"]}
        assert second(one["received"]) == second(wanted["received"])
    assert not by_team
