from __future__ import annotations

import csv
import hashlib
import io
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.export.platforms.engine_package import zip_members
from jurydesk.core.export.platforms.kaggle_export import kaggle_members, row_usages, try_metric
from jurydesk.core.export.platforms.kaggle_rows import (
    REASONS,
    ROWS,
    split_references,
    split_submission,
)
from jurydesk.core.export.platforms.package_source import (
    PackageSettings,
    PackageSource,
    reference_members,
)
from jurydesk.core.model.evaluation import UsageError
from support.files.packages import ANNOTATIONS, ANSWERS, ENGINE, metric, vqa_source

SEEN = ENGINE["score.py"].replace(
    b"print(", b"import shutil; shutil.copytree(source, os.environ['SEEN']); print("
)
"""Engine that keeps the files that it was given."""


class Column(list):
    def tolist(self) -> list[Any]:
        return list(self)


class Table:
    """Table with those members of a data frame that the metric uses."""

    def __init__(self, **columns: list[Any]) -> None:
        self.cells, self.columns = columns, list(columns)

    def __getitem__(self, name: str) -> Column:
        return Column(self.cells[name])


@pytest.fixture
def source(tmp_path: Path) -> PackageSource:
    return vqa_source(tmp_path, [metric("overall", 'The "best" accuracy')])


def exported(source: PackageSource, engine: Mapping[str, bytes] = ENGINE) -> dict[str, bytes]:
    references = reference_members(source, "T")
    return kaggle_members(source, PackageSettings(), engine, references)


@pytest.fixture
def module(tmp_path: Path, source: PackageSource, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the metric, imported with the engine packed beside it."""
    members = exported(source, {"score.py": SEEN})
    pandas = ModuleType("pandas")
    pandas.DataFrame = Table  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    monkeypatch.setenv("SEEN", str(tmp_path / "seen"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "engine.zip").write_bytes(members["engine.zip"])
    found = ModuleType("metric")
    found.__file__ = str(tmp_path / "metric.py")
    exec(compile(members["metric.py"], found.__file__, "exec"), found.__dict__)
    return found


def solution(source: PackageSource, usage: str = "") -> Table:
    rows = csv.DictReader(io.StringIO(exported(source)["solution.csv"].decode()))
    chosen = [row for row in rows if usage in ("", row["Usage"])]
    return Table(**{name: [row[name] for row in chosen] for name in ("row_id", "references")})


def rows(**changes: Any) -> Table:
    return Table(**{"row_id": list(ANSWERS), "answer": [*ANSWERS.values()], **changes})


def test_ids_of_tasks_are_rows_and_files_of_options_are_refused(tmp_path: Path) -> None:
    task = find_competition("fusionbrain")
    assert task is not None
    contents = {"truth": {"7": [{"type": "text", "content": ["x"]}]}, "task-ids": {"7": 0}}
    for role, content in contents.items():
        (tmp_path / f"{role}.json").write_text(json.dumps(content))
    inputs = {role: [tmp_path / f"{role}.json"] for role in contents}
    source = PackageSource(task, task.scoring.options(), inputs, [], "T", {}, [])
    rows = split_references(source).rows["7"]
    assert {name: lists[""] for name, lists in rows.items()} == {
        "truth-0.json": [contents["truth"]["7"]],
        "task-ids-0.json": [0],
    }
    words = tmp_path / "words.db"
    words.write_bytes(b"x")
    digests = frozenset((hashlib.sha256(b"x").hexdigest(),))
    options = replace(source.options, ruwordnet=str(words))
    named = replace(source, options=options, digests=digests)
    with pytest.raises(UsageError, match="The option ruwordnet has a file"):
        split_references(named)


def test_the_engine_gets_the_references_and_answers_of_the_rows(
    tmp_path: Path, source: PackageSource, module: ModuleType
) -> None:
    shuffled = rows(row_id=[10, 8, 7, 9], answer=["two", "green", "red", "tree"])
    assert module.score(solution(source), shuffled, "row_id") == 0.5
    seen = tmp_path / "seen"
    assert json.loads((seen / "ref" / "references-0.json").read_text()) == ANNOTATIONS
    assert json.loads((seen / "res" / "submission.json").read_text()) == [
        {"question_id": key, "answer": text} for key, text in ANSWERS.items()
    ]


def test_a_usage_is_scored_by_its_own_rows(
    tmp_path: Path, source: PackageSource, module: ModuleType
) -> None:
    part = solution(source, "Public")
    module.score(part, rows(), "row_id")
    found = json.loads((tmp_path / "seen" / "ref" / "references-0.json").read_text())
    assert [str(one["question_id"]) for one in found["annotations"]] == part["row_id"]
    assert len(part["row_id"]) == 2


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"answer": ["red", None, "a", "b"]}, "The column answer has empty cells."),
        ({"answer": ["red", float("nan"), "a", "b"]}, "The column answer has empty cells."),
        ({"answer": ["red", ["x"], "a", "b"]}, "The column answer has other values than texts."),
        ({"row_id": [7, 7, 9, 10]}, "The column row_id has an id twice."),
        ({"row_id": [7, 8, 9, 11]}, "Rows are missing: 1, such as 10."),
    ],
)
def test_rows_that_cannot_be_scored_are_told_to_participants(
    source: PackageSource, module: ModuleType, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(module.ParticipantVisibleError) as caught:
        module.score(solution(source), rows(**changes), "row_id")
    assert str(caught.value) == sentence


def test_a_missing_column_is_named(source: PackageSource, module: ModuleType) -> None:
    with pytest.raises(module.ParticipantVisibleError, match=r"The column answer is missing\."):
        module.score(solution(source), Table(row_id=[7]), "row_id")


def test_a_refusal_of_the_engine_is_for_the_host_alone(
    source: PackageSource, module: ModuleType
) -> None:
    module.FORMAT["item"], module.FORMAT["answer"] = "", "This"
    module._write = lambda path, document: Path(path).write_text("This is nothing.")  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="It holds no answers"):
        module.score(solution(source), rows(), "row_id")


def test_ids_read_as_numbers_are_those_of_the_solution(
    source: PackageSource, module: ModuleType
) -> None:
    floats = rows(row_id=[7.0, 8.0, 9.0, 10.0])
    assert module.score(solution(source), floats, "row_id") == 0.5


def test_half_of_the_rows_is_public_and_the_choice_is_stable() -> None:
    found = row_usages([str(number) for number in range(100)], 0.3)
    assert sum(usage == "Public" for usage in found.values()) == 30
    assert found == row_usages([str(number) for number in reversed(range(100))], 0.3)


def test_the_dry_run_compares_the_metric_with_the_desk(source: PackageSource) -> None:
    members = exported(source)
    assert try_metric(source, ENGINE, members).runs == 6
    other = {"score.py": ENGINE["score.py"].replace(b"0.5", b"0.25")}
    assert try_metric(source, other, members).problem == "mine: overall is 0.25, on the desk 0.5."


def test_no_reference_is_in_code_and_sample(source: PackageSource) -> None:
    members = exported(source)
    for name in ("metric.py", "sample_submission.csv", "README.md"):
        assert b"blue" not in members[name], name
    assert b"blue" in members["solution.csv"]


@pytest.mark.parametrize("name", ["densecap", "vist", "keyword-spotting", "retrieval", "visdial"])
def test_competitions_without_one_row_an_item_say_why(source: PackageSource, name: str) -> None:
    other = replace(source, task=find_competition(name))
    with pytest.raises(UsageError) as caught:
        split_references(other)
    assert str(caught.value) == (
        f"Kaggle's tables have one row an item, which does not fit here: {REASONS[name]}"
    )


def test_references_of_another_form_are_named(source: PackageSource) -> None:
    (path,) = source.inputs["references"]
    path.write_text('{"data": []}')
    with pytest.raises(UsageError, match="has no list annotations with question_id"):
        split_references(source)
    path.write_text("[")
    with pytest.raises(UsageError, match=r"annotations\.json is not a JSON file"):
        split_references(source)


def test_answers_that_are_not_one_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"1": [{"type": "text", "content": "x"}]}')
    assert split_submission(path, ROWS["fusionbrain"]) == {"1": "x"}
    path.write_text('{"1": [{"type": "image", "content": "a.png"}, {"content": "x"}]}')
    with pytest.raises(UsageError, match="has answers that are not one text"):
        split_submission(path, ROWS["fusionbrain"])


def test_the_packed_engine_is_unpacked_once(
    tmp_path: Path, source: PackageSource, module: ModuleType
) -> None:
    first = module._engine("")
    assert Path(first, "score.py").is_file()
    (tmp_path / "engine.zip").write_bytes(b"no archive")
    assert module._engine("") == first
    assert module._engine(first) == first


def test_without_an_engine_the_host_is_told(source: PackageSource, module: ModuleType) -> None:
    module.PLACES = []
    with pytest.raises(ValueError, match="is not attached to this metric"):
        module.score(solution(source), rows(), "row_id")


def test_an_engine_is_packed_as_it_is(source: PackageSource) -> None:
    assert exported(source)["engine.zip"] == zip_members(ENGINE)


def test_no_file_of_a_package_is_taken_for_a_verified_result(
    tmp_path: Path, source: PackageSource, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in exported(source).items():
        (tmp_path / name).write_bytes(content)
        assert main(["verify", str(tmp_path / name), "--quiet"]) == 1, name
        assert capsys.readouterr().err
