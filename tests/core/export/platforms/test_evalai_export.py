from __future__ import annotations

import ast
import importlib
import json
import stat
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.export.platforms.configuration import verdict_json
from jurydesk.core.export.platforms.dry_run import run_dry
from jurydesk.core.export.platforms.engine_package import write_members, zip_members
from jurydesk.core.export.platforms.evalai_challenge import check_evalai
from jurydesk.core.export.platforms.evalai_export import (
    ANNOTATIONS,
    evalai_members,
    evalai_program,
    evaluation_reason,
    page_html,
    script_members,
)
from jurydesk.core.export.platforms.package_source import (
    PackageSettings,
    PackageSource,
    reference_members,
)
from jurydesk.core.model.evaluation import UsageError
from support.files.packages import ENGINE, metric, vqa_source

METRICS = (metric("overall", "Accuracy"), metric("lower", "Errors", "lower"))
SETTINGS = PackageSettings(start=datetime(2026, 3, 1, 11, 59, tzinfo=UTC), terms="Be fair.")


@pytest.fixture
def source(tmp_path: Path) -> PackageSource:
    return vqa_source(tmp_path, METRICS)


def configuration(source: PackageSource, settings: PackageSettings = SETTINGS):
    members = evalai_members(source, settings, ENGINE, reference_members(source, "T"))
    return json.loads(members["challenge_config.yaml"]), members


def script(
    folder: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch, **settings: str
) -> ModuleType:
    """Return the evaluation script, imported as EvalAI's worker imports it."""
    name = f"challenge_{abs(hash(folder))}"
    write_members(folder / name, script_members(source, PackageSettings(**settings), ENGINE))
    (folder / "evaluation.zip").write_bytes(zip_members(reference_members(source, "T")))
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module(name)


def test_a_challenge_is_accepted_without_a_word(tmp_path: Path, source: PackageSource) -> None:
    _, members = configuration(source)
    (tmp_path / "challenge.zip").write_bytes(zip_members(members))
    found = verdict_json(check_evalai(tmp_path / "challenge.zip"))
    assert found == {"accepted": True, "messages": [], "warnings": 0}


def test_the_board_ranks_by_the_first_metric_in_its_direction(source: PackageSource) -> None:
    challenge, _ = configuration(source)
    schema = challenge["leaderboard"][0]["schema"]
    assert (schema["labels"], schema["default_order_by"]) == (["Accuracy", "Errors"], "Accuracy")
    assert [one["sort_ascending"] for one in schema["metadata"].values()] == [False, True]
    assert challenge["challenge_phase_splits"][0]["is_leaderboard_order_descending"] is True


def test_times_are_quoted_and_keep_their_zone(source: PackageSource) -> None:
    challenge, _ = configuration(source)
    assert (challenge["start_date"], challenge["end_date"]) == (
        "2026-03-01T11:59:00Z",
        "2027-03-01T11:59:00Z",
    )


def test_references_are_in_the_annotation_file_alone(tmp_path: Path, source: PackageSource) -> None:
    _, members = configuration(source)
    assert [name for name, content in members.items() if b"annotations.json" in content] == []
    holding = [name for name, content in members.items() if b"references-0.json" in content]
    assert holding == [ANNOTATIONS]


def test_without_a_frozen_engine_the_challenge_is_evaluated_remotely(
    source: PackageSource,
) -> None:
    assert configuration(source)[0]["remote_evaluation"] is True
    assert evaluation_reason(SETTINGS) == (
        "EvalAI's workers run Python 3.7 to 3.9, the engine needs 3.11: the challenge is evaluated "
        "remotely, by your own machine."
    )


def test_the_script_is_python_of_evalai_s_workers(source: PackageSource) -> None:
    main = script_members(source, SETTINGS, ENGINE)["main.py"].decode()
    ast.parse(main, feature_version=(3, 7))


@pytest.mark.parametrize("order", ["worker", "remote", "remote without annotations"])
def test_evaluate_takes_the_files_in_both_orders(
    tmp_path: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    module = script(tmp_path, source, monkeypatch)
    references, submission = str(tmp_path / "evaluation.zip"), str(tmp_path / "mine.json")
    beside = Path(str(module.__file__)).with_name("evaluation.zip")
    beside.write_bytes((tmp_path / "evaluation.zip").read_bytes())
    given = {
        "worker": (references, submission, "evaluation"),
        "remote": (submission, "evaluation", references),
        "remote without annotations": (submission, "evaluation"),
    }[order]
    found = module.evaluate(*given, submission_metadata={"id": 1})
    assert found["result"] == [{"evaluation": {"Accuracy": 0.5, "Errors": 1.0}}]
    assert found["submission_result"]["stamp"] == "vqa|stamp"


def test_a_file_named_by_an_address_is_read_under_its_own_name(
    tmp_path: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = script(tmp_path, source, monkeypatch)
    seen = b"sys.exit(', '.join(os.listdir(os.path.join(sys.argv[1], 'res'))))"
    Path(str(module.__file__)).with_name("score.py").write_bytes(b"import os, sys\n" + seen)
    submission = tmp_path / "a1.zip?X-Amz-Signature=0f"
    submission.write_bytes(b"zip")
    with pytest.raises(Exception, match=r"^a1\.zip$"):
        module.evaluate(str(tmp_path / "evaluation.zip"), str(submission), "evaluation")


def test_a_defect_is_the_exception_that_evalai_shows(
    tmp_path: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = script(tmp_path, source, monkeypatch)
    (tmp_path / "bad.json").write_text("This is nothing.")
    with pytest.raises(Exception, match=r"^entry\.json, line 1: It holds no answers\.$"):
        module.evaluate(str(tmp_path / "evaluation.zip"), str(tmp_path / "bad.json"), "evaluation")


def test_evalai_s_own_worker_leaves_a_remote_submission_alone(
    tmp_path: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = script(tmp_path, source, monkeypatch)
    monkeypatch.setattr(sys, "version_info", (3, 9, 21))
    assert module.evaluate("a", str(tmp_path / "mine.json"), "evaluation") == {}


def test_a_frozen_engine_is_called_by_the_workers(
    tmp_path: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = tmp_path / "engine-1.0"
    frozen.write_text(f"#!{sys.executable}\n{ENGINE['score.py'].decode()}")
    settings = {"engine": str(frozen)}
    challenge, _ = configuration(source, PackageSettings(**settings))
    assert challenge["remote_evaluation"] is False
    assert evaluation_reason(PackageSettings(**settings)).endswith("the frozen engine engine-1.0.")
    module = script(tmp_path, source, monkeypatch, **settings)
    monkeypatch.setattr(sys, "version_info", (3, 9, 21))
    given = (str(tmp_path / "evaluation.zip"), str(tmp_path / "mine.json"), "evaluation")
    assert module.evaluate(*given)["result"][0]["evaluation"]["Accuracy"] == 0.5
    program = Path(str(module.__file__)).with_name("jurydesk-engine")
    assert program.stat().st_mode & stat.S_IXUSR


def test_a_frozen_engine_that_is_not_there_is_named(source: PackageSource) -> None:
    with pytest.raises(UsageError, match="The frozen engine nowhere/x cannot be read"):
        configuration(source, PackageSettings(engine="nowhere/x"))


def test_the_dry_run_sees_numbers_that_differ(tmp_path: Path, source: PackageSource) -> None:
    engine = {"score.py": ENGINE["score.py"].replace(b"0.5", b"0.25")}
    references = reference_members(source, "T")
    with evalai_program(source, SETTINGS, engine, references) as score:
        found = run_dry(score, source.systems, source.wanted, Run())
    assert found.problem == "mine, as a file: overall is 0.25, on the desk 0.5."


def test_pages_are_html_without_the_markup_of_texts() -> None:
    text = "# A & B\n\nOne\ntwo <i>.\n\n- **P@5** (higher): x\n- y\n"
    assert page_html(text) == (
        "<h2>A &amp; B</h2>\n<p>One two &lt;i&gt;.</p>\n<ul>\n<li><b>P@5</b> (higher): x</li>\n"
        "<li>y</li>\n</ul>\n"
    )
