from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.desk import Desk
from jurydesk.core.export.platforms import scoring_program
from jurydesk.core.export.platforms.scoring_program import score_submission_folder
from jurydesk.core.workflow import platform_package
from support.files.platforms import zipped
from support.files.retrieval import FILES
from support.oracles import golden


def container(folder: Path, relevance: bytes, *metrics: str) -> Path:
    """Return the input folder of a scoring program, with an empty folder of the submission."""
    (folder / "ref").mkdir(parents=True)
    (folder / "res").mkdir()
    (folder / "ref" / "relevance-0.qrels").write_bytes(relevance)
    settings = {
        "task": "keyword-spotting",
        "title": "R <b>",
        "options": {},
        "inputs": {"relevance": ["relevance-0.qrels"]},
        "columns": [
            {"key": name.lower(), "metric": name, "title": f"<{name}>"} for name in metrics
        ],
    }
    (folder / "ref" / "jurydesk.json").write_text(json.dumps(settings))
    return folder


def scored(source: Path) -> tuple[int, dict[str, float] | None]:
    target = source.parent / "output"
    target.mkdir(exist_ok=True)
    code = score_submission_folder(source, target)
    scores = target / "scores.json"
    return code, json.loads(scores.read_text()) if scores.exists() else None


def test_every_recorded_layout_has_the_recorded_scores(tmp_path: Path) -> None:
    recorded = json.loads(golden("platforms/codabench_worker.json").read_text("utf-8"))
    relevance = golden("platforms/codabench_worker_ref/relevance.qrels").read_bytes()
    compared = 0
    with zipfile.ZipFile(golden("platforms/codabench_worker_submissions.zip")) as archive:
        for one in recorded:
            if one["res"] is None:
                continue  # the worker fails before it scores
            source = container(
                tmp_path / one["submission"] / "input", relevance, "map", "P_5", "recip_rank"
            )
            content = io.BytesIO(archive.read(one["submission"]))
            if "command" not in one["submission"]:
                with zipfile.ZipFile(content) as inner:
                    inner.extractall(source / "res")
            (source / "res" / "metadata").write_text("exitCode: 0\n")
            code, scores = scored(source)
            if one["scores"]:
                assert (code, scores) == (0, one["scores"]), one["submission"]
                compared += 1
            elif one["submission"] not in TAKEN_HERE:
                assert (code, scores) == (1, None), one["submission"]
    assert compared >= 9


TAKEN_HERE = ("readme_beside.zip", "zip_in_zip.zip")
"""Layouts that the program of the recording refused: the one submission in them is scored."""


def test_the_page_shows_numbers_and_no_markup_of_names(tmp_path: Path) -> None:
    source = container(tmp_path / "input", FILES["relevance.txt"].encode(), "map")
    (source / "res" / "mine.txt").write_text(FILES["mine.txt"])
    assert scored(source)[0] == 0
    page = (tmp_path / "output" / "detailed_results.html").read_text()
    assert "&lt;map&gt;" in page
    assert "<b>" not in page
    assert "http" not in page


def test_a_refusal_does_not_name_the_file_of_the_worker(tmp_path: Path, capsys) -> None:
    source = container(tmp_path / "input", FILES["relevance.txt"].encode(), "map")
    for name, content in (("notes.md", "mine"), ("metadata", "exitCode: 0\n")):
        (source / "res" / name).write_text(content)
    assert scored(source) == (1, None)
    said = capsys.readouterr().err
    assert said.startswith("0 submissions found; one is expected.\nnote  notes.md")
    assert "metadata" not in said


def test_an_undefined_number_is_a_failure_without_scores(tmp_path: Path, capsys) -> None:
    source = container(tmp_path / "input", FILES["relevance.txt"].encode(), "nothing")
    (source / "res" / "mine.txt").write_text(FILES["mine.txt"])
    assert scored(source) == (1, None)
    assert capsys.readouterr().err.splitlines()[-1] == "nothing is undefined."


def test_another_index_than_that_of_the_package_is_refused(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "english.index").write_bytes(b"another")
    monkeypatch.setattr(scoring_program, "packaged_index_path", lambda: tmp_path / "english.index")
    source = container(tmp_path / "input", FILES["relevance.txt"].encode(), "map")
    (source / "res" / "mine.txt").write_text(FILES["mine.txt"])
    settings = json.loads((source / "ref" / "jurydesk.json").read_text())
    for content, wanted in (
        (b"another", (0, {"map": pytest.approx((5 / 6 + 1 / 2) / 2)})),
        (b"forged", (1, None)),
    ):
        settings["index"] = hashlib.sha256(content).hexdigest()
        (source / "ref" / "jurydesk.json").write_text(json.dumps(settings))
        (tmp_path / "output" / "scores.json").unlink(missing_ok=True)
        assert scored(source) == wanted
    assert capsys.readouterr().err == "METEOR's index is not the one of this package.\n"


def test_damaged_references_are_not_shown_to_a_participant(tmp_path: Path, capsys) -> None:
    source = container(tmp_path / "input", b"q1 0 secret\n", "map")
    (source / "res" / "mine.txt").write_text(FILES["mine.txt"])
    assert scored(source) == (1, None)
    assert capsys.readouterr().err == "The reference data have errors.\n"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Return a desk scored from a download of Codabench, with a name as participants have."""
    (tmp_path / "relevance.txt").write_text(FILES["relevance.txt"])
    name = "12_mine_PhaseId7_2026-02-11_07-33_мой_прогон.zip"
    content = zipped({"прогон 1/run.txt": FILES["mine.txt"].encode()})
    (tmp_path / "bulk (1).zip").write_bytes(zipped({name: content}))
    path = tmp_path / "r.jurydesk"
    arguments = ["score", "keyword-spotting", "--relevance", tmp_path / "relevance.txt"]
    arguments += ["--submissions", tmp_path / "bulk (1).zip", "--desk", path]
    assert main([str(argument) for argument in arguments]) == 0
    return path


def test_a_bundle_is_written_after_its_dry_run(desk: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "bundle.zip"
    assert main(["platform", "export", "codabench", str(desk), str(out)]) == 0
    assert "Dry run: 7 runs (1 system) gave the desk's numbers" in capsys.readouterr().out
    assert main(["platform", "check", "codabench", str(out)]) == 0
    with zipfile.ZipFile(out) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert set(members) >= {"competition.yaml", "logo.png", "scoring_program.zip", "README.md"}
    gold = FILES["relevance.txt"].encode()
    for name, content in members.items():
        inner = [content]
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                inner = [archive.read(one) for one in archive.namelist()]
        assert any(gold in one for one in inner) == (name == "reference_data.zip"), name


@pytest.mark.parametrize("platform", ["codabench", "evalai", "kaggle"])
def test_a_desk_with_a_file_of_another_role_is_refused_before_anything_is_written(
    desk: Path, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    """The role would be a path: the file would be written outside the package."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "a" / "b"))
    given, role = tmp_path / "evil.desktop", "../../../../autostart/entry"
    given.write_bytes(b"x")
    with Desk.open(desk) as opened:
        sources = [one.source for one in opened.inputs()]
        digest = hashlib.sha256(b"x").hexdigest()
        forged = replace(sources[0], role=role, path=str(given), size=1, sha256=digest)
        opened.merge_inputs([*sources, forged], "results")
    assert main(["platform", "export", platform, str(desk), str(tmp_path / "out.zip")]) == 1
    assert "which keyword-spotting does not take" in capsys.readouterr().err
    assert not (tmp_path / "autostart").exists()


def test_a_program_that_fails_writes_no_bundle(
    desk: Path, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"score.py": b"raise SystemExit('no NumPy here')"}
    monkeypatch.setattr(platform_package, "engine_members", lambda *_: broken)
    out = tmp_path / "bundle.zip"
    assert main(["platform", "export", "codabench", str(desk), str(out)]) == 1
    assert not out.exists()
    said = capsys.readouterr().err
    assert "mine, as a file: the program ended with 1: no NumPy here" in said
    assert said.endswith("The dry run failed: nothing was written.\n")
