"""`jurydesk shards` on the example of visual storytelling."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, WRONG_USAGE
from jurydesk.core.system.paths import resources_folder

EXAMPLE = resources_folder() / "examples" / "vist"
SYSTEMS = ("storyteller.json", "happy.json", "labels.json")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch):
    monkeypatch.setattr("jurydesk.core.metrics.meteor.meteor_chunks.CHUNK", 20)


@pytest.fixture
def files(tmp_path):
    """Return copies of the example's files that can be moved."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name in (*SYSTEMS, "human-stories.json", "template.json"):
        shutil.copyfile(EXAMPLE / name, folder / name)
    return folder


def inputs(files):
    return [
        *("--submission", *(files / name for name in SYSTEMS)),
        *("--references", files / "human-stories.json", "--template", files / "template.json"),
    ]


@pytest.fixture
def job(jurydesk, files, tmp_path):
    folder = tmp_path / "job"
    outcome = jurydesk("shards", "split", "vist", *inputs(files), "--out", folder, "--chunks", 2)
    assert outcome.code == DONE, outcome.err
    assert outcome.out == f"3 shards with 36 items written to {folder}.\n"
    return folder


def systems(path):
    """Return the document of `--json` without the fields that may differ."""
    found = json.loads(path.read_text())["systems"]
    for system in found:
        del system["stamp"]["created"], system["stamp"]["place"]
    return found


def test_a_job_that_is_split_scored_and_merged_gives_what_score_gives(
    jurydesk, job, files, tmp_path
):
    assert jurydesk("shards", "score", job, "--part", "2/2").out == "1 shard scored.\n"
    assert jurydesk("shards", "score", job).out == "2 shards scored, 1 already had a result.\n"
    merged, direct = tmp_path / "merged.json", tmp_path / "direct.json"
    desk = tmp_path / "merged.jurydesk"
    outcome = jurydesk("shards", "merge", job, "--json", merged, "--desk", desk)
    assert outcome.code == DONE, outcome.err
    assert jurydesk("score", "vist", *inputs(files), "--json", direct).code == DONE
    assert systems(merged) == systems(direct)
    assert "storyteller" in jurydesk("board", desk).out


def test_a_shard_needs_no_other_file(jurydesk, job, tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    for path in (job / "shards").iterdir():
        shutil.copyfile(path, away / path.name)
    shards = sorted(away.iterdir())
    outcome = jurydesk("shards", "score", *shards, "--results", tmp_path / "results")
    assert outcome.out == "3 shards scored.\n"
    assert jurydesk("shards", "merge", job, "--results", tmp_path / "results").code == DONE


def test_unscored_shards_are_reported_and_prevent_merging(jurydesk, job):
    jurydesk("shards", "score", job / "shards" / "0002.shard")
    outcome = jurydesk("shards", "check", job)
    assert outcome.code == DONE
    assert outcome.out == "1 of 3 shards scored.\n"
    assert "2 shards of 3 not scored: 0001, 0003." in outcome.err
    outcome = jurydesk("shards", "merge", job)
    assert outcome.code == INPUT_ERRORS
    assert "Shard 0001 has no result." in outcome.err
    assert "Shard 0003 has no result." in outcome.err


def test_an_altered_shard_is_named_and_not_scored_for_the_job(jurydesk, job):
    path = job / "shards" / "0001.shard"
    content = bytearray(path.read_bytes())
    content[400] ^= 1
    path.write_bytes(bytes(content))
    outcome = jurydesk("shards", "score", job)
    assert outcome.code == INPUT_ERRORS
    assert "0001.shard: This shard cannot be scored" in outcome.err
    assert outcome.out == "2 shards scored.\n"
    outcome = jurydesk("shards", "check", job)
    assert outcome.code == INPUT_ERRORS
    assert "Shard 0001 was altered." in outcome.err


def test_a_result_of_another_job_is_named(jurydesk, job, files, tmp_path):
    jurydesk("shards", "score", job)
    other = tmp_path / "other"
    jurydesk("shards", "split", "vist", *inputs(files), "--out", other)
    jurydesk("shards", "score", other)
    outcome = jurydesk("shards", "merge", job, "--results", other / "results")
    assert outcome.code == INPUT_ERRORS
    assert "it belongs to another job" in outcome.err


def test_moved_input_files_are_found_by_name_and_content(jurydesk, job, files, tmp_path):
    jurydesk("shards", "score", job)
    moved = files.rename(tmp_path / "moved")
    outcome = jurydesk("shards", "merge", job)
    assert outcome.code == INPUT_ERRORS
    assert "is missing from" in outcome.err
    assert jurydesk("shards", "merge", job, "--inputs", moved).code == DONE
    (moved / "happy.json").write_text((moved / "labels.json").read_text())
    outcome = jurydesk("shards", "merge", job, "--inputs", moved)
    assert outcome.code == INPUT_ERRORS
    assert "happy.json changed" in outcome.err


def test_equal_files_that_are_now_one_are_merged_as_one_system_and_told(jurydesk, files, tmp_path):
    for name in ("a", "b"):
        (files / name).mkdir()
        shutil.copyfile(files / "happy.json", files / name / "run.json")
    given = ["--submission", files / "a" / "run.json", files / "b" / "run.json"]
    names, job = ["--name", "First", "--name", "Second"], tmp_path / "job"
    jurydesk("shards", "split", "vist", *given, *inputs(files)[4:], *names, "--out", job)
    jurydesk("shards", "score", job)
    (files / "a" / "run.json").rename(files / "run.json")
    moved = files.rename(tmp_path / "moved")
    merged = tmp_path / "merged.json"
    outcome = jurydesk("shards", "merge", job, "--inputs", moved, "--json", merged)
    assert outcome.code == DONE, outcome.err
    assert "2 submissions have this same file now." in outcome.err
    assert [one["name"] for one in systems(merged)] == ["Second"]


def test_a_system_with_errors_is_left_out_and_reported(jurydesk, files, tmp_path):
    shutil.copyfile(EXAMPLE / "careless.json", files / "labels.json")
    job = tmp_path / "job"
    outcome = jurydesk("shards", "split", "vist", *inputs(files), "--out", job)
    assert outcome.code == INPUT_ERRORS
    assert "error  labels.json" in outcome.err
    jurydesk("shards", "score", job)
    outcome = jurydesk("shards", "merge", job)
    assert outcome.code == INPUT_ERRORS
    assert "1 of 3 systems were not scored." in outcome.err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["merge", "nowhere"], INPUT_ERRORS, "nowhere is not a job"),
        (["score", "nowhere.shard"], INPUT_ERRORS, "This shard cannot be scored"),
        (["score", "x", "--part", "3/2"], WRONG_USAGE, "write K/N"),
        (["scor"], WRONG_USAGE, "Did you mean score?"),
    ],
)
def test_wrong_usage_is_reported(jurydesk, tmp_path, monkeypatch, arguments, code, sentence):
    monkeypatch.chdir(tmp_path)
    outcome = jurydesk("shards", *arguments)
    assert outcome.code == code
    assert sentence in outcome.err


def test_a_job_is_not_written_into_a_folder_with_contents(jurydesk, job, files):
    outcome = jurydesk("shards", "split", "vist", *inputs(files), "--out", job)
    assert outcome.code == WRONG_USAGE
    assert "choose a new or empty folder" in outcome.err


def test_the_command_alone_imports_nothing_heavy():
    code = (
        "import sys, jurydesk.core.cli.commands.running.shards;"
        "print({'torch', 'distributed'} & {*sys.modules})"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert outcome.stdout == "set()\n", outcome.stderr
