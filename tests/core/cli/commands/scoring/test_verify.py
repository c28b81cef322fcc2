from __future__ import annotations

import json
import shutil

import pytest

from jurydesk.core.desk import Desk


@pytest.fixture
def results(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "results.json"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--json", path)
    return path


def test_the_results_of_score_verify_themselves(jurydesk, results):
    outcome = jurydesk("verify", results)
    assert outcome.code == 0
    assert outcome.out == "near: match\nfar: match\n"
    assert "toy|distance:absolute|profile:published|" in outcome.err


def test_a_stamp_alone_verifies(jurydesk, results, tmp_path):
    stamp = tmp_path / "stamp.json"
    stamp.write_text(json.dumps(json.loads(results.read_text())["systems"][0]["stamp"]))
    outcome = jurydesk("verify", stamp, "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


def test_a_changed_file_differs(jurydesk, results, near):
    near.write_text(near.read_text() + "d 4\n")
    outcome = jurydesk("verify", results)
    assert outcome.code == 1
    first, reason, *_, last = outcome.out.splitlines()
    assert first == "near: differs"
    assert reason.startswith("  near.txt changed: its SHA-256 is ")
    assert last == "far: match"


def test_moved_files_are_found_in_the_folder_that_is_named(jurydesk, results, truth, near, far):
    elsewhere = results.parent / "elsewhere"
    elsewhere.mkdir()
    for path in (truth, near, far):
        shutil.move(path, elsewhere)
    missing = jurydesk("verify", results)
    assert missing.code == 1
    assert missing.out.startswith(
        "near: not compared, inputs are missing\n  truth.txt is missing: "
    )
    assert "differs" not in missing.out
    assert jurydesk("verify", results, "--inputs", elsewhere).code == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{}", "This is no stamp: it is not a JSON object with a schema number."),
        ("[1, 2]", "This is no stamp: it is not a JSON object with a schema number."),
        ('{"systems": []}', "The file holds no scored system, so there is nothing to verify."),
        ("{", "error  odd.json, line 1, column 2: The JSON is invalid:"),
        ('{"schema": 99}', "The stamp has schema 99; this version of Jurydesk reads up to 1."),
    ],
)
def test_a_file_that_is_no_stamp_is_refused_with_a_sentence(jurydesk, tmp_path, content, sentence):
    path = tmp_path / "odd.json"
    path.write_text(content)
    outcome = jurydesk("verify", path)
    assert outcome.code == 1
    assert sentence in outcome.err


def test_a_stamp_of_a_competition_that_is_not_here_is_refused(jurydesk, results):
    document = json.loads(results.read_text())
    document["systems"][0]["stamp"]["task"] = "tox"
    results.write_text(json.dumps(document))
    outcome = jurydesk("verify", results)
    assert outcome.code == 1
    assert outcome.err == 'Error: There is no competition "tox" here. Did you mean toy?\n'


def test_a_desk_is_told_how_its_stamps_are_written(jurydesk, tmp_path):
    path = tmp_path / "toy.jurydesk"
    Desk.create(path).close()
    outcome = jurydesk("verify", path)
    assert outcome.code == 1
    assert outcome.err == (
        f"Error: {path} is a desk: `jurydesk board toy.jurydesk --json FILE` writes a file with "
        "its stamps.\n"
    )


@pytest.mark.parametrize("ending", ["json", "csv", "tex", "html"])
def test_a_file_that_is_not_there_is_an_error_of_the_input_whatever_its_ending(
    jurydesk, tmp_path, ending
):
    outcome = jurydesk("verify", tmp_path / f"none.{ending}")
    assert outcome.code == 1
    assert outcome.err.startswith(f"error  none.{ending}: The file does not exist.")
