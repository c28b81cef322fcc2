"""The example plug-in is a competition like any other on the command line."""

from __future__ import annotations

import json
import shutil
import zipfile

import pytest

from jurydesk.core.cli.exit_codes import DONE
from jurydesk.core.competition.task_registry import find_competition, registry
from jurydesk.core.verification.conformance import check_task
from support.plug_ins.example import EXAMPLE, SYSTEMS, installed, site

SIGNS = EXAMPLE / "signs.json"


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    yield from installed(monkeypatch)


@pytest.fixture
def desk(jurydesk, tmp_path):
    path = tmp_path / "signs.jurydesk"
    done = jurydesk("score", "signs", *inputs(), "--desk", path)
    assert done.code == DONE, done.err
    return path


def inputs():
    return ("--signs", SIGNS, "--readings", *SYSTEMS)


def accuracies(text):
    systems = json.loads(text)["systems"]
    return {one["name"]: one["scores"]["accuracy"] for one in systems}


def test_a_plug_in_is_installed_from_its_package_and_fulfils_the_contract():
    task = find_competition("signs")
    assert registry().broken == ()
    assert str(site()) in str(task.presentation.example)
    check_task(task)


def test_files_of_a_plug_in_are_checked_and_scored(jurydesk):
    checked = jurydesk("check", "signs", *inputs())
    assert checked.code == DONE
    assert "torn.json, readings: 2 signs without a reading: bridge-02, school-01." in checked.out
    scored = jurydesk("score", "signs", *inputs(), "--json", "-")
    exact = 9 + 17 / 18 + 18 / 19 + 26 / 27
    assert accuracies(scored.out)["careful"] == pytest.approx(exact / 12)


def test_a_desk_of_a_plug_in_has_a_board_comparisons_profiles_and_a_report(
    jurydesk, desk, tmp_path
):
    board = jurydesk("board", desk, "--html", tmp_path / "report.html")
    assert [line.split()[1] for line in board.out.splitlines()[1:4]] == ["careful", "hasty", "torn"]
    assert "Twelve" not in board.err
    assert (tmp_path / "report.html").stat().st_size > 10_000
    compared = jurydesk("compare", desk, "careful", "hasty")
    assert compared.code == DONE
    value = accuracies(jurydesk("score", "signs", *inputs(), "--json", "-").out)["torn"]
    explained = jurydesk("why", desk, "torn", "accuracy", f"{value:.4f}")
    assert explained.code == DONE


def test_the_stamp_of_a_plug_in_verifies_and_names_its_library(jurydesk, tmp_path):
    path = tmp_path / "result.json"
    jurydesk("score", "signs", *inputs(), "--json", path)
    stamp = tmp_path / "stamp.json"
    found = json.loads(path.read_text())["systems"][0]["stamp"]
    assert "rapidfuzz" in found["versions"]
    stamp.write_text(json.dumps(found))
    assert jurydesk("verify", stamp).out == "careful: match, same code\n"


def test_chunks_of_a_plug_in_are_scored_as_shards(jurydesk, tmp_path):
    job, merged = tmp_path / "job", tmp_path / "merged.json"
    assert jurydesk("shards", "split", "signs", *inputs(), "--out", job).code == DONE
    assert jurydesk("shards", "score", job).code == DONE
    assert jurydesk("shards", "merge", job, "--json", merged).code == DONE
    whole = jurydesk("score", "signs", *inputs(), "--json", "-").out
    assert accuracies(merged.read_text()) == accuracies(whole)


def test_new_reference_data_change_the_scores_of_a_plug_in(jurydesk, desk, tmp_path):
    signs = json.loads(SIGNS.read_text())
    signs["signs"]["bridge-01"] = "Weight limit 35 t"
    mended = tmp_path / "mended.json"
    mended.write_text(json.dumps(signs))
    done = jurydesk("errata", desk, mended)
    assert done.code == DONE, done.err
    assert "careful changed most on bridge-01." in done.out


def test_submissions_of_a_plug_in_are_read_from_an_archive(jurydesk, tmp_path):
    archive = tmp_path / "teams.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in SYSTEMS:
            packed.write(path, f"{path.stem}/run.json")
    done = jurydesk("intake", "signs", archive)
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == ["careful", "hasty", "torn"]


def test_kit_and_browser_page_of_a_plug_in_contain_no_gold(jurydesk, tmp_path):
    kit, page = tmp_path / "signs.jurycomp", tmp_path / "signs.html"
    assert jurydesk("kit", "signs", "--signs", SIGNS, kit, page).code == DONE
    for path in (kit, page):
        text = path.read_text()
        assert "corner-01" in text
        assert "Bakery" not in text
    checked = jurydesk("check", "--kit", kit, SYSTEMS[2])
    assert "2 signs without a reading" in checked.out


def test_without_its_script_the_page_is_refused_with_a_message(jurydesk, tmp_path, monkeypatch):
    copy = tmp_path / "copy"
    shutil.copytree(site(), copy)
    (copy / "jurydesk_signs" / "kit.js").unlink()
    monkeypatch.syspath_prepend(str(copy))
    done = jurydesk("kit", "signs", "--signs", SIGNS, tmp_path / "signs.html")
    assert "has no browser checker" in done.err
    assert "Errno" not in done.err


def test_the_demo_scores_the_example_of_a_plug_in(jurydesk, tmp_path):
    done = jurydesk("demo", "signs", "--text", "--folder", tmp_path)
    assert done.code == DONE
    assert done.out.startswith("Twelve signs\n")
    assert (tmp_path / "signs" / "signs.jurydesk").is_file()
