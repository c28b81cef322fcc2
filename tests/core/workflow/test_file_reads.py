"""A dropped file is hashed once and parsed once before its score is shown."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from jurydesk.core.competition.task import Inputs
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.execution import file_store
from jurydesk.core.execution.file_store import FileStore, stat_file_version
from jurydesk.core.execution.run import Run
from jurydesk.core.intake import collect
from jurydesk.core.intake.classify import classify_files
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.system import paths
from jurydesk.core.system.paths import Fingerprint, resources_folder
from jurydesk.core.workflow.role_assignment import assign_roles
from jurydesk.core.workflow.score import (
    CompetitionFiles,
    check_competition,
    score_competition,
)

_watching: list[Counter[str]] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _watching and isinstance(arguments[0], (str, bytes, os.PathLike)):
        _watching[-1][os.fsdecode(arguments[0])] += 1


sys.addaudithook(_watch)


@contextmanager
def opens() -> Iterator[Counter[str]]:
    """Return a counter of the openings of each file."""
    _watching.append(Counter())
    try:
        yield _watching[-1]
    finally:
        _watching.pop()


class Work:
    """Counter of how often each file is hashed and parsed."""

    def __init__(self) -> None:
        self.hashed: Counter[str] = Counter()
        self.parsed: Counter[str] = Counter()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counts = Work()

    def fingerprint(path: Path, check: Callable[[], None]) -> Fingerprint:
        counts.hashed[path.name] += 1
        return paths.fingerprint(path, check)

    monkeypatch.setattr(file_store, "SETTLED_NANOSECONDS", 0)
    monkeypatch.setattr(file_store, "fingerprint", fingerprint)
    return counts


@pytest.fixture
def competition(tmp_path: Path, work: Work) -> CompetitionFiles:
    """Return a relevance file and one run, as the window reads them when they are dropped."""
    names = ("relevance.xml", "word-shapes.xml")
    return dropped("keyword-spotting", names, tmp_path, work)


@pytest.fixture
def challenge(tmp_path: Path, work: Work) -> CompetitionFiles:
    """Return FusionBrain's truth, task ids, input and predictions, with its folders of pictures."""
    names = ("truth.json", "ids.json", "input.json", "careful.json", "images", "real-images")
    files = dropped("fusionbrain", names, tmp_path, work, subtask="textqa")
    folders = files_by_role({name: [tmp_path / name] for name in ("images", "real-images")})
    return replace(files, files=(*files.files, *folders))


def dropped(
    name: str, files: Sequence[str], folder: Path, work: Work, **changed: str
) -> CompetitionFiles:
    """Return copied example files with their roles, a desk, and a task that counts readings."""
    own = registry().tasks[name]
    readers = own.readers

    def read_references(inputs: Inputs, *others: Any) -> Any:
        roles = (one.role for one in own.inputs if one.kind == "reference")
        work.parsed.update(path.name for role in roles for path in inputs.get(role, ()))
        return readers.read_references(inputs, *others)

    def read_submission(path: Path, *others: Any) -> Any:
        work.parsed[path.name] += 1
        return readers.read_submission(path, *others)

    counting = replace(readers, read_references=read_references, read_submission=read_submission)
    task = replace(own, readers=counting)
    example = resources_folder() / "examples" / own.presentation.example
    given = []
    for file in files:
        if (example / file).is_dir():
            shutil.copytree(example / file, folder / file)
        else:
            given.append(folder / file)
            given[-1].write_bytes((example / file).read_bytes())
    path = folder / "a.jurydesk"
    options = replace(task.scoring.options(), **changed)
    with Desk.create(path) as desk:
        desk.set_competition(task.id, task.title, options_json(options))
    assigned = assign_roles(classify_files(given, Run()), (), task).files
    return CompetitionFiles(path, task, assigned, options)


posix = pytest.mark.skipif(os.name != "posix", reason="files have no time of change")


@pytest.mark.parametrize("has_desk", [True, False])
def test_only_the_engine_hashes_a_single_submission_without_a_desk(
    competition: CompetitionFiles, monkeypatch: pytest.MonkeyPatch, has_desk: bool
) -> None:
    taken_in: list[Path] = []
    fingerprint = collect.submission_fingerprint

    def counted(files: Sequence[InputFile], run: Run) -> tuple[int, str]:
        taken_in.extend(one.path for one in files)
        return fingerprint(files, run)

    monkeypatch.setattr(collect, "submission_fingerprint", counted)
    own = competition if has_desk else replace(competition, desk=None)
    (scored,) = score_competition(own, Run()).result.evaluations
    (run_file,) = (file.path for file in own.submissions)
    assert taken_in == [run_file] * has_desk
    digest = hashlib.sha256(run_file.read_bytes()).hexdigest()
    assert scored.stamp["submission"]["sha256"] == digest


@posix
def test_a_dropped_run_is_hashed_once_and_parsed_once_before_its_score_is_shown(
    competition: CompetitionFiles, work: Work
) -> None:
    (run,) = (file.path for file in competition.submissions)
    with opens() as count:
        classify_files([run], Run())
        check_competition(competition, Run())
        score_competition(competition, Run())
    assert work.hashed == {"word-shapes.xml": 1, "relevance.xml": 1}
    assert work.parsed == {"word-shapes.xml": 1, "relevance.xml": 1}
    # To detect its role, for its hash, to detect its format, and to parse it.
    assert count[str(run)] == 4
    with Desk.open(competition.desk, read_only=True) as desk:
        assert [one.system for one in desk.evaluations()] == ["word-shapes"]


@posix
def test_files_of_a_competition_with_pictures_are_hashed_once_and_parsed_once(
    challenge: CompetitionFiles, work: Work
) -> None:
    names = ("truth.json", "ids.json", "input.json", "careful.json")
    with opens() as count:
        check_competition(challenge, Run())
        score_competition(challenge, Run())
    assert {name: work.hashed[name] for name in names} == dict.fromkeys(names, 1)
    assert work.parsed == dict.fromkeys(names, 1)
    # For its hash and to parse it; a reference also to see its format, by check and score.
    assert [count[str(challenge.desk.parent / name)] for name in names] == [4, 4, 4, 2]
    with Desk.open(challenge.desk, read_only=True) as desk:
        assert [one.system for one in desk.evaluations()] == ["careful"]


@posix
def test_a_file_in_another_role_is_read_again(challenge: CompetitionFiles, work: Work) -> None:
    check_competition(challenge, Run())
    files = sorted(challenge.files, key=lambda file: file.role == "input")
    moved = [replace(one, role="input") if one.role == "task-ids" else one for one in files]
    check_competition(replace(challenge, files=moved), Run())
    assert work.parsed["truth.json"] == 2


@posix
def test_a_file_with_other_content_is_read_again_even_with_the_old_size_and_time(
    competition: CompetitionFiles, work: Work
) -> None:
    (run,) = (file.path for file in competition.submissions)
    check_competition(competition, Run())
    before, content = run.stat(), run.read_bytes()
    changed = content.replace(b'width="1', b'width="2', 1)
    assert changed != content
    run.write_bytes(changed)
    os.utime(run, ns=(before.st_atime_ns, before.st_mtime_ns))
    score_competition(competition, Run())
    assert work.hashed == {"word-shapes.xml": 2, "relevance.xml": 1}
    assert work.parsed == {"word-shapes.xml": 2, "relevance.xml": 1}
    with Desk.open(competition.desk, read_only=True) as desk:
        (stamp,) = load_stamps(desk).values()
    assert stamp["submission"]["sha256"] == hashlib.sha256(changed).hexdigest()


@posix
def test_other_options_read_the_files_again(competition: CompetitionFiles, work: Work) -> None:
    check_competition(competition, Run())
    options = replace(competition.options, profile="corrected")
    score_competition(replace(competition, options=options), Run())
    assert work.hashed == {"word-shapes.xml": 1, "relevance.xml": 1}
    assert work.parsed == {"word-shapes.xml": 2, "relevance.xml": 2}


def test_a_file_that_changed_just_now_has_no_version(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("new")
    assert stat_file_version(path) is None


def test_data_read_while_a_file_changed_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_store, "SETTLED_NANOSECONDS", 0)
    path, store = tmp_path / "a", FileStore()
    path.write_text("one")

    def read() -> str:
        text = path.read_text()
        path.write_text(f"{text}, more")
        return text

    assert store.read("a", [path], read) == "one"
    assert store.read("a", [path], read) == "one, more"


def test_large_parsed_files_are_replaced_by_newer_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_store, "SETTLED_NANOSECONDS", 0)
    monkeypatch.setattr(file_store, "MOST_READING_BYTES", 10)
    store, reads = FileStore(), []
    for name in "abab":
        path = tmp_path / name
        if not path.exists():
            path.write_bytes(bytes(6))
        store.read(name, [path], lambda name=name: reads.append(name))
    assert reads == ["a", "b", "a", "b"]


def test_the_size_of_parsed_files_is_counted_once_and_not_by_a_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unwalked(dict[object, object]):
        def values(self) -> NoReturn:
            raise AssertionError("each reading would walk all others")

    monkeypatch.setattr(file_store, "SETTLED_NANOSECONDS", 0)
    monkeypatch.setattr(file_store, "MOST_READING_BYTES", 12)
    store, reads = FileStore(), []
    monkeypatch.setattr(store, "_readings", Unwalked())
    for name in "ab":
        (tmp_path / name).write_bytes(bytes(6))

    def read(name: str) -> None:
        store.read(name, [tmp_path / name], lambda: reads.append(name))

    # Another thread stores the same reading in the meantime.
    store.read("a", [tmp_path / "a"], lambda: read("a"))
    for name in "bab":
        read(name)
    assert reads == ["a", "b"]
    store.clear_readings()
    for name in "abab":
        read(name)
    assert reads == ["a", "b", "a", "b"]
